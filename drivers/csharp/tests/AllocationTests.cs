using Ringway.App;

namespace Ringway.Tests;

/// <summary>Nothing is allocated once packets pass.</summary>
public class AllocationTests
{
    private const int Packets = 10_000_000, BatchSize = 32;

    [Fact]
    public void Ten_million_packets_allocate_nothing()
    {
        using DmaMemory memory = DmaMemory.Create(8 << 20);
        FakeNic fake = new(memory);
        using Device device = Device.Open(fake, memory, new DeviceOptions { RingSlots = 256, PoolSlots = 1024 });
        fake.Records = false;
        using Batch batch = new(memory, BatchSize);
        Assert.Equal(BatchSize, Move(fake, device, batch));

        long before = GC.GetAllocatedBytesForCurrentThread();
        long sent = 0;
        while (sent < Packets)
        {
            sent += Move(fake, device, batch);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void A_million_packets_are_captured_without_allocating()
    {
        using DmaMemory memory = DmaMemory.Create(8 << 20);
        FakeNic fake = new(memory);
        using Device device = Device.Open(fake, memory, new DeviceOptions { RingSlots = 256, PoolSlots = 1024 });
        fake.Records = false;
        using PcapFile nowhere = new("/dev/null");
        using CaptureJob job = new(device, memory, BatchSize, new Budget(null), nowhere);
        Receive(fake, job);
        long before = GC.GetAllocatedBytesForCurrentThread();
        while (job.Received < 1_000_000)
        {
            Receive(fake, job);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static void Receive(FakeNic fake, CaptureJob job)
    {
        for (int i = 0; i < BatchSize; i++)
        {
            fake.Receive(60, (byte)i);
        }

        job.Round();
    }

    private static int Move(FakeNic fake, Device device, Batch batch)
    {
        for (int i = 0; i < BatchSize; i++)
        {
            fake.Receive(60, (byte)i);
        }

        device.Receive(0, batch);
        foreach (Packet packet in batch)
        {
            packet.Head[48]++;
        }

        device.Transmit(0, batch);
        batch.Release();
        return fake.Transmit();
    }
}
