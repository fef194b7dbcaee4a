using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using Ringway.Bus;

namespace Ringway.Tests;

/// <summary>The way by sysfs over a tree of plain files.</summary>
public sealed class SysfsTests : IDisposable
{
    private const string Address = "0000:03:00.0";

    private readonly FakeTree tree = new(Address);
    private readonly DmaMemory memory = DmaMemory.CreateAt(8 << 20, 2 << 20);

    public void Dispose()
    {
        memory.Dispose();
        tree.Dispose();
    }

    private SysfsFunction Open() => SysfsFunction.Open(tree.Tree, Address);

    private SysfsFunction Take()
    {
        SysfsFunction function = Open();
        try
        {
            function.Claim(memory);
            return function;
        }
        catch
        {
            function.Dispose();
            throw;
        }
    }

    /// <summary>Neither opening nor claiming works, the words are said, and the driver was not asked for anything.</summary>
    private void Refused<T>(params string[] words)
        where T : RingwayException
    {
        string folder = tree.BindTo("ixgbe");
        T failure = Assert.Throws<T>(Take);
        Assert.All(words, word => Assert.Contains(word, failure.Message, StringComparison.Ordinal));
        Assert.DoesNotContain('\n', failure.Message);
        Assert.Equal(("", ""), Asked(folder));
        Assert.Equal(0, tree.Command);
    }

    /// <summary>What a driver was told to let go, and to take.</summary>
    private static (string Unbind, string Bind) Asked(string folder) =>
        (File.ReadAllText(Path.Combine(folder, "unbind")), File.ReadAllText(Path.Combine(folder, "bind")));

    [Fact]
    public void Looks_at_first_and_takes_the_function_when_it_is_claimed()
    {
        string folder = tree.BindTo("ixgbe");
        using SysfsFunction function = Open();
        Assert.Equal((Way.Sysfs, Address), (function.Way, function.Address));
        Assert.Equal((Wire.PciId.INTEL, Wire.PciId.I82599_SFP), function.Identity());
        Assert.Empty(function.Windows(0));
        Assert.Equal(("", ""), Asked(folder));
        function.Claim(memory);
        Assert.Equal((Address, ""), Asked(folder));
        Assert.Single(function.Windows(0));
    }

    [Fact]
    public void Everything_is_given_back()
    {
        string folder = tree.BindTo("ixgbe");
        tree.WriteConfig((int)Wire.Pci.COMMAND, [(byte)Wire.PciCommand.MEMORY, 0]);
        using (SysfsFunction function = Take())
        {
            function.EnableDma();
            Assert.Equal(Wire.PciCommand.MEMORY | Wire.PciCommand.MASTER, tree.Command);
        }

        Assert.Equal(Wire.PciCommand.MEMORY, tree.Command);
        Assert.Equal((Address, Address), Asked(folder));
    }

    [Fact]
    public void What_is_no_82599_keeps_its_driver()
    {
        string folder = tree.BindTo("ixgbe");
        tree.WriteConfig(0, [0x86, 0x80, 0x33, 0x15]);
        UnsupportedException failure = Assert.Throws<UnsupportedException>(() => Device.Open(Open(), memory));
        Assert.Contains("8086:1533", failure.Message, StringComparison.Ordinal);
        Assert.Equal(("", ""), Asked(folder));
    }

    [Fact]
    public void A_failed_claim_gives_the_function_back()
    {
        string folder = tree.BindTo("ixgbe");
        using (FileStream file = File.OpenWrite(tree.PathOf("resource0")))
        {
            file.SetLength(100);
        }

        UnsupportedException failure = Assert.Throws<UnsupportedException>(Take);
        Assert.Contains("100 bytes cannot be mapped", failure.Message, StringComparison.Ordinal);
        Assert.Equal((Address, Address), Asked(folder));
    }

    [Fact]
    public void A_function_without_driver_stays_without()
    {
        string folder = tree.BindTo("ixgbe");
        File.Delete(tree.PathOf("driver"));
        Take().Dispose();
        Assert.Equal(("", ""), Asked(folder));
    }

    [Fact]
    public void What_is_no_network_card_is_left_alone()
    {
        File.WriteAllText(tree.PathOf("class"), "0x010802\n");
        Refused<UnsupportedException>("no Ethernet controller", "0x010802", "nothing was done");
        File.Delete(tree.PathOf("class"));
        Refused<UnsupportedException>("no Ethernet controller");
    }

    [Theory]
    [InlineData("DMA")]
    [InlineData("DMA-FQ")]
    [InlineData("blocked")]
    public void An_iommu_that_translates_is_in_the_way(string mode)
    {
        tree.Group(mode);
        Refused<UnsupportedException>("an IOMMU translates", $"({mode})", $"use VFIO: sudo ringway bind {Address} --user $USER");
        tree.Group("identity");
        Take().Dispose();
    }

    [Fact]
    public void An_interface_that_is_up_is_in_use()
    {
        tree.Interface("enp3s0", "0x1002");
        tree.Interface("enp3s1", "0x1003");
        Refused<PermissionDeniedException>("enp3s1, which is up", "sudo ip link set enp3s1 down");
        tree.Interface("enp3s1", "0x1002");
        using SysfsFunction function = Open();
        tree.Interface("enp3s0", "0x1003"); // since it was opened
        Assert.Throws<PermissionDeniedException>(() => function.Claim(memory));
        tree.Interface("enp3s0", "0x1002");
        function.Claim(memory);
    }

    [Fact]
    public void Registers_are_the_bytes_of_resource0()
    {
        using SysfsFunction function = Take();
        Assert.Equal(0x2_0000ul, function.Size(0));
        Mmio registers = new(function, 0);
        registers.Write(Ixgbe.Regs.CTRL_EXT, 0x1234_5678);
        Assert.Equal(0x1234_5678u, registers.ReadThrough(Ixgbe.Regs.CTRL_EXT));
        registers.Doorbell(Ixgbe.Regs.RDT[0]).Ring(77);
        Assert.Equal(77u, registers.Read(Ixgbe.Regs.RDT[0]));
        function.Dispose();
        byte[] file = File.ReadAllBytes(tree.PathOf("resource0"));
        Assert.Equal(0x1234_5678u, BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan((int)Ixgbe.Regs.CTRL_EXT.Offset)));
    }

    [Fact]
    public void Switches_memory_and_bus_master_on_and_off()
    {
        using SysfsFunction function = Open();
        function.EnableMemory();
        function.EnableDma();
        Assert.Equal(Wire.PciCommand.MEMORY | Wire.PciCommand.MASTER, tree.Command);
        function.DisableDma();
        Assert.Equal(Wire.PciCommand.MEMORY, tree.Command);
    }

    /// <summary>The drivers of all languages lock the same file.</summary>
    [Fact]
    public void Two_drivers_cannot_have_one_function()
    {
        using SysfsFunction function = Take();
        PermissionDeniedException failure = Assert.Throws<PermissionDeniedException>(Take);
        Assert.Contains("another driver in user space", failure.Message, StringComparison.Ordinal);
        function.Dispose();
        Assert.True(PositionedFile.TryOpen(tree.PathOf("resource0"), out SafeFileHandle other, out _));
        Assert.Equal(0, Native.Flock(other, 2));
        Refused<PermissionDeniedException>("another driver in user space", "stop that one first");
        other.Dispose();
        Take().Dispose();
    }

    [Fact]
    public void Wants_physical_addresses()
    {
        using DmaMemory ordinary = DmaMemory.Create(4 << 20);
        string folder = tree.BindTo("ixgbe");
        using SysfsFunction function = Open();
        UnsupportedException failure = Assert.Throws<UnsupportedException>(() => function.Claim(ordinary));
        Assert.Contains("CreatePhysical", failure.Message, StringComparison.Ordinal);
        Assert.Equal(("", ""), Asked(folder));
        function.MapDma(memory);
    }

    [Fact]
    public void A_card_that_was_pulled_out_is_noticed()
    {
        using SysfsFunction function = Open();
        function.Check();
        function.Claim(memory);
        Mmio registers = new(function, 0);
        registers.Write(Ixgbe.Regs.CTRL, uint.MaxValue);
        Assert.Equal(uint.MaxValue, registers.Read(Ixgbe.Regs.CTRL));
        tree.WriteConfig((int)Wire.Pci.REVISION_ID, [0xff, 0xff, 0xff, 0xff]);
        DeviceFailedException failure = Assert.Throws<DeviceFailedException>(function.Check);
        Assert.Contains("removed", failure.Message, StringComparison.Ordinal);
        // A register that is all ones is doubted.
        Assert.Throws<DeviceFailedException>(() => registers.Read(Ixgbe.Regs.CTRL));
        Assert.Throws<DeviceFailedException>(() => registers.ReadThrough(Ixgbe.Regs.CTRL));
    }

    [Fact]
    public void Resets_by_the_kernels_file()
    {
        using SysfsFunction function = Open();
        Assert.Throws<UnsupportedException>(function.Reset);
        File.WriteAllText(tree.PathOf("reset"), "");
        function.Reset();
        Assert.Equal("1", File.ReadAllText(tree.PathOf("reset")));
    }

    [Fact]
    public void No_register_beyond_the_bar()
    {
        using SysfsFunction function = Take();
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
            Assert.False(Functions.NeedsPhysicalMemory("03:00.0"));
            tree.BindTo("ixgbe");
            Assert.Equal(Way.Sysfs, Functions.WayOf("03:00.0"));
            Assert.True(Functions.NeedsPhysicalMemory("03:00.0"));
            Assert.False(Functions.NeedsPhysicalMemory("unix:/nowhere"));
            tree.Group("DMA");
            Assert.Throws<UnsupportedException>(() => Functions.NeedsPhysicalMemory("03:00.0"));
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
