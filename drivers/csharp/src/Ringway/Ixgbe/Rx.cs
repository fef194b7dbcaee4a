// ixgbe/rx · 82599:7.1.6 82599:7.1.9
// Spans over descriptors, slots and batch run in step; the status is read with acquire before anything else of a descriptor.

using System.Runtime.CompilerServices;
using Ringway.Bus;

namespace Ringway.Ixgbe;

/// <summary>One receive queue: poll, take, refill, publish.</summary>
/// <remarks>The device owns the descriptors from the head up to the tail. It fills their buffers, writes status and length
/// back, and goes on; the driver follows it, takes full slots out, puts empty ones in, and moves the tail.</remarks>
internal sealed class RxQueue : ReceiveQueue
{
    /// <summary>Empty descriptors that are collected before they are filled: where packets come one by one, the device would
    /// take each line of the ring, and the tail, back from us for every single one.</summary>
    private const int RefillAt = 16;

    private readonly Nic nic;
    private readonly DmaMemory memory;
    private readonly int[] slots;
    private readonly Doorbell tail;
    private readonly bool hashes;
    private readonly int longest;
    private readonly int shortLongest;
    private readonly int refillAt;
    private readonly DmaRing<Descriptor> descriptors;
    private Ring ring;
    private Watch watch;
    private bool closed;

    /// <summary>Makes the ring and puts a slot behind every descriptor but one. The device does not know of it yet.</summary>
    public RxQueue(Nic nic, int number)
    {
        (this.nic, memory, Number) = (nic, nic.Memory, number);
        int size = nic.Options.RingSlots;
        Span = memory.TakeRing(size * Descriptor.Bytes);
        descriptors = memory.Ring<Descriptor>(Span);
        slots = new int[size];
        tail = nic.Registers.Doorbell(Regs.RDT[number]);
        hashes = nic.Options.RxQueues > 1;
        longest = nic.LongestPacket;
        shortLongest = Math.Min(longest, DmaMemory.SlotBytes);
        refillAt = Math.Min(RefillAt, size / 4);
        ring = new Ring(size);
        watch = new Watch(nic.Function);
        Fill();
    }

    public int Number { get; }

    public DmaSpan Span { get; }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)] // compiled for good at first use: README, place 3
    public override int Receive(Batch batch, int most = int.MaxValue)
    {
        ArgumentNullException.ThrowIfNull(batch);
        nic.Require(batch, closed);
        int packets = Take(batch, most);
        if (ring.Free >= refillAt)
        {
            Refill();
        }

        if (packets == 0)
        {
            watch.InVain();
        }

        return packets;
    }

    /// <summary>Tells the device how far the ring is filled: everything below the tail is its own. [82599:7.1.9]</summary>
    public void Publish() => tail.Ring(ring.Fill); // [rx.publish]

    /// <summary>Takes every slot home. Only when the device has been stopped.</summary>
    public void Close()
    {
        closed = true;
        GiveBackUsed(ring.Used);
    }

    internal override int CountOf(Pool pool)
    {
        int run = ring.UpToTheEnd(ring.Clean, ring.Used);
        return memory.CountOf(pool, slots.AsSpan(ring.Clean, run)) + memory.CountOf(pool, slots.AsSpan(0, ring.Used - run));
    }

    /// <summary>Moves what has come to the batch: whole packets at once, then what is left behind the ring's end, long packets,
    /// lies.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Take(Batch batch, int most)
    {
        int packets = 0;
        while (true)
        {
            int run = Math.Min(ring.UpToTheEnd(ring.Clean, ring.Used), Math.Min(batch.Room, most - packets));
            int taken = TakeWhole(batch, run, out ulong status);
            packets += taken;
            bool goesOn = taken < run ? Desc.IsDone(status) && TakeOdd(batch, ref packets) : run > 0 && ring.Clean == 0;
            if (!goesOn)
            {
                return packets;
            }
        }
    }

    /// <summary>Moves packets of one descriptor each from the ring to the batch, up to the first descriptor that is something
    /// else, or nothing yet: its <paramref name="status"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int TakeWhole(Batch batch, int run, out ulong status)
    {
        // All three have the same length, which spares the loop all checks but that of the table.
        Span<Descriptor> from = descriptors.Slice(ring.Clean, run);
        ReadOnlySpan<int> places = slots.AsSpan(ring.Clean, run);
        Span<int> space = batch.Space[..run];
        ushort[] lengths = memory.Lengths;
        int limit = shortLongest, taken = 0;
        status = 0;
        for (; taken < from.Length; taken++)
        {
            status = Volatile.Read(ref from[taken].Second); // [rx.poll]
            if (!Desc.IsWhole(status, limit))
            {
                break;
            }

            int slot = places[taken];
            memory.Fetch(slot);
            lengths[slot] = (ushort)Desc.Length(status);
            space[taken] = slot; // [rx.take]
        }

        if (taken > 0)
        {
            if (hashes)
            {
                CopyHashes(from[..taken], places);
            }

            batch.Added(taken, taken);
            ring.TakeBack(taken);
        }

        return taken;
    }

    /// <summary>What is no packet of one descriptor. True if it was one of several, or a lie: there may be more behind it.</summary>
    private bool TakeOdd(Batch batch, ref int packets)
    {
        (int pieces, bool good) = Look();
        if (pieces == 0 || (good && pieces > batch.Room && pieces <= batch.Capacity))
        {
            return false;
        }

        // A packet that the batch could never hold would stop the queue for good.
        bool take = good && pieces <= batch.Room;
        packets += take ? TakePieces(batch, pieces) : ThrowAway(pieces);
        return true;
    }

    private void CopyHashes(ReadOnlySpan<Descriptor> descriptors, ReadOnlySpan<int> places)
    {
        for (int i = 0; i < descriptors.Length; i++)
        {
            memory.Hashes[places[i]] = Desc.Hash(descriptors[i].First);
        }
    }

    /// <summary>Descriptors of what is at the clean end, and whether they describe a possible packet; 0 if it is not complete.
    /// </summary>
    private (int Pieces, bool Good) Look()
    {
        Span<Descriptor> descriptors = this.descriptors.All;
        int index = ring.Clean, total = 0;
        for (int pieces = 1; pieces <= ring.Used; pieces++)
        {
            ulong status = Volatile.Read(ref descriptors[index].Second);
            if (!Desc.IsDone(status))
            {
                return (0, false);
            }

            int length = Desc.Length(status);
            total += length;
            if (Desc.Ends(status))
            {
                bool good = length is > 0 and <= DmaMemory.SlotBytes && total <= longest && !Desc.IsBad(status);
                return (pieces, good);
            }

            // A packet goes on only behind a full buffer, and only as far as the longest frame reaches.
            if (length != DmaMemory.SlotBytes || total >= longest)
            {
                return (pieces, false);
            }

            index = ring.Next(index);
        }

        return (0, false);
    }

    private int TakePieces(Batch batch, int pieces)
    {
        Span<Descriptor> descriptors = this.descriptors.All;
        for (int piece = 1; piece <= pieces; piece++)
        {
            int slot = slots[ring.Clean];
            Descriptor descriptor = descriptors[ring.Clean];
            int length = Desc.Length(descriptor.Second);
            memory.Lengths[slot] = (ushort)(piece < pieces ? length | DmaMemory.More : length);
            memory.Hashes[slot] = hashes ? Desc.Hash(descriptor.First) : 0;
            batch.Space[0] = slot;
            batch.Added(1, piece == pieces ? 1 : 0);
            ring.TakeBack(1);
        }

        return 1;
    }

    private int ThrowAway(int pieces)
    {
        nic.CountLie();
        GiveBackUsed(pieces);
        return 0;
    }

    private void GiveBackUsed(int count)
    {
        int run = ring.UpToTheEnd(ring.Clean, count);
        memory.GiveBack(slots.AsSpan(ring.Clean, run));
        memory.GiveBack(slots.AsSpan(0, count - run));
        ring.TakeBack(count);
    }

    /// <summary>Puts an empty slot behind every descriptor that has none, as far as the pool reaches, and tells the device: a
    /// ring that cannot be filled now is filled later.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Refill()
    {
        int before = ring.Fill;
        Fill();
        if (before != ring.Fill)
        {
            Publish();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Fill()
    {
        SlotAddresses addresses = new(memory);
        while (ring.Free > 0)
        {
            int run = ring.UpToTheEnd(ring.Fill, ring.Free);
            Span<int> places = slots.AsSpan(ring.Fill, run);
            int got = nic.Pool.Take(places); // [rx.refill]
            places = places[..got];
            Span<Descriptor> into = descriptors.Slice(ring.Fill, got);
            for (int i = 0; i < places.Length; i++)
            {
                into[i] = Desc.Receive(addresses[places[i]]);
            }

            ring.HandOver(got);
            if (got < run)
            {
                break;
            }
        }
    }
}
