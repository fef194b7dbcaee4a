using System.Net.NetworkInformation;

namespace Ringway;

/// <summary>How a device is to be opened.</summary>
public sealed record DeviceOptions
{
    /// <summary>Receive queues. With more than one, TCP and UDP flows are spread over them.</summary>
    public int RxQueues { get; init; } = 1;

    /// <summary>Transmit queues.</summary>
    public int TxQueues { get; init; } = 1;

    /// <summary>Descriptors of each ring: a multiple of 8.</summary>
    public int RingSlots { get; init; } = 512;

    /// <summary>Packet slots of the device; enough to fill its receive rings and more.</summary>
    public int PoolSlots { get; init; } = 2048;

    /// <summary>Receives every good frame, not only those for the device and for everybody.</summary>
    public bool Promiscuous { get; init; }

    /// <summary>Longest frame on the wire in bytes, with FCS, without VLAN tags.</summary>
    public int MaxFrame { get; init; } = 1518;

    /// <summary>How long to wait for the link; not at all if it is zero.</summary>
    public TimeSpan LinkWait { get; init; } = TimeSpan.Zero;
}

/// <summary>Counters since open. Bytes are as on the wire, with FCS.</summary>
/// <param name="RxPackets">Good frames that the port accepted, those that were missed included.</param>
/// <param name="TxPackets">Frames that went out.</param>
/// <param name="RxBytes">Bytes of <paramref name="RxPackets"/>.</param>
/// <param name="TxBytes">Bytes of <paramref name="TxPackets"/>.</param>
/// <param name="RxMissed">Accepted frames that found no descriptor or no buffer space.</param>
/// <param name="RxErrors">Damaged frames, and packets that the driver threw away because the device lied.</param>
public readonly record struct Stats(
    ulong RxPackets, ulong TxPackets, ulong RxBytes, ulong TxBytes, ulong RxMissed, ulong RxErrors);

/// <summary>The link now.</summary>
/// <param name="Up">It is there.</param>
/// <param name="Mbit">Its speed in Mbit/s, 0 if it is down.</param>
public readonly record struct Link(bool Up, int Mbit);

/// <summary>Slots of a pool in the rings of a device.</summary>
public readonly record struct RingSlots(int Rx, int Tx);

/// <summary>One receive queue. Different queues may be used by different threads.</summary>
public abstract class ReceiveQueue
{
    private protected ReceiveQueue()
    {
    }

    /// <summary>Puts packets that have come behind those in <paramref name="batch"/>, at most <paramref name="most"/>.</summary>
    /// <returns>How many; 0 at once if there are none.</returns>
    /// <exception cref="DeviceFailedException">The device broke a rule or is gone. Nothing else is thrown.</exception>
    public abstract int Receive(Batch batch, int most = int.MaxValue);

    internal abstract int CountOf(Pool pool);
}

/// <summary>One transmit queue. Different queues may be used by different threads.</summary>
public abstract class TransmitQueue
{
    private protected TransmitQueue()
    {
    }

    /// <summary>Takes packets from the front of <paramref name="batch"/>, as many as the ring has room for and at most
    /// <paramref name="most"/>; the rest stays, in order.</summary>
    /// <returns>How many packets were taken.</returns>
    /// <exception cref="DeviceFailedException">The device broke a rule or is gone. Nothing else is thrown.</exception>
    public abstract int Transmit(Batch batch, int most = int.MaxValue);

    /// <summary>Takes the slots of packets that have been sent home.</summary>
    public abstract void Reclaim();

    /// <summary>Slots that the device still has.</summary>
    public abstract int Used { get; }

    internal abstract int CountOf(Pool pool);
}

/// <summary>What a driver for one kind of device gives <see cref="Device"/>.</summary>
internal interface IDriver
{
    PhysicalAddress Mac { get; }

    Pool Pool { get; }

    IReadOnlyList<ReceiveQueue> Rx { get; }

    IReadOnlyList<TransmitQueue> Tx { get; }

    Stats ReadStats();

    Link ReadLink();

    void SetPromiscuous(bool on);

    /// <summary>Quiesces the queues, stops DMA, and gives all slots back; throws at the end what went wrong.</summary>
    void Close();
}
