using System.Buffers.Binary;
using Ringway.Bus;

namespace Ringway.Tests;

/// <summary>The way by sysfs over a tree of plain files.</summary>
public sealed class SysfsTests : IDisposable
{
    private const string Address = "0000:03:00.0";

    private readonly FakeTree tree = new(Address);

    public void Dispose() => tree.Dispose();

    private SysfsFunction Open() => SysfsFunction.Open(tree.Tree, Address);

    [Fact]
    public void Takes_the_function_from_its_driver()
    {
        string unbind = tree.BindTo("ixgbe");
        using SysfsFunction function = Open();
        Assert.Equal(Address, File.ReadAllText(unbind));
        Assert.Equal((Way.Sysfs, Address), (function.Way, function.Address));
    }

    [Fact]
    public void Registers_are_the_bytes_of_resource0()
    {
        using SysfsFunction function = Open();
        Assert.Equal(0x2_0000ul, function.Size(0));
        Mmio registers = new(function, 0);
        registers.Write(Ixgbe.Regs.CTRL_EXT, 0x1234_5678);
        Assert.Equal(0x1234_5678u, registers.ReadThrough(Ixgbe.Regs.CTRL_EXT));
        byte[] file = File.ReadAllBytes(tree.PathOf("resource0"));
        Assert.Equal(0x1234_5678u, BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan((int)Ixgbe.Regs.CTRL_EXT.Offset)));
        registers.Doorbell(Ixgbe.Regs.RDT[0]).Ring(77);
        Assert.Equal(77u, registers.Read(Ixgbe.Regs.RDT[0]));
    }

    [Fact]
    public void Switches_memory_and_bus_master_on_and_off()
    {
        using SysfsFunction function = Open();
        Assert.Equal((Wire.PciId.INTEL, Wire.PciId.I82599_SFP), function.Identity());
        function.EnableMemory();
        function.EnableDma();
        Assert.Equal(Wire.PciCommand.MEMORY | Wire.PciCommand.MASTER, tree.Command);
        function.DisableDma();
        Assert.Equal(Wire.PciCommand.MEMORY, tree.Command);
    }

    [Fact]
    public void Two_drivers_cannot_have_one_function()
    {
        using SysfsFunction function = Open();
        Assert.Throws<PermissionDeniedException>(Open);
        function.Dispose();
        Open().Dispose();
    }

    [Fact]
    public void Wants_physical_addresses()
    {
        using DmaMemory memory = DmaMemory.Create(4 << 20);
        using SysfsFunction function = Open();
        UnsupportedException failure = Assert.Throws<UnsupportedException>(() => function.MapDma(memory));
        Assert.Contains("CreatePhysical", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_unplugged_function_is_noticed()
    {
        using SysfsFunction function = Open();
        function.Check();
        tree.WriteConfig(0, [0xff, 0xff]);
        Assert.Throws<DeviceFailedException>(function.Check);
    }

    [Fact]
    public void Resets_by_the_kernels_file()
    {
        using SysfsFunction function = Open();
        File.WriteAllText(tree.PathOf("reset"), "");
        function.Reset();
        Assert.Equal("1", File.ReadAllText(tree.PathOf("reset")));
    }

    [Fact]
    public void No_register_beyond_the_bar()
    {
        using SysfsFunction function = Open();
        Assert.Throws<DeviceFailedException>(() => function.Read(0, 0x2_0000, new byte[4]));
        Assert.Throws<DeviceFailedException>(() => function.Read(1, 0, new byte[4]));
    }

    [Theory]
    [InlineData("0000:03:00.0", true)]
    [InlineData("03:00.1", true)]
    [InlineData("10000:03:1f.7", true)]
    [InlineData("eth0", false)]
    [InlineData("03:00", false)]
    [InlineData("zz:00.0", false)]
    [InlineData("0000:03:00.0x", false)]
    [InlineData("/tmp/nic0", false)]
    [InlineData("", false)]
    public void Knows_addresses(string text, bool wanted) => Assert.Equal(wanted, PciTree.IsAddress(text));

    [Fact]
    public void The_tree_can_be_somewhere_else_and_chooses_the_way()
    {
        tree.BindTo("vfio-pci");
        Environment.SetEnvironmentVariable("RINGWAY_SYSFS", tree.Root);
        try
        {
            Assert.Equal(Way.Vfio, Functions.WayOf("03:00.0"));
            tree.BindTo("ixgbe");
            Assert.Equal(Way.Sysfs, Functions.WayOf("03:00.0"));
            Assert.Equal(Way.VfioUser, Functions.WayOf("unix:/nowhere"));
            Assert.Throws<NoSuchDeviceException>(() => Functions.WayOf("0000:04:00.0"));
            Assert.Throws<NoSuchDeviceException>(() => Functions.WayOf("eth0"));
        }
        finally
        {
            Environment.SetEnvironmentVariable("RINGWAY_SYSFS", null);
        }
    }

    [Fact]
    public void Physical_addresses_come_from_the_pagemap()
    {
        string path = tree.PathOf("pagemap");
        byte[] entries = new byte[8 * 1024];
        BinaryPrimitives.WriteUInt64LittleEndian(entries, (1ul << 63) | 0x1_2200);
        BinaryPrimitives.WriteUInt64LittleEndian(entries.AsSpan(8 * 512), (1ul << 63) | (1ul << 56) | 0x0_4400);
        File.WriteAllBytes(path, entries);
        Assert.Equal([0x1220_0000ul, 0x440_0000ul], PageMap.Addresses(path, 0, 2, 2 << 20));
        BinaryPrimitives.WriteUInt64LittleEndian(entries, 1ul << 63); // what those see who may not know
        File.WriteAllBytes(path, entries);
        Assert.Throws<PermissionDeniedException>(() => PageMap.Addresses(path, 0, 2, 2 << 20));
    }
}
