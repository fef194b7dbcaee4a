namespace Ringway;

/// <summary>Where things are in DMA memory, and for the device.</summary>
public sealed partial class DmaMemory
{
    /// <summary>Bytes that hold so many packet slots and ring descriptors.</summary>
    public static long BytesFor(long slots, long descriptors)
    {
        long packets = (slots + (slots / 900) + 2) * SlotStride; // those that cross an extent are not used
        long rings = (descriptors * 16) + (64 * PageBytes);
        return RoundUp(Math.Max(packets * 8 / 7, rings * 8) + ExtentBytes, ExtentBytes);
    }

    private static long RingBytes(long bytes) => RoundUp(bytes / 8, PageBytes);

    private static long RoundUp(long value, long unit) => (value + unit - 1) / unit * unit;

    private static ulong[] LinearExtents(long bytes)
    {
        ulong[] extents = new ulong[RoundUp(bytes, ExtentBytes) >> ExtentShift];
        for (int i = 0; i < extents.Length; i++)
        {
            extents[i] = FirstIova + ((ulong)i << ExtentShift);
        }

        return extents;
    }

    internal static List<DmaRun> Coalesce(ReadOnlySpan<ulong> extents, long bytes)
    {
        List<DmaRun> runs = [];
        for (int i = 0; i < extents.Length; i++)
        {
            long offset = (long)i << ExtentShift;
            long length = Math.Min(ExtentBytes, bytes - offset);
            bool joins = runs.Count > 0 && runs[^1].Iova + (ulong)runs[^1].Length == extents[i];
            if (joins)
            {
                runs[^1] = runs[^1] with { Length = runs[^1].Length + length };
            }
            else
            {
                runs.Add(new DmaRun(offset, extents[i], length));
            }
        }

        return runs;
    }

    /// <summary>Slots that lie in two extents are nobody's: physical pages need not be neighbours.</summary>
    private void ReserveCrossings()
    {
        for (int slot = 0; slot < slots; slot++)
        {
            long offset = OffsetOf(slot);
            if (offset >> ExtentShift != (offset + SlotBytes - 1) >> ExtentShift)
            {
                homes[slot] = Reserved;
            }
        }
    }
}
