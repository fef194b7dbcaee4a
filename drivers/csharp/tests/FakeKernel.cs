using System.Buffers.Binary;
using System.Text;
using Microsoft.Win32.SafeHandles;
using Ringway.Bus;

namespace Ringway.Tests;

/// <summary>The VFIO of a kernel: every node is a temporary file, whose bytes are the regions of the device.</summary>
internal sealed class FakeKernel : IVfioKernel, IDisposable
{
    private const ulong BarBytes = 0x2_0000, ConfigAt = 0x10_0000;

    private readonly string path = Path.GetTempFileName();
    private SafeFileHandle? request;

    public FakeKernel()
    {
        using FileStream file = File.OpenWrite(path);
        file.SetLength((long)(ConfigAt + Wire.Pci.BYTES));
    }

    public List<string> Paths { get; } = [];

    public List<uint> Calls { get; } = [];

    public List<(ulong Address, ulong Iova, ulong Size)> Maps { get; } = [];

    public List<ulong> Unmaps { get; } = [];

    public List<byte[]> Irqs { get; } = [];

    public Dictionary<uint, int> Answers { get; } = [];

    public bool Viable { get; set; } = true;

    /// <summary>Error numbers of nodes that do not open.</summary>
    public Dictionary<string, int> OpenErrors { get; } = [];

    public string Asked { get; private set; } = "";

    public bool TryOpen(string path, out SafeFileHandle file, out int errno)
    {
        Paths.Add(path);
        bool opens = !OpenErrors.TryGetValue(path, out errno);
        file = opens ? Node() : new SafeFileHandle();
        return opens;
    }

    public int Call(SafeFileHandle file, uint request, nint argument)
    {
        Calls.Add(request);
        return Answers.TryGetValue(request, out int answer) ? answer : request == Wire.Ioctl.CHECK_EXTENSION ? 1 : 0;
    }

    public int Call(SafeFileHandle file, uint request, Span<byte> argument)
    {
        Calls.Add(request);
        if (Answers.TryGetValue(request, out int answer))
        {
            return answer;
        }

        switch (request)
        {
            case Wire.Ioctl.GROUP_GET_STATUS:
                Put(argument, Wire.GroupStatus.FLAGS, Viable ? Wire.GroupFlags.VIABLE : 0);
                return 0;
            case Wire.Ioctl.GROUP_GET_DEVICE_FD:
                Asked = Encoding.ASCII.GetString(argument[..^1]);
                SafeFileHandle made = Node();
                int number = Native.NumberOf(made);
                made.SetHandleAsInvalid(); // the driver owns it from here on
                return number;
            case Wire.Ioctl.DEVICE_GET_INFO:
                Put(argument, Wire.DeviceInfo.NUM_REGIONS, Wire.Region.COUNT);
                return 0;
            case Wire.Ioctl.DEVICE_GET_REGION_INFO:
                return Describe(argument);
            case Wire.Ioctl.DEVICE_GET_IRQ_INFO:
                uint kind = BinaryPrimitives.ReadUInt32LittleEndian(argument[Wire.IrqInfo.INDEX..]);
                Put(argument, Wire.IrqInfo.COUNT, kind == Wire.Irq.MSIX ? 64u : kind == Wire.Irq.REQ ? 1u : 0u);
                return 0;
            case Wire.Ioctl.DEVICE_SET_IRQS:
                SetIrqs(argument);
                return 0;
            case Wire.Ioctl.IOMMU_MAP_DMA:
                Maps.Add((Long(argument, Wire.Type1DmaMap.VADDR), Long(argument, Wire.Type1DmaMap.IOVA),
                    Long(argument, Wire.Type1DmaMap.SIZE)));
                return 0;
            case Wire.Ioctl.IOMMU_UNMAP_DMA:
                Unmaps.Add(Long(argument, Wire.DmaUnmap.IOVA));
                return 0;
            default:
                return 0;
        }
    }

    /// <summary>Signals the event that the driver bound to the removal request.</summary>
    public void SignalRequest() => RandomAccess.Write(request!, BitConverter.GetBytes(1ul), 0);

    public void Dispose() => File.Delete(path);

    private SafeFileHandle Node() => File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);

    private static int Describe(Span<byte> info)
    {
        uint index = BinaryPrimitives.ReadUInt32LittleEndian(info[Wire.RegionInfo.INDEX..]);
        (ulong size, ulong offset) = index switch
        {
            Wire.Region.BAR0 => (BarBytes, 0ul),
            Wire.Region.CONFIG => (Wire.Pci.BYTES, ConfigAt),
            _ => (0ul, 0ul),
        };
        const uint ReadWrite = Wire.RegionFlags.READ | Wire.RegionFlags.WRITE;
        Put(info, Wire.RegionInfo.FLAGS, index == Wire.Region.BAR0 ? ReadWrite | Wire.RegionFlags.MMAP : ReadWrite);
        BinaryPrimitives.WriteUInt64LittleEndian(info[Wire.RegionInfo.SIZE..], size);
        BinaryPrimitives.WriteUInt64LittleEndian(info[Wire.RegionInfo.OFFSET..], offset);
        return size == 0 ? -Native.EINVAL : 0;
    }

    private void SetIrqs(Span<byte> ask)
    {
        Irqs.Add(ask.ToArray());
        if (BinaryPrimitives.ReadUInt32LittleEndian(ask[Wire.IrqSet.INDEX..]) == Wire.Irq.REQ)
        {
            int number = BinaryPrimitives.ReadInt32LittleEndian(ask[Wire.IrqSet.Bytes..]);
            request = new SafeFileHandle(number, ownsHandle: false);
        }
    }

    private static void Put(Span<byte> bytes, int at, uint value) =>
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[at..], value);

    private static ulong Long(Span<byte> bytes, int at) => BinaryPrimitives.ReadUInt64LittleEndian(bytes[at..]);
}
