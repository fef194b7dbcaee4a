using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>An IOMMU group that is in the container. It opens only once, so its functions share it.</summary>
internal sealed class Group(Container container, string number, SafeFileHandle file)
{
    /// <summary>The container that it is in.</summary>
    public Container Container => container;

    /// <summary>Its number, as the kernel writes it.</summary>
    public string Number => number;

    /// <summary>Open functions; the container counts them.</summary>
    public int Users { get; set; }

    /// <summary>The descriptor of a function of the group.</summary>
    public SafeFileHandle OpenFunction(string address)
    {
        byte[] name = Encoding.ASCII.GetBytes(address + '\0');
        int result = container.Kernel.Call(file, Wire.Ioctl.GROUP_GET_DEVICE_FD, name);
        return result switch
        {
            >= 0 => new SafeFileHandle(result, ownsHandle: true),
            -Native.EBUSY => throw new PermissionDeniedException($"{address} is in use by another driver in user space",
                "stop that one first"),
            _ => throw new DeviceFailedException($"{address}: VFIO does not open it: {Native.Say(-result)}"),
        };
    }

    /// <summary>One function fewer; the last one closes the group.</summary>
    public void Leave() => container.Leave(this);

    /// <summary>Closes the group, which ends all DMA of its functions.</summary>
    public void Close() => file.Dispose();
}
