using System.Buffers.Binary;

namespace Ringway;

/// <summary>Physical addresses, as <c>/proc/self/pagemap</c> tells them to root.</summary>
internal static class PageMap
{
    public const string OwnPath = "/proc/self/pagemap";

    private const int SmallPage = 4096;
    private const ulong FrameMask = (1UL << 55) - 1, Present = 1UL << 63;

    /// <summary>Physical addresses of <paramref name="count"/> pages of <paramref name="pageBytes"/> from
    /// <paramref name="address"/> on. The file has eight bytes for each small page.</summary>
    /// <exception cref="PermissionDeniedException">The kernel hides frame numbers from whom it does not trust.</exception>
    public static ulong[] Addresses(string path, ulong address, long count, int pageBytes)
    {
        ulong[] addresses = new ulong[count];
        Span<byte> entry = [0, 0, 0, 0, 0, 0, 0, 0];
        try
        {
            using FileStream file = File.OpenRead(path);
            for (long i = 0; i < count; i++)
            {
                file.Position = (long)((address + (ulong)(i * pageBytes)) / SmallPage * sizeof(ulong));
                file.ReadExactly(entry);
                ulong word = BinaryPrimitives.ReadUInt64LittleEndian(entry);
                addresses[i] = Frame(word) * SmallPage;
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new PermissionDeniedException($"reading {path}: {failure.Message}", "run as root");
        }

        return addresses;
    }

    private static ulong Frame(ulong word)
    {
        ulong frame = word & FrameMask;
        return (word & Present) != 0 && frame != 0
            ? frame
            : throw new PermissionDeniedException("the kernel does not tell physical addresses",
                "run as root (CAP_SYS_ADMIN), or bind the device to vfio-pci");
    }
}
