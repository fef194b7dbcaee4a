namespace Ringway.App;

/// <summary>Forwarding between two devices: the workload that all languages share.</summary>
internal static class Forward
{
    /// <summary>Forwards both ways until it is time to stop.</summary>
    public static void Run(string first, string second, Settings settings, Report report)
    {
        if (first == second)
        {
            throw FailureException.Usage($"forward needs two devices, not {first} twice");
        }

        using Runner runner = new();
        using Session session = Session.Open([first, second], settings);
        report.Start(session);
        Budget budget = new(settings.Packets);
        List<ForwardJob> jobs = [];
        for (int queue = 0; queue < settings.Options.RxQueues; queue++)
        {
            jobs.Add(new ForwardJob(session, queue, settings.Batch, budget));
        }

        StopReason reason = runner.Run(jobs, settings, time => report.Interval(time, session, Dropped(jobs)));
        jobs.ForEach(job => job.Dispose());
        long received = jobs.Sum(job => job.Received);
        long[] dropped = Dropped(jobs);
        Sums sums = new(received, received - dropped.Sum(), dropped, session.Settle());
        report.Final(runner.Elapsed, session, sums, reason);
        session.Close();
    }

    private static long[] Dropped(List<ForwardJob> jobs) =>
        [jobs.Sum(job => job.DroppedFrom(0)), jobs.Sum(job => job.DroppedFrom(1))];
}

/// <summary>One queue of both devices, both ways.</summary>
internal sealed class ForwardJob(Session session, int queue, int batchSize, Budget budget) : Job
{
    /// <summary>The byte of each packet that is incremented, so that the wire can tell whether a driver touched it.</summary>
    private const int Touched = 48;

    private readonly ReceiveQueue[] from = [session.Devices[0].Rx[queue], session.Devices[1].Rx[queue]];
    private readonly TransmitQueue[] to = [session.Devices[1].Tx[queue], session.Devices[0].Tx[queue]];
    private readonly long[] dropped = new long[2];
    private readonly Batch batch = new(session.Memory, batchSize);
    private long received;

    public long Received => Volatile.Read(ref received);

    public override bool IsDone => budget.IsSpent;

    public long DroppedFrom(int device) => Volatile.Read(ref dropped[device]);

    public override bool Round() => OneWay(0) | OneWay(1);

    public override void Dispose() => batch.Dispose();

    private void Touch()
    {
        foreach (Packet packet in batch)
        {
            Span<byte> bytes = packet.Head;
            if (bytes.Length > Touched)
            {
                bytes[Touched]++;
            }
        }
    }

    private bool OneWay(int way)
    {
        int most = budget.Take(batch.Capacity);
        int count = from[way].Receive(batch, most);
        budget.GiveBack(most - count);
        if (count > 0)
        {
            Touch();
        }

        // Also with an empty batch: what has been sent must come home, or the other side runs out of slots.
        to[way].Transmit(batch);
        if (batch.Count > 0)
        {
            dropped[way] += batch.Release();
        }

        received += count;
        return count > 0;
    }
}
