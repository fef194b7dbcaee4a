// dma · design:2
// One shared mapping seen through spans; rings and slots are integers into it, and every access is bounds-checked.

using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using Microsoft.Win32.SafeHandles;

namespace Ringway;

/// <summary>A part of DMA memory whose bytes are neighbours for the device too.</summary>
internal readonly record struct DmaRun(long Offset, ulong Iova, long Length);

/// <summary>The one memory of a process that all its devices can see: descriptor rings and packet slots.</summary>
/// <remarks>
/// Rings are carved from its first eighth in pages, packets from the rest in slots of <see cref="SlotBytes"/>, which are
/// <see cref="SlotStride"/> apart: an odd number of cache lines, so that the first lines of packets are spread over the whole
/// cache. Dispose of it after the devices; it unmaps when the last of them is closed.
/// </remarks>
public sealed unsafe partial class DmaMemory : IDisposable
{
    /// <summary>Bytes of a packet that one slot holds.</summary>
    public const int SlotBytes = 2048;

    /// <summary>Bytes from one slot to the next.</summary>
    public const int SlotStride = 2112;

    internal const int ExtentShift = 21, ExtentBytes = 1 << ExtentShift;
    private const int PageBytes = 4096;
    private const ulong FirstIova = 1UL << 32; // inside every IOMMU's range, and no address that is one by accident

    private readonly Mapping mapping;
    private readonly ulong[] extents;
    private readonly bool[] pageUsed;
    private readonly long slotsAt;
    private readonly byte* firstSlot;
    private int slots;
    private int users;
    private bool disposed;

    private DmaMemory(SafeFileHandle file, Mapping mapping, ulong[]? physical, bool concurrent)
    {
        (File, this.mapping, IsPhysical, Concurrent) = (file, mapping, physical is not null, concurrent);
        long ringBytes = RingBytes(mapping.Length);
        pageUsed = new bool[ringBytes / PageBytes];
        slotsAt = ringBytes;
        firstSlot = mapping.Base + ringBytes;
        slots = (int)((mapping.Length - ringBytes) / SlotStride);
        extents = physical ?? LinearExtents(mapping.Length);
        Lengths = new ushort[slots];
        Hashes = new uint[slots];
        homes = new byte[slots];
        ReserveCrossings();
    }

    /// <summary>Bytes.</summary>
    public long Length => mapping.Length;

    /// <summary>True if pools may be used by several threads at a time.</summary>
    public bool Concurrent { get; }

    /// <summary>True if the addresses are physical ones, as the way by sysfs needs them.</summary>
    public bool IsPhysical { get; }

    /// <summary>The file behind the memory, for a device in another process.</summary>
    internal SafeFileHandle File { get; }

    /// <summary>First byte in this process, for kernel VFIO.</summary>
    internal nint Address => (nint)mapping.Base;

    /// <summary>Bytes of the packet in each slot, with <see cref="More"/> where the next slot goes on with it.</summary>
    internal ushort[] Lengths { get; }

    /// <summary>RSS hash of the packet that begins in each slot; 0 if there is none.</summary>
    internal uint[] Hashes { get; }

    /// <summary>Mark in <see cref="Lengths"/>: the packet goes on in the next slot of the batch.</summary>
    internal const ushort More = 0x8000;

    /// <summary>Addresses for the device of each 2 MiB.</summary>
    internal ReadOnlySpan<ulong> Extents => extents;

    /// <summary>The memory in as few pieces as the device's addresses allow.</summary>
    internal IReadOnlyList<DmaRun> Runs => Coalesce(extents, Length);

    /// <summary>The bytes of a slot, up to <paramref name="length"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such slot, or the memory was disposed of.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal Span<byte> Slot(int slot, int length)
    {
        if ((uint)slot >= (uint)slots || (uint)length > SlotBytes)
        {
            OutOfRange(slot, length);
        }

        return new Span<byte>(firstSlot + ((long)slot * SlotStride), length);
    }

    /// <summary>Has the first line of a slot brought, which whoever forwards the packet will touch. Lines that the device has
    /// written come from another core's cache or from memory: at once for many, but slowly for each. Never faults.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Fetch(int slot)
    {
        if (Sse.IsSupported)
        {
            Sse.Prefetch0(firstSlot + ((long)slot * SlotStride));
        }
    }

    /// <summary>Offset of a slot, for <see cref="Iova"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal long OffsetOf(int slot) => slotsAt + ((long)slot * SlotStride);

    /// <summary>The address that the device uses for the byte at <paramref name="offset"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Iova(ReadOnlySpan<ulong> extents, long offset) =>
        extents[(int)(offset >> ExtentShift)] + (ulong)(offset & (ExtentBytes - 1));

    /// <summary>Any bytes, for a test that plays the device.</summary>
    internal Span<byte> Bytes(long offset, int length) =>
        offset >= 0 && length >= 0 && offset <= Length - length && slots > 0
            ? new Span<byte>(mapping.Base + offset, length)
            : throw new ArgumentOutOfRangeException(nameof(offset));

    /// <summary>Elements of a ring.</summary>
    internal DmaRing<T> Ring<T>(DmaSpan span)
        where T : unmanaged => new((T*)(mapping.Base + span.Offset), slots > 0 ? span.Length / sizeof(T) : 0);

    /// <summary>Elements of a ring, for those who look once.</summary>
    internal Span<T> View<T>(DmaSpan span)
        where T : unmanaged => new(mapping.Base + span.Offset, slots > 0 ? span.Length / sizeof(T) : 0);

    /// <summary>Takes zeroed, page-aligned bytes that do not cross an extent, for a ring.</summary>
    /// <exception cref="OutOfDmaMemoryException">There are none left.</exception>
    internal DmaSpan TakeRing(int bytes)
    {
        int want = (bytes + PageBytes - 1) / PageBytes;
        lock (pageUsed)
        {
            int run = 0;
            for (int page = 0; page < pageUsed.Length; page++)
            {
                bool newExtent = page % (ExtentBytes / PageBytes) == 0;
                run = pageUsed[page] ? 0 : newExtent ? 1 : run + 1;
                if (run == want)
                {
                    int first = page + 1 - want;
                    pageUsed.AsSpan(first, want).Fill(true);
                    DmaSpan span = new((long)first * PageBytes, bytes);
                    View<byte>(span).Clear();
                    return span;
                }
            }
        }

        throw new OutOfDmaMemoryException($"DMA memory of {Length} bytes has no room for a ring of {bytes} bytes");
    }

    /// <summary>Gives a ring's bytes back.</summary>
    internal void GiveBack(DmaSpan span)
    {
        lock (pageUsed)
        {
            int first = (int)(span.Offset / PageBytes);
            pageUsed.AsSpan(first, (span.Length + PageBytes - 1) / PageBytes).Clear();
        }
    }

    /// <summary>An open device keeps the memory mapped.</summary>
    internal void AddUser()
    {
        lock (pageUsed)
        {
            ObjectDisposedException.ThrowIf(disposed, this);
            users++;
        }
    }

    /// <summary>A closed device does not need it any more.</summary>
    internal void RemoveUser()
    {
        lock (pageUsed)
        {
            users--;
            UnmapIfUnused();
        }
    }

    /// <summary>Gives the memory back, now or when the last device that uses it is closed.</summary>
    public void Dispose()
    {
        lock (pageUsed)
        {
            disposed = true;
            UnmapIfUnused();
        }
    }

    private void UnmapIfUnused()
    {
        if (disposed && users == 0)
        {
            slots = 0; // from here on every access fails its bounds check
            mapping.Dispose();
            File.Dispose();
        }
    }

    private static void OutOfRange(int slot, int length) =>
        throw new ArgumentOutOfRangeException(nameof(slot), $"{length} bytes of slot {slot} of DMA memory");
}
