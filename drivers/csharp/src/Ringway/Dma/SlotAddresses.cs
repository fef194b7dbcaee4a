using System.Runtime.CompilerServices;

namespace Ringway;

/// <summary>Addresses of slots for the device: a copy on the stack of what the memory knows, which a loop keeps in registers
/// while it writes to memory that might, for all the compiler knows, be the original.</summary>
internal readonly ref struct SlotAddresses
{
    private readonly ReadOnlySpan<ulong> extents;
    private readonly long first;

    public SlotAddresses(DmaMemory memory)
    {
        extents = memory.Extents;
        first = memory.OffsetOf(0);
    }

    /// <summary>The address that the device uses for the first byte of a slot.</summary>
    public ulong this[int slot]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => DmaMemory.Iova(extents, first + ((long)slot * DmaMemory.SlotStride));
    }
}
