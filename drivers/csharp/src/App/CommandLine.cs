using System.CommandLine;
using System.Globalization;
using System.Numerics;

namespace Ringway.App;

/// <summary>What the user wants.</summary>
internal sealed record Settings(int Batch, TimeSpan? Duration, long? Packets, DeviceOptions Options, int? Core, bool Json);

/// <summary>The arguments, the same in every language.</summary>
internal static class CommandLine
{
    private const int MinFrame = 64, MaxGenerated = 1518, MaxBatch = 4096, MaxQueues = 16, SlotsPerQueue = 2048, MaxPool = 1 << 19;
    private const double MaxSeconds = 1e9;

    private static readonly Argument<string> First = new("device") { Description = "The device, e.g. unix:/run/user/1000/nic0" };
    private static readonly Argument<string> Second = new("other") { Description = "The other device" };
    private static readonly Argument<string> File = new("file") { Description = "The pcap file" };

    private static readonly Option<int> Size = Number("--size",
        "Length of a frame on the wire in bytes, FCS included", MinFrame, MinFrame, MaxGenerated);

    private static readonly Option<int> Batch = Number("--batch", "Packets that are handled at a time", 32, 1, MaxBatch);
    private static readonly Option<int> Queues = Number("--queues",
        "Queues of each device, for forward and generate; each has a worker thread", 1, 1, MaxQueues);

    private static readonly Option<int> RingSlots = Number("--ring-slots", "Descriptors of each ring", 512, 1, int.MaxValue);
    private static readonly Option<int?> PoolSlots = new("--pool-slots")
    {
        Description = $"Packet slots of each device; {SlotsPerQueue} for each queue if not given",
    };

    private static readonly Option<int> MaxFrame = Number("--max-frame", "Longest frame in bytes, FCS included", 1518, 1, 1 << 16);
    private static readonly Option<double?> Duration = new("--duration") { Description = "Ends after this many seconds" };
    private static readonly Option<long?> Packets = new("--packets") { Description = "Ends after this many packets" };
    private static readonly Option<int?> Core = new("--core") { Description = "Runs its worker on this CPU; several on the CPUs from this one on, or anywhere if there are fewer" };
    private static readonly Option<bool> Json = new("--json") { Description = "Prints JSON lines" };

    private static readonly Option[] Common =
        [Batch, Duration, Packets, RingSlots, PoolSlots, MaxFrame, Queues, Core, Json];

    /// <summary>The whole command line.</summary>
    public static RootCommand Root { get; } = Build();

    private static RootCommand Build()
    {
        Within(Duration, 0.0, MaxSeconds);
        Within(Packets, 0L, long.MaxValue);
        Within(Core, 0, int.MaxValue);
        Within(PoolSlots, 1, MaxPool);
        RootCommand root = new("Packets through user-space drivers, in C#");
        root.Add(Command("forward", "Forwards packets between two devices, both ways; byte 48 of each is incremented",
            [First, Second], [], (settings, report, line) =>
                Forward.Run(line.GetRequiredValue(First), line.GetRequiredValue(Second), settings, report)));
        root.Add(Command("generate", "Sends packets as fast as the device takes them", [First], [Size],
            (settings, report, line) => Generate.Run(line.GetRequiredValue(First), line.GetValue(Size), settings, report)));
        root.Add(Command("capture", "Writes what the device receives into a pcap file", [First, File], [],
            (settings, report, line) =>
                Capture.Run(line.GetRequiredValue(First), line.GetRequiredValue(File), settings, report)));
        root.Add(Command("info", "Says what the device is", [First], [], (settings, report, line) =>
        {
            using Runner signals = new(); // one of them must not end the program with a card that is not given back
            using Session session = Session.Open([line.GetRequiredValue(First)], settings);
            report.Start(session, settings.Options.RxQueues);
            session.Close();
        }));
        return root;
    }

    private static Command Command(string name, string description, Argument[] arguments, Option[] options,
        Action<Settings, Report, ParseResult> action)
    {
        Command command = new(name, description);
        Array.ForEach(arguments, command.Add);
        Array.ForEach([.. options, .. Common], command.Add);
        command.SetAction(line => Program.Run(name, SettingsOf(line), (settings, report) => action(settings, report, line)));
        return command;
    }

    private static Settings SettingsOf(ParseResult line)
    {
        DeviceOptions options = new()
        {
            RxQueues = line.GetValue(Queues),
            TxQueues = line.GetValue(Queues),
            RingSlots = line.GetValue(RingSlots),
            PoolSlots = line.GetValue(PoolSlots) ?? SlotsPerQueue * line.GetValue(Queues),
            MaxFrame = line.GetValue(MaxFrame),
            Promiscuous = true,
        };
        TimeSpan? duration = line.GetValue(Duration) is { } seconds ? TimeSpan.FromSeconds(seconds) : null;
        return new Settings(line.GetValue(Batch), duration, line.GetValue(Packets), options, line.GetValue(Core),
            line.GetValue(Json));
    }

    private static Option<int> Number(string name, string description, int otherwise, int least, int most)
    {
        Option<int> option = new(name) { Description = description, DefaultValueFactory = _ => otherwise };
        Within(option, least, most);
        return option;
    }

    /// <summary>Refuses numbers out of range; what is no number the library refuses by itself.</summary>
    private static void Within<T>(Option option, T least, T most)
        where T : struct, INumber<T> => option.Validators.Add(result =>
    {
        string? word = result.Tokens.Count > 0 ? result.Tokens[0].Value : null;
        if (T.TryParse(word, CultureInfo.InvariantCulture, out T value) && !(value >= least && value <= most))
        {
            result.AddError($"{option.Name} {word}: from {least} to {most}");
        }
    });
}
