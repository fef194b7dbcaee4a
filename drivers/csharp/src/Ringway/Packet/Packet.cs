// packet · design:2
// A ref struct over slot numbers: it lives on the stack, cannot outlive its batch's loop, and costs no object.

using System.Runtime.CompilerServices;

namespace Ringway;

/// <summary>One packet of a batch: a view, good until the batch is changed, sent or released.</summary>
/// <remarks>The compiler keeps it on the stack. It cannot know that the batch was sent meanwhile: do not use it after.</remarks>
public readonly ref struct Packet
{
    private readonly DmaMemory memory;
    private readonly ReadOnlySpan<int> slots;
    private readonly Span<byte> head;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal Packet(DmaMemory memory, ReadOnlySpan<int> slots, int headLength)
    {
        this.memory = memory;
        this.slots = slots;
        head = memory.Slot(slots[0], headLength);
    }

    /// <summary>Slots that the packet occupies: 1, unless it is longer than <see cref="DmaMemory.SlotBytes"/>.</summary>
    public int Pieces => slots.Length;

    /// <summary>The bytes in the first slot: all of them, unless it has more.</summary>
    public Span<byte> Head
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => head;
    }

    /// <summary>Bytes, without FCS.</summary>
    public int Length
    {
        get
        {
            int length = 0;
            for (int i = 0; i < slots.Length; i++)
            {
                length += Piece(i).Length;
            }

            return length;
        }
    }

    /// <summary>The RSS hash that the device worked out, 0 if there is none.</summary>
    public uint RssHash => memory.Hashes[slots[0]];

    /// <summary>The bytes in one of its slots.</summary>
    public Span<byte> Piece(int index) =>
        memory.Slot(slots[index], memory.Lengths[slots[index]] & ~DmaMemory.More);

    /// <summary>Copies all bytes.</summary>
    /// <returns>How many.</returns>
    public int CopyTo(Span<byte> bytes)
    {
        int length = 0;
        for (int i = 0; i < slots.Length; i++)
        {
            Span<byte> piece = Piece(i);
            piece.CopyTo(bytes[length..]);
            length += piece.Length;
        }

        return length;
    }
}
