using System.Runtime.CompilerServices;

namespace Ringway;

/// <summary>Addresses of slots for the device: a copy on the stack of what the memory knows, which a loop keeps in registers
/// while it writes to memory that might, for all the compiler knows, be the original.</summary>
internal readonly ref struct SlotAddresses
{
    private readonly ReadOnlySpan<ulong> extents;
    private readonly long first;
    private readonly ulong linear;

    public SlotAddresses(DmaMemory memory)
    {
        extents = memory.Extents;
        first = memory.OffsetOf(0);
        linear = memory.IsPhysical ? 0 : extents[0] + (ulong)first;
    }

    /// <summary>The address that the device uses for the first byte of a slot.</summary>
    public ulong this[int slot]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            long distance = (long)slot * DmaMemory.SlotStride;
            return linear != 0 ? linear + (ulong)distance : DmaMemory.Iova(extents, first + distance);
        }
    }
}
