using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>A UNIX stream socket that passes descriptors, which <c>System.Net.Sockets</c> cannot.</summary>
internal sealed unsafe class StreamSocket : IDisposable
{
    private const int UnixFamily = 1, Stream = 1, CloseOnExec = 0x80000;
    private const int SocketLevel = 1, ReceiveTimeout = 20, SendTimeout = 21, Rights = 1;
    private const int NoSignal = 0x4000, ReceiveCloseOnExec = 0x40000000, ControlTruncated = 8;
    private const short PollIn = 1, PollError = 8, PollHangUp = 16, PollPeerClosed = 0x2000;
    private const int MaxPath = 107;
    /// <summary><c>struct cmsghdr</c>: length (8 bytes), level, type; then the descriptors.</summary>
    private const int ControlHeader = 16, ControlBytes = ControlHeader + (Channel.MaxFiles * sizeof(int));

    private readonly SafeFileHandle handle;
    private readonly TimeSpan deadline;

    private StreamSocket(SafeFileHandle handle, TimeSpan deadline) => (this.handle, this.deadline) = (handle, deadline);

    /// <summary>Connects; <paramref name="deadline"/> holds for every single call from then on.</summary>
    /// <exception cref="RefusedException">The kernel said no.</exception>
    public static StreamSocket Connect(string path, TimeSpan deadline)
    {
        byte[] name = Encoding.UTF8.GetBytes(path);
        if (name.Length is 0 or > MaxPath)
        {
            throw new RefusedException(Native.EINVAL);
        }

        if (!Native.Own(Native.Socket(UnixFamily, Stream | CloseOnExec, 0), out SafeFileHandle handle, out int errno))
        {
            throw new RefusedException(errno);
        }

        // Before connecting: a full backlog would block for good otherwise.
        long* time = stackalloc long[] { (long)deadline.TotalSeconds, deadline.Milliseconds * 1000L };
        _ = Native.SetSockOpt(handle, SocketLevel, SendTimeout, time, 2 * sizeof(long));
        _ = Native.SetSockOpt(handle, SocketLevel, ReceiveTimeout, time, 2 * sizeof(long));
        byte* address = stackalloc byte[2 + MaxPath + 1];
        new Span<byte>(address, 2 + MaxPath + 1).Clear();
        *(ushort*)address = UnixFamily;
        name.CopyTo(new Span<byte>(address + 2, MaxPath));
        if (Native.Connect(handle, address, 2 + MaxPath + 1) < 0)
        {
            errno = Native.Errno;
            handle.Dispose();
            throw new RefusedException(errno);
        }

        return new StreamSocket(handle, deadline);
    }

    /// <summary>Sends bytes and descriptors with one call; only what the kernel did not take is sent again.</summary>
    [SkipLocalsInit]
    public void Send(ReadOnlySpan<byte> bytes, ReadOnlySpan<SafeFileHandle> files)
    {
        if (files.Length > Channel.MaxFiles)
        {
            throw new LostException($"{files.Length} descriptors in one message");
        }

        byte* control = stackalloc byte[ControlBytes];
        int controlLength = files.IsEmpty ? 0 : Put(control, files);
        long start = Stopwatch.GetTimestamp();
        while (!bytes.IsEmpty)
        {
            nint sent;
            fixed (byte* at = bytes)
            {
                Native.Vector vector = new() { Base = at, Length = (nuint)bytes.Length };
                Native.MessageHeader message = new()
                {
                    Vectors = &vector,
                    VectorCount = 1,
                    Control = controlLength > 0 ? control : null,
                    ControlLength = (nuint)controlLength,
                };
                sent = Native.SendMsg(handle, &message, NoSignal);
            }

            if (sent < 0 && (Native.Errno != Native.EINTR || Stopwatch.GetElapsedTime(start) > deadline))
            {
                throw Lost("sending", Native.Errno);
            }

            if (sent > 0)
            {
                bytes = bytes[(int)sent..];
                controlLength = 0;
            }
        }
    }

    /// <summary>Reads until <paramref name="bytes"/> is full; descriptors that come along go to <paramref name="files"/>, or
    /// are closed if nobody wants them.</summary>
    [SkipLocalsInit]
    public void Fill(Span<byte> bytes, List<SafeFileHandle>? files, long start)
    {
        byte* control = stackalloc byte[ControlBytes];
        while (!bytes.IsEmpty)
        {
            if (Stopwatch.GetElapsedTime(start) > deadline)
            {
                throw Lost("receiving", Native.EAGAIN);
            }

            nint count;
            Native.MessageHeader message;
            fixed (byte* at = bytes)
            {
                Native.Vector vector = new() { Base = at, Length = (nuint)bytes.Length };
                message = new() { Vectors = &vector, VectorCount = 1, Control = control, ControlLength = ControlBytes };
                count = Native.RecvMsg(handle, &message, ReceiveCloseOnExec);
            }

            if (count < 0 && Native.Errno != Native.EINTR)
            {
                throw Lost("receiving", Native.Errno);
            }

            if (count >= 0)
            {
                Take(control, (int)message.ControlLength, files);
                if (count == 0 || (message.Flags & ControlTruncated) != 0)
                {
                    throw new LostException(count == 0 ? "the other end has closed the connection"
                        : $"more than {Channel.MaxFiles} descriptors in a message");
                }

                bytes = bytes[(int)count..];
            }
        }
    }

    /// <summary>Looks at the connection while no answer is awaited: null, or what is wrong with it.</summary>
    public string? Peek()
    {
        Native.PollEntry entry = new()
        {
            File = Native.NumberOf(handle),
            Events = PollIn | PollPeerClosed,
        };
        int ready = Native.Poll(&entry, 1, 0);
        if (ready <= 0)
        {
            return ready == 0 || Native.Errno == Native.EINTR ? null : $"polling the socket: {Native.Say(Native.Errno)}";
        }

        return (entry.Happened & (PollPeerClosed | PollHangUp | PollError)) != 0
            ? "the other end has closed the connection" : "a message came that nobody asked for";
    }

    public void Dispose() => handle.Dispose();

    private static int Put(byte* control, ReadOnlySpan<SafeFileHandle> files)
    {
        int length = ControlHeader + (files.Length * sizeof(int));
        *(nuint*)control = (nuint)length;
        ((int*)control)[2] = SocketLevel;
        ((int*)control)[3] = Rights;
        for (int i = 0; i < files.Length; i++)
        {
            ((int*)(control + ControlHeader))[i] = Native.NumberOf(files[i]);
        }

        return length;
    }

    private static void Take(byte* control, int length, List<SafeFileHandle>? files)
    {
        if (length < ControlHeader || ((int*)control)[2] != SocketLevel || ((int*)control)[3] != Rights)
        {
            return;
        }

        int count = (Math.Min(length, (int)*(nuint*)control) - ControlHeader) / sizeof(int);
        for (int i = 0; i < count; i++)
        {
            SafeFileHandle file = new(((int*)(control + ControlHeader))[i], ownsHandle: true);
            if (files is null)
            {
                file.Dispose();
            }
            else
            {
                files.Add(file);
            }
        }
    }

    private LostException Lost(string doing, int errno) => new(errno switch
    {
        Native.EAGAIN => $"no answer within {deadline.TotalSeconds:F0} s",
        Native.EPIPE or Native.ECONNRESET => "the other end has closed the connection",
        _ => $"{doing}: {Native.Say(errno)}",
    });
}
