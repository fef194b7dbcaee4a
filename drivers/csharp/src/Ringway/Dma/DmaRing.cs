using System.Runtime.CompilerServices;

namespace Ringway;

/// <summary>The elements of a ring in DMA memory. Kept by value: what is needed to reach them is in the queue itself.</summary>
/// <remarks>Good as long as the device is open, for which the memory stays mapped: a closed queue must not look.</remarks>
internal readonly unsafe struct DmaRing<T>(T* first, int count)
    where T : unmanaged
{
    /// <summary>All elements.</summary>
    public Span<T> All
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(first, count);
    }

    /// <summary>Neighbours: bounds are checked here, once, and not again for what a loop does with the span.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<T> Slice(int start, int length) => All.Slice(start, length);
}
