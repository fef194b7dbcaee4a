using System.Runtime.CompilerServices;

namespace Ringway.App;

/// <summary>Writing what a device receives into a file.</summary>
internal static class Capture
{
    /// <summary>Captures until it is time to stop.</summary>
    public static void Run(string address, string path, Settings settings, Report report)
    {
        if (settings.Options.RxQueues > 1)
        {
            throw FailureException.Usage("capture keeps the order of packets: it has one queue");
        }

        using Runner runner = new();
        using Session session = Session.Open([address], settings);
        try
        {
            // Only now: a wrong address must not empty an existing file.
            using PcapFile file = new(path);
            report.Start(session, settings.Options.RxQueues);
            using CaptureJob job = new(session.Devices[0], session.Memory, settings.Batch, new Budget(settings.Packets), file);
            StopReason reason;
            try
            {
                reason = runner.Run([job], settings, time => report.Interval(time, session, [0]));
            }
            catch (RingwayException)
            {
                file.Flush(); // what was captured before is worth keeping
                throw;
            }

            file.Flush();
            job.Dispose();
            Sums sums = new(job.Received, 0, [0], session.Settle());
            report.Final(runner, session, sums, reason);
            session.Close();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw FailureException.Output(path, failure);
        }
    }
}

/// <summary>One receive queue, written to a file.</summary>
internal sealed class CaptureJob(Device device, DmaMemory memory, int batchSize, Budget budget, PcapFile file) : Job
{
    /// <summary>Rounds in vain after which the wire counts as quiet, and what has come is put into the file.</summary>
    private const int QuietRounds = 64;

    private readonly ReceiveQueue queue = device.Rx[0];
    private readonly Batch batch = new(memory, batchSize);
    private int idle;

    public long Received { get; private set; }

    public override bool IsDone => budget.IsSpent;

    public override void Dispose() => batch.Dispose();

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public override bool Round()
    {
        int most = budget.Take(batch.Capacity);
        int count = queue.Receive(batch, most);
        budget.Settle(most, count);
        if (count > 0)
        {
            file.Add(DateTime.UtcNow, batch);
            Received += batch.Release();
            idle = 0;
        }
        else if (++idle == QuietRounds)
        {
            file.Flush();
        }

        return count > 0;
    }
}
