// device · design:2 design:3
// Plain verbs over an internal interface; queues are objects of their own, so that each thread holds just its own.

using System.Diagnostics;
using System.Net.NetworkInformation;

namespace Ringway;

/// <summary>A network device that this program drives itself.</summary>
/// <remarks>
/// <code>
/// using DmaMemory memory = DmaMemory.Create(16 &lt;&lt; 20);
/// using Device nic = Device.Open("unix:/tmp/nic0", memory);
/// using Batch batch = new(memory, 32);
/// nic.Receive(0, batch);
/// foreach (Packet packet in batch) { packet.Head[0] ^= 2; }
/// nic.Transmit(0, batch);
/// </code>
/// </remarks>
public sealed class Device : IDisposable
{
    private readonly IFunction function;
    private readonly DmaMemory memory;
    private readonly IDriver driver;
    private bool closed;

    private Device(IFunction function, DmaMemory memory, IDriver driver) =>
        (this.function, this.memory, this.driver) = (function, memory, driver);

    /// <summary>The address that it was opened by.</summary>
    public string Address => function.Address;

    /// <summary>How it is reached.</summary>
    public Way Way => function.Way;

    /// <summary>Its own Ethernet address.</summary>
    public PhysicalAddress Mac => driver.Mac;

    /// <summary>Its packet slots.</summary>
    public Pool Pool => driver.Pool;

    /// <summary>Its receive queues.</summary>
    public IReadOnlyList<ReceiveQueue> Rx => driver.Rx;

    /// <summary>Its transmit queues.</summary>
    public IReadOnlyList<TransmitQueue> Tx => driver.Tx;

    /// <summary>Opens the device at <c>unix:/path</c> or <c>0000:03:00.0</c>. After an exception nothing is left behind.</summary>
    /// <exception cref="NoSuchDeviceException">Nothing is there that this library can talk to.</exception>
    /// <exception cref="PermissionDeniedException">We may not have it.</exception>
    /// <exception cref="UnsupportedException">The device or the options are of a kind that is not supported.</exception>
    /// <exception cref="OutOfDmaMemoryException">The memory or the pool is too small.</exception>
    /// <exception cref="DeviceTimeoutException">The device does not get ready.</exception>
    /// <exception cref="DeviceFailedException">It broke a rule or went away.</exception>
    public static Device Open(string address, DmaMemory memory, DeviceOptions? options = null) =>
        Open(Functions.Open(address), memory, options);

    /// <summary>Opens the device on a function that the caller reached in its own way, and owns it from then on.</summary>
    public static Device Open(IFunction function, DmaMemory memory, DeviceOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(function);
        ArgumentNullException.ThrowIfNull(memory);
        memory.AddUser();
        try
        {
            (ushort vendor, ushort id) = function.Identity();
            if (!Ixgbe.Nic.Drives(vendor, id))
            {
                throw new UnsupportedException($"{function.Address} is a device {vendor:x4}:{id:x4}, which is no 82599");
            }

            function.Claim(memory);
            return new Device(function, memory, Ixgbe.Nic.Open(function, memory, options ?? new DeviceOptions()));
        }
        catch
        {
            function.Dispose();
            memory.RemoveUser();
            throw;
        }
    }

    /// <summary>See <see cref="ReceiveQueue.Receive"/>.</summary>
    public int Receive(int queue, Batch batch, int most = int.MaxValue) => Rx[queue].Receive(batch, most);

    /// <summary>See <see cref="TransmitQueue.Transmit"/>.</summary>
    public int Transmit(int queue, Batch batch, int most = int.MaxValue) => Tx[queue].Transmit(batch, most);

    /// <summary>Reads the counters. At full rate call it once in 50 s at least: byte counters have 36 bits.</summary>
    public Stats ReadStats() => driver.ReadStats();

    /// <summary>Looks at the link.</summary>
    public Link ReadLink() => driver.ReadLink();

    /// <summary>Receives every good frame, or only those for the device and for everybody.</summary>
    public void SetPromiscuous(bool on) => driver.SetPromiscuous(on);

    /// <summary>Throws if the device is gone; does not wait.</summary>
    /// <exception cref="DeviceFailedException">It is gone.</exception>
    public void Check() => function.Check();

    /// <summary>Takes finished slots home, then counts those of <paramref name="pool"/> in this device's rings.</summary>
    public RingSlots CountOf(Pool pool)
    {
        Reclaim();
        return new RingSlots(Rx.Sum(queue => queue.CountOf(pool)), Tx.Sum(queue => queue.CountOf(pool)));
    }

    /// <summary>Waits until all packets have left, at most <paramref name="deadline"/>. False if some did not.</summary>
    public bool Drain(TimeSpan deadline)
    {
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            Reclaim();
            if (Tx.All(queue => queue.Used == 0))
            {
                return true;
            }

            if (Stopwatch.GetElapsedTime(start) > deadline)
            {
                return false;
            }

            function.Check();
            Thread.Sleep(0);
        }
    }

    /// <summary>Sends what the transmit rings still hold (for at most 500 ms: without a link it stays), quiesces the queues, stops
    /// DMA, and gives everything back. No other thread may use the device any more.</summary>
    /// <exception cref="RingwayException">The device did not stop as it should; everything was given back all the same.
    /// </exception>
    public void Close()
    {
        if (closed)
        {
            return;
        }

        closed = true;
        try
        {
            driver.Close();
        }
        finally
        {
            function.Dispose();
            memory.RemoveUser();
        }
    }

    /// <summary><see cref="Close"/>, for those who do not want to know how it went.</summary>
    public void Dispose()
    {
        try
        {
            Close();
        }
        catch (RingwayException)
        {
            // Whoever wants to know calls Close.
        }
    }

    private void Reclaim()
    {
        foreach (TransmitQueue queue in Tx)
        {
            queue.Reclaim();
        }
    }
}
