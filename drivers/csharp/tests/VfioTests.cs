using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using Ringway.Bus;

namespace Ringway.Tests;

/// <summary>The way by kernel VFIO, with a kernel that is played: nodes are files, calls are answered here.</summary>
public sealed class VfioTests : IDisposable
{
    private const string Address = "0000:03:00.0";

    private readonly FakeTree tree = new(Address);
    private readonly FakeKernel kernel = new();

    public VfioTests()
    {
        tree.BindTo("vfio-pci");
        tree.Link("iommu_group", "/nowhere/iommu_groups/12");
    }

    public void Dispose()
    {
        kernel.Dispose();
        tree.Dispose();
    }

    private int Count(uint request) => kernel.Calls.Count(call => call == request);

    private VfioFunction Open() => VfioFunction.Open(tree.Tree, Address, kernel);

    [Fact]
    public void Opens_container_group_and_device_in_the_kernels_order()
    {
        using VfioFunction function = Open();
        Assert.Equal(
            [
                Wire.Ioctl.CHECK_EXTENSION, Wire.Ioctl.GROUP_GET_STATUS, Wire.Ioctl.GROUP_SET_CONTAINER,
                Wire.Ioctl.SET_IOMMU, Wire.Ioctl.GROUP_GET_DEVICE_FD, Wire.Ioctl.DEVICE_GET_INFO,
            ],
            kernel.Calls.Take(6));
        Assert.Equal(Address, kernel.Asked);
        Assert.Equal((Way.Vfio, 0x2_0000ul), (function.Way, function.Size(0)));
        Assert.Equal("/dev/vfio/vfio", kernel.Paths[0]);
    }

    [Fact]
    public void Registers_are_mapped_and_config_space_is_not()
    {
        using VfioFunction function = Open();
        Window window = Assert.Single(function.Windows(0));
        Assert.Equal(0x2_0000u, window.Length);
        Mmio registers = new(function, 0);
        registers.Write(Ixgbe.Regs.CTRL_EXT, 0xabcd);
        Assert.Equal(0xabcdu, registers.ReadThrough(Ixgbe.Regs.CTRL_EXT));
        function.EnableDma();
        Span<byte> command = [0, 0];
        function.Read(Wire.Region.CONFIG, Wire.Pci.COMMAND, command);
        Assert.Equal(Wire.PciCommand.MASTER, BinaryPrimitives.ReadUInt16LittleEndian(command));
        Assert.Empty(function.Windows(Wire.Region.CONFIG));
        Assert.Throws<DeviceFailedException>(() => function.Read(0, 0x2_0000, new byte[4]));
        Assert.Throws<DeviceFailedException>(() => function.Read(5, 0, new byte[4]));
    }

    [Fact]
    public void Memory_is_mapped_once_for_functions_of_a_group()
    {
        using DmaMemory memory = DmaMemory.Create(4 << 20);
        VfioFunction one = Open(), two = Open();
        one.MapDma(memory);
        two.MapDma(memory);
        (ulong address, ulong iova, ulong size) = Assert.Single(kernel.Maps);
        Assert.Equal(((ulong)memory.Address, memory.Extents[0], 4ul << 20), (address, iova, size));
        one.UnmapDma(memory);
        Assert.Empty(kernel.Unmaps);
        two.UnmapDma(memory);
        Assert.Equal(iova, Assert.Single(kernel.Unmaps));
        one.Dispose();
        two.Dispose();
        Open().Dispose();
        Assert.Equal(2, kernel.Calls.Count(call => call == Wire.Ioctl.SET_IOMMU));
    }

    [Fact]
    public void Groups_share_one_address_space()
    {
        using DmaMemory memory = DmaMemory.Create(4 << 20);
        using VfioFunction one = Open();
        tree.Link("iommu_group", "/nowhere/iommu_groups/13");
        using VfioFunction two = Open();
        one.MapDma(memory);
        two.MapDma(memory);
        Assert.Single(kernel.Maps); // pinned, and charged to the user's limit, once
        Assert.Equal(["/dev/vfio/vfio", "/dev/vfio/12", "/dev/vfio/13"], kernel.Paths);
        Assert.Equal((2, 1), (Count(Wire.Ioctl.GROUP_SET_CONTAINER), Count(Wire.Ioctl.SET_IOMMU)));
        one.Dispose();
        Assert.Empty(kernel.Unmaps);
        two.Dispose();
        Assert.Single(kernel.Unmaps); // although nobody asked for it
        Open().Dispose();
        Assert.Equal(2, Count(Wire.Ioctl.SET_IOMMU));
    }

    [Fact]
    public void The_host_can_ask_for_the_device_back()
    {
        using VfioFunction function = Open();
        function.Check();
        kernel.SignalRequest();
        DeviceFailedException failure = Assert.Throws<DeviceFailedException>(function.Check);
        Assert.Contains("the host wants it back", failure.Message, StringComparison.Ordinal);
    }

    /// <summary>The ids stay: the kernel remembers them.</summary>
    [Fact]
    public void A_card_that_was_pulled_out_is_noticed()
    {
        using VfioFunction function = Open();
        function.Write(Wire.Region.CONFIG, Wire.Pci.REVISION_ID, [0xff, 0xff, 0xff, 0xff]);
        DeviceFailedException failure = Assert.Throws<DeviceFailedException>(function.Check);
        Assert.Contains("removed", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Refusals_name_the_remedy()
    {
        void Refused<T>(string words, Action<FakeKernel> spoil)
            where T : RingwayException
        {
            using FakeKernel spoilt = new();
            spoil(spoilt);
            using DmaMemory memory = DmaMemory.Create(4 << 20);
            T failure = Assert.Throws<T>(() =>
            {
                using VfioFunction function = VfioFunction.Open(tree.Tree, Address, spoilt);
                function.MapDma(memory);
            });
            Assert.Contains(words, failure.Message, StringComparison.Ordinal);
        }

        Refused<UnsupportedException>("intel_iommu=on", one => one.Answers[Wire.Ioctl.CHECK_EXTENSION] = 0);
        Refused<PermissionDeniedException>("not viable", one => one.Viable = false);
        Refused<OutOfDmaMemoryException>("cannot pin 4 MiB", one => one.Answers[Wire.Ioctl.IOMMU_MAP_DMA] = -Native.ENOMEM);
        Refused<DeviceFailedException>("VFIO does not open it",
            one => one.Answers[Wire.Ioctl.GROUP_GET_DEVICE_FD] = -Native.ENODEV);
        Refused<PermissionDeniedException>("in use by another", one => one.Answers[Wire.Ioctl.GROUP_GET_DEVICE_FD] = -Native.EBUSY);
        Refused<PermissionDeniedException>("sudo chmod 666 /dev/vfio/vfio", one => one.OpenErrors["/dev/vfio/vfio"] = Native.EACCES);
        Refused<UnsupportedException>("sudo modprobe vfio-pci", one => one.OpenErrors["/dev/vfio/vfio"] = Native.ENOENT);
        Refused<PermissionDeniedException>("/dev/vfio/12: permission denied; sudo ringway bind 0000:03:00.0 --user $USER",
            one => one.OpenErrors["/dev/vfio/12"] = Native.EACCES);
        Refused<PermissionDeniedException>("in use by another program; stop that one",
            one => one.OpenErrors["/dev/vfio/12"] = Native.EBUSY);
        Refused<UnsupportedException>("is it bound to vfio-pci?", one => one.OpenErrors["/dev/vfio/12"] = Native.ENOENT);
    }

    [Fact]
    public void Without_a_group_it_says_so()
    {
        File.Delete(tree.PathOf("iommu_group"));
        Assert.Contains("no IOMMU", Assert.Throws<UnsupportedException>(Open).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Vectors_are_bound_with_their_numbers()
    {
        using VfioFunction function = Open();
        Assert.Equal(64, function.Vectors());
        using SafeFileHandle some = File.OpenHandle(tree.PathOf("config"));
        function.BindVectors(3, [some]);
        byte[] asked = kernel.Irqs[^1];
        Assert.Equal(Wire.IrqSet.Bytes + 4, asked.Length);
        Assert.Equal(3, BinaryPrimitives.ReadInt32LittleEndian(asked.AsSpan(Wire.IrqSet.START)));
        function.UnbindVectors();
        Assert.Equal(Wire.IrqSet.Bytes, kernel.Irqs[^1].Length);
        function.Reset();
        Assert.Equal(Wire.Ioctl.DEVICE_RESET, kernel.Calls[^1]);
    }
}
