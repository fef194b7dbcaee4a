using System.Runtime.CompilerServices;

namespace Ringway;

/// <summary>Packets that the program holds, in order. Made once and used again: nothing is allocated as packets pass.</summary>
/// <remarks>
/// A batch owns the slots of its packets. What is received is put behind what it holds; what is sent is taken from its front.
/// <see cref="Dispose"/> gives what is left back to the pools it came from. One thread at a time.
/// </remarks>
public sealed class Batch : IDisposable
{
    private readonly int[] slots;
    private int used;

    /// <summary>Makes an empty batch.</summary>
    /// <param name="memory">The memory of the devices that it is to be used with.</param>
    /// <param name="capacity">Slots, which is packets unless they are longer than a slot.</param>
    public Batch(DmaMemory memory, int capacity)
    {
        ArgumentNullException.ThrowIfNull(memory);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(capacity);
        Memory = memory;
        slots = new int[capacity];
    }

    /// <summary>Packets in it.</summary>
    public int Count { get; private set; }

    /// <summary>Most slots that it holds.</summary>
    public int Capacity => slots.Length;

    /// <summary>Slots that may still be added.</summary>
    public int Room => slots.Length - used;

    internal DmaMemory Memory { get; }

    /// <summary>Slots of its packets, front first.</summary>
    internal ReadOnlySpan<int> Slots => slots.AsSpan(0, used);

    /// <summary>Where the next slots go.</summary>
    internal Span<int> Space => slots.AsSpan(used);

    /// <summary>Adds a copy of a packet, in slots from <paramref name="pool"/>.</summary>
    /// <returns>False if the pool or the batch has no room for it; then nothing was added.</returns>
    public bool TryAdd(Pool pool, ReadOnlySpan<byte> packet)
    {
        ArgumentNullException.ThrowIfNull(pool);
        int pieces = Math.Max(1, (packet.Length + DmaMemory.SlotBytes - 1) / DmaMemory.SlotBytes);
        if (pieces > Room)
        {
            return false;
        }

        Span<int> space = Space[..pieces];
        int got = pool.Take(space);
        if (got < pieces)
        {
            pool.GiveBack(space[..got]);
            return false;
        }

        foreach (int slot in space)
        {
            int length = Math.Min(packet.Length, DmaMemory.SlotBytes);
            packet[..length].CopyTo(Memory.Slot(slot, length));
            packet = packet[length..];
            Memory.Lengths[slot] = (ushort)(packet.IsEmpty ? length : length | DmaMemory.More);
            Memory.Hashes[slot] = 0;
        }

        Added(pieces, 1);
        return true;
    }

    /// <summary>Adds packets of <paramref name="length"/> bytes with whatever was in their slots, at most
    /// <paramref name="count"/>.</summary>
    /// <returns>How many: as many as pool and batch have room for.</returns>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Add(Pool pool, int count, int length)
    {
        ArgumentNullException.ThrowIfNull(pool);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, DmaMemory.SlotBytes);
        int got = pool.Take(Space[..Math.Min(count, Room)]);
        foreach (int slot in Space[..got])
        {
            Memory.Lengths[slot] = (ushort)length;
            Memory.Hashes[slot] = 0;
        }

        Added(got, got);
        return got;
    }

    /// <summary>Gives all packets back to the pools they came from. Returns how many.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Release()
    {
        int packets = Count;
        Memory.GiveBack(Slots);
        (used, Count) = (0, 0);
        return packets;
    }

    /// <summary>Gives the packets of one pool back; the others stay in order.</summary>
    public void Release(Pool pool)
    {
        ArgumentNullException.ThrowIfNull(pool);
        int kept = 0, packets = 0;
        for (int i = 0; i < used; i++)
        {
            int slot = slots[i];
            if (Memory.IsOf(pool, slot))
            {
                Memory.GiveBack([slot]);
            }
            else
            {
                slots[kept++] = slot;
                packets += (Memory.Lengths[slot] & DmaMemory.More) == 0 ? 1 : 0;
            }
        }

        (used, Count) = (kept, packets);
    }

    /// <summary>Slots of one pool that this batch holds.</summary>
    public int CountOf(Pool pool)
    {
        ArgumentNullException.ThrowIfNull(pool);
        return Memory.CountOf(pool, Slots);
    }

    /// <summary>Moves packets from the front to the end of another batch, at most <paramref name="count"/> and what fits.
    /// </summary>
    public int MoveTo(Batch other, int count)
    {
        ArgumentNullException.ThrowIfNull(other);
        (int moved, int packets) = Front(other.Room, count);
        slots.AsSpan(0, moved).CopyTo(other.Space);
        other.Added(moved, packets);
        TakenFromFront(moved, packets);
        return packets;
    }

    /// <summary>Gives what is left back.</summary>
    public void Dispose() => Release();

    /// <summary>The packets, front first: <c>foreach (Packet packet in batch)</c>.</summary>
    public Enumerator GetEnumerator() => new(this);

    /// <summary>Slots were put into <see cref="Space"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Added(int count, int packets)
    {
        used += count;
        Count += packets;
    }

    /// <summary>Whole packets at the front, at most so many slots and packets: how many slots and packets they are.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal (int Slots, int Packets) Front(int mostSlots, int mostPackets)
    {
        if (used == Count)
        {
            int plain = Math.Min(Math.Min(mostSlots, mostPackets), used);
            return (plain, plain);
        }

        return FrontOfLong(mostSlots, mostPackets);
    }

    /// <summary>The first slots are somebody else's now.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void TakenFromFront(int count, int packets)
    {
        used -= count;
        Count -= packets;
        if (used > 0)
        {
            slots.AsSpan(count, used).CopyTo(slots);
        }
    }

    private (int Slots, int Packets) FrontOfLong(int mostSlots, int mostPackets)
    {
        int whole = 0, packets = 0;
        for (int i = 0; i < Math.Min(used, mostSlots) && packets < mostPackets; i++)
        {
            if ((Memory.Lengths[slots[i]] & DmaMemory.More) == 0)
            {
                (whole, packets) = (i + 1, packets + 1);
            }
        }

        return (whole, packets);
    }

    /// <summary>Walks over the packets of a batch.</summary>
    public ref struct Enumerator
    {
        private readonly DmaMemory memory;
        private readonly ReadOnlySpan<int> slots;
        private readonly ReadOnlySpan<ushort> lengths;
        private int start;
        private int end;
        private int headLength;

        internal Enumerator(Batch batch)
        {
            memory = batch.Memory;
            slots = batch.Slots;
            lengths = memory.Lengths;
        }

        /// <summary>The packet here.</summary>
        public readonly Packet Current
        {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get => new(memory, slots[start..end], headLength);
        }

        /// <summary>Goes on to the next packet; false behind the last.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public bool MoveNext()
        {
            start = end;
            if (start >= slots.Length)
            {
                return false;
            }

            int length = lengths[slots[end++]];
            headLength = length & ~DmaMemory.More;
            if (length >= DmaMemory.More)
            {
                // Not a method of this struct: whoever has its address keeps it out of registers.
                end = EndOfLong(slots, lengths, end);
            }

            return true;
        }

        private static int EndOfLong(ReadOnlySpan<int> slots, ReadOnlySpan<ushort> lengths, int end)
        {
            while (end < slots.Length && lengths[slots[end++]] >= DmaMemory.More)
            {
            }

            return end;
        }
    }
}
