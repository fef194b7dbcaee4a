using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

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

    /// <summary>The memory is in one piece for the device too.</summary>
    public bool AreLinear => linear != 0;

    /// <summary>The addresses of four slots at once, with AVX2, if they <see cref="AreLinear"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Vector256<ulong> Four(Vector128<int> slots)
    {
        Vector256<uint> wide = Avx2.ConvertToVector256Int64(slots).AsUInt32();
        return Avx2.Multiply(wide, Vector256.Create((uint)DmaMemory.SlotStride)) + Vector256.Create(linear);
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
