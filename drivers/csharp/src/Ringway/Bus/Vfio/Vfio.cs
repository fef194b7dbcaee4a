// bus/vfio · kernel VFIO: group, container, device
// The same regions as vfio-user, reached by pread, pwrite and mmap of the device's descriptor behind a SafeHandle.

using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>A function that is bound to vfio-pci: an IOMMU confines it to the memory that it was given.</summary>
internal sealed class VfioFunction : IFunction
{
    private readonly IVfioKernel kernel;
    private readonly Group group;
    private readonly List<DmaMemory> mapped = [];
    private readonly SafeFileHandle device;
    private readonly RegionInfo[] regions;
    private readonly EventFile? wanted;
    private bool disposed;

    private VfioFunction(IVfioKernel kernel, Group group, SafeFileHandle device, string address)
    {
        (this.kernel, this.group, this.device, Address) = (kernel, group, device, address);
        regions = DescribeRegions();
        wanted = WatchForRemoval();
    }

    public Way Way => Way.Vfio;

    public string Address { get; }

    /// <summary>Opens the function at <paramref name="address"/> of <paramref name="tree"/>.</summary>
    public static VfioFunction Open(PciTree tree, string address, IVfioKernel? kernel = null)
    {
        kernel ??= VfioKernel.Instance;
        string number = tree.LinkName(address, "iommu_group") ?? throw Container.NoIommu(address);
        Group group = Container.Share(kernel, number, address);
        SafeFileHandle? device = null;
        try
        {
            device = group.OpenFunction(address);
            return new VfioFunction(kernel, group, device, address);
        }
        catch
        {
            device?.Dispose();
            group.Leave();
            throw;
        }
    }

    public ulong Size(uint region) => region < regions.Length ? regions[region].Size : 0;

    public IReadOnlyList<Window> Windows(uint region) => region < regions.Length ? regions[region].Windows : [];

    public void Read(uint region, ulong offset, Span<byte> bytes)
    {
        int count = PositionedFile.Read(device, bytes, At(region, offset, bytes.Length));
        Require(count == bytes.Length ? 0 : count < 0 ? count : -Native.EINVAL, "reading a register");
    }

    public void Write(uint region, ulong offset, ReadOnlySpan<byte> bytes)
    {
        int count = PositionedFile.Write(device, bytes, At(region, offset, bytes.Length));
        Require(count == bytes.Length ? 0 : count < 0 ? count : -Native.EINVAL, "writing a register");
    }

    public void MapDma(DmaMemory memory)
    {
        group.Container.Map(memory, Address);
        mapped.Add(memory);
    }

    public void UnmapDma(DmaMemory memory)
    {
        if (mapped.Remove(memory))
        {
            group.Container.Unmap(memory, Address);
        }
    }

    public int Vectors() => CountOf(Wire.Irq.MSIX);

    public void BindVectors(int first, IReadOnlyList<SafeFileHandle> events)
    {
        byte[] numbers = new byte[events.Count * sizeof(int)];
        for (int i = 0; i < events.Count; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(numbers.AsSpan(i * sizeof(int)), Native.NumberOf(events[i]));
        }

        SetIrqs(Wire.Irq.MSIX, Wire.IrqSetFlags.DATA_EVENTFD, first, events.Count, numbers);
    }

    public void UnbindVectors() => SetIrqs(Wire.Irq.MSIX, Wire.IrqSetFlags.DATA_NONE, 0, 0, []);

    public void Reset() => Require(kernel.Call(device, Wire.Ioctl.DEVICE_RESET, 0), "resetting");

    public void Check()
    {
        if (wanted?.HasHappened == true)
        {
            throw new DeviceFailedException($"{Address}: the host wants it back: it is being unbound or removed");
        }

        this.RequirePresence();
    }

    public void Dispose()
    {
        if (disposed)
        {
            return;
        }

        disposed = true;
        foreach (Window window in regions.SelectMany(region => region.Windows))
        {
            window.Dispose();
        }

        UnmapAll();
        wanted?.Dispose();
        device.Dispose();
        group.Leave();
    }

    /// <summary>Other functions may go on in the same address space.</summary>
    private void UnmapAll()
    {
        foreach (DmaMemory memory in mapped.ToArray())
        {
            try
            {
                UnmapDma(memory);
            }
            catch (DeviceFailedException)
            {
                // The device is closed next, which ends all that there is.
            }
        }
    }

    private long At(uint region, ulong offset, int bytes)
    {
        ulong size = Size(region);
        return offset <= size && (ulong)bytes <= size - offset ? (long)(regions[region].FileOffset + offset)
            : throw new DeviceFailedException($"{Address}: no {bytes} bytes at 0x{offset:x} of region {region}");
    }

    private RegionInfo[] DescribeRegions()
    {
        byte[] info = new byte[Wire.DeviceInfo.Bytes];
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(Wire.DeviceInfo.ARGSZ), Wire.DeviceInfo.Bytes);
        Require(kernel.Call(device, Wire.Ioctl.DEVICE_GET_INFO, info), "asking for its regions");
        uint count = BinaryPrimitives.ReadUInt32LittleEndian(info.AsSpan(Wire.DeviceInfo.NUM_REGIONS));
        RegionInfo[] found = new RegionInfo[Math.Min(count, Wire.Region.COUNT)];
        byte[] answer = new byte[RegionInfo.AnswerBytes];
        for (uint i = 0; i < found.Length; i++)
        {
            Array.Clear(answer);
            RegionInfo.Question(i).CopyTo(answer, 0);
            int result = kernel.Call(device, Wire.Ioctl.DEVICE_GET_REGION_INFO, answer);
            found[i] = result < 0 ? RegionInfo.Absent : RegionInfo.Read(answer, device);
        }

        return found;
    }

    /// <summary>An event that the kernel signals when it wants the device back; null if it cannot.</summary>
    private EventFile? WatchForRemoval()
    {
        if (CountOf(Wire.Irq.REQ) == 0)
        {
            return null;
        }

        EventFile made = new();
        SetIrqs(Wire.Irq.REQ, Wire.IrqSetFlags.DATA_EVENTFD, 0, 1, BitConverter.GetBytes(made.Number));
        return made;
    }

    private int CountOf(uint kind)
    {
        byte[] info = new byte[Wire.IrqInfo.Bytes];
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(Wire.IrqInfo.ARGSZ), Wire.IrqInfo.Bytes);
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(Wire.IrqInfo.INDEX), kind);
        int result = kernel.Call(device, Wire.Ioctl.DEVICE_GET_IRQ_INFO, info);
        return result < 0 ? 0 : BinaryPrimitives.ReadInt32LittleEndian(info.AsSpan(Wire.IrqInfo.COUNT));
    }

    private void SetIrqs(uint kind, uint data, int start, int count, ReadOnlySpan<byte> numbers)
    {
        byte[] ask = new byte[Wire.IrqSet.Bytes + numbers.Length];
        BinaryPrimitives.WriteInt32LittleEndian(ask.AsSpan(Wire.IrqSet.ARGSZ), ask.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(ask.AsSpan(Wire.IrqSet.FLAGS), data | Wire.IrqSetFlags.ACTION_TRIGGER);
        BinaryPrimitives.WriteUInt32LittleEndian(ask.AsSpan(Wire.IrqSet.INDEX), kind);
        BinaryPrimitives.WriteInt32LittleEndian(ask.AsSpan(Wire.IrqSet.START), start);
        BinaryPrimitives.WriteInt32LittleEndian(ask.AsSpan(Wire.IrqSet.COUNT), count);
        numbers.CopyTo(ask.AsSpan(Wire.IrqSet.Bytes));
        Require(kernel.Call(device, Wire.Ioctl.DEVICE_SET_IRQS, ask), "binding interrupts");
    }

    private void Require(int result, string doing)
    {
        if (result < 0)
        {
            throw new DeviceFailedException($"{Address}: {doing}: {Native.Say(-result)}");
        }
    }
}
