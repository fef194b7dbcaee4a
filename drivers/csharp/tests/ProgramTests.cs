using System.Buffers.Binary;
using Ringway.App;
using Ringway.Conform;

namespace Ringway.Tests;

/// <summary>What the programs bring along: arguments, files, packets, words.</summary>
public sealed class ProgramTests : IDisposable
{
    private readonly DmaMemory memory = DmaMemory.Create(4 << 20);
    private readonly string path = Path.GetTempFileName();

    public void Dispose()
    {
        File.Delete(path);
        memory.Dispose();
    }

    [Theory]
    [InlineData("info unix:/x", 0)]
    [InlineData("forward unix:/x unix:/y --batch 64 --duration 0.5 --packets 7 --queues 4 --core 1 --json", 0)]
    [InlineData("generate unix:/x --size 1518", 0)]
    [InlineData("generate unix:/x --size 63", 1)]
    [InlineData("forward unix:/x", 1)]
    [InlineData("info unix:/x --batch 0", 1)]
    [InlineData("info unix:/x --duration -1", 1)]
    [InlineData("info unix:/x --duration 1e300", 1)]
    [InlineData("info unix:/x --duration NaN", 1)]
    [InlineData("info unix:/x --packets many", 1)]
    [InlineData("nothing", 1)]
    public void Arguments_are_taken_or_refused(string line, int wanted) =>
        Assert.Equal(wanted, Math.Min(1, CommandLine.Root.Parse(line).Errors.Count));

    [Fact]
    public void A_budget_is_spent_when_nothing_that_was_taken_can_come_back()
    {
        Budget budget = new(10);
        Assert.Equal((8, 2, 0), (budget.Take(8), budget.Take(8), budget.Take(8)));
        budget.Settle(8, 5);
        Assert.False(budget.IsSpent);
        budget.Settle(2, 2);
        Assert.False(budget.IsSpent, "three have come back");
        budget.Settle(budget.Take(8), 3);
        Assert.True(budget.IsSpent);
        Budget endless = new(null);
        endless.Settle(endless.Take(8), 8);
        Assert.False(endless.IsSpent);
    }

    [Fact]
    public void Cpus_that_are_not_there_are_not_used()
    {
        Assert.False(Affinity.MayUse(0, 4096));
        Assert.False(Affinity.MayUse(-1, 1));
        Assert.Contains(true, Enumerable.Range(0, 1024).Select(cpu => Affinity.MayUse(cpu, 1)));
    }

    [Theory]
    [InlineData(60)]
    [InlineData(1514)]
    public void The_template_is_a_valid_packet(int length)
    {
        byte[] packet = Template.Udp([2, 0, 0, 0, 0, 1], length, 0);
        uint sum = 0;
        for (int i = 14; i < 34; i += 2)
        {
            sum += BinaryPrimitives.ReadUInt16BigEndian(packet.AsSpan(i));
        }

        Assert.Equal(0xffffu, (sum & 0xffff) + (sum >> 16));
        Assert.Equal((length, length - 34), (packet.Length, BinaryPrimitives.ReadUInt16BigEndian(packet.AsSpan(38))));
    }

    [Fact]
    public void A_capture_holds_whole_records()
    {
        Pool pool = memory.TakePool(4);
        using Batch batch = new(memory, 4);
        byte[] jumbo = [.. Enumerable.Range(0, 3000).Select(i => (byte)(i % 251))], small = [.. jumbo[7..67]];
        batch.TryAdd(pool, jumbo);
        batch.TryAdd(pool, small);
        using (PcapFile file = new(path))
        {
            for (int i = 0; i < 500; i++)
            {
                file.Add(DateTime.UnixEpoch.AddSeconds(1.5), batch);
            }

            file.Flush();
        }

        byte[] bytes = File.ReadAllBytes(path);
        Assert.Equal(24 + (500 * (16 + 3000 + 16 + 60)), bytes.Length);
        uint Word(int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(at));
        Assert.Equal([0xa1b2_3c4du, 0x0004_0002u, 1u, 500_000_000u, 3000u, 3000u],
            new[] { Word(0), Word(4), Word(24), Word(28), Word(32), Word(36) });
        for (int at = 24; at < bytes.Length; at += 16 + 3000 + 16 + 60)
        {
            Assert.True(bytes.AsSpan(at + 16, 3000).SequenceEqual(jumbo), $"the long packet at {at}");
            Assert.Equal([1u, 500_000_000u, 60u, 60u], Enumerable.Range(0, 4).Select(i => Word(at + 3016 + (4 * i))));
            Assert.True(bytes.AsSpan(at + 3032, 60).SequenceEqual(small), $"the short packet behind {at}");
        }

        Assert.Throws<IOException>(() => new PcapFile("/dev/full"));
    }

    /// <summary>Who looks at the file while the capture goes on sees what has come, not only what fills a buffer.</summary>
    [Fact]
    public void A_quiet_wire_puts_packets_into_the_file()
    {
        FakeNic fake = new(memory);
        using Device device = Device.Open(fake, memory, new DeviceOptions { RingSlots = 64, PoolSlots = 256 });
        using PcapFile file = new(path);
        using CaptureJob job = new(device, memory, 32, new Budget(null), file);
        fake.Receive(60, 1);
        Assert.True(job.Round());
        Assert.Equal(24, new FileInfo(path).Length);
        for (int round = 0; round < 64; round++)
        {
            Assert.False(job.Round());
        }

        Assert.Equal(24 + 16 + 60, new FileInfo(path).Length);
    }

    [Fact]
    public void A_budget_is_spent_once_by_all_workers_together()
    {
        Budget budget = new(100_000);
        long moved = 0;
        Parallel.For(0, 4, _ =>
        {
            while (!budget.IsSpent)
            {
                int taken = budget.Take(32), used = Math.Min(taken, 20);
                budget.Settle(taken, used);
                Interlocked.Add(ref moved, used);
            }
        });
        Assert.Equal(100_000, moved);
        Assert.Equal(32, new Budget(null).Take(32));
    }

    [Fact]
    public void Words_and_keys_come_in_any_order()
    {
        Words words = new(["unix:/a=b", "rx_queues=2", "7"]);
        Assert.Equal("unix:/a=b", words.Word(0, "address"));
        Assert.Equal((7, 2, 1), (words.Number<int>(1, "n"), words.Key("rx_queues", 1), words.Key("tx_queues", 1)));
        Assert.Throws<UsageException>(() => words.Number<int>(0, "n"));
        Assert.Throws<UsageException>(() => words.Word(2, "more"));
        Assert.Throws<UsageException>(() => new Words(["-1"]).Number<int>(0, "n"));
        Assert.Throws<UsageException>(() => Words.Unhex("0"));
        Assert.Equal(new byte[] { 0, 0xab, 9 }, Words.Unhex("00ab09"));
    }

    [Theory]
    [InlineData("hello", "ok protocol=1 driver=csharp ")]
    [InlineData("", "error Usage ")]
    [InlineData("dance", "error Usage ")]
    [InlineData("open unix:/nowhere", "error NoSuchDevice ")]
    [InlineData("open unix:/nowhere rx_queues=x", "error Usage ")]
    [InlineData("receive 0 0 1", "error Usage ")]
    [InlineData("release", "ok n=0")]
    [InlineData("quit", "ok")]
    public void The_testee_answers_in_one_line(string line, string wanted)
    {
        using Testee testee = new(memory);
        Assert.StartsWith(wanted, testee.Answer(line), StringComparison.Ordinal);
    }
}
