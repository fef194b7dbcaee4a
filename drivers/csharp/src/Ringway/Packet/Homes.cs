using System.Runtime.CompilerServices;

namespace Ringway;

/// <summary>Whose slot is whose: pools of the devices that share this memory.</summary>
public sealed partial class DmaMemory
{
    private const byte Nobody = 0, Reserved = byte.MaxValue;

    private readonly Pool?[] pools = new Pool?[Reserved];
    private readonly byte[] homes;

    /// <summary>Makes a pool of <paramref name="count"/> slots.</summary>
    /// <exception cref="OutOfDmaMemoryException">There are not so many left.</exception>
    internal Pool TakePool(int count)
    {
        lock (pools)
        {
            EndRetired();
            int number = Array.IndexOf(pools, null, 1);
            int[] slots = new int[count];
            int found = 0;
            for (int slot = 0; slot < homes.Length && found < count; slot++)
            {
                if (homes[slot] == Nobody)
                {
                    slots[found++] = slot;
                }
            }

            if (number < 0 || found < count)
            {
                throw new OutOfDmaMemoryException(
                    $"a pool of {count} slots: DMA memory of {Length} bytes has {found} left, and at most {Reserved - 1} pools");
            }

            foreach (int slot in slots)
            {
                homes[slot] = (byte)number;
            }

            Array.Reverse(slots);
            return pools[number] = new Pool(slots, (byte)number, Concurrent);
        }
    }

    /// <summary>The device is closed. Slots may still be in batches or in other devices' rings: the pool's number and slots
    /// are used again only when all have come home.</summary>
    internal void Retire(Pool pool)
    {
        lock (pools)
        {
            pool.Retired = true;
            EndRetired();
        }
    }

    /// <summary>Takes each slot home to its own pool, neighbours of one pool together.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal void GiveBack(ReadOnlySpan<int> slots)
    {
        while (!slots.IsEmpty)
        {
            byte home = homes[slots[0]];
            int run = 1;
            while (run < slots.Length && homes[slots[run]] == home)
            {
                run++;
            }

            pools[home]!.GiveBack(slots[..run]);
            slots = slots[run..];
        }
    }

    /// <summary>Number of these slots that are at home in <paramref name="pool"/>.</summary>
    internal int CountOf(Pool pool, ReadOnlySpan<int> slots)
    {
        int count = 0;
        foreach (int slot in slots)
        {
            count += homes[slot] == pool.Number ? 1 : 0;
        }

        return count;
    }

    /// <summary>True if the slot's home is <paramref name="pool"/>.</summary>
    internal bool IsOf(Pool pool, int slot) => homes[slot] == pool.Number;

    private void EndRetired()
    {
        for (int number = 1; number < pools.Length; number++)
        {
            if (pools[number] is { Retired: true } pool && pool.Free == pool.Total)
            {
                homes.AsSpan().Replace(pool.Number, Nobody);
                pools[number] = null;
            }
        }
    }
}
