using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>The IO address space of this process: one container, the groups in it, and the memory that they all see. Memory is
/// pinned, and charged to the limit of locked memory, once.</summary>
internal sealed class Container
{
    private const string Folder = "/dev/vfio";

    private static readonly Dictionary<IVfioKernel, Container> Opened = [];

    private readonly SafeFileHandle file;
    private readonly Dictionary<string, Group> groups = [];
    private readonly Dictionary<DmaMemory, int> mapped = [];

    private Container(IVfioKernel kernel, string address)
    {
        string path = $"{Folder}/vfio";
        Kernel = kernel;
        file = OpenNode(path, errno => errno is Native.EACCES or Native.EPERM
            ? new PermissionDeniedException($"{address}: {path}: permission denied", $"sudo chmod 666 {path}")
            : new UnsupportedException($"{address}: {path}: {Native.Say(errno)}: the kernel has no VFIO, or it is not loaded: "
                + "sudo modprobe vfio-pci"));
        if (kernel.Call(file, Wire.Ioctl.CHECK_EXTENSION, (nint)Wire.Iommu.TYPE1V2) <= 0)
        {
            file.Dispose();
            throw NoIommu(address);
        }
    }

    /// <summary>The kernel behind it.</summary>
    public IVfioKernel Kernel { get; }

    /// <summary>Opens the group with this number, or shares it, for the function at <paramref name="address"/>.</summary>
    public static Group Share(IVfioKernel kernel, string number, string address)
    {
        lock (Opened)
        {
            if (!Opened.TryGetValue(kernel, out Container? container))
            {
                Opened[kernel] = container = new Container(kernel, address);
            }

            try
            {
                Group group = container.groups.TryGetValue(number, out Group? found) ? found : container.Enter(number, address);
                group.Users++;
                return group;
            }
            finally
            {
                container.CloseIfEmpty();
            }
        }
    }

    /// <summary>One function of the group fewer; the last one closes it, and the last group the container.</summary>
    public void Leave(Group group)
    {
        lock (Opened)
        {
            if (--group.Users == 0)
            {
                groups.Remove(group.Number);
                group.Close();
                CloseIfEmpty();
            }
        }
    }

    /// <summary>Lets all functions of the container see the memory.</summary>
    public void Map(DmaMemory memory, string address)
    {
        lock (Opened)
        {
            if (mapped.TryGetValue(memory, out int count))
            {
                mapped[memory] = count + 1;
                return;
            }

            foreach (DmaRun run in memory.Runs)
            {
                MapRun(memory, run, address);
            }

            mapped[memory] = 1;
        }
    }

    /// <summary>Takes the memory away when the last function has let go of it.</summary>
    public void Unmap(DmaMemory memory, string address)
    {
        lock (Opened)
        {
            if (!mapped.Remove(memory, out int count))
            {
                return;
            }

            if (count > 1)
            {
                mapped[memory] = count - 1;
                return;
            }

            Span<byte> ask = stackalloc byte[Wire.DmaUnmap.Bytes];
            foreach (DmaRun run in memory.Runs)
            {
                BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.DmaUnmap.ARGSZ..], Wire.DmaUnmap.Bytes);
                BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.DmaUnmap.FLAGS..], 0);
                BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.DmaUnmap.IOVA..], run.Iova);
                BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.DmaUnmap.SIZE..], (ulong)run.Length);
                Require(Kernel.Call(file, Wire.Ioctl.IOMMU_UNMAP_DMA, ask), address, "unmapping DMA memory");
            }
        }
    }

    /// <summary>What is said where there is no IOMMU.</summary>
    public static UnsupportedException NoIommu(string address) => new($"there is no IOMMU for {address}: enable VT-d or AMD-Vi in "
        + $"the firmware and boot with intel_iommu=on, or go without one as root: sudo ringway unbind {address}");

    private void MapRun(DmaMemory memory, DmaRun run, string address)
    {
        Span<byte> ask = stackalloc byte[Wire.Type1DmaMap.Bytes];
        BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.Type1DmaMap.ARGSZ..], Wire.Type1DmaMap.Bytes);
        BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.Type1DmaMap.FLAGS..], Wire.DmaFlags.READ | Wire.DmaFlags.WRITE);
        BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.Type1DmaMap.VADDR..], (ulong)memory.Address + (ulong)run.Offset);
        BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.Type1DmaMap.IOVA..], run.Iova);
        BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.Type1DmaMap.SIZE..], (ulong)run.Length);
        int result = Kernel.Call(file, Wire.Ioctl.IOMMU_MAP_DMA, ask);
        if (result == -Native.ENOMEM)
        {
            throw new OutOfDmaMemoryException($"{address}: cannot pin {memory.Length >> 20} MiB of DMA memory, more than this user "
                + "may lock: `ulimit -l unlimited`, or memlock in /etc/security/limits.conf");
        }

        Require(result, address, "mapping DMA memory");
    }

    private Group Enter(string number, string address)
    {
        SafeFileHandle group = OpenNode($"{Folder}/{number}", errno => NotOurs(number, address, errno));
        try
        {
            Join(group, number, address);
        }
        catch
        {
            group.Dispose();
            throw;
        }

        return groups[number] = new Group(this, number, group);
    }

    /// <summary>Group into container; the first one decides for which kind of IOMMU the container is.</summary>
    private void Join(SafeFileHandle group, string number, string address)
    {
        byte[] status = new byte[Wire.GroupStatus.Bytes];
        BinaryPrimitives.WriteUInt32LittleEndian(status.AsSpan(Wire.GroupStatus.ARGSZ), Wire.GroupStatus.Bytes);
        Require(Kernel.Call(group, Wire.Ioctl.GROUP_GET_STATUS, status), address, $"asking for the state of IOMMU group {number}");
        uint flags = BinaryPrimitives.ReadUInt32LittleEndian(status.AsSpan(Wire.GroupStatus.FLAGS));
        if ((flags & Wire.GroupFlags.VIABLE) == 0)
        {
            throw new PermissionDeniedException($"{address}: IOMMU group {number} is not viable: not all of it is on VFIO",
                $"bind every device of /sys/kernel/iommu_groups/{number}/devices to vfio-pci");
        }

        byte[] container = BitConverter.GetBytes(Native.NumberOf(file));
        Require(Kernel.Call(group, Wire.Ioctl.GROUP_SET_CONTAINER, container), address, $"joining IOMMU group {number}");
        if (groups.Count == 0)
        {
            Require(Kernel.Call(file, Wire.Ioctl.SET_IOMMU, (nint)Wire.Iommu.TYPE1V2), address, "choosing the IOMMU");
        }
    }

    private void CloseIfEmpty()
    {
        if (groups.Count == 0)
        {
            Opened.Remove(Kernel);
            file.Dispose();
        }
    }

    private SafeFileHandle OpenNode(string path, Func<int, RingwayException> refusal)
    {
        if (Kernel.TryOpen(path, out SafeFileHandle node, out int errno))
        {
            return node;
        }

        node.Dispose();
        throw refusal(errno);
    }

    private static RingwayException NotOurs(string number, string address, int errno)
    {
        string path = $"{Folder}/{number}";
        return errno switch
        {
            Native.EBUSY => new PermissionDeniedException($"{address}: IOMMU group {number} is in use by another program",
                "stop that one first"),
            Native.EACCES or Native.EPERM => new PermissionDeniedException($"{address}: {path}: permission denied",
                $"sudo ringway bind {address} --user $USER, or sudo chown $USER {path}"),
            _ => new UnsupportedException($"{address}: {path}: {Native.Say(errno)}: is it bound to vfio-pci?"),
        };
    }

    private static void Require(int result, string address, string doing)
    {
        if (result < 0)
        {
            throw new DeviceFailedException($"{address}: {doing}: {Native.Say(-result)}");
        }
    }
}
