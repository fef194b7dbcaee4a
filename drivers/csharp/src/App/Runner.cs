using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Ringway.App;

/// <summary>Worker threads that move packets, and the main thread that watches clock and signals for them.</summary>
/// <remarks>Make it before a device is opened: from then on SIGINT and SIGTERM end the run and nothing else.</remarks>
internal sealed class Runner : IDisposable
{
    /// <summary>Rounds with nothing to do after which other threads get a turn.</summary>
    private const int IdleRounds = 64;

    private static readonly TimeSpan ReportEvery = TimeSpan.FromSeconds(1);

    private readonly AutoResetEvent wake = new(false);
    private readonly List<PosixSignalRegistration> registrations = [];
    private ExceptionDispatchInfo? failure;
    private bool signalled;
    private bool stop;
    private int running;

    public Runner()
    {
        foreach (PosixSignal signal in (PosixSignal[])[PosixSignal.SIGINT, PosixSignal.SIGTERM])
        {
            registrations.Add(PosixSignalRegistration.Create(signal, context =>
            {
                context.Cancel = true;
                Volatile.Write(ref signalled, true);
                wake.Set();
            }));
        }
    }

    /// <summary>How long the run took, or has taken.</summary>
    public TimeSpan Elapsed { get; private set; }

    /// <summary>What the runtime did meanwhile.</summary>
    public RuntimeCounts Counts { get; private set; }

    /// <summary>Moves packets until the budget is spent, the time is over, or a signal comes.</summary>
    /// <param name="jobs">One for each worker.</param>
    /// <param name="settings">When to stop, and on which CPU the first worker runs.</param>
    /// <param name="interval">Called once a second.</param>
    public StopReason Run(IReadOnlyList<Job> jobs, Settings settings, Action<TimeSpan> interval)
    {
        RuntimeCounts before = RuntimeCounts.Now();
        long start = Stopwatch.GetTimestamp();
        running = jobs.Count;
        // Several workers are pinned all or none: one alone on its CPU and others where there is room would be worse than either.
        int? core = jobs.Count > 1 && settings.Core is { } first && !Affinity.MayUse(first, jobs.Count) ? null : settings.Core;
        Thread[] threads = [.. jobs.Select((job, i) => new Thread(() => Work(job, core + i)) { Name = $"worker {i}" })];
        Array.ForEach(threads, thread => thread.Start());
        try
        {
            return Watch(start, settings.Duration ?? TimeSpan.MaxValue, interval);
        }
        finally
        {
            Volatile.Write(ref stop, true);
            Array.ForEach(threads, thread => thread.Join());
            Elapsed = Stopwatch.GetElapsedTime(start);
            Counts = RuntimeCounts.Now() - before;
            failure?.Throw();
        }
    }

    public void Dispose()
    {
        registrations.ForEach(registration => registration.Dispose());
        wake.Dispose();
    }

    private StopReason Watch(long start, TimeSpan duration, Action<TimeSpan> interval)
    {
        TimeSpan nextReport = ReportEvery;
        while (true)
        {
            TimeSpan now = Stopwatch.GetElapsedTime(start);
            bool over = Volatile.Read(ref running) == 0 || Volatile.Read(ref failure) is not null;
            if (over || Volatile.Read(ref signalled))
            {
                return Volatile.Read(ref signalled) ? StopReason.Signal : StopReason.Packets;
            }

            if (now >= duration)
            {
                return StopReason.Duration;
            }

            if (now >= nextReport)
            {
                nextReport = TimeSpan.FromSeconds(Math.Floor(now.TotalSeconds)) + ReportEvery;
                interval(now);
                continue;
            }

            TimeSpan until = nextReport < duration ? nextReport : duration;
            wake.WaitOne(until - now + TimeSpan.FromMilliseconds(1));
        }
    }

    /// <summary>One worker.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Work(Job job, int? core)
    {
        try
        {
            if (core is { } cpu)
            {
                Affinity.PinThisThread(cpu);
            }

            int idle = 0;
            while (!Volatile.Read(ref stop) && !job.IsDone)
            {
                idle = job.Round() ? 0 : idle + 1;
                if (idle >= IdleRounds)
                {
                    Thread.Yield();
                }
            }
        }
        catch (Exception thrown)
        {
            Interlocked.CompareExchange(ref failure, ExceptionDispatchInfo.Capture(thrown), null);
        }
        finally
        {
            Interlocked.Decrement(ref running);
            wake.Set();
        }
    }
}
