using System.Globalization;
using System.Net.NetworkInformation;
using System.Text;

namespace Ringway.Conform;

/// <summary>The open devices and the hand; one method a command.</summary>
internal sealed partial class Testee(DmaMemory memory) : IDisposable
{
    private const int MostInHand = 1 << 19, MaxBatch = 8192, MinPacket = 14, Fcs = 4;

    /// <summary>Numbers are not used again: null where a device was closed.</summary>
    private readonly List<Opened?> devices = [];

    /// <summary>Packets of all devices that were received and not yet sent or released, first in first out.</summary>
    private readonly Batch hand = new(memory, MostInHand);

    /// <summary>A signal has come: whatever runs ends soon.</summary>
    public bool Signalled
    {
        get => Volatile.Read(ref signalled);
        set => Volatile.Write(ref signalled, value);
    }

    /// <summary>The last command was <c>quit</c>.</summary>
    public bool Quit { get; private set; }

    private bool signalled;

    /// <summary>Carries one line out and returns the line of the answer.</summary>
    public string Answer(string line)
    {
        string[] all = line.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        string command = all.Length > 0 ? all[0] : "";
        try
        {
            string answer = Carry(command, new Words(all.Skip(1)));
            return answer.Length > 0 ? $"ok {answer}" : "ok";
        }
        catch (RingwayException failure)
        {
            return Refusal(failure.Kind, failure.Message);
        }
        catch (UsageException failure)
        {
            return Refusal("Usage", failure.Message);
        }
    }

    /// <summary>Closes what is open.</summary>
    public void Dispose()
    {
        hand.Release();
        foreach (Opened? opened in devices)
        {
            opened?.Device.Dispose();
        }

        devices.Clear();
    }

    private static string Refusal(string kind, string message) =>
        $"error {kind} {message.Replace('\n', ' ').Replace('\r', ' ')}";

    private string Carry(string command, Words words) => command switch
    {
        "hello" => $"protocol=1 driver=csharp version={Version} features=rss,jumbo",
        "open" => Open(words),
        "receive" => Receive(words),
        "transmit" => Transmit(words),
        "send" => Send(words),
        "release" => $"n={hand.Release()}",
        "forward" => Forward(words),
        "stats" => Stats(words),
        "link" => Link(words),
        "slots" => Slots(words),
        "promiscuous" => Promiscuous(words),
        "close" => Close(words),
        "quit" => End(),
        _ => throw new UsageException($"unknown command {command}"),
    };

    private static string Version =>
        typeof(Device).Assembly.GetName().Version is { } version ? version.ToString(3) : "0.0.0";

    private string Open(Words words)
    {
        string address = words.Word(0, "the address");
        DeviceOptions options = new()
        {
            RxQueues = words.Key("rx_queues", 1),
            TxQueues = words.Key("tx_queues", 1),
            RingSlots = words.Key("ring_slots", 512),
            PoolSlots = words.Key("pool_slots", 2048),
            Promiscuous = Words.Switch(words.Key("promiscuous", 0)),
            MaxFrame = words.Key("max_frame", 1518),
            LinkWait = TimeSpan.FromMilliseconds(words.Key("link_wait_ms", 0)),
        };
        Device device = Device.Open(address, memory, options);
        devices.Add(new Opened(device, options));
        return $"device={devices.Count - 1} mac={MacOf(device.Mac)} way={device.Way.Name()}";
    }

    private string Receive(Words words)
    {
        Device device = DeviceAt(words).Device;
        ReceiveQueue queue = At(device.Rx, words.Number<int>(1, "the queue"));
        int count = words.Number<int>(2, "the count");
        using Batch batch = new(memory, BatchSize(words));
        device.Check();
        StringBuilder packets = new(), hashes = new();
        int received = 0;
        bool hashed = false;
        while (received < count)
        {
            int n = queue.Receive(batch, count - received);
            foreach (Packet packet in batch)
            {
                AppendHex(packets.Append(packets.Length > 0 ? "," : ""), packet);
                hashes.Append(hashes.Length > 0 ? "," : "").Append(CultureInfo.InvariantCulture, $"{packet.RssHash}");
                hashed |= packet.RssHash != 0;
            }

            batch.MoveTo(hand, n);
            received += n;
            if (n == 0)
            {
                break;
            }
        }

        return $"n={received}" + (received > 0 ? $" packets={packets}" : "") + (hashed ? $" hashes={hashes}" : "");
    }

    private string Transmit(Words words)
    {
        (Device device, DeviceOptions options) = DeviceAt(words);
        TransmitQueue queue = At(device.Tx, words.Number<int>(1, "the queue"));
        List<byte[]> packets = words.Rest(2).ConvertAll(Words.Unhex);
        int longest = options.MaxFrame - Fcs;
        if (packets.Count == 0 || packets.Exists(packet => packet.Length < MinPacket || packet.Length > longest))
        {
            throw new UsageException($"packets have {MinPacket} to {longest} bytes");
        }

        device.Check();
        int slots = packets.Sum(packet => (packet.Length + DmaMemory.SlotBytes - 1) / DmaMemory.SlotBytes);
        using Batch batch = new(memory, slots);
        foreach (byte[] packet in packets)
        {
            if (!batch.TryAdd(device.Pool, packet))
            {
                break;
            }
        }

        return $"n={queue.Transmit(batch)}";
    }

    private string Send(Words words)
    {
        Device device = DeviceAt(words).Device;
        TransmitQueue queue = At(device.Tx, words.Number<int>(1, "the queue"));
        int count = words.Rest(2).Count > 0 ? words.Number<int>(2, "the count") : int.MaxValue;
        device.Check();
        return $"n={queue.Transmit(hand, count)}";
    }

    private string Stats(Words words)
    {
        Stats stats = DeviceAt(words).Device.ReadStats();
        return $"rx_packets={stats.RxPackets} tx_packets={stats.TxPackets} rx_bytes={stats.RxBytes} "
            + $"tx_bytes={stats.TxBytes} rx_missed={stats.RxMissed} rx_errors={stats.RxErrors}";
    }

    private string Link(Words words)
    {
        Link link = DeviceAt(words).Device.ReadLink();
        return $"up={(link.Up ? 1 : 0)} mbit={link.Mbit}";
    }

    private string Slots(Words words)
    {
        Pool pool = DeviceAt(words).Device.Pool;
        int rx = 0, tx = 0;
        foreach (Opened? opened in devices)
        {
            RingSlots slots = opened?.Device.CountOf(pool) ?? default;
            (rx, tx) = (rx + slots.Rx, tx + slots.Tx);
        }

        return $"pool={pool.Free} hand={hand.CountOf(pool)} rx={rx} tx={tx} total={pool.Total}";
    }

    private string Promiscuous(Words words)
    {
        DeviceAt(words).Device.SetPromiscuous(Words.Switch(words.Number<int>(1, "0 or 1")));
        return "";
    }

    private string Close(Words words)
    {
        Device device = DeviceAt(words).Device;
        devices[words.Number<int>(0, "the device")] = null;
        hand.Release(device.Pool);
        device.Close();
        return "";
    }

    private string End()
    {
        Dispose();
        Quit = true;
        return "";
    }

    private Opened DeviceAt(Words words, int word = 0)
    {
        int number = words.Number<int>(word, "the device");
        return number < devices.Count && devices[number] is { } opened
            ? opened : throw new UsageException($"there is no device {number}");
    }

    private static T At<T>(IReadOnlyList<T> queues, int number) =>
        number < queues.Count ? queues[number] : throw new UsageException($"there is no queue {number}");

    private static int BatchSize(Words words)
    {
        int size = words.Key("batch", 32);
        return size is >= 1 and <= MaxBatch ? size : throw new UsageException($"a batch of {size} slots; 1 to {MaxBatch}");
    }

    private static string MacOf(PhysicalAddress mac) =>
        Convert.ToHexStringLower(mac.GetAddressBytes()).Chunk(2).Select(pair => new string(pair))
            .Aggregate((left, right) => $"{left}:{right}");

    private static void AppendHex(StringBuilder text, Packet packet)
    {
        for (int i = 0; i < packet.Pieces; i++)
        {
            text.Append(Convert.ToHexStringLower(packet.Piece(i)));
        }
    }

    private sealed record Opened(Device Device, DeviceOptions Options);
}
