using System.Runtime.CompilerServices;

namespace Ringway.App;

/// <summary>Why a run ended.</summary>
internal enum StopReason
{
    Packets,
    Duration,
    Signal,
}

/// <summary>Names in the JSON lines.</summary>
internal static class StopReasons
{
    public static string Name(this StopReason reason) => reason switch
    {
        StopReason.Packets => "packets",
        StopReason.Duration => "duration",
        _ => "signal",
    };
}

/// <summary>Packets that may still be moved by all workers together.</summary>
internal sealed class Budget(long? packets)
{
    private long left = packets ?? long.MaxValue;

    /// <summary>There is an end to it.</summary>
    public bool IsLimited { get; } = packets is not null;

    /// <summary>Nothing is left, and nothing that was taken can come back.</summary>
    public bool IsSpent => IsLimited && Volatile.Read(ref left) == 0;

    /// <summary>Takes up to <paramref name="most"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Take(int most)
    {
        if (!IsLimited)
        {
            return most;
        }

        while (true)
        {
            long had = Volatile.Read(ref left);
            int taken = (int)Math.Min(had, most);
            if (taken == 0 || Interlocked.CompareExchange(ref left, had - taken, had) == had)
            {
                return taken;
            }
        }
    }

    /// <summary>Gives back what was taken and not used.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void GiveBack(int count)
    {
        if (IsLimited && count > 0)
        {
            Interlocked.Add(ref left, count);
        }
    }
}

/// <summary>What one worker thread does, again and again.</summary>
internal abstract class Job : IDisposable
{
    /// <summary>Some packets, as far as there are any. True if one moved.</summary>
    public abstract bool Round();

    /// <summary>There is nothing left to do.</summary>
    public abstract bool IsDone { get; }

    /// <summary>Gives back what it holds.</summary>
    public abstract void Dispose();
}
