using System.Diagnostics;

namespace Ringway.Conform;

/// <summary>The forward workload.</summary>
internal sealed partial class Testee
{
    /// <summary>The byte that is incremented.</summary>
    private const int Touched = 48;

    private string Forward(Words words)
    {
        Device[] pair = [DeviceAt(words).Device, DeviceAt(words, 1).Device];
        (long? packets, long? millis) = (words.Optional<long>("packets"), words.Optional<long>("millis"));
        if (pair[0] == pair[1] || (packets is null && millis is null))
        {
            throw new UsageException("forward takes two devices, and packets or millis");
        }

        using Batch batch = new(memory, BatchSize(words));
        Array.ForEach(pair, device => device.Check());
        long start = Stopwatch.GetTimestamp(), most = packets ?? long.MaxValue;
        (long received, long sent) = (0, 0);
        for (int from = 0; received < most && !Signalled; from = 1 - from)
        {
            if (millis is { } limit && Stopwatch.GetElapsedTime(start).TotalMilliseconds >= limit)
            {
                break;
            }

            int n = pair[from].Receive(0, batch, (int)Math.Min(most - received, int.MaxValue));
            foreach (Packet packet in batch)
            {
                Touch(packet.Head);
            }

            sent += pair[1 - from].Transmit(0, batch);
            received += n;
            batch.Release();
            if (n == 0)
            {
                Thread.Yield();
            }
        }

        return $"received={received} sent={sent} dropped={received - sent}";
    }

    private static void Touch(Span<byte> bytes)
    {
        if (bytes.Length > Touched)
        {
            bytes[Touched]++;
        }
    }
}
