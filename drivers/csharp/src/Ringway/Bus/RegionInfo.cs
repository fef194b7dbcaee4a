using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>One region of a function: its size, where its file begins, and what of it is mapped.</summary>
internal sealed record RegionInfo(ulong Size, ulong FileOffset, IReadOnlyList<Window> Windows)
{
    public static readonly RegionInfo Absent = new(0, 0, []);

    /// <summary>Space for the answer: with less than the whole, servers do not send the descriptor.</summary>
    public const int AnswerBytes = 4096;

    private const int MaxAreas = 64;

    /// <summary>A question for region <paramref name="index"/>.</summary>
    public static byte[] Question(uint index)
    {
        byte[] ask = new byte[Wire.RegionInfo.Bytes];
        BinaryPrimitives.WriteUInt32LittleEndian(ask.AsSpan(Wire.RegionInfo.ARGSZ), AnswerBytes);
        BinaryPrimitives.WriteUInt32LittleEndian(ask.AsSpan(Wire.RegionInfo.INDEX), index);
        return ask;
    }

    /// <summary>Reads an answer and maps what may be mapped. An area that cannot be mapped is left to messages.</summary>
    public static RegionInfo Read(ReadOnlySpan<byte> info, SafeFileHandle? file)
    {
        ulong size = BinaryPrimitives.ReadUInt64LittleEndian(info[Wire.RegionInfo.SIZE..]);
        ulong offset = BinaryPrimitives.ReadUInt64LittleEndian(info[Wire.RegionInfo.OFFSET..]);
        List<Window> windows = [];
        if (file is not null && MayMap(info))
        {
            foreach ((ulong start, ulong length) in Areas(info))
            {
                bool inside = start <= size && length <= size - start && start <= int.MaxValue && length <= int.MaxValue;
                if (inside && Window.TryMap(file, offset + start, (uint)start, (uint)length) is { } window)
                {
                    windows.Add(window);
                }
            }
        }

        return new RegionInfo(size, offset, windows);
    }

    private static bool MayMap(ReadOnlySpan<byte> info)
    {
        const uint All = Wire.RegionFlags.READ | Wire.RegionFlags.WRITE | Wire.RegionFlags.MMAP;
        return (BinaryPrimitives.ReadUInt32LittleEndian(info[Wire.RegionInfo.FLAGS..]) & All) == All;
    }

    /// <summary>The areas that may be mapped: those of the sparse capability, or the whole region if there is none.</summary>
    internal static List<(ulong Start, ulong Length)> Areas(ReadOnlySpan<byte> info)
    {
        List<(ulong, ulong)> whole = [(0, BinaryPrimitives.ReadUInt64LittleEndian(info[Wire.RegionInfo.SIZE..]))];
        if ((BinaryPrimitives.ReadUInt32LittleEndian(info[Wire.RegionInfo.FLAGS..]) & Wire.RegionFlags.CAPS) == 0)
        {
            return whole;
        }

        uint at = BinaryPrimitives.ReadUInt32LittleEndian(info[Wire.RegionInfo.CAP_OFFSET..]);
        // A chain that goes forward only must end; one that goes back is a lie.
        while (at >= Wire.RegionInfo.Bytes && at + (uint)Wire.CapHeader.Bytes <= info.Length)
        {
            ReadOnlySpan<byte> capability = info[(int)at..];
            if (BinaryPrimitives.ReadUInt16LittleEndian(capability[Wire.CapHeader.ID..]) == Wire.RegionCap.SPARSE_MMAP)
            {
                return Sparse(capability);
            }

            uint next = BinaryPrimitives.ReadUInt32LittleEndian(capability[Wire.CapHeader.NEXT..]);
            if (next <= at)
            {
                break;
            }

            at = next;
        }

        return whole;
    }

    private static List<(ulong Start, ulong Length)> Sparse(ReadOnlySpan<byte> capability)
    {
        List<(ulong, ulong)> areas = [];
        if (capability.Length < Wire.SparseMmap.Bytes)
        {
            return areas;
        }

        uint count = BinaryPrimitives.ReadUInt32LittleEndian(capability[Wire.SparseMmap.NR_AREAS..]);
        ReadOnlySpan<byte> rest = capability[Wire.SparseMmap.Bytes..];
        for (int i = 0; i < Math.Min(count, MaxAreas) && rest.Length >= Wire.SparseArea.Bytes; i++)
        {
            areas.Add((BinaryPrimitives.ReadUInt64LittleEndian(rest[Wire.SparseArea.OFFSET..]),
                BinaryPrimitives.ReadUInt64LittleEndian(rest[Wire.SparseArea.SIZE..])));
            rest = rest[Wire.SparseArea.Bytes..];
        }

        return areas;
    }
}
