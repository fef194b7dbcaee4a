using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Microsoft.Win32.SafeHandles;

namespace Ringway.App;

/// <summary>A pcap file that holds whole records at any time: after an interruption, and after the disk was full.</summary>
internal sealed class PcapFile : IDisposable
{
    /// <summary>The classic format with nanoseconds; readers know both byte orders by the first word.</summary>
    private const uint Magic = 0xa1b2_3c4d, Version = 0x0004_0002, SnapLength = 262_144, Ethernet = 1;

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
        Put([Magic, Version, 0, 0, SnapLength, Ethernet]);
        Flush();
    }

    /// <summary>Adds a packet. It is in the file after the next <see cref="Flush"/> at the latest.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Add(DateTime now, Packet packet)
    {
        long ticks = now.Ticks - DateTime.UnixEpoch.Ticks;
        uint length = (uint)packet.Length;
        uint nanoseconds = (uint)(ticks % TimeSpan.TicksPerSecond * TimeSpan.NanosecondsPerTick);
        Put([(uint)(ticks / TimeSpan.TicksPerSecond), nanoseconds, length, length]);
        used += packet.CopyTo(buffer.AsSpan(used));
        if (used >= BufferBytes)
        {
            Flush();
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

    private void Put(ReadOnlySpan<uint> words)
    {
        foreach (uint word in words)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(buffer.AsSpan(used), word);
            used += sizeof(uint);
        }
    }
}
