// bus/sysfs · sysfs resource files, 82599:9.3
// Files of the kernel as they are: config by pread and pwrite, BAR 0 mapped; the memory tells physical addresses itself.

using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>A function that is reached through the files of sysfs. Needs root, and nothing confines its DMA.</summary>
/// <remarks>Opening looks and nothing else. <see cref="Claim"/> takes it from the kernel's driver, which gets it back when this
/// is disposed of.</remarks>
internal sealed class SysfsFunction : IFunction
{
    private readonly PciTree tree;
    private readonly SafeFileHandle config;
    private Claim? claim;
    private Window[] windows = [];

    private SysfsFunction(PciTree tree, string address)
    {
        (this.tree, Address) = (tree, address);
        config = tree.Open(address, "config");
    }

    public Way Way => Way.Sysfs;

    public string Address { get; }

    /// <summary>Opens a function, after a look at what it is.</summary>
    /// <exception cref="UnsupportedException">It is no network card, or an IOMMU is in the way.</exception>
    /// <exception cref="PermissionDeniedException">The kernel uses one of its interfaces, or its files may not be opened.
    /// </exception>
    public static SysfsFunction Open(PciTree tree, string address)
    {
        if (!tree.IsEthernet(address))
        {
            throw new UnsupportedException($"{address} is no Ethernet controller (PCI class 0x{tree.Number(address, "class"):x6}); "
                + "nothing was done to it");
        }

        if (tree.Translation(address) is { } mode)
        {
            throw new UnsupportedException($"an IOMMU translates for {address} ({mode}), which cannot be given physical addresses; "
                + $"use VFIO: sudo ringway bind {address} --user $USER");
        }

        Bus.Claim.RefuseIfUp(tree, address);
        return new SysfsFunction(tree, address);
    }

    public ulong Size(uint region)
    {
        if (region == Wire.Region.CONFIG)
        {
            return Wire.Pci.BYTES;
        }

        // Asked of the open file: where the name is a link, it has a length of its own.
        string name = $"resource{region}";
        if (!File.Exists(tree.PathOf(Address, name)))
        {
            return 0;
        }

        using SafeFileHandle file = tree.Open(Address, name);
        return (ulong)RandomAccess.GetLength(file);
    }

    public IReadOnlyList<Window> Windows(uint region) => region == Wire.Region.BAR0 ? windows : [];

    public void Claim(DmaMemory memory)
    {
        MapDma(memory);
        claim ??= Bus.Claim.Take(tree, Address, config);
        windows = [claim.Window!];
    }

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
        string path = tree.PathOf(Address, "reset");
        if (!File.Exists(path))
        {
            throw new UnsupportedException($"{Address}: the kernel has no reset for it");
        }

        PciTree.Tell(Address, path, "1");
    }

    public void Check() => this.RequirePresence();

    public void Dispose()
    {
        windows = [];
        claim?.Dispose();
        claim = null;
        config.Dispose();
    }

    private Window WindowAt(uint region, ulong offset, int bytes)
    {
        Window? window = Windows(region).FirstOrDefault(window => offset <= uint.MaxValue && window.Covers((uint)offset));
        return window is not null && bytes == sizeof(uint) ? window
            : throw new DeviceFailedException($"{Address}: no register at 0x{offset:x} of region {region}");
    }

    private void Require(bool well, string doing)
    {
        if (!well)
        {
            throw new DeviceFailedException($"{Address}: {doing}: the device is gone");
        }
    }
}
