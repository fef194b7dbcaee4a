// ixgbe/stats · 82599:8.2.3.23 82599:4.6.5
// Counters that the device clears when they are read, summed up in 64 bits under a lock.

namespace Ringway.Ixgbe;

/// <summary>Counters and link. Queue counters share pages with the doorbells, where a load would not clear them: all are asked
/// for by message.</summary>
internal sealed class Totals(Mmio registers)
{
    /// <summary>Sets of queue counters; queue q counts in set q modulo 16. [82599:8.2.3.23.71]</summary>
    public const int CounterSets = 16;

    /// <summary>Frames that the port throws away because they are damaged or of an illegal length. No frame counts twice.
    /// </summary>
    private static readonly Register[] Errors = [Regs.CRCERRS, Regs.RLEC, Regs.RUC, Regs.RFC, Regs.ROC, Regs.RJC];

    private readonly Lock mutex = new();
    private Stats sums;

    /// <summary>Clears the device's counters by reading them. [82599:4.6.5]</summary>
    public void Clear()
    {
        lock (mutex)
        {
            Add(CounterSets);
            sums = default;
        }
    }

    /// <summary>Reads all counters, adds them up, and adds what the driver itself threw away.</summary>
    public Stats Read(int rxQueues, ulong lies)
    {
        lock (mutex)
        {
            Add(Math.Min(rxQueues, CounterSets));
            return sums with { RxErrors = sums.RxErrors + lies };
        }
    }

    /// <summary>The link now. LINKS holds a lost link until it is read once, so it is read twice. [82599:8.2.3.22.20]</summary>
    public static Link ReadLink(Mmio registers)
    {
        registers.ReadThrough(Regs.LINKS);
        uint word = registers.ReadThrough(Regs.LINKS);
        bool up = Links.UP.IsSet(word);
        return new Link(up, !up ? 0 : Links.SPEED.Get(word) switch
        {
            Links.SPEED_10G => 10_000,
            Links.SPEED_1G => 1_000,
            Links.SPEED_100M => 100,
            _ => 0,
        });
    }

    private void Add(int sets)
    {
        Stats sum = sums with
        {
            RxPackets = sums.RxPackets + registers.ReadThrough(Regs.GPRC),
            TxPackets = sums.TxPackets + registers.ReadThrough(Regs.GPTC),
            RxBytes = sums.RxBytes + Octets(Regs.GORCL, Regs.GORCH),
            TxBytes = sums.TxBytes + Octets(Regs.GOTCL, Regs.GOTCH),
            // Everything goes through packet buffer 0.
            RxMissed = sums.RxMissed + registers.ReadThrough(Regs.MPC[0]),
        };
        for (int set = 0; set < sets; set++)
        {
            sum = sum with { RxMissed = sum.RxMissed + registers.ReadThrough(Regs.QPRDC[set]) };
        }

        foreach (Register register in Errors)
        {
            sum = sum with { RxErrors = sum.RxErrors + registers.ReadThrough(register) };
        }

        sums = sum;
    }

    /// <summary>A 36-bit counter. The low word comes first: reading the high one clears both. [82599:8.2.3.23.26]</summary>
    private ulong Octets(Register low, Register high)
    {
        uint bottom = registers.ReadThrough(low);
        return bottom | ((ulong)Gorch.HIGH.Get(registers.ReadThrough(high)) << 32);
    }
}
