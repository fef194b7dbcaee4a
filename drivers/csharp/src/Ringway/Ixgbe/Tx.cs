// ixgbe/tx · 82599:7.2.1 82599:7.2.3
// Slot numbers go from the batch into the ring and home again; completion is asked for by groups, so most need no look.

using System.Runtime.CompilerServices;
using Ringway.Bus;

namespace Ringway.Ixgbe;

/// <summary>One transmit queue: reclaim, fill, publish.</summary>
/// <remarks>The device reports a descriptor as done only where RS is set: every <see cref="Group"/> descriptors, and in the
/// last packet of each call, so that a few packets followed by silence are reported too. What lies between two reports is a
/// group. Small groups are put together into stretches: descriptors are done in order, so one look at the last one tells of all
/// before, and a look at each, as soon as the device is about to report it, would cost both sides a cache line.</remarks>
internal sealed class TxQueue : TransmitQueue
{
    /// <summary>Descriptors after which a report is asked for, at the end of the packet.</summary>
    private const int Group = 32;

    /// <summary>The device pads packets to the wire's minimum, but not ones that are shorter than this. [82599:7.2.3.2.4]
    /// </summary>
    private const int Shortest = 17;

    private readonly Nic nic;
    private readonly DmaMemory memory;
    private readonly DmaRing<Descriptor> descriptors;
    private readonly int[] slots;
    /// <summary>For the first descriptor of a stretch: the last one.</summary>
    private readonly int[] stretchEnd;
    private readonly int longEnough;
    private readonly Doorbell tail;
    private Ring ring;
    /// <summary>The first descriptor of the stretch that is not long enough yet.</summary>
    private int stretch;
    private Watch watch;
    private bool closed;

    /// <summary>Makes an empty ring. The device does not know of it yet.</summary>
    public TxQueue(Nic nic, int number)
    {
        (this.nic, memory, Number) = (nic, nic.Memory, number);
        int size = nic.Options.RingSlots;
        Span = memory.TakeRing(size * Descriptor.Bytes);
        descriptors = memory.Ring<Descriptor>(Span);
        (slots, stretchEnd) = (new int[size], new int[size]);
        longEnough = Math.Min(Group, size / 4);
        tail = nic.Registers.Doorbell(Regs.TDT[number]);
        ring = new Ring(size);
        watch = new Watch(nic.Function);
    }

    public int Number { get; }

    public DmaSpan Span { get; }

    /// <inheritdoc/>
    public override int Used => ring.Used;

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)] // compiled for good at first use: README, place 3
    public override int Transmit(Batch batch, int most = int.MaxValue)
    {
        ArgumentNullException.ThrowIfNull(batch);
        nic.Require(batch, closed);
        int reclaimed = batch.Count == 0 ? TakeBackAll() : TakeBack();
        (int count, int packets) = batch.Front(ring.Free, most);
        if (packets > 0)
        {
            Fill(batch.Slots[..count], packets);
            batch.TakenFromFront(count, packets);
            tail.Ring(ring.Fill); // [tx.publish]
        }
        else if (reclaimed == 0)
        {
            watch.InVain();
        }

        return packets;
    }

    /// <inheritdoc/>
    public override void Reclaim() => TakeBackAll();

    /// <summary>Takes every slot home. Only when the device has been stopped.</summary>
    public void Close()
    {
        closed = true;
        GiveBack(ring.Used);
    }

    internal override int CountOf(Pool pool)
    {
        int run = ring.UpToTheEnd(ring.Clean, ring.Used);
        return memory.CountOf(pool, slots.AsSpan(ring.Clean, run)) + memory.CountOf(pool, slots.AsSpan(0, ring.Used - run));
    }

    /// <summary>Takes back the stretches that are done, but for the one that still grows. Returns the number of descriptors.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int TakeBack()
    {
        int before = ring.Used;
        while (ring.Clean != stretch && TakeBackUpTo(stretchEnd[ring.Clean]))
        {
        }

        return before - ring.Used;
    }

    /// <summary>Takes back all stretches that are done. Returns the number of descriptors.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private int TakeBackAll()
    {
        int before = ring.Used;
        while (!closed && ring.Used > 0 && TakeBackUpTo(stretchEnd[ring.Clean]))
        {
        }

        return before - ring.Used;
    }

    /// <summary>Sends the slots up to the end of a stretch home, if the device has reported it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TakeBackUpTo(int end)
    {
        if (!Desc.IsSent(Volatile.Read(ref descriptors.All[end].Second))) // [tx.reclaim]
        {
            return false;
        }

        GiveBack(ring.Distance(end) + 1);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void GiveBack(int count)
    {
        int run = ring.UpToTheEnd(ring.Clean, count);
        memory.GiveBack(slots.AsSpan(ring.Clean, run));
        memory.GiveBack(slots.AsSpan(0, count - run));
        ring.TakeBack(count);
        stretch = ring.Used == 0 ? ring.Fill : stretch;
    }

    /// <summary>Writes descriptors for whole packets; the ring has room for all of them. [tx.fill]</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Fill(ReadOnlySpan<int> pieces, int packets)
    {
        if (pieces.Length > packets)
        {
            FillLong(pieces);
            return;
        }

        while (!pieces.IsEmpty)
        {
            int run = ring.UpToTheEnd(ring.Fill, Math.Min(pieces.Length, Group));
            FillGroup(pieces[..run]);
            pieces = pieces[run..];
        }
    }

    /// <summary>One group of packets in one slot each, in neighbouring descriptors.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void FillGroup(ReadOnlySpan<int> packets)
    {
        // All of the same length, which spares the loop the checks.
        Span<Descriptor> into = descriptors.Slice(ring.Fill, packets.Length);
        Span<int> places = slots.AsSpan(ring.Fill, packets.Length);
        SlotAddresses addresses = new(memory);
        ushort[] lengths = memory.Lengths;
        for (int i = 0; i < packets.Length; i++)
        {
            int slot = packets[i];
            int length = lengths[slot];
            if (length < Shortest)
            {
                length = Lengthen(slot, length);
            }

            into[i] = new Descriptor { First = addresses[slot], Second = Desc.Command(length, length, true) };
            places[i] = slot;
        }

        into[^1].Second |= Desc.Report;
        EndGroup(ring.Fill + packets.Length - 1);
        ring.HandOver(packets.Length);
    }

    /// <summary>Packets of which some have several slots; each is a group.</summary>
    private void FillLong(ReadOnlySpan<int> pieces)
    {
        Span<Descriptor> descriptors = this.descriptors.All;
        SlotAddresses addresses = new(memory);
        int first = ring.Fill, total = 0;
        for (int i = 0; i < pieces.Length; i++)
        {
            int slot = pieces[i], index = ring.Fill;
            int length = memory.Lengths[slot] & ~DmaMemory.More;
            bool ends = memory.Lengths[slot] < DmaMemory.More;
            length = ends && index == first && length < Shortest ? Lengthen(slot, length) : length;
            total = index == first ? Total(pieces[i..]) : total;
            ulong report = ends ? Desc.Report : 0;
            descriptors[index] = new Descriptor { First = addresses[slot], Second = Desc.Command(length, total, ends) | report };
            slots[index] = slot;
            ring.HandOver(1);
            if (ends)
            {
                EndGroup(index);
                first = ring.Fill;
            }
        }
    }

    /// <summary>A report was asked for at <paramref name="last"/>: the stretch ends there, or grows on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void EndGroup(int last)
    {
        stretchEnd[stretch] = last;
        int length = last >= stretch ? last - stretch : last - stretch + ring.Size;
        stretch = length + 1 >= longEnough ? ring.Next(last) : stretch;
    }

    /// <summary>Bytes of the packet at the front.</summary>
    private int Total(ReadOnlySpan<int> pieces)
    {
        int total = 0;
        foreach (int slot in pieces)
        {
            total += memory.Lengths[slot] & ~DmaMemory.More;
            if (memory.Lengths[slot] < DmaMemory.More)
            {
                break;
            }
        }

        return total;
    }

    /// <summary>Makes a packet that is too short for the device longer, with zeros.</summary>
    private int Lengthen(int slot, int length)
    {
        memory.Slot(slot, Shortest)[length..].Clear();
        memory.Lengths[slot] = Shortest;
        return Shortest;
    }
}
