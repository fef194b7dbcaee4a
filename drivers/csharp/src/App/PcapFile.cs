using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Microsoft.Win32.SafeHandles;

namespace Ringway.App;

/// <summary>A pcap file that holds whole records at any time: after an interruption, and after the disk was full.</summary>
internal sealed class PcapFile : IDisposable
{
    /// <summary>The classic format with nanoseconds; readers know both byte orders by the first word.</summary>
    private const uint Magic = 0xa1b2_3c4d, Version = 0x0004_0002, SnapLength = 262_144, Ethernet = 1;

    /// <summary>Times a length: bytes in the file and bytes on the wire, which are the same.</summary>
    private const ulong BothLengths = 0x1_0000_0001;

    private const int RecordBytes = 16, BufferBytes = 1 << 16, MaxPacket = 1 << 14;

    private readonly SafeFileHandle file;
    private readonly byte[] buffer = new byte[BufferBytes + RecordBytes + MaxPacket];
    /// <summary>Bytes in the buffer, all of them whole records.</summary>
    private int used;
    /// <summary>Bytes in the file, all of them whole records.</summary>
    private long written;

    /// <summary>Makes the file, or empties it, and writes its header.</summary>
    public PcapFile(string path)
    {
        file = File.OpenHandle(path, FileMode.Create, FileAccess.Write, FileShare.Read);
        foreach (uint word in (ReadOnlySpan<uint>)[Magic, Version, 0, 0, SnapLength, Ethernet])
        {
            BinaryPrimitives.WriteUInt32LittleEndian(buffer.AsSpan(used), word);
            used += sizeof(uint);
        }

        Flush();
    }

    /// <summary>Adds the packets of a batch, which came <paramref name="now"/>. They are in the file after the next
    /// <see cref="Flush"/> at the latest.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Add(DateTime now, Batch batch)
    {
        (long seconds, long ticks) = Math.DivRem(now.Ticks - DateTime.UnixEpoch.Ticks, TimeSpan.TicksPerSecond);
        ulong stamp = (uint)seconds | ((ulong)(ticks * TimeSpan.NanosecondsPerTick) << 32);
        foreach (Packet packet in batch)
        {
            Span<byte> record = buffer.AsSpan(used);
            Span<byte> bytes = record[RecordBytes..];
            int length = packet.Head.Length;
            if (packet.Pieces == 1)
            {
                packet.Head.CopyTo(bytes);
            }
            else
            {
                length = packet.CopyTo(bytes);
            }

            BinaryPrimitives.WriteUInt64LittleEndian(record, stamp);
            BinaryPrimitives.WriteUInt64LittleEndian(record[sizeof(ulong)..], (uint)length * BothLengths);
            used += RecordBytes + length;
            if (used >= BufferBytes)
            {
                Flush();
            }
        }
    }

    /// <summary>Writes what was collected. If that fails, the file is cut back to the last whole flush.</summary>
    public void Flush()
    {
        try
        {
            RandomAccess.Write(file, buffer.AsSpan(0, used), written);
            written += used;
        }
        catch (IOException)
        {
            CutBack();
            throw;
        }
        finally
        {
            used = 0;
        }
    }

    public void Dispose() => file.Dispose();

    private void CutBack()
    {
        try
        {
            RandomAccess.SetLength(file, written);
        }
        catch (Exception failure) when (failure is IOException or NotSupportedException)
        {
            // A pipe or a device has nothing to cut.
        }
    }
}
