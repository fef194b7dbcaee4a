using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Ringway.App;

/// <summary>Sending as fast as the device takes it.</summary>
internal static class Generate
{
    /// <summary>Sends UDP packets with sequence numbers until it is time to stop.</summary>
    public static void Run(string address, int size, Settings settings, Report report)
    {
        using Runner runner = new();
        using Session session = Session.Open([address], settings);
        report.Start(session, settings.Options.RxQueues);
        Budget budget = new(settings.Packets);
        List<GenerateJob> jobs = [];
        for (int queue = 0; queue < settings.Options.TxQueues; queue++)
        {
            jobs.Add(new GenerateJob(session, queue, settings.Batch, budget, size));
        }

        StopReason reason = runner.Run(jobs, settings, time => report.Interval(time, session, [0]));
        jobs.ForEach(job => job.Dispose());
        Sums sums = new(0, jobs.Sum(job => job.Sent), [0], session.Settle());
        report.Final(runner, session, sums, reason);
        session.Close();
    }
}

/// <summary>One transmit queue that is kept full.</summary>
internal sealed class GenerateJob : Job
{
    /// <summary>Where a packet has its sequence number, big endian.</summary>
    private const int SequenceAt = 42;

    private const int Fcs = 4;

    private readonly TransmitQueue queue;
    private readonly Pool pool;
    private readonly Budget budget;
    private readonly Batch batch;
    private readonly byte[] template;
    private long made;

    public GenerateJob(Session session, int number, int batchSize, Budget budget, int size)
    {
        Device device = session.Devices[0];
        (queue, pool, this.budget) = (device.Tx[number], device.Pool, budget);
        batch = new Batch(session.Memory, batchSize);
        template = Template.Udp(device.Mac.GetAddressBytes(), size - Fcs, number);
    }

    public long Sent { get; private set; }

    public override bool IsDone => batch.Count == 0 && budget.IsSpent;

    public override void Dispose() => batch.Dispose();

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public override bool Round()
    {
        Fill();
        int sent = queue.Transmit(batch);
        Sent += sent;
        return sent > 0;
    }

    /// <summary>Fills the batch up with numbered packets.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Fill()
    {
        int old = batch.Count;
        int most = budget.Take(batch.Room);
        int added = batch.Add(pool, most, template.Length);
        budget.Settle(most, added);
        int position = 0;
        foreach (Packet packet in batch)
        {
            if (position++ >= old)
            {
                template.CopyTo(packet.Head);
                BinaryPrimitives.WriteInt64BigEndian(packet.Head[SequenceAt..], made++);
            }
        }
    }
}
