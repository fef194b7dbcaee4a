using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using Ringway.Bus;

namespace Ringway.Tests;

/// <summary>A folder that looks like <c>/sys/bus/pci/devices</c> with one 82599 in it.</summary>
internal sealed class FakeTree : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("ringway-");
    private readonly string address;

    public FakeTree(string address)
    {
        this.address = address;
        Directory.CreateDirectory(Path.Combine(Root, address));
        byte[] config = new byte[Wire.Pci.BYTES];
        BinaryPrimitives.WriteUInt16LittleEndian(config, Wire.PciId.INTEL);
        BinaryPrimitives.WriteUInt16LittleEndian(config.AsSpan((int)Wire.Pci.DEVICE_ID), Wire.PciId.I82599_SFP);
        File.WriteAllBytes(PathOf("config"), config);
        File.WriteAllBytes(PathOf("resource0"), new byte[0x2_0000]);
        File.WriteAllText(PathOf("class"), "0x020000\n");
    }

    public string Root => Path.Combine(folder.FullName, "devices");

    public PciTree Tree => new(Root);

    public ushort Command
    {
        get
        {
            byte[] bytes = new byte[2];
            using SafeFileHandle file = OpenConfig();
            PositionedFile.Read(file, bytes, (long)Wire.Pci.COMMAND);
            return BinaryPrimitives.ReadUInt16LittleEndian(bytes);
        }
    }

    public string PathOf(string file) => Path.Combine(Root, address, file);

    /// <summary>Binds the function to a driver; returns the driver's folder. As in sysfs, the link is relative to where the
    /// function really is, and of no use from the folder of links.</summary>
    public string BindTo(string driver)
    {
        string target = Path.Combine(folder.FullName, "drivers", driver);
        Directory.CreateDirectory(target);
        Link("driver", $"../../../bus/pci/drivers/{driver}");
        File.WriteAllText(Path.Combine(target, "unbind"), "");
        File.WriteAllText(Path.Combine(target, "bind"), "");
        return target;
    }

    /// <summary>Puts the function behind an IOMMU of this mode.</summary>
    public void Group(string mode)
    {
        string group = Directory.CreateDirectory(Path.Combine(folder.FullName, "groups", "12")).FullName;
        File.WriteAllText(Path.Combine(group, "type"), mode + "\n");
        Link("iommu_group", group);
    }

    /// <summary>Gives the function a network interface.</summary>
    public void Interface(string name, string flags)
    {
        Directory.CreateDirectory(PathOf($"net/{name}"));
        File.WriteAllText(PathOf($"net/{name}/flags"), flags + "\n");
    }

    public void Link(string name, string target)
    {
        File.Delete(PathOf(name));
        File.CreateSymbolicLink(PathOf(name), target);
    }

    public void WriteConfig(int offset, byte[] bytes)
    {
        using SafeFileHandle file = OpenConfig();
        PositionedFile.Write(file, bytes, offset);
    }

    /// <summary>Without the locks that File takes: the driver has one on this file.</summary>
    private SafeFileHandle OpenConfig() => PositionedFile.TryOpen(PathOf("config"), out SafeFileHandle file, out int errno)
        ? file : throw new IOException(Native.Say(errno));

    public void Dispose() => folder.Delete(recursive: true);
}
