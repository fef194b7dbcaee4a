using System.Buffers.Binary;
using System.Net.Sockets;
using System.Text;
using Ringway.Bus;

namespace Ringway.Tests;

/// <summary>The vfio-user client against servers that are polite or not.</summary>
public sealed class VfioUserTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("ringway-");
    private readonly Socket listener = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
    private readonly string path;

    public VfioUserTests()
    {
        path = Path.Combine(folder.FullName, "nic");
        listener.Bind(new UnixDomainSocketEndPoint(path));
        listener.Listen(1);
    }

    public void Dispose()
    {
        listener.Dispose();
        folder.Delete(recursive: true);
    }

    /// <summary>Serves one client: answers each message as <paramref name="answer"/> says, and hangs up at null.</summary>
    private Thread Serve(Func<byte[], byte[]?> answer)
    {
        Thread thread = new(() =>
        {
            using Socket client = listener.Accept();
            byte[] bytes = new byte[8192];
            try
            {
                while (client.Receive(bytes) is var count && count > 0 && answer(bytes[..count]) is { } reply)
                {
                    client.Send(reply);
                }
            }
            catch (SocketException)
            {
                // The client has gone with something unread.
            }
        });
        thread.Start();
        return thread;
    }

    private static byte[] Reply(byte[] ask, byte[] payload, uint flags = Wire.Flags.REPLY, int errno = 0)
    {
        byte[] reply = [.. ask[..Wire.Header.Bytes], .. payload];
        BinaryPrimitives.WriteInt32LittleEndian(reply.AsSpan(Wire.Header.SIZE), reply.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(reply.AsSpan(Wire.Header.FLAGS), flags);
        BinaryPrimitives.WriteInt32LittleEndian(reply.AsSpan(Wire.Header.ERRNO), errno);
        return reply;
    }

    /// <summary>A server with a PCI function whose every region is absent but BAR0, which reads its offset.</summary>
    private static byte[]? Polite(byte[] ask)
    {
        byte[] payload = ask[Wire.Header.Bytes..];
        switch (BinaryPrimitives.ReadUInt16LittleEndian(ask.AsSpan(Wire.Header.COMMAND)))
        {
            case Wire.Command.VERSION:
                return Reply(ask, [0, 0, 1, 0, .. Encoding.ASCII.GetBytes("""{"capabilities":{"max_msg_fds":8}}"""), 0]);
            case Wire.Command.DEVICE_GET_INFO:
                BinaryPrimitives.WriteUInt32LittleEndian(payload.AsSpan(Wire.DeviceInfo.FLAGS), Wire.DeviceFlags.PCI);
                BinaryPrimitives.WriteUInt32LittleEndian(payload.AsSpan(Wire.DeviceInfo.NUM_REGIONS), 2);
                return Reply(ask, payload);
            case Wire.Command.DEVICE_GET_REGION_INFO when payload[Wire.RegionInfo.INDEX] == 0:
                BinaryPrimitives.WriteUInt64LittleEndian(payload.AsSpan(Wire.RegionInfo.SIZE), 0x2_0000);
                return Reply(ask, payload);
            case Wire.Command.REGION_READ:
                return Reply(ask, [.. payload, .. payload[..4]]);
            default:
                return Reply(ask, [], Wire.Flags.REPLY | Wire.Flags.ERROR, Native.EINVAL);
        }
    }

    [Fact]
    public void Talks_to_a_polite_server()
    {
        Thread server = Serve(Polite);
        using (VfioUserFunction function = VfioUserFunction.Connect($"unix:{path}"))
        {
            Assert.Equal((0x2_0000ul, 0ul), (function.Size(0), function.Size(1)));
            Assert.Equal(0x1234u, new Mmio(function, 0).Read(new Register("SOME", 0x1234)));
            Assert.Throws<DeviceFailedException>(() => function.Write(0, 8, [1, 2, 3, 4]));
            function.Check();
        }

        server.Join();
    }

    [Fact]
    public void Rude_servers_are_no_device()
    {
        Func<byte[], byte[]?>[] rude =
        [
            _ => null,
            ask => Reply(ask, [9, 0, 0, 0]),
            ask => Reply(ask, [], Wire.Flags.REPLY | Wire.Flags.ERROR, 71),
            ask => [.. ask],
            ask => Reply([9, 9, .. ask[2..]], [0, 0, 0, 0]),
            ask => "HTTP/1.1 400 Bad Request\r\n\r\n"u8.ToArray(),
            ask => Reply(ask, new byte[9000]),
        ];
        foreach (Func<byte[], byte[]?> answer in rude)
        {
            Thread server = Serve(answer);
            NoSuchDeviceException failure =
                Assert.Throws<NoSuchDeviceException>(() => VfioUserFunction.Connect($"unix:{path}"));
            Assert.Contains(path, failure.Message, StringComparison.Ordinal);
            server.Join();
        }
    }

    [Fact]
    public void A_device_in_use_and_a_dead_socket_are_told_apart()
    {
        Thread server = Serve(ask => Reply(ask, [], Wire.Flags.REPLY | Wire.Flags.ERROR, Native.EBUSY));
        Assert.Throws<PermissionDeniedException>(() => VfioUserFunction.Connect($"unix:{path}"));
        server.Join();
        listener.Dispose();
        Assert.Throws<NoSuchDeviceException>(() => VfioUserFunction.Connect($"unix:{path}"));
        Assert.Throws<NoSuchDeviceException>(() => VfioUserFunction.Connect($"unix:{path}{new string('x', 200)}"));
        Assert.Throws<NoSuchDeviceException>(() => VfioUserFunction.Connect("unix:"));
    }

    [Fact]
    public void A_peer_that_hangs_up_is_noticed_without_a_message()
    {
        Thread server = Serve(ask => ask[Wire.Header.COMMAND] == Wire.Command.REGION_READ ? null : Polite(ask));
        using VfioUserFunction function = VfioUserFunction.Connect($"unix:{path}");
        Assert.Throws<DeviceFailedException>(() => function.Read(0, 0, new byte[4]));
        server.Join();
        Assert.Throws<DeviceFailedException>(function.Check);
        Assert.Throws<DeviceFailedException>(() => function.Write(0, 0, new byte[4]));
    }

    [Theory]
    [InlineData("""{"capabilities":{"max_msg_fds":8}}""", 8)]
    [InlineData("""{"capabilities":{"max_msg_fds":800}}""", 16)]
    [InlineData("""{"capabilities":{"max_msg_fds":-1}}""", 1)]
    [InlineData("""{"capabilities":{"max_msg_fds":"8"}}""", 1)]
    [InlineData("""{"capabilities":7}""", 1)]
    [InlineData("{}", 1)]
    [InlineData("[]", 1)]
    [InlineData("", 1)]
    public void Capabilities_that_are_garbled_have_the_default(string json, int wanted) =>
        Assert.Equal(wanted, Capabilities.MaxFiles(Encoding.ASCII.GetBytes(json + "\0")));

    [Fact]
    public void Areas_come_from_the_sparse_capability_and_no_chain_goes_round()
    {
        uint[] words = [0x50, 0xf, 0, 0x20, 0x20000, 0, 0, 0, 0x0001_0001, 0, 2, 0, 0x1000, 0, 0x1000, 0, 0x6000, 0, 0x1000, 0];
        byte[] info = [.. words.SelectMany(BitConverter.GetBytes)];
        Assert.Equal([(0x1000ul, 0x1000ul), (0x6000ul, 0x1000ul)], RegionInfo.Areas(info));
        for (int length = Wire.RegionInfo.Bytes; length < info.Length; length++)
        {
            Assert.NotNull(RegionInfo.Areas(info.AsSpan(0, length)));
        }

        info[0x20] = 2; // another capability, which names itself as the next
        info[0x24] = 0x20;
        Assert.Equal([(0ul, 0x20000ul)], RegionInfo.Areas(info));
    }
}
