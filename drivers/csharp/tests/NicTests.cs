using System.Diagnostics;
using Ringway.Ixgbe;

namespace Ringway.Tests;

/// <summary>The whole driver against a device that is played by hand.</summary>
public sealed class NicTests : IDisposable
{
    private readonly DmaMemory memory = DmaMemory.Create(8 << 20, concurrent: false);
    private readonly FakeNic fake;

    public NicTests() => fake = new FakeNic(memory);

    public void Dispose() => memory.Dispose();

    private Device Open(DeviceOptions? options = null) =>
        Device.Open(fake, memory, options ?? new DeviceOptions { RingSlots = 64, PoolSlots = 256 });

    [Fact]
    public void Opens_in_the_data_sheets_order()
    {
        using Device device = Open();
        int Last(Register register) => fake.Written.FindLastIndex(write => write.Offset == register.Offset);
        int First(Register register) => fake.Written.FindIndex(write => write.Offset == register.Offset);
        Assert.True(First(Regs.EIMC) < First(Regs.CTRL) && Last(Regs.CTRL) < Last(Regs.EIMC), "masked before and after");
        Assert.True(Last(Regs.FCTRL) < Last(Regs.RXCTRL), "filters before reception");
        Assert.True(Last(Regs.RDBAL[0]) < Last(Regs.RXDCTL[0]) && Last(Regs.RXDCTL[0]) < Last(Regs.RDT[0]), "ring, enable, tail");
        Assert.True(Last(Regs.DMATXCTL) < Last(Regs.TXDCTL[0]), "transmission before its queue");
        Assert.Equal("020003040506", device.Mac.ToString());
        Assert.Equal(new Link(true, 10_000), device.ReadLink());
        Assert.Equal(63, fake.RxFree);
    }

    [Fact]
    public void The_key_and_the_table_of_rss_are_the_vectors()
    {
        using Device device = Open(new DeviceOptions { RxQueues = 2, RingSlots = 64, PoolSlots = 256 });
        System.Text.Json.JsonElement key = Vectors.Read("rss").GetProperty("keys").GetProperty("microsoft").GetProperty("rssrk");
        for (int word = 0; word < Regs.RSSRK.Count; word++)
        {
            Assert.Equal((uint)Vectors.Hex(key[word]), fake[Regs.RSSRK[word]]);
        }

        Assert.Equal(0x0100_0100u, fake[Regs.RETA[0]]);
        Assert.Equal(1u, Srrctl.DROP_EN.Get(fake[Regs.SRRCTL[1]]));
    }

    public static TheoryData<string> Waits => ["EEC", "RDRXCTL", "RXDCTL[0]", "TXDCTL[0]", "LINKS", "SECRXSTAT"];

    [Theory]
    [MemberData(nameof(Waits))]
    public void A_wait_that_runs_out_names_its_register(string name)
    {
        Register[] all = [Regs.EEC, Regs.RDRXCTL, Regs.RXDCTL[0], Regs.TXDCTL[0], Regs.LINKS, Regs.SECRXSTAT];
        fake.Stuck = (all.Single(register => register.ToString() == name), uint.MaxValue);
        DeviceTimeoutException failure = Assert.Throws<DeviceTimeoutException>(() =>
            Open(new DeviceOptions { RingSlots = 64, PoolSlots = 256, LinkWait = TimeSpan.FromMilliseconds(20) }));
        Assert.Equal(name, failure.Register);
        Assert.True(failure.Waited > TimeSpan.FromMilliseconds(15) && failure.Mask != 0, failure.Message);
        Assert.False(fake.IsMapped, "a failed open leaves nothing mapped");
        Assert.True(fake.IsDisposed);
        using Batch all256 = new(memory, 2000);
        using Device again = Device.Open(new FakeNic(memory), memory, new DeviceOptions { RingSlots = 64, PoolSlots = 2000 });
        Assert.Equal(2000 - 63, again.Pool.Free);
    }

    [Fact]
    public void Receives_and_sends_in_order_across_the_ring_end()
    {
        using Device device = Open();
        using Batch batch = new(memory, 32);
        List<byte[]> sent = [];
        for (int round = 0; round < 50; round++)
        {
            for (int i = 0; i < 7; i++)
            {
                fake.Receive(60 + round, (byte)((round * 7) + i));
            }

            Assert.Equal(7, device.Receive(0, batch));
            Assert.Equal(7, device.Transmit(0, batch));
            Assert.Equal(7, fake.Transmit(sent.Add));
        }

        for (int i = 0; i < sent.Count; i++)
        {
            Assert.Equal(60 + (i / 7), sent[i].Length);
            Assert.All(sent[i], octet => Assert.Equal((byte)i, octet));
        }

        Assert.Equal(0, AllAtHome(device).Tx);
    }

    [Fact]
    public void Single_packets_are_made_up_for_together()
    {
        using Device device = Open();
        using Batch batch = new(memory, 32);
        fake.Written.Clear();
        for (int packet = 0; packet < 640; packet++)
        {
            fake.Receive(60, (byte)packet);
            Assert.Equal(1, device.Receive(0, batch));
            Assert.Equal(1, device.Transmit(0, batch));
            Assert.Equal(1, fake.Transmit());
            Assert.InRange(fake.RxFree, 63 - 16, 63);
        }

        Assert.Equal(640, fake.Written.Count(write => write.Offset == Regs.TDT[0].Offset));
        Assert.Equal(640 / 16, fake.Written.Count(write => write.Offset == Regs.RDT[0].Offset));
        Assert.InRange(256 - device.Pool.Free, 63, 63 + 16);
        Assert.Equal(0, device.Transmit(0, batch));
        Assert.Equal(0, AllAtHome(device).Tx);
    }

    /// <summary>No slot is lost.</summary>
    private static RingSlots AllAtHome(Device device)
    {
        RingSlots slots = device.CountOf(device.Pool);
        Assert.Equal(device.Pool.Total, device.Pool.Free + slots.Rx + slots.Tx);
        return slots;
    }

    [Fact]
    public void A_long_packet_is_joined_and_sent_in_pieces()
    {
        using Device device = Open(new DeviceOptions { RingSlots = 64, PoolSlots = 256, MaxFrame = 9018 });
        using Batch batch = new(memory, 8);
        fake.Receive(2048, 1, ends: false);
        Assert.Equal(0, device.Receive(0, batch));
        fake.Receive(2048, 2, ends: false);
        fake.Receive(100, 3);
        fake.Receive(60, 4);
        Assert.Equal(2, device.Receive(0, batch));
        Packet first = default;
        foreach (Packet packet in batch)
        {
            first = packet;
            break;
        }

        Assert.Equal((3, 4196), (first.Pieces, first.Length));
        Assert.Equal(2, device.Transmit(0, batch));
        List<byte[]> pieces = [];
        Assert.Equal(2, fake.Transmit(pieces.Add));
        Assert.Equal([2048, 2048, 100, 60], pieces.Select(piece => piece.Length));
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(2049, true)]
    [InlineData(1600, true)]
    [InlineData(100, false)]
    public void A_lie_is_thrown_away_and_counted(int claims, bool ends)
    {
        using Device device = Open();
        using Batch batch = new(memory, 8);
        fake.Receive(60, 1);
        fake.Receive(60, 2, ends, (ulong)claims);
        fake.Receive(60, 3);
        Assert.Equal(2, device.Receive(0, batch));
        List<byte> first = [];
        foreach (Packet packet in batch)
        {
            first.Add(packet.Head[0]);
        }

        Assert.Equal([1, 3], first);
        Assert.Equal(1ul, device.ReadStats().RxErrors);
        batch.Release();
        AllAtHome(device);
    }

    [Fact]
    public void A_short_packet_is_made_longer_with_zeros()
    {
        using Device device = Open();
        using Batch batch = new(memory, 8);
        Assert.Equal(1, batch.Add(device.Pool, 1, 100));
        foreach (Packet packet in batch)
        {
            packet.Head.Fill(9);
        }

        batch.Release();
        Assert.True(batch.TryAdd(device.Pool, new byte[] { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 }));
        Assert.Equal(1, device.Transmit(0, batch));
        List<byte[]> sent = [];
        fake.Transmit(sent.Add);
        Assert.Equal([7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0], Assert.Single(sent));
    }

    [Fact]
    public void A_full_ring_takes_fewer_and_completes_by_groups()
    {
        using Device device = Open();
        using Batch batch = new(memory, 100);
        batch.Add(device.Pool, 100, 60);
        Assert.Equal(63, device.Transmit(0, batch));
        Assert.Equal((37, 0), (batch.Count, device.Transmit(0, batch)));
        fake.Transmit();
        Assert.Equal(37, device.Transmit(0, batch));
        fake.Transmit();
        Assert.Equal(new RingSlots(63, 0), device.CountOf(device.Pool));
    }

    [Fact]
    public void A_device_that_goes_away_is_noticed_and_can_be_closed()
    {
        Device device = Open();
        using Batch batch = new(memory, 8);
        fake.IsGone = true;
        Assert.Throws<DeviceFailedException>(() =>
        {
            for (int poll = 0; poll < 100_000_000; poll++)
            {
                device.Receive(0, batch);
            }
        });
        Pool pool = device.Pool;
        device.Close();
        Assert.Equal(pool.Total, pool.Free);
    }

    [Fact]
    public void Closing_waits_for_what_is_being_sent_but_not_for_ever()
    {
        Device device = Open();
        using Batch batch = new(memory, 8);
        batch.Add(device.Pool, 8, 60);
        Assert.Equal(8, device.Transmit(0, batch));
        fake.Stuck = (Regs.TDH[0], Tdh.TDH.Mask);
        long start = Stopwatch.GetTimestamp();
        device.Close();
        Assert.True(Stopwatch.GetElapsedTime(start) >= TimeSpan.FromMilliseconds(500));
        Assert.False(fake.IsMapped);
    }

    [Fact]
    public void Slots_of_another_device_go_home_when_a_device_is_closed()
    {
        using Device one = Open();
        Device other = Device.Open(new FakeNic(memory), memory, new DeviceOptions { RingSlots = 64, PoolSlots = 100 });
        using Batch batch = new(memory, 10);
        batch.Add(one.Pool, 10, 60);
        Assert.Equal(10, other.Transmit(0, batch));
        Assert.Equal(256 - 63 - 10, one.Pool.Free);
        other.Close();
        Assert.Equal(256 - 63, one.Pool.Free);
        Assert.Throws<ArgumentOutOfRangeException>(() => other.Receive(0, batch));
    }

    [Theory]
    [InlineData(17, 1, 63, 1518)]
    [InlineData(64, 0, 256, 1518)]
    [InlineData(64, 17, 4096, 1518)]
    [InlineData(8200, 1, 9000, 1518)]
    [InlineData(64, 1, 256, 20000)]
    public void Refuses_what_no_82599_can_do(int ring, int queues, int pool, int frame) =>
        Assert.Throws<UnsupportedException>(() => Open(new DeviceOptions
        {
            RingSlots = ring,
            RxQueues = queues,
            PoolSlots = pool,
            MaxFrame = frame,
        }));

    [Fact]
    public void Refuses_a_pool_that_cannot_fill_its_rings() => Assert.Throws<OutOfDmaMemoryException>(() =>
        Open(new DeviceOptions { RingSlots = 64, PoolSlots = 62 }));
}
