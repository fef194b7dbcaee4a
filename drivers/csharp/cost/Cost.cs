// cost · design:7
// The forwarder of the app between two cards made of memory: what it costs a packet, without a bench and a second core.

using System.Diagnostics;
using Ringway.App;
using Ringway.Tests;

namespace Ringway.Cost;

/// <summary>Prints nanoseconds a packet for each batch: <c>Cost [BATCH...]</c>.</summary>
/// <remarks>The cards are played here, by hand and off the clock: they put packets into both receive rings, the forwarder moves
/// them, they send what is in the transmit rings. Shown is the fastest of many repetitions: on a machine with neighbours it is
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
            using ForwardJob job = new(devices, memory, 0, size, new Budget(null));
            double best = Enumerable.Range(0, Repetitions).Min(_ => Repeat(cards, job, Load / size));
            Console.WriteLine($"batches of {size,3}: {best,6:F2} ns a packet");
        }

        return 0;
    }

    private static double Repeat(FakeNic[] cards, ForwardJob job, int rounds)
    {
        long ticks = 0, before = job.Received;
        for (int turn = 0; turn < Turns; turn++)
        {
            foreach (FakeNic card in cards)
            {
                for (int i = 0; i < Load; i++)
                {
                    card.Receive(PacketBytes, (byte)i);
                }
            }

            ticks += Move(job, rounds);
            foreach (FakeNic card in cards)
            {
                card.Transmit();
            }
        }

        long packets = job.Received - before;
        return packets == (long)Turns * Load * cards.Length && job.DroppedFrom(0) + job.DroppedFrom(1) == 0
            ? ticks * 1e9 / Stopwatch.Frequency / packets
            : throw new InvalidOperationException($"{packets} packets came through");
    }

    private static long Move(ForwardJob job, int turns)
    {
        long start = Stopwatch.GetTimestamp();
        for (int turn = 0; turn < turns; turn++)
        {
            job.Turn();
        }

        return Stopwatch.GetTimestamp() - start;
    }
}
