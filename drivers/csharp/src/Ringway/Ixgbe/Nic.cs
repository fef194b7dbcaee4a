using System.Net.NetworkInformation;
using System.Runtime.CompilerServices;
using Ringway.Bus;

namespace Ringway.Ixgbe;

/// <summary>One open Intel 82599: what its queues and its control handle share.</summary>
/// <remarks>Sections are those of the 82599 data sheet (331520), written as <c>82599:4.6.3</c>.</remarks>
internal sealed class Nic : IDriver
{
    /// <summary>Bytes of the frame check sequence.</summary>
    public const int Fcs = 4;

    /// <summary>The registers in use end below this.</summary>
    private const ulong RegisterBytes = 0x2_0000;

    /// <summary>RSS tables have four bits for a queue. [82599:7.1.2.8]</summary>
    private const int MaxRxQueues = 16;

    /// <summary>All packets go through packet buffer 0, which 64 queues may feed. [82599:4.6.11.3.4]</summary>
    private const int MaxTxQueues = 64;

    /// <summary>Frames of 15.5 KiB are the longest. [82599:8.2.3.22.13]</summary>
    private const int MaxFrame = 15872, MinFrame = 64;

    private const int MinRing = 16, MaxRing = 8192, RingUnit = 8;

    /// <summary>Up to two VLAN tags come on top of the longest frame.</summary>
    private const int VlanTags = 8;

    private readonly Totals totals;
    private RxQueue[] rx = [];
    private TxQueue[] tx = [];
    private ulong lies;
    private bool mapped;

    private Nic(IFunction function, DmaMemory memory, DeviceOptions options)
    {
        (Function, Memory, Options) = (function, memory, options);
        Registers = new Mmio(function, Wire.Region.BAR0);
        totals = new Totals(Registers);
        Pool = memory.TakePool(options.PoolSlots);
    }

    public IFunction Function { get; }

    public DmaMemory Memory { get; }

    public DeviceOptions Options { get; }

    public Mmio Registers { get; }

    public Pool Pool { get; }

    public PhysicalAddress Mac { get; private set; } = PhysicalAddress.None;

    public IReadOnlyList<ReceiveQueue> Rx => rx;

    public IReadOnlyList<TransmitQueue> Tx => tx;

    /// <summary>Most bytes of a packet in memory: the device strips the FCS and leaves VLAN tags.</summary>
    public int LongestPacket => Options.MaxFrame - Fcs + VlanTags;

    /// <summary>True if this driver is made for the device with these PCI ids.</summary>
    public static bool Drives(ushort vendor, ushort device) =>
        vendor == Wire.PciId.INTEL && device is Wire.PciId.I82599_SFP or Wire.PciId.I82599_BACKPLANE;

    /// <summary>Brings the device up. After an exception nothing is left behind.</summary>
    public static Nic Open(IFunction function, DmaMemory memory, DeviceOptions options)
    {
        Refuse(options);
        if (function.Size(Wire.Region.BAR0) < RegisterBytes)
        {
            throw new UnsupportedException($"an 82599 with {function.Size(Wire.Region.BAR0)} bytes of registers");
        }

        function.EnableMemory();
        Nic nic = new(function, memory, options);
        try
        {
            nic.BringUp();
            return nic;
        }
        catch
        {
            nic.CloseQuietly();
            throw;
        }
    }

    public Stats ReadStats() => totals.Read(Options.RxQueues, Volatile.Read(ref lies));

    public Link ReadLink() => Totals.ReadLink(Registers);

    public void SetPromiscuous(bool on) => Init.SetPromiscuous(Registers, on);

    /// <summary>A packet was thrown away because its descriptors said the impossible.</summary>
    public void CountLie() => Interlocked.Increment(ref lies);

    /// <summary>Refuses a batch of another memory, and a queue of a closed device.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Require(Batch batch, bool closed)
    {
        if (closed || batch.Memory != Memory)
        {
            Refuse(closed);
        }
    }

    public void Close()
    {
        // A device that is gone has nothing to stop.
        bool gone = IsGone();
        try
        {
            if (!gone)
            {
                Stop();
            }
        }
        finally
        {
            try
            {
                Unmap(gone);
            }
            finally
            {
                GiveBack();
            }
        }
    }

    private void BringUp()
    {
        Mac = Init.ResetAndIdentify(Registers);
        Map();
        rx = new RxQueue[Options.RxQueues];
        tx = new TxQueue[Options.TxQueues];
        for (int n = 0; n < rx.Length; n++)
        {
            rx[n] = new RxQueue(this, n);
        }

        for (int n = 0; n < tx.Length; n++)
        {
            tx[n] = new TxQueue(this, n);
        }

        Init.Start(this, rx, tx, totals);
    }

    /// <summary>Shows the device our memory. Only after its reset: before, it may still have addresses of another driver.
    /// </summary>
    private void Map()
    {
        Function.MapDma(Memory);
        mapped = true;
        Function.EnableDma();
    }

    private bool IsGone()
    {
        try
        {
            Function.Check();
            return false;
        }
        catch (DeviceFailedException)
        {
            return true;
        }
    }

    private void Stop()
    {
        try
        {
            Init.Stop(Registers, Options);
        }
        catch (RingwayException)
        {
            // What the registers could not do the bus may: no queue must run on in memory that is given back.
            try
            {
                Function.Reset();
            }
            catch (RingwayException)
            {
                // The first failure is the one to tell.
            }

            throw;
        }
    }

    private void Unmap(bool gone)
    {
        if (!mapped || gone)
        {
            return;
        }

        mapped = false;
        try
        {
            Function.DisableDma();
        }
        finally
        {
            Function.UnmapDma(Memory);
        }
    }

    private void GiveBack()
    {
        foreach (RxQueue queue in rx.OfType<RxQueue>())
        {
            queue.Close();
            Memory.GiveBack(queue.Span);
        }

        foreach (TxQueue queue in tx.OfType<TxQueue>())
        {
            queue.Close();
            Memory.GiveBack(queue.Span);
        }

        (rx, tx) = ([], []);
        Memory.Retire(Pool);
    }

    private void CloseQuietly()
    {
        try
        {
            Close();
        }
        catch (RingwayException)
        {
            // The reason why the device did not open is the one to tell.
        }
    }

    private void Refuse(bool closed)
    {
        ObjectDisposedException.ThrowIf(closed, this);
        throw new ArgumentException("a batch of another DMA memory than the device's");
    }

    /// <summary>Refuses what the device cannot do, before it is touched.</summary>
    private static void Refuse(DeviceOptions options)
    {
        Within("receive queues", options.RxQueues, 1, MaxRxQueues);
        Within("transmit queues", options.TxQueues, 1, MaxTxQueues);
        Within("descriptors in a ring", options.RingSlots, MinRing, MaxRing);
        Within("bytes in the longest frame", options.MaxFrame, MinFrame, MaxFrame);
        if (options.RingSlots % RingUnit != 0)
        {
            throw new UnsupportedException($"rings of {options.RingSlots} descriptors; multiples of {RingUnit}");
        }

        int wanted = options.RxQueues * (options.RingSlots - 1);
        if (options.PoolSlots < wanted)
        {
            throw new OutOfDmaMemoryException($"a pool of {options.PoolSlots} slots for receive rings of {wanted}");
        }
    }

    private static void Within(string what, int value, int least, int most)
    {
        if (value < least || value > most)
        {
            throw new UnsupportedException($"{value} {what}; {least} to {most}");
        }
    }
}
