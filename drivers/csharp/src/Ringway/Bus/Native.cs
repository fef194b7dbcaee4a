using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

// LibraryImport makes the marshalling code at build time: what is blittable goes through as it is, with no allocation.
[assembly: DisableRuntimeMarshalling]

namespace Ringway.Bus;

/// <summary>The system calls that .NET lacks. Every one of them is here, and nothing else is native.</summary>
internal static unsafe partial class Native
{
    private const string C = "libc";

    /// <summary>Error numbers of Linux.</summary>
    internal const int EPERM = 1, ENOENT = 2, EINTR = 4, EAGAIN = 11, ENOMEM = 12, EACCES = 13, EBUSY = 16, ENODEV = 19,
        EINVAL = 22, ENOTTY = 25, EPIPE = 32, EPROTOTYPE = 91, ENOTSOCK = 88, ECONNRESET = 104, ECONNREFUSED = 111;

    /// <summary>Error number of the last call of this thread that failed.</summary>
    internal static int Errno => Marshal.GetLastPInvokeError();

    /// <summary>An error number in words.</summary>
    internal static string Say(int errno) => Marshal.GetPInvokeErrorMessage(errno);

    [LibraryImport(C, EntryPoint = "memfd_create", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    internal static partial int MemfdCreate(string name, uint flags);

    [LibraryImport(C, EntryPoint = "ftruncate", SetLastError = true)]
    internal static partial int Ftruncate(SafeFileHandle file, long length);

    [LibraryImport(C, EntryPoint = "fcntl", SetLastError = true)]
    internal static partial int Fcntl(SafeFileHandle file, int command, int argument);

    [LibraryImport(C, EntryPoint = "lseek", SetLastError = true)]
    internal static partial long Lseek(SafeFileHandle file, long offset, int whence);

    [LibraryImport(C, EntryPoint = "mmap", SetLastError = true)]
    internal static partial void* Mmap(void* at, nuint length, int protection, int flags, SafeFileHandle file, long offset);

    [LibraryImport(C, EntryPoint = "munmap", SetLastError = true)]
    internal static partial int Munmap(void* at, nuint length);

    [LibraryImport(C, EntryPoint = "mlock", SetLastError = true)]
    internal static partial int Mlock(void* at, nuint length);

    [LibraryImport(C, EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    internal static partial int Open(string path, int flags);

    [LibraryImport(C, EntryPoint = "pread", SetLastError = true)]
    internal static partial nint Pread(SafeFileHandle file, void* bytes, nuint count, long offset);

    [LibraryImport(C, EntryPoint = "pwrite", SetLastError = true)]
    internal static partial nint Pwrite(SafeFileHandle file, void* bytes, nuint count, long offset);

    // Variadic in C; on the ABIs of .NET for Linux an ordinary third argument arrives in the same register.
    [LibraryImport(C, EntryPoint = "ioctl", SetLastError = true)]
    internal static partial int Ioctl(SafeFileHandle file, nuint request, void* argument);

    [LibraryImport(C, EntryPoint = "flock", SetLastError = true)]
    internal static partial int Flock(SafeFileHandle file, int operation);

    [LibraryImport(C, EntryPoint = "socket", SetLastError = true)]
    internal static partial int Socket(int domain, int type, int protocol);

    [LibraryImport(C, EntryPoint = "connect", SetLastError = true)]
    internal static partial int Connect(SafeFileHandle socket, void* address, uint length);

    [LibraryImport(C, EntryPoint = "setsockopt", SetLastError = true)]
    internal static partial int SetSockOpt(SafeFileHandle socket, int level, int option, void* value, uint length);

    [LibraryImport(C, EntryPoint = "sendmsg", SetLastError = true)]
    internal static partial nint SendMsg(SafeFileHandle socket, MessageHeader* message, int flags);

    [LibraryImport(C, EntryPoint = "recvmsg", SetLastError = true)]
    internal static partial nint RecvMsg(SafeFileHandle socket, MessageHeader* message, int flags);

    [LibraryImport(C, EntryPoint = "poll", SetLastError = true)]
    internal static partial int Poll(PollEntry* entries, nuint count, int timeout);

    [LibraryImport(C, EntryPoint = "eventfd", SetLastError = true)]
    internal static partial int EventFd(uint initial, int flags);

    [LibraryImport(C, EntryPoint = "sched_setaffinity", SetLastError = true)]
    internal static partial int SchedSetAffinity(int thread, nuint bytes, ulong* mask);

    [LibraryImport(C, EntryPoint = "sched_getaffinity", SetLastError = true)]
    internal static partial int SchedGetAffinity(int thread, nuint bytes, ulong* mask);

    /// <summary><c>struct iovec</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct Vector
    {
        internal void* Base;
        internal nuint Length;
    }

    /// <summary><c>struct msghdr</c>; sequential layout gives it the paddings that C does.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct MessageHeader
    {
        internal void* Name;
        internal uint NameLength;
        internal Vector* Vectors;
        internal nuint VectorCount;
        internal void* Control;
        internal nuint ControlLength;
        internal int Flags;
    }

    /// <summary><c>struct pollfd</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct PollEntry
    {
        internal int File;
        internal short Events;
        internal short Happened;
    }

    /// <summary>The number of a descriptor, for a structure that takes it; the caller keeps the handle alive.</summary>
    internal static int NumberOf(SafeFileHandle file) => (int)file.DangerousGetHandle();

    /// <summary>An owned descriptor, or the error number of the call that should have made one.</summary>
    internal static bool Own(int descriptor, out SafeFileHandle file, out int errno)
    {
        errno = descriptor < 0 ? Errno : 0;
        file = new SafeFileHandle(descriptor, ownsHandle: true);
        return descriptor >= 0;
    }
}
