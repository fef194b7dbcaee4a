namespace Ringway.App;

/// <summary>The open devices of a run and the memory that they share.</summary>
internal sealed class Session : IDisposable
{
    /// <summary>How long the last packets may take to leave before the devices are closed.</summary>
    private static readonly TimeSpan DrainTime = TimeSpan.FromMilliseconds(500);

    private readonly List<Device> devices = [];

    private Session(DmaMemory memory) => Memory = memory;

    public DmaMemory Memory { get; }

    public IReadOnlyList<Device> Devices => devices;

    /// <summary>Makes memory for all devices and whatever they send each other, and opens them.</summary>
    public static Session Open(string[] addresses, Settings settings)
    {
        try
        {
            DeviceOptions options = settings.Options;
            long slots = (long)addresses.Length * options.PoolSlots;
            long descriptors = (long)addresses.Length * (options.RxQueues + options.TxQueues) * options.RingSlots;
            long bytes = DmaMemory.BytesFor(slots, descriptors);
            bool concurrent = options.RxQueues > 1;
            bool physical = addresses.Any(Functions.NeedsPhysicalMemory);
            Session session = new(physical ? DmaMemory.CreatePhysical(bytes, concurrent) : DmaMemory.Create(bytes, concurrent));
            return session.Add(addresses, options);
        }
        catch (RingwayException failure)
        {
            throw FailureException.Opening(failure);
        }
    }

    /// <summary>Waits for the last packets, then counts the slots that are neither in a pool nor in a ring. All batches must
    /// be empty.</summary>
    public int Settle()
    {
        devices.ForEach(device => device.Drain(DrainTime));
        int lost = 0;
        foreach (Pool pool in devices.Select(device => device.Pool))
        {
            // The look at the rings may send slots home: it comes first.
            int inRings = devices.Sum(device => device.CountOf(pool) is var slots ? slots.Rx + slots.Tx : 0);
            lost += pool.Total - inRings - pool.Free;
        }

        return lost;
    }

    /// <summary>Closes the devices; throws if one did not stop as it should.</summary>
    public void Close() => devices.ForEach(device => device.Close());

    public void Dispose()
    {
        devices.ForEach(device => device.Dispose());
        Memory.Dispose();
    }

    private Session Add(string[] addresses, DeviceOptions options)
    {
        try
        {
            devices.AddRange(addresses.Select(address => Device.Open(address, Memory, options)));
            return this;
        }
        catch
        {
            Dispose();
            throw;
        }
    }
}
