// bus · PCI, vfio-user, kernel VFIO
// One interface for all ways to a function; the form of the address and what the system offers choose the way.

using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using Ringway.Bus;

namespace Ringway;

/// <summary>How a function is reached.</summary>
public enum Way
{
    /// <summary>A vfio-user socket: the other end is another process, with no hardware and no privileges.</summary>
    VfioUser,

    /// <summary>Kernel VFIO: an IOMMU confines the device to the memory that it was given.</summary>
    Vfio,

    /// <summary>Files in sysfs and physical addresses: needs root, and nothing confines the device.</summary>
    Sysfs,
}

/// <summary>A PCI function that is ours until it is disposed of, which ends all DMA and gives everything back.</summary>
/// <remarks>
/// The other end may be hostile or broken: no method trusts it, and none waits for more than a few seconds. Every method may
/// throw <see cref="DeviceFailedException"/> if the device is gone or breaks the rules. Methods may be called by any thread.
/// </remarks>
public interface IFunction : IDisposable
{
    /// <summary>How the function is reached.</summary>
    Way Way { get; }

    /// <summary>The address that it was opened by.</summary>
    string Address { get; }

    /// <summary>Size of a region in bytes, 0 if there is none. Regions 0 to 5 are the BARs, 7 is the config space.</summary>
    ulong Size(uint region);

    /// <summary>The parts of a region that are mapped into this process; all else is reached by messages.</summary>
    IReadOnlyList<Window> Windows(uint region);

    /// <summary>Takes the function from its present owner, if it has one, for use with <paramref name="memory"/>. Before this it
    /// has only been looked at; once it is disposed of it is as it was found. Windows may only be there afterwards.</summary>
    /// <exception cref="PermissionDeniedException">The owner needs it.</exception>
    /// <exception cref="UnsupportedException">It cannot use <paramref name="memory"/>.</exception>
    void Claim(DmaMemory memory)
    {
    }

    /// <summary>Reads from the device itself (never a mapped copy), after everything that was written before.</summary>
    void Read(uint region, ulong offset, Span<byte> bytes);

    /// <summary>Writes to the device itself; it has been carried out when this returns.</summary>
    void Write(uint region, ulong offset, ReadOnlySpan<byte> bytes);

    /// <summary>Like <see cref="Write"/>, but may return before it has been carried out, and failures may go unnoticed.</summary>
    void Post(uint region, ulong offset, ReadOnlySpan<byte> bytes) => Write(region, offset, bytes);

    /// <summary>Lets the function see <paramref name="memory"/>, at the addresses that the memory says.</summary>
    void MapDma(DmaMemory memory);

    /// <summary>Takes <paramref name="memory"/> away; the function does not touch it any more when this returns.</summary>
    void UnmapDma(DmaMemory memory);

    /// <summary>Number of MSI-X vectors.</summary>
    int Vectors();

    /// <summary>Has the vectors from <paramref name="first"/> on signalled by one eventfd each.</summary>
    void BindVectors(int first, IReadOnlyList<SafeFileHandle> events);

    /// <summary>Turns all vectors off.</summary>
    void UnbindVectors();

    /// <summary>Resets the function by the way's own means, not by a register of the device.</summary>
    void Reset();

    /// <summary>Looks whether the device is still there, without waiting. Cheap, but a system call or two.</summary>
    /// <exception cref="DeviceFailedException">It is gone.</exception>
    void Check();
}

/// <summary>Opens functions by address, and what all ways have in common.</summary>
public static class Functions
{
    /// <summary>Reaches the function at <paramref name="address"/>: <c>unix:/path</c> or <c>0000:03:00.0</c>.</summary>
    /// <exception cref="NoSuchDeviceException">Nothing is there, or the address is none.</exception>
    /// <exception cref="PermissionDeniedException">We may not have it.</exception>
    public static IFunction Open(string address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return WayOf(address) switch
        {
            Way.VfioUser => VfioUserFunction.Connect(address),
            Way.Vfio => VfioFunction.Open(PciTree.System, PciTree.Normal(address)),
            _ => SysfsFunction.Open(PciTree.System, PciTree.Normal(address)),
        };
    }

    /// <summary>The way that <see cref="Open"/> would take: VFIO for a function that is bound to vfio-pci.</summary>
    /// <exception cref="NoSuchDeviceException">The address is none, or the function does not exist.</exception>
    public static Way WayOf(string address)
    {
        ArgumentNullException.ThrowIfNull(address);
        if (address.StartsWith("unix:", StringComparison.Ordinal))
        {
            return Way.VfioUser;
        }

        if (!PciTree.IsAddress(address))
        {
            throw new NoSuchDeviceException(address,
                "an address is unix:/path of a vfio-user socket or domain:bus:device.function");
        }

        return PciTree.System.IsOnVfio(PciTree.Normal(address)) ? Way.Vfio : Way.Sysfs;
    }

    /// <summary>True if the device at <paramref name="address"/> is reached by sysfs, and needs
    /// <see cref="DmaMemory.CreatePhysical"/>. Refuses what would be refused later: nobody should look for hugepages in vain.
    /// </summary>
    /// <exception cref="RingwayException">As <see cref="Open"/>.</exception>
    public static bool NeedsPhysicalMemory(string address)
    {
        if (WayOf(address) != Way.Sysfs)
        {
            return false;
        }

        SysfsFunction.Open(PciTree.System, PciTree.Normal(address)).Dispose();
        return true;
    }

    /// <summary>The way's name in messages and JSON.</summary>
    public static string Name(this Way way) => way switch
    {
        Way.VfioUser => "vfio-user",
        Way.Vfio => "vfio",
        _ => "sysfs",
    };

    /// <summary>PCI vendor and device id.</summary>
    internal static (ushort Vendor, ushort Device) Identity(this IFunction function)
    {
        Span<byte> bytes = [0, 0, 0, 0];
        function.Read(Wire.Region.CONFIG, Wire.Pci.VENDOR_ID, bytes);
        return (BinaryPrimitives.ReadUInt16LittleEndian(bytes), BinaryPrimitives.ReadUInt16LittleEndian(bytes[2..]));
    }

    /// <summary>A card that was pulled out reads as ones, also where config space has its class. Its ids will not do: vfio-pci
    /// remembers them.</summary>
    internal static void RequirePresence(this IFunction function)
    {
        Span<byte> bytes = [0, 0, 0, 0];
        function.Read(Wire.Region.CONFIG, Wire.Pci.REVISION_ID, bytes);
        if (BinaryPrimitives.ReadUInt32LittleEndian(bytes) == uint.MaxValue)
        {
            throw new DeviceFailedException($"{function.Address}: the device is gone: it was removed");
        }
    }

    /// <summary>Lets the function answer on its BARs.</summary>
    internal static void EnableMemory(this IFunction function) => function.SetCommand(Wire.PciCommand.MEMORY, true);

    /// <summary>Lets the function do DMA. It should have been reset before, or it goes on with what the last driver told it.
    /// </summary>
    internal static void EnableDma(this IFunction function) => function.SetCommand(Wire.PciCommand.MASTER, true);

    /// <summary>Forbids the function to do DMA.</summary>
    internal static void DisableDma(this IFunction function) => function.SetCommand(Wire.PciCommand.MASTER, false);

    private static void SetCommand(this IFunction function, ushort bits, bool on)
    {
        Span<byte> bytes = [0, 0];
        function.Read(Wire.Region.CONFIG, Wire.Pci.COMMAND, bytes);
        ushort word = BinaryPrimitives.ReadUInt16LittleEndian(bytes);
        word = (ushort)(on ? word | bits : word & ~bits);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, word);
        function.Write(Wire.Region.CONFIG, Wire.Pci.COMMAND, bytes);
    }
}
