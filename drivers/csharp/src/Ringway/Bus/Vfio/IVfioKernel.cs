using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>What of the kernel VFIO needs: a seam, so that the way can be tried without an IOMMU.</summary>
internal interface IVfioKernel
{
    /// <summary>Opens a node for reading and writing. False and the error number if that cannot be.</summary>
    bool TryOpen(string path, out SafeFileHandle file, out int errno);

    /// <summary>A call with a structure. Not negative, or the negated error number.</summary>
    int Call(SafeFileHandle file, uint request, Span<byte> argument);

    /// <summary>A call with a number. Not negative, or the negated error number.</summary>
    int Call(SafeFileHandle file, uint request, nint argument);
}

/// <summary>The kernel itself.</summary>
internal sealed unsafe class VfioKernel : IVfioKernel
{
    public static readonly VfioKernel Instance = new();

    public bool TryOpen(string path, out SafeFileHandle file, out int errno) =>
        PositionedFile.TryOpen(path, out file, out errno);

    public int Call(SafeFileHandle file, uint request, Span<byte> argument)
    {
        fixed (byte* at = argument)
        {
            return Result(Native.Ioctl(file, request, at));
        }
    }

    public int Call(SafeFileHandle file, uint request, nint argument) =>
        Result(Native.Ioctl(file, request, (void*)argument));

    private static int Result(int result) => result < 0 ? -Native.Errno : result;
}
