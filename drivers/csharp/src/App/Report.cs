using System.Globalization;
using System.Text.Json.Nodes;

namespace Ringway.App;

/// <summary>The sums at the end of a run; <paramref name="Dropped"/> by device.</summary>
internal sealed record Sums(long Received, long Sent, long[] Dropped, int SlotsLost);

/// <summary>What the program says: JSON lines for programs (<c>spec/app.schema.json</c>), or plain lines for people.</summary>
internal sealed class Report(string app, bool json)
{
    /// <summary>Says which devices were opened and how they were reached.</summary>
    public void Start(Session session, int queues)
    {
        JsonArray devices = [];
        foreach (Device device in session.Devices)
        {
            Link link = device.ReadLink();
            string mac = string.Join(':', device.Mac.GetAddressBytes().Select(octet => octet.ToString("x2", CultureInfo.InvariantCulture)));
            devices.Add(new JsonObject
            {
                ["address"] = device.Address,
                ["way"] = device.Way.Name(),
                ["mac"] = mac,
                ["link"] = link.Up,
                ["mbit"] = link.Mbit,
            });
            Plain($"{device.Address}  {device.Way.Name()}  {mac}  link {(link.Up ? "up" : "down")}  {link.Mbit} Mbit/s");
        }

        Event("start", new JsonObject { ["driver"] = "csharp", ["version"] = Version, ["queues"] = queues, ["devices"] = devices });
    }

    /// <summary>Says how far a run has come. <paramref name="dropped"/> counts by device what was taken from it and not
    /// accepted elsewhere.</summary>
    public void Interval(TimeSpan time, Session session, long[] dropped)
    {
        JsonArray devices = Counts(session, dropped, string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds,6:F1} s"));
        Event("interval", new JsonObject { ["time_s"] = time.TotalSeconds, ["devices"] = devices });
    }

    /// <summary>Says how a run ended.</summary>
    public void Final(Runner runner, Session session, Sums sums, StopReason reason)
    {
        TimeSpan time = runner.Elapsed;
        JsonArray devices = Counts(session, sums.Dropped, "   total");
        Event("final", new JsonObject
        {
            ["elapsed_s"] = time.TotalSeconds,
            ["received"] = sums.Received,
            ["sent"] = sums.Sent,
            ["dropped"] = sums.Dropped.Sum(),
            ["stopped_by"] = reason.Name(),
            ["slots_lost"] = sums.SlotsLost,
            ["devices"] = devices,
            ["runtime"] = new JsonObject
            {
                ["allocated_bytes"] = runner.Counts.AllocatedBytes,
                ["collections"] = runner.Counts.Collections,
            },
        });
        Plain(string.Create(CultureInfo.InvariantCulture,
            $"received {sums.Received}, sent {sums.Sent}, dropped {sums.Dropped.Sum()} in {time.TotalSeconds:F2} s"));
        if (sums.SlotsLost != 0)
        {
            Plain($"{sums.SlotsLost} packet slots are lost");
        }
    }

    /// <summary>Says why the program ends early, in one line.</summary>
    public void Error(string kind, string message)
    {
        string line = message.ReplaceLineEndings(" ");
        Event("error", new JsonObject { ["kind"] = kind, ["message"] = line });
        if (!json)
        {
            Console.Error.WriteLine($"ringway-csharp: {line}");
        }
    }

    private static string Version =>
        typeof(Device).Assembly.GetName().Version is { } version ? version.ToString(3) : "0.0.0";

    private JsonArray Counts(Session session, long[] dropped, string prefix)
    {
        JsonArray counts = [];
        for (int i = 0; i < session.Devices.Count; i++)
        {
            Device device = session.Devices[i];
            Stats stats = device.ReadStats();
            counts.Add(new JsonObject
            {
                ["address"] = device.Address,
                ["rx_packets"] = stats.RxPackets,
                ["rx_bytes"] = stats.RxBytes,
                ["tx_packets"] = stats.TxPackets,
                ["tx_bytes"] = stats.TxBytes,
                ["rx_missed"] = stats.RxMissed,
                ["rx_errors"] = stats.RxErrors,
                ["dropped"] = dropped[i],
            });
            Plain($"{prefix}  {device.Address}: received {stats.RxPackets} packets, sent {stats.TxPackets}, "
                + $"dropped {dropped[i]}, missed {stats.RxMissed}, errors {stats.RxErrors}");
        }

        return counts;
    }

    private void Event(string name, JsonObject members)
    {
        if (!json)
        {
            return;
        }

        JsonObject line = new() { ["event"] = name, ["app"] = app };
        foreach ((string key, JsonNode? value) in members.ToList())
        {
            members.Remove(key);
            line[key] = value;
        }

        Say(line.ToJsonString());
    }

    private void Plain(string line)
    {
        if (!json)
        {
            Say(line);
        }
    }

    /// <summary>Whoever read us may have gone: that is no reason to leave devices open.</summary>
    private static void Say(string line)
    {
        try
        {
            Console.Out.WriteLine(line);
            Console.Out.Flush();
        }
        catch (IOException)
        {
            // Nobody listens any more.
        }
    }
}
