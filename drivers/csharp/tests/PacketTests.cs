namespace Ringway.Tests;

/// <summary>Pools, batches and DMA memory.</summary>
public sealed class PacketTests : IDisposable
{
    private readonly DmaMemory memory = DmaMemory.Create(8 << 20);

    public void Dispose() => memory.Dispose();

    [Fact]
    public void A_random_walk_loses_no_slot_and_doubles_none()
    {
        Pool[] pools = [memory.TakePool(50), memory.TakePool(70)];
        using Batch left = new(memory, 40), right = new(memory, 60);
        Random random = new(82599);
        for (int step = 0; step < 20_000; step++)
        {
            Batch batch = random.Next(2) == 0 ? left : right;
            Pool pool = pools[random.Next(2)];
            switch (random.Next(5))
            {
                case 0: batch.Add(pool, random.Next(20), 60); break;
                case 1: batch.TryAdd(pool, new byte[random.Next(14, 6000)]); break;
                case 2: left.MoveTo(right, random.Next(10)); break;
                case 3: batch.Release(pool); break;
                default: batch.Release(); break;
            }

            int[] all = [.. left.Slots, .. right.Slots];
            Assert.Equal(all.Length, all.Distinct().Count());
            foreach (Pool one in pools)
            {
                Assert.Equal(one.Total, one.Free + left.CountOf(one) + right.CountOf(one));
            }
        }
    }

    [Fact]
    public void A_slot_that_is_given_back_twice_is_noticed()
    {
        Pool pool = memory.TakePool(4);
        int[] slots = new int[1];
        pool.Take(slots);
        memory.GiveBack(slots);
        Assert.Throws<ArgumentException>(() => memory.GiveBack(slots));
    }

    [Fact]
    public void Threads_share_a_pool()
    {
        Pool pool = memory.TakePool(64);
        Parallel.For(0, 4, _ =>
        {
            using Batch batch = new(memory, 16);
            for (int i = 0; i < 50_000; i++)
            {
                batch.Add(pool, 16, 60);
                batch.Release();
            }
        });
        int[] slots = new int[64];
        Assert.Equal(64, pool.Take(slots));
        Assert.Equal(64, slots.Distinct().Count());
    }

    [Fact]
    public void A_packet_is_what_was_added()
    {
        Pool pool = memory.TakePool(10);
        using Batch batch = new(memory, 10);
        byte[] bytes = new byte[5000];
        new Random(1).NextBytes(bytes);
        Assert.True(batch.TryAdd(pool, bytes));
        Assert.False(batch.TryAdd(pool, new byte[15000]));
        foreach (Packet packet in batch)
        {
            byte[] copy = new byte[5000];
            Assert.Equal((3, 5000, 5000), (packet.Pieces, packet.Length, packet.CopyTo(copy)));
            Assert.Equal(bytes, copy);
        }
    }

    [Fact]
    public void A_retired_pool_ends_when_its_last_slot_is_home()
    {
        Pool pool = memory.TakePool(8);
        using Batch batch = new(memory, 8);
        batch.Add(pool, 8, 60);
        memory.Retire(pool);
        byte number = pool.Number;
        Assert.NotEqual(number, memory.TakePool(1).Number);
        batch.Release();
        Assert.Equal(number, memory.TakePool(1).Number);
    }

    [Fact]
    public void No_slot_of_a_pool_lies_in_two_extents()
    {
        Pool pool = memory.TakePool(3000);
        int[] slots = new int[3000];
        pool.Take(slots);
        Assert.All(slots, slot =>
        {
            long offset = memory.OffsetOf(slot);
            Assert.Equal(offset >> DmaMemory.ExtentShift, (offset + DmaMemory.SlotBytes - 1) >> DmaMemory.ExtentShift);
            Assert.Equal(0, offset % 64);
        });
    }

    [Fact]
    public void Rings_are_aligned_zeroed_and_given_back()
    {
        DmaSpan first = memory.TakeRing(64 * 16), second = memory.TakeRing(8192 * 16);
        Assert.Equal((0, 0), (first.Offset % 128, second.Offset % 128));
        memory.Bytes(first.Offset, first.Length).Fill(1);
        memory.GiveBack(first);
        DmaSpan again = memory.TakeRing(64 * 16);
        Assert.Equal(first, again);
        Assert.False(memory.Bytes(again.Offset, again.Length).ContainsAnyExcept((byte)0));
    }

    [Fact]
    public void Memory_that_is_gone_fails_its_bounds_check()
    {
        DmaMemory gone = DmaMemory.Create(4 << 20);
        gone.TakePool(4);
        gone.Dispose();
        Assert.Throws<ArgumentOutOfRangeException>(() => gone.Slot(0, 60).Clear());
        Assert.Throws<ObjectDisposedException>(gone.AddUser);
    }

    [Theory]
    [InlineData(4096, 1024)]
    [InlineData(2048, 100_000)]
    [InlineData(500_000, 512)]
    public void Bytes_for_so_many_are_enough(int slots, int descriptors)
    {
        using DmaMemory one = DmaMemory.Create(DmaMemory.BytesFor(slots, descriptors));
        one.TakePool(slots);
        for (int taken = 0; taken < descriptors; taken += 512)
        {
            one.TakeRing(512 * 16);
        }
    }

    [Fact]
    public void Memory_of_a_senseless_size_is_refused()
    {
        Assert.Throws<OutOfDmaMemoryException>(() => DmaMemory.Create(4096));
        Assert.Throws<OutOfDmaMemoryException>(() => DmaMemory.Create(1L << 40));
    }

    [Fact]
    public void Neighbours_in_the_devices_eyes_are_one_run()
    {
        const ulong Extent = DmaMemory.ExtentBytes;
        ulong[] extents = [4 * Extent, 5 * Extent, 9 * Extent];
        Assert.Equal(
            [new DmaRun(0, 4 * Extent, 2 * DmaMemory.ExtentBytes), new DmaRun(2 * DmaMemory.ExtentBytes, 9 * Extent, 100)],
            DmaMemory.Coalesce(extents, (2 * DmaMemory.ExtentBytes) + 100));
    }
}
