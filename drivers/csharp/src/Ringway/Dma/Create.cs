using Microsoft.Win32.SafeHandles;
using Ringway.Bus;

namespace Ringway;

/// <summary>Making DMA memory.</summary>
public sealed unsafe partial class DmaMemory
{
    private const uint CloseOnExec = 1, AllowSealing = 2, HugePages = 4, TwoMiB = 21u << 26;
    private const int AddSeals = 1033, SealSeal = 1, SealShrink = 2, SealGrow = 4;
    private const long MaxBytes = 1L << 31;

    /// <summary>Makes ordinary memory for vfio-user and kernel VFIO: a sealed memfd.</summary>
    /// <param name="bytes">At least 4 MiB, less than 2 GiB; see <see cref="BytesFor"/>. Takes RAM only as it is used.</param>
    /// <param name="concurrent">True if several threads take and give back slots; one thread alone is faster without.</param>
    /// <exception cref="OutOfDmaMemoryException">The system has not so much, or <paramref name="bytes"/> is out of range.
    /// </exception>
    public static DmaMemory Create(long bytes, bool concurrent = true)
    {
        SafeFileHandle file = SealedFile(Checked(bytes), CloseOnExec | AllowSealing);
        return new DmaMemory(file, MapAll(file, bytes), null, concurrent);
    }

    /// <summary>Makes memory of locked 2 MiB pages whose physical addresses are known, for the way by sysfs.</summary>
    /// <exception cref="OutOfDmaMemoryException">There are not so many hugepages.</exception>
    /// <exception cref="PermissionDeniedException">Only root may see physical addresses.</exception>
    public static DmaMemory CreatePhysical(long bytes, bool concurrent = true)
    {
        bytes = RoundUp(Checked(bytes), ExtentBytes);
        SafeFileHandle file = SealedFile(bytes, CloseOnExec | AllowSealing | HugePages | TwoMiB);
        Mapping mapping = MapAll(file, bytes);
        if (Native.Mlock(mapping.Base, (nuint)bytes) != 0)
        {
            int errno = Native.Errno;
            mapping.Dispose();
            file.Dispose();
            throw new OutOfDmaMemoryException($"locking {bytes} bytes of hugepages: {Native.Say(errno)}");
        }

        try
        {
            ulong[] physical = PageMap.Addresses(PageMap.OwnPath, (ulong)mapping.Base, bytes >> ExtentShift, ExtentBytes);
            return new DmaMemory(file, mapping, physical, concurrent);
        }
        catch
        {
            mapping.Dispose();
            file.Dispose();
            throw;
        }
    }

    /// <summary>Makes ordinary memory that is said to be at these addresses: what a test of the way by sysfs has.</summary>
    internal static DmaMemory CreateAt(params ulong[] physical)
    {
        long bytes = Checked(physical.LongLength << ExtentShift);
        SafeFileHandle file = SealedFile(bytes, CloseOnExec | AllowSealing);
        return new DmaMemory(file, MapAll(file, bytes), physical, concurrent: true);
    }

    private static long Checked(long bytes) => bytes is >= 2 * ExtentBytes and < MaxBytes
        ? bytes
        : throw new OutOfDmaMemoryException($"DMA memory of {bytes} bytes: it has {2 * ExtentBytes} to {MaxBytes - 1}");

    /// <summary>A sealed file cannot shrink under the device, which would otherwise fault on pages that are gone.</summary>
    private static SafeFileHandle SealedFile(long bytes, uint flags)
    {
        bool made = Native.Own(Native.MemfdCreate("ringway", flags), out SafeFileHandle file, out int errno);
        bool sized = made && Native.Ftruncate(file, bytes) == 0;
        if (sized && Native.Fcntl(file, AddSeals, SealShrink | SealGrow | SealSeal) == 0)
        {
            return file;
        }

        errno = made ? Native.Errno : errno;
        file.Dispose();
        throw new OutOfDmaMemoryException($"{bytes} bytes of DMA memory: {Native.Say(errno)}");
    }

    private static Mapping MapAll(SafeFileHandle file, long bytes)
    {
        if (Mapping.Map(file, 0, bytes, out int errno) is { } mapping)
        {
            return mapping;
        }

        file.Dispose();
        throw new OutOfDmaMemoryException(errno == Native.ENOMEM
            ? $"mapping {bytes} bytes of DMA memory: {Native.Say(errno)}; for hugepages: "
                + $"echo {(bytes >> ExtentShift) + 1} | sudo tee /proc/sys/vm/nr_hugepages"
            : $"mapping {bytes} bytes of DMA memory: {Native.Say(errno)}");
    }
}
