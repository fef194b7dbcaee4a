// bus/vfio_user · vfio-user protocol 0.1
// A client over one reused buffer; descriptors travel by sendmsg, and no answer is believed before it is checked.

using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>A function behind a vfio-user socket: another process plays the device.</summary>
internal sealed class VfioUserFunction : IFunction
{
    private readonly Channel channel;
    private readonly RegionInfo[] regions;
    private readonly int maxFiles;

    private VfioUserFunction(string address, Channel channel)
    {
        (Address, this.channel) = (address, channel);
        maxFiles = channel.Negotiate();
        regions = DescribeRegions();
    }

    public Way Way => Way.VfioUser;

    public string Address { get; }

    /// <summary>Connects to the server that listens at the address, and asks what it serves.</summary>
    public static VfioUserFunction Connect(string address)
    {
        Channel channel;
        try
        {
            channel = new Channel(address["unix:".Length..]);
        }
        catch (RefusedException refused)
        {
            throw Unreachable(address, refused.Errno);
        }

        try
        {
            return new VfioUserFunction(address, channel);
        }
        catch (Exception failure) when (failure is RefusedException or LostException or RingwayException)
        {
            channel.Dispose();
            throw failure switch
            {
                RefusedException { Errno: Native.EBUSY } => new PermissionDeniedException(
                    $"{address} is in use by another driver", "stop that driver, or use another device"),
                RefusedException => new NoSuchDeviceException(address, $"the server refuses us: {failure.Message}"),
                LostException => new NoSuchDeviceException(address,
                    $"what listens there does not speak vfio-user ({failure.Message})"),
                _ => failure,
            };
        }
    }

    public ulong Size(uint region) => region < regions.Length ? regions[region].Size : 0;

    public IReadOnlyList<Window> Windows(uint region) => region < regions.Length ? regions[region].Windows : [];

    public void Read(uint region, ulong offset, Span<byte> bytes)
    {
        Span<byte> ask = stackalloc byte[Wire.RegionAccess.Bytes];
        Access(ask, region, offset, bytes.Length);
        Span<byte> answer = stackalloc byte[Wire.RegionAccess.Bytes + sizeof(ulong)];
        int count = Ask("reading a register", Wire.Command.REGION_READ, ask, default, answer) - ask.Length;
        if (count != bytes.Length)
        {
            throw new DeviceFailedException($"{Address}: a read of {bytes.Length} bytes gave {count}");
        }

        answer.Slice(ask.Length, count).CopyTo(bytes);
    }

    public void Write(uint region, ulong offset, ReadOnlySpan<byte> bytes)
    {
        Span<byte> ask = stackalloc byte[Wire.RegionAccess.Bytes];
        Access(ask, region, offset, bytes.Length);
        Ask("writing a register", Wire.Command.REGION_WRITE, ask, bytes, default);
    }

    public void Post(uint region, ulong offset, ReadOnlySpan<byte> bytes)
    {
        Span<byte> ask = stackalloc byte[Wire.RegionAccess.Bytes];
        Access(ask, region, offset, bytes.Length);
        try
        {
            channel.Post(Wire.Command.REGION_WRITE, ask, bytes);
        }
        catch (LostException lost)
        {
            throw new DeviceFailedException($"{Address}: {lost.Message}");
        }
    }

    public void MapDma(DmaMemory memory)
    {
        Span<byte> ask = stackalloc byte[Wire.DmaMap.Bytes];
        foreach (DmaRun run in memory.Runs)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.DmaMap.ARGSZ..], Wire.DmaMap.Bytes);
            BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.DmaMap.FLAGS..], Wire.DmaFlags.READ | Wire.DmaFlags.WRITE);
            BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.DmaMap.OFFSET..], (ulong)run.Offset);
            BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.DmaMap.IOVA..], run.Iova);
            BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.DmaMap.SIZE..], (ulong)run.Length);
            Ask("mapping DMA memory", Wire.Command.DMA_MAP, ask, default, default, memory.File);
        }
    }

    public void UnmapDma(DmaMemory memory)
    {
        Span<byte> ask = stackalloc byte[Wire.DmaUnmap.Bytes];
        foreach (DmaRun run in memory.Runs)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.DmaUnmap.ARGSZ..], Wire.DmaUnmap.Bytes);
            BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.DmaUnmap.FLAGS..], 0);
            BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.DmaUnmap.IOVA..], run.Iova);
            BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.DmaUnmap.SIZE..], (ulong)run.Length);
            Ask("unmapping DMA memory", Wire.Command.DMA_UNMAP, ask, default, default);
        }
    }

    public int Vectors()
    {
        Span<byte> ask = stackalloc byte[Wire.IrqInfo.Bytes];
        ask.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.IrqInfo.ARGSZ..], Wire.IrqInfo.Bytes);
        BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.IrqInfo.INDEX..], Wire.Irq.MSIX);
        Span<byte> answer = stackalloc byte[Wire.IrqInfo.Bytes];
        answer.Clear();
        Ask("asking for vectors", Wire.Command.DEVICE_GET_IRQ_INFO, ask, default, answer);
        return (int)Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(answer[Wire.IrqInfo.COUNT..]), int.MaxValue);
    }

    public void BindVectors(int first, IReadOnlyList<SafeFileHandle> events)
    {
        // A message carries as many descriptors as the server takes.
        for (int done = 0; done < events.Count; done += maxFiles)
        {
            SafeFileHandle[] part = [.. events.Skip(done).Take(maxFiles)];
            SetIrqs(Wire.IrqSetFlags.DATA_EVENTFD, first + done, part);
        }
    }

    public void UnbindVectors() => SetIrqs(Wire.IrqSetFlags.DATA_NONE, 0, []);

    public void Reset() => Ask("resetting", Wire.Command.DEVICE_RESET, default, default, default);

    public void Check()
    {
        if (channel.Check() is { } why)
        {
            throw new DeviceFailedException($"{Address}: {why}");
        }
    }

    public void Dispose()
    {
        channel.Dispose();
        foreach (Window window in regions.SelectMany(region => region.Windows))
        {
            window.Dispose();
        }
    }

    private void SetIrqs(uint data, int start, ReadOnlySpan<SafeFileHandle> events)
    {
        Span<byte> ask = stackalloc byte[Wire.IrqSet.Bytes];
        BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.IrqSet.ARGSZ..], Wire.IrqSet.Bytes);
        BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.IrqSet.FLAGS..], data | Wire.IrqSetFlags.ACTION_TRIGGER);
        BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.IrqSet.INDEX..], Wire.Irq.MSIX);
        BinaryPrimitives.WriteInt32LittleEndian(ask[Wire.IrqSet.START..], start);
        BinaryPrimitives.WriteInt32LittleEndian(ask[Wire.IrqSet.COUNT..], events.Length);
        Ask("binding interrupts", Wire.Command.DEVICE_SET_IRQS, ask, default, default, events);
    }

    private int Ask(string doing, ushort command, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> more, Span<byte> reply,
        params ReadOnlySpan<SafeFileHandle> files)
    {
        try
        {
            return channel.Request(command, payload, more, reply, files, null);
        }
        catch (RefusedException refused)
        {
            throw new DeviceFailedException($"{Address}: {doing} was refused: {refused.Message}");
        }
        catch (LostException lost)
        {
            throw new DeviceFailedException($"{Address}: {lost.Message}");
        }
    }

    private RegionInfo[] DescribeRegions()
    {
        Span<byte> ask = stackalloc byte[Wire.DeviceInfo.Bytes];
        ask.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.DeviceInfo.ARGSZ..], Wire.DeviceInfo.Bytes);
        Span<byte> info = stackalloc byte[Wire.DeviceInfo.Bytes];
        info.Clear();
        channel.Request(Wire.Command.DEVICE_GET_INFO, ask, info);
        if ((BinaryPrimitives.ReadUInt32LittleEndian(info[Wire.DeviceInfo.FLAGS..]) & Wire.DeviceFlags.PCI) == 0)
        {
            throw new NoSuchDeviceException(Address, "the server serves something that is no PCI function");
        }

        uint count = BinaryPrimitives.ReadUInt32LittleEndian(info[Wire.DeviceInfo.NUM_REGIONS..]);
        RegionInfo[] found = new RegionInfo[Math.Min(count, Wire.Region.COUNT)];
        for (int i = 0; i < found.Length; i++)
        {
            found[i] = DescribeRegion((uint)i);
        }

        return found;
    }

    private RegionInfo DescribeRegion(uint index)
    {
        byte[] answer = new byte[RegionInfo.AnswerBytes];
        List<SafeFileHandle> files = [];
        try
        {
            int count = channel.Request(Wire.Command.DEVICE_GET_REGION_INFO, RegionInfo.Question(index), answer, null, files);
            return count < Wire.RegionInfo.Bytes
                ? throw new LostException($"region {index} described in {count} bytes")
                : RegionInfo.Read(answer.AsSpan(0, count), files.FirstOrDefault());
        }
        catch (RefusedException)
        {
            return RegionInfo.Absent;
        }
        finally
        {
            files.ForEach(file => file.Dispose());
        }
    }

    private static void Access(Span<byte> ask, uint region, ulong offset, int bytes)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(ask[Wire.RegionAccess.OFFSET..], offset);
        BinaryPrimitives.WriteUInt32LittleEndian(ask[Wire.RegionAccess.REGION..], region);
        BinaryPrimitives.WriteInt32LittleEndian(ask[Wire.RegionAccess.COUNT..], bytes);
    }

    /// <summary>What a failed connect means to the user.</summary>
    private static RingwayException Unreachable(string address, int errno) => errno switch
    {
        Native.EACCES or Native.EPERM => new PermissionDeniedException($"no right to open the socket {address}",
            "run as the user who started the lab, or let that user change the socket's permissions"),
        Native.ENOENT => new NoSuchDeviceException(address,
            "there is no such socket; start a software NIC first (ringway lab FILE.toml)"),
        Native.ECONNREFUSED => new NoSuchDeviceException(address,
            "nobody listens at this socket; what made it has ended, start it again (ringway lab FILE.toml)"),
        Native.EAGAIN => new NoSuchDeviceException(address, "its queue of waiting drivers is full; stop one of them"),
        Native.EINVAL => new NoSuchDeviceException(address, "the path of a socket has 1 to 107 bytes"),
        Native.EPROTOTYPE or Native.ENOTSOCK => new NoSuchDeviceException(address, "this is no stream socket"),
        _ => new NoSuchDeviceException(address, $"connecting: {Native.Say(errno)}"),
    };
}
