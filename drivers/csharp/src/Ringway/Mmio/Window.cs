using System.Runtime.CompilerServices;
using Microsoft.Win32.SafeHandles;
using Ringway.Bus;

namespace Ringway;

/// <summary>A part of a region that is mapped into this process.</summary>
public sealed unsafe class Window : IDisposable
{
    private const int PageBytes = 4096, SeekEnd = 2;

    private readonly Mapping mapping;

    private Window(Mapping mapping, uint start) => (this.mapping, Start) = (mapping, start);

    /// <summary>The region's offset of the first mapped byte.</summary>
    public uint Start { get; }

    /// <summary>Mapped bytes.</summary>
    public uint Length => (uint)mapping.Length;

    /// <summary>Maps <paramref name="length"/> bytes at <paramref name="fileOffset"/> of a file, which are the region's bytes
    /// from <paramref name="start"/> on. Null if they are not whole pages, or the file is too short: a later access would end
    /// the process.</summary>
    public static Window? TryMap(SafeFileHandle file, ulong fileOffset, uint start, uint length)
    {
        ArgumentNullException.ThrowIfNull(file);
        bool pages = (start | length | fileOffset) % PageBytes == 0 && length > 0 && fileOffset <= (ulong)long.MaxValue - length;
        if (!pages)
        {
            return null;
        }

        // Devices have no end; files do.
        long end = Native.Lseek(file, 0, SeekEnd);
        bool tooShort = end > 0 && (ulong)end < fileOffset + length;
        Mapping? mapping = tooShort ? null : Mapping.Map(file, (long)fileOffset, length, out _);
        return mapping is null ? null : new Window(mapping, start);
    }

    /// <summary>True if the 32-bit register at <paramref name="offset"/> of the region is in this window.</summary>
    internal bool Covers(uint offset) => offset % sizeof(uint) == 0 && offset - Start < Length && offset >= Start;

    /// <summary>One 32-bit load, with acquire.</summary>
    internal uint Load(uint offset) => Volatile.Read(ref *At(offset));

    /// <summary>One 32-bit store, with release.</summary>
    internal void Store(uint offset, uint value) => Volatile.Write(ref *At(offset), value);

    /// <summary>The register itself. Whoever keeps it must keep the window.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint* At(uint offset) => Covers(offset) && !mapping.IsClosed
        ? (uint*)(mapping.Base + (offset - Start))
        : throw new ArgumentOutOfRangeException(nameof(offset));

    /// <inheritdoc/>
    public void Dispose() => mapping.Dispose();
}
