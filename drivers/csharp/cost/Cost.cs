// cost · design:7
// The app's jobs on cards made of memory: what they cost a packet, without a bench and a second core.

using System.Diagnostics;
using Ringway.App;
using Ringway.Tests;

namespace Ringway.Cost;

/// <summary>Prints nanoseconds a packet for each batch, of forwarding and of capturing to nowhere: <c>Cost [BATCH...]</c>.</summary>
/// <remarks>The cards are played here, by hand and off the clock: they put packets into the receive rings, the job moves them,
/// they send what is in the transmit rings. Shown are the first repetition, code as it is when a program starts, and the fastest of many repetitions: on a machine with neighbours it is
/// the one that comes again.</remarks>
internal static class Program
{
    private const int Load = 256, Turns = 200, Repetitions = 40, PacketBytes = 60;

    private static int Main(string[] words)
    {
        int[] sizes = words.Length > 0 ? [.. words.Select(int.Parse)] : [1, 8, 16, 32, 256];
        using DmaMemory memory = DmaMemory.Create(32 << 20, concurrent: false);
        using DmaMemory registers = DmaMemory.Create(4 << 20);
        FakeNic[] cards = [.. Enumerable.Range(0, 2).Select(n => new FakeNic(memory, FakeNic.Map(registers, n)))];
        Device[] devices = [.. cards.Select(card => Device.Open(card, memory))];
        foreach (int size in sizes)
        {
            using ForwardJob forward = new(devices, memory, 0, size, new Budget(null));
            Say("forward", size, new Work(cards, () => forward.Turn(), () => forward.Received));
            using PcapFile nowhere = new("/dev/null");
            using CaptureJob capture = new(devices[0], memory, size, new Budget(null), nowhere);
            Say("capture", size, new Work(cards[..1], () => capture.Round(), () => capture.Received));
        }

        return 0;
    }

    private static void Say(string name, int size, Work work)
    {
        double[] costs = [.. Enumerable.Range(0, Repetitions).Select(_ => Repeat(work, Load / size))];
        Console.WriteLine($"{name}, batches of {size,3}: {costs.Min(),6:F2} ns a packet; at first {costs[0],6:F2}");
    }

    private static double Repeat(Work work, int rounds)
    {
        long ticks = 0, before = work.Moved();
        for (int turn = 0; turn < Turns; turn++)
        {
            foreach (FakeNic card in work.Cards)
            {
                for (int i = 0; i < Load; i++)
                {
                    card.Receive(PacketBytes, (byte)i);
                }
            }

            ticks += Time(work.Turn, rounds);
            foreach (FakeNic card in work.Cards)
            {
                card.Transmit();
            }
        }

        long packets = work.Moved() - before;
        return packets == (long)Turns * Load * work.Cards.Length
            ? ticks * 1e9 / Stopwatch.Frequency / packets
            : throw new InvalidOperationException($"{packets} packets came through");
    }

    private static long Time(Action turn, int turns)
    {
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < turns; i++)
        {
            turn();
        }

        return Stopwatch.GetTimestamp() - start;
    }

    /// <summary>A job: the cards that it serves, one turn of it, and the packets that it has moved.</summary>
    private sealed record Work(FakeNic[] Cards, Action Turn, Func<long> Moved);
}
