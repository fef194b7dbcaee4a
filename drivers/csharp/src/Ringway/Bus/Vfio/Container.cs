using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>An IOMMU group and the container that it is in. Functions of one group share it: a group opens only once.</summary>
internal sealed class Container
{
    private const string Folder = "/dev/vfio";

    private static readonly Dictionary<string, Container> Opened = [];

    private readonly string path;
    private readonly IVfioKernel kernel;
    private readonly SafeFileHandle container;
    private readonly SafeFileHandle group;
    private readonly Dictionary<DmaMemory, int> mapped = [];
    private int users;

    private Container(string path, IVfioKernel kernel)
    {
        (this.path, this.kernel) = (path, kernel);
        container = OpenNode(kernel, $"{Folder}/vfio");
        try
        {
            group = OpenNode(kernel, path);
        }
        catch
        {
            container.Dispose();
            throw;
        }

        try
        {
            Join();
        }
        catch
        {
            group.Dispose();
            container.Dispose();
            throw;
        }
    }

    /// <summary>Opens the group with this number, or shares it.</summary>
    public static Container Share(IVfioKernel kernel, string number)
    {
        string path = $"{Folder}/{number}";
        lock (Opened)
        {
            if (!Opened.TryGetValue(path, out Container? found))
            {
                Opened[path] = found = new Container(path, kernel);
            }

            found.users++;
            return found;
        }
    }

    /// <summary>One function fewer; the last one closes the group, which ends all DMA.</summary>
    public void Leave()
    {
        lock (Opened)
        {
            if (--users == 0)
            {
                Opened.Remove(path);
                group.Dispose();
                container.Dispose();
            }
        }
    }

    /// <summary>The descriptor of a function of the group.</summary>
    public SafeFileHandle OpenFunction(string address)
    {
        byte[] name = Encoding.ASCII.GetBytes(address + '\0');
        int result = kernel.Call(group, Wire.Ioctl.GROUP_GET_DEVICE_FD, name);
        return result >= 0 ? new SafeFileHandle(result, ownsHandle: true)
            : throw new NoSuchDeviceException(address, $"{path} does not give it: {Native.Say(-result)}");
    }

    /// <summary>Lets all functions of the group see the memory.</summary>
    public void Map(DmaMemory memory)
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
                MapRun(memory, run);
            }

            mapped[memory] = 1;
        }
    }

    /// <summary>Takes the memory away when the last function has let go of it.</summary>
    public void Unmap(DmaMemory memory)
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
                Require(kernel.Call(container, Wire.Ioctl.IOMMU_UNMAP_DMA, ask), "unmapping DMA memory");
            }
        }
    }

    private void MapRun(DmaMemory memory, DmaRun run)
    {
        Span<byte> ask = stackalloc byte[Wire.Type1DmaMap.Bytes];
        BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.Type1DmaMap.ARGSZ..], Wire.Type1DmaMap.Bytes);
        BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.Type1DmaMap.FLAGS..], Wire.DmaFlags.READ | Wire.DmaFlags.WRITE);
        BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.Type1DmaMap.VADDR..], (ulong)memory.Address + (ulong)run.Offset);
        BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.Type1DmaMap.IOVA..], run.Iova);
        BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.Type1DmaMap.SIZE..], (ulong)run.Length);
        int result = kernel.Call(container, Wire.Ioctl.IOMMU_MAP_DMA, ask);
        if (result == -Native.ENOMEM)
        {
            throw new OutOfDmaMemoryException($"{memory.Length} bytes of DMA memory are more than this user may lock: "
                + "raise the limit (ulimit -l unlimited, or memlock in /etc/security/limits.conf)");
        }

        Require(result, "mapping DMA memory");
    }

    /// <summary>Group into container, container to its IOMMU.</summary>
    private void Join()
    {
        if (kernel.Call(container, Wire.Ioctl.CHECK_EXTENSION, (nint)Wire.Iommu.TYPE1V2) <= 0)
        {
            throw new UnsupportedException("this kernel's VFIO has no IOMMU of type 1; switch the IOMMU on "
                + "(intel_iommu=on or amd_iommu=on), or unbind the device from vfio-pci to reach it by sysfs");
        }

        byte[] status = new byte[Wire.GroupStatus.Bytes];
        BinaryPrimitives.WriteUInt32LittleEndian(status.AsSpan(Wire.GroupStatus.ARGSZ), Wire.GroupStatus.Bytes);
        Require(kernel.Call(group, Wire.Ioctl.GROUP_GET_STATUS, status), "asking for the group's state");
        uint flags = BinaryPrimitives.ReadUInt32LittleEndian(status.AsSpan(Wire.GroupStatus.FLAGS));
        if ((flags & Wire.GroupFlags.VIABLE) == 0)
        {
            throw new PermissionDeniedException($"{path} has devices that belong to other drivers",
                "bind every device of the group to vfio-pci (/sys/kernel/iommu_groups)");
        }

        byte[] number = BitConverter.GetBytes(Native.NumberOf(container));
        Require(kernel.Call(group, Wire.Ioctl.GROUP_SET_CONTAINER, number), "joining a container");
        Require(kernel.Call(container, Wire.Ioctl.SET_IOMMU, (nint)Wire.Iommu.TYPE1V2), "choosing the IOMMU");
    }

    private void Require(int result, string doing)
    {
        if (result < 0)
        {
            throw new DeviceFailedException($"{path}: {doing}: {Native.Say(-result)}");
        }
    }

    private static SafeFileHandle OpenNode(IVfioKernel kernel, string path)
    {
        if (kernel.TryOpen(path, out SafeFileHandle file, out int errno))
        {
            return file;
        }

        file.Dispose();
        throw errno switch
        {
            Native.EACCES or Native.EPERM => new PermissionDeniedException($"no right to open {path}",
                string.Create(CultureInfo.InvariantCulture, $"sudo chown {Environment.UserName} {path}")),
            Native.EBUSY => new PermissionDeniedException($"{path} is in use by another driver", "stop that driver"),
            _ => new NoSuchDeviceException(path, $"{Native.Say(errno)}; sudo modprobe vfio-pci"),
        };
    }
}
