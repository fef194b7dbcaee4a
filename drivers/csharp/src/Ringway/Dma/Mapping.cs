using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Ringway.Bus;

namespace Ringway;

/// <summary>Memory shared with somebody else, mapped into this process. Unmapped when disposed of or collected.</summary>
internal sealed unsafe class Mapping : SafeHandle
{
    private const int ReadWrite = 3, Shared = 1;

    private readonly nuint length;

    private Mapping(void* at, nuint length)
        : base(-1, ownsHandle: true)
    {
        this.length = length;
        SetHandle((nint)at);
    }

    public override bool IsInvalid => handle is -1 or 0;

    /// <summary>The first byte. Only the fence may use it, and only while it holds the mapping.</summary>
    public byte* Base => (byte*)handle;

    /// <summary>Bytes.</summary>
    public long Length => (long)length;

    /// <summary>Maps a part of a file, shared and writeable; null and the error number if that cannot be.</summary>
    public static Mapping? Map(SafeFileHandle file, long offset, long length, out int errno)
    {
        void* at = Native.Mmap(null, (nuint)length, ReadWrite, Shared, file, offset);
        errno = (nint)at == -1 ? Native.Errno : 0;
        return errno != 0 ? null : new Mapping(at, (nuint)length);
    }

    protected override bool ReleaseHandle() => Native.Munmap((void*)handle, length) == 0;
}
