// bus/sysfs · sysfs resource files, 82599:9.3
// Files of the kernel as they are: config by pread and pwrite, BARs mapped; the memory tells physical addresses itself.

using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>A function without kernel driver, reached through the files of sysfs. Needs root, and nothing confines its DMA.
/// </summary>
internal sealed class SysfsFunction : IFunction
{
    private const int Bars = 6, ExclusiveNow = 2 | 4;

    private readonly PciTree tree;
    private readonly SafeFileHandle config;
    private readonly List<Window>[] windows = new List<Window>[Bars];
    private readonly ulong[] sizes = new ulong[Bars];

    private SysfsFunction(PciTree tree, string address)
    {
        (this.tree, Address) = (tree, address);
        config = OpenFile("config");
        // Two drivers at one device would each break what the other has set up.
        if (Native.Flock(config, ExclusiveNow) != 0)
        {
            config.Dispose();
            throw new PermissionDeniedException($"{address} is in use by another driver", "stop that driver");
        }
    }

    public Way Way => Way.Sysfs;

    public string Address { get; }

    /// <summary>Takes the function from its kernel driver and maps its BARs.</summary>
    public static SysfsFunction Open(PciTree tree, string address)
    {
        SysfsFunction function = new(tree, address);
        try
        {
            function.Unbind();
            for (int bar = 0; bar < Bars; bar++)
            {
                function.MapBar(bar);
            }

            return function;
        }
        catch
        {
            function.Dispose();
            throw;
        }
    }

    public ulong Size(uint region) => region < Bars ? sizes[region] : region == Wire.Region.CONFIG ? Wire.Pci.BYTES : 0;

    public IReadOnlyList<Window> Windows(uint region) => region < Bars ? windows[region] ?? [] : [];

    public void Read(uint region, ulong offset, Span<byte> bytes)
    {
        if (region == Wire.Region.CONFIG)
        {
            Require(PositionedFile.Read(config, bytes, (long)offset) == bytes.Length, "reading config space");
            return;
        }

        BinaryPrimitives.WriteUInt32LittleEndian(bytes, WindowAt(region, offset, bytes.Length).Load((uint)offset));
    }

    public void Write(uint region, ulong offset, ReadOnlySpan<byte> bytes)
    {
        if (region == Wire.Region.CONFIG)
        {
            Require(PositionedFile.Write(config, bytes, (long)offset) == bytes.Length, "writing config space");
            return;
        }

        WindowAt(region, offset, bytes.Length).Store((uint)offset, BinaryPrimitives.ReadUInt32LittleEndian(bytes));
    }

    public void MapDma(DmaMemory memory)
    {
        if (!memory.IsPhysical)
        {
            throw new UnsupportedException($"{Address} is reached by sysfs and needs physical addresses: "
                + "make the memory with DmaMemory.CreatePhysical, or bind the device to vfio-pci");
        }
    }

    public void UnmapDma(DmaMemory memory)
    {
        // The bus master bit, which is off by now, is all that there is.
    }

    public int Vectors() => 0;

    public void BindVectors(int first, IReadOnlyList<SafeFileHandle> events) =>
        throw new UnsupportedException($"{Address}: sysfs has no interrupts; bind the device to vfio-pci");

    public void UnbindVectors()
    {
    }

    public void Reset()
    {
        try
        {
            File.WriteAllText(tree.PathOf(Address, "reset"), "1");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new UnsupportedException($"{Address}: resetting by sysfs: {failure.Message}");
        }
    }

    public void Check()
    {
        Span<byte> vendor = [0, 0];
        bool there = PositionedFile.Read(config, vendor, (long)Wire.Pci.VENDOR_ID) == vendor.Length;
        Require(there && BinaryPrimitives.ReadUInt16LittleEndian(vendor) != ushort.MaxValue, "it was unplugged");
    }

    public void Dispose()
    {
        foreach (Window window in windows.SelectMany(list => list ?? []))
        {
            window.Dispose();
        }

        config.Dispose();
    }

    /// <summary>The kernel's driver, if there is one, lets go; it can be bound again by hand.</summary>
    private void Unbind()
    {
        if (tree.LinkName(Address, "driver") is null)
        {
            return;
        }

        string path = tree.PathOf(Address, Path.Combine("driver", "unbind"));
        try
        {
            File.WriteAllText(path, Address);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new PermissionDeniedException($"unbinding the kernel's driver ({path}): {failure.Message}", "run as root");
        }
    }

    private void MapBar(int bar)
    {
        FileInfo file = new(tree.PathOf(Address, $"resource{bar}"));
        if (!file.Exists || file.Length is 0 or > int.MaxValue)
        {
            return;
        }

        sizes[bar] = (ulong)file.Length;
        using SafeFileHandle resource = OpenFile(file.Name);
        Window? window = Window.TryMap(resource, 0, 0, (uint)file.Length);
        windows[bar] = window is null ? [] : [window];
    }

    private SafeFileHandle OpenFile(string name)
    {
        string path = tree.PathOf(Address, name);
        // Not by File.OpenHandle, which takes locks of its own.
        if (PositionedFile.TryOpen(path, out SafeFileHandle file, out int errno))
        {
            return file;
        }

        file.Dispose();
        throw errno is Native.EACCES or Native.EPERM
            ? new PermissionDeniedException($"no right to open {path}", "run as root, or bind the device to vfio-pci")
            : new NoSuchDeviceException(Address, $"{path}: {Native.Say(errno)}");
    }

    private Window WindowAt(uint region, ulong offset, int bytes)
    {
        Window? window = Windows(region).FirstOrDefault(window => offset <= uint.MaxValue && window.Covers((uint)offset));
        return window is not null && bytes == sizeof(uint) ? window
            : throw new DeviceFailedException($"{Address}: no register at 0x{offset:x} of region {region}");
    }

    private void Require(bool well, string otherwise)
    {
        if (!well)
        {
            throw new DeviceFailedException($"{Address}: {otherwise}");
        }
    }
}
