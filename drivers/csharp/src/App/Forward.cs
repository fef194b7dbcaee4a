using System.Runtime.CompilerServices;

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
        report.Start(session, settings.Options.RxQueues);
        Budget budget = new(settings.Packets);
        List<ForwardJob> jobs = [];
        for (int queue = 0; queue < settings.Options.RxQueues; queue++)
        {
            jobs.Add(new ForwardJob(session.Devices, session.Memory, queue, settings.Batch, budget));
        }

        StopReason reason = runner.Run(jobs, settings, time => report.Interval(time, session, Dropped(jobs)));
        jobs.ForEach(job => job.Dispose());
        long received = jobs.Sum(job => job.Received);
        long[] dropped = Dropped(jobs);
        Sums sums = new(received, received - dropped.Sum(), dropped, session.Settle());
        report.Final(runner, session, sums, reason);
        session.Close();
    }

    private static long[] Dropped(List<ForwardJob> jobs) =>
        [jobs.Sum(job => job.DroppedFrom(0)), jobs.Sum(job => job.DroppedFrom(1))];
}

/// <summary>One queue of both devices, both ways.</summary>
internal sealed class ForwardJob(IReadOnlyList<Device> devices, DmaMemory memory, int queue, int batchSize, Budget budget) : Job
{
    /// <summary>The byte of each packet that is incremented, so that the wire can tell whether a driver touched it.</summary>
    private const int Touched = 48;

    /// <summary>Turns before anybody looks at signals and the end of the run.</summary>
    private const int Turns = 16;

    private readonly Lane[] lanes = [new(devices[0].Rx[queue], devices[1].Tx[queue]), new(devices[1].Rx[queue], devices[0].Tx[queue])];
    private readonly Batch batch = new(memory, batchSize);
    private long received;

    public long Received => Volatile.Read(ref received);

    public override bool IsDone => budget.IsSpent;

    public long DroppedFrom(int device) => Volatile.Read(ref lanes[device].Dropped);

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public override bool Round()
    {
        bool moved = false;
        for (int turn = 0; turn < Turns; turn++)
        {
            moved |= Turn();
        }

        return moved;
    }

    public override void Dispose() => batch.Dispose();

    /// <summary>A batch each way. True if a packet moved.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal bool Turn()
    {
        bool moved = false;
        foreach (Lane lane in lanes)
        {
            moved |= Move(lane);
        }

        return moved;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool Move(Lane lane)
    {
        int most = budget.Take(batch.Capacity);
        int count = lane.From.Receive(batch, most);
        budget.Settle(most, count);
        if (count == 0)
        {
            lane.Rest(batch);
            return false;
        }

        Touch();
        lane.To.Transmit(batch);
        if (batch.Count > 0)
        {
            lane.Dropped += batch.Release();
        }

        received += count;
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
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

    /// <summary>One way.</summary>
    private sealed class Lane(ReceiveQueue from, TransmitQueue to)
    {
        /// <summary>Polls in vain after which what has been sent is taken home, or a small pool would run dry. Not each time:
        /// the device writes to the same cache lines.</summary>
        private const int RestEvery = 16;

        private int rests;

        public long Dropped;

        public ReceiveQueue From => from;

        public TransmitQueue To => to;

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Rest(Batch empty)
        {
            if (++rests % RestEvery == 0)
            {
                to.Transmit(empty);
            }

            // Leaves the line that the device is about to write, and a core that may be shared, to the other side for a moment.
            Thread.SpinWait(1);
        }
    }
}
