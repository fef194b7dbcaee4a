using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>pread and pwrite as they are. <c>RandomAccess</c> falls back to plain reads where a file cannot seek, and device
/// nodes say that they cannot.</summary>
internal static unsafe class PositionedFile
{
    private const int ReadWriteCloseOnExec = 0x80002;

    /// <summary>Opens for reading and writing. False and the error number if that cannot be.</summary>
    public static bool TryOpen(string path, out SafeFileHandle file, out int errno) =>
        Native.Own(Native.Open(path, ReadWriteCloseOnExec), out file, out errno);

    /// <summary>Bytes read, or the negated error number.</summary>
    public static int Read(SafeFileHandle file, Span<byte> bytes, long offset)
    {
        fixed (byte* at = bytes)
        {
            return Result(Native.Pread(file, at, (nuint)bytes.Length, offset));
        }
    }

    /// <summary>Bytes written, or the negated error number.</summary>
    public static int Write(SafeFileHandle file, ReadOnlySpan<byte> bytes, long offset)
    {
        fixed (byte* at = bytes)
        {
            return Result(Native.Pwrite(file, at, (nuint)bytes.Length, offset));
        }
    }

    private static int Result(nint count) => count < 0 ? -Native.Errno : (int)count;
}
