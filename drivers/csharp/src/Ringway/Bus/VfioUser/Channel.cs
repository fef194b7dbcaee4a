using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>The peer said no, with an error number of Linux.</summary>
internal sealed class RefusedException(int errno) : Exception(Native.Say(errno))
{
    public int Errno { get; } = errno;
}

/// <summary>The connection cannot be used any more: the peer is gone, silent, or out of step.</summary>
internal sealed class LostException(string why) : Exception(why);

/// <summary>The socket: one message after the other, each with a deadline, and no trust in who is on the other end.</summary>
/// <remarks>One buffer serves all messages, so that a register access allocates nothing.</remarks>
internal sealed class Channel : IDisposable
{
    /// <summary>Longest wait for one answer.</summary>
    public static readonly TimeSpan Deadline = TimeSpan.FromSeconds(2);

    /// <summary>Most descriptors that are taken from one message.</summary>
    public const int MaxFiles = 16;

    private const int MaxPayload = 8192;

    private readonly Lock mutex = new();
    private readonly StreamSocket socket;
    private readonly byte[] buffer = new byte[Wire.Header.Bytes + MaxPayload];
    private ushort lastId;
    /// <summary>Set for good by the first failure: after it nobody knows where in the stream we are.</summary>
    private string? lost;

    public Channel(string path) => socket = StreamSocket.Connect(path, Deadline);

    /// <summary>Sends a command and copies as much of the answer's payload as fits to <paramref name="reply"/>.</summary>
    /// <returns>Bytes of the answer's payload that were copied.</returns>
    /// <exception cref="RefusedException">The peer refused.</exception>
    /// <exception cref="LostException">The connection is of no use any more.</exception>
    public int Request(ushort command, ReadOnlySpan<byte> payload, Span<byte> reply, SafeFileHandle? file = null,
        List<SafeFileHandle>? received = null) => Request(command, payload, default, reply, file is null ? [] : [file], received);

    /// <summary>The same with a payload in two parts, and any number of descriptors.</summary>
    public int Request(ushort command, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> more, Span<byte> reply,
        ReadOnlySpan<SafeFileHandle> files, List<SafeFileHandle>? received)
    {
        lock (mutex)
        {
            try
            {
                Send(command, 0, payload, more, files);
                return Receive(command, reply, received);
            }
            catch (LostException failure)
            {
                lost ??= failure.Message;
                throw;
            }
        }
    }

    /// <summary>Sends a command that is not answered.</summary>
    public void Post(ushort command, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> more)
    {
        lock (mutex)
        {
            try
            {
                Send(command, Wire.Flags.NO_REPLY, payload, more, []);
            }
            catch (LostException failure)
            {
                lost ??= failure.Message;
                throw;
            }
        }
    }

    /// <summary>Looks whether the peer is still there, without waiting. Null if it is.</summary>
    public string? Check()
    {
        // If another thread is talking to the peer, it will see for itself.
        if (!mutex.TryEnter())
        {
            return null;
        }

        try
        {
            lost ??= socket.Peek();
            return lost;
        }
        finally
        {
            mutex.Exit();
        }
    }

    public void Dispose() => socket.Dispose();

    /// <summary>One message is one system call: servers read the header in one go.</summary>
    private void Send(ushort command, uint flags, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> more,
        ReadOnlySpan<SafeFileHandle> files)
    {
        if (lost is not null)
        {
            throw new LostException(lost);
        }

        int size = Wire.Header.Bytes + payload.Length + more.Length;
        Span<byte> message = buffer.AsSpan(0, size);
        BinaryPrimitives.WriteUInt16LittleEndian(message[Wire.Header.ID..], ++lastId);
        BinaryPrimitives.WriteUInt16LittleEndian(message[Wire.Header.COMMAND..], command);
        BinaryPrimitives.WriteUInt32LittleEndian(message[Wire.Header.SIZE..], (uint)size);
        BinaryPrimitives.WriteUInt32LittleEndian(message[Wire.Header.FLAGS..], flags);
        BinaryPrimitives.WriteUInt32LittleEndian(message[Wire.Header.ERRNO..], 0);
        payload.CopyTo(message[Wire.Header.Bytes..]);
        more.CopyTo(message[(Wire.Header.Bytes + payload.Length)..]);
        socket.Send(message, files);
    }

    private int Receive(ushort command, Span<byte> reply, List<SafeFileHandle>? received)
    {
        long start = Stopwatch.GetTimestamp();
        // Exactly the header first: then the descriptors that come are this message's.
        Span<byte> head = buffer.AsSpan(0, Wire.Header.Bytes);
        socket.Fill(head, received, start);
        uint size = BinaryPrimitives.ReadUInt32LittleEndian(head[Wire.Header.SIZE..]);
        uint flags = BinaryPrimitives.ReadUInt32LittleEndian(head[Wire.Header.FLAGS..]);
        int errno = BinaryPrimitives.ReadInt32LittleEndian(head[Wire.Header.ERRNO..]);
        ushort id = BinaryPrimitives.ReadUInt16LittleEndian(head[Wire.Header.ID..]);
        ushort answered = BinaryPrimitives.ReadUInt16LittleEndian(head[Wire.Header.COMMAND..]);
        if (size < Wire.Header.Bytes || size > buffer.Length || (flags & Wire.Flags.TYPE_MASK) != Wire.Flags.REPLY)
        {
            throw new LostException($"no answer but {size} bytes with flags 0x{flags:x}");
        }

        if (id != lastId || answered != command)
        {
            throw new LostException($"an answer to command {answered} id {id}, not to {command} id {lastId}");
        }

        // Error answers may have a payload as well.
        Span<byte> payload = buffer.AsSpan(Wire.Header.Bytes, (int)size - Wire.Header.Bytes);
        socket.Fill(payload, received, start);
        if ((flags & Wire.Flags.ERROR) != 0)
        {
            throw new RefusedException(errno is > 0 and < 4096 ? errno : Native.EINVAL);
        }

        int count = Math.Min(payload.Length, reply.Length);
        payload[..count].CopyTo(reply);
        return count;
    }

    /// <summary>Says who we are, and reads how many descriptors the server takes in one message.</summary>
    public int Negotiate()
    {
        string capabilities = string.Create(CultureInfo.InvariantCulture,
            $$$"""{"capabilities":{"max_msg_fds":{{{MaxFiles}}},"max_data_xfer_size":{{{Wire.Limits.MAX_DATA_XFER_SIZE}}}}}""");
        byte[] ask = new byte[Wire.VersionPayload.Bytes + capabilities.Length + 1];
        BinaryPrimitives.WriteUInt16LittleEndian(ask.AsSpan(Wire.VersionPayload.MAJOR), Wire.Version.MAJOR);
        BinaryPrimitives.WriteUInt16LittleEndian(ask.AsSpan(Wire.VersionPayload.MINOR), Wire.Version.MINOR);
        Encoding.ASCII.GetBytes(capabilities, ask.AsSpan(Wire.VersionPayload.Bytes));
        byte[] answer = new byte[4096];
        int count = Request(Wire.Command.VERSION, ask, answer);
        ushort major = BinaryPrimitives.ReadUInt16LittleEndian(answer);
        if (count < Wire.VersionPayload.Bytes || major != Wire.Version.MAJOR)
        {
            throw new LostException($"it speaks version {major}, we speak {Wire.Version.MAJOR}");
        }

        return Capabilities.MaxFiles(answer.AsSpan(Wire.VersionPayload.Bytes, count - Wire.VersionPayload.Bytes));
    }
}
