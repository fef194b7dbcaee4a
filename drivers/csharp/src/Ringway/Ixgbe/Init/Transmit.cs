namespace Ringway.Ixgbe;

/// <summary>Transmission: the rings. [82599:4.6.8]</summary>
internal static partial class Init
{
    /// <summary>The device fetches descriptors when it has fewer than <see cref="Prefetch"/> left and at least
    /// <see cref="AtLeast"/> are to be had.</summary>
    private const uint Prefetch = 32, AtLeast = 1;

    /// <summary>Queue q counts in set q modulo 16. [82599:8.2.3.23.73]</summary>
    private static void SetUpTransmission(Mmio registers)
    {
        for (int word = 0; word < Regs.TQSM.Count; word++)
        {
            registers.Post(Regs.TQSM[word], FourBytes(word, Totals.CounterSets));
        }

        Flush(registers);
    }

    /// <summary>Tells the device where a ring is. [82599:4.6.8]</summary>
    private static void Program(Nic nic, TxQueue queue)
    {
        (Mmio registers, int n) = (nic.Registers, queue.Number);
        ulong iova = DmaMemory.Iova(nic.Memory.Extents, queue.Span.Offset);
        registers.Write(Regs.TDBAL[n], (uint)iova);
        registers.Write(Regs.TDBAH[n], (uint)(iova >> 32));
        registers.Write(Regs.TDLEN[n], (uint)queue.Span.Length);
        registers.Write(Regs.TDWBAL[n], 0); // completion is reported in the descriptors, not as a head
        registers.Write(Regs.TDWBAH[n], 0);
        registers.Write(Regs.TDH[n], 0);
        registers.Write(Regs.TDT[n], 0);
        registers.Clear(Regs.DCA_TXCTRL[n], DcaTxctrl.WRITEBACK_RO.Mask); // reports may not overtake [82599:8.2.3.11.2]
        // Each report comes at once (WTHRESH 0): with RS on few descriptors, one that waits for others might wait for good.
        uint word = Txdctl.PTHRESH.Set(registers.Read(Regs.TXDCTL[n]), Prefetch);
        registers.Write(Regs.TXDCTL[n], Txdctl.WTHRESH.Set(Txdctl.HTHRESH.Set(word, AtLeast), 0));
    }

    /// <summary>Enables a ring and waits until the device says that it is. [82599:4.6.8.1]</summary>
    private static void Enable(Mmio registers, TxQueue queue)
    {
        registers.Set(Regs.TXDCTL[queue.Number], Txdctl.ENABLE.Mask);
        registers.WaitSet(Regs.TXDCTL[queue.Number], Txdctl.ENABLE, Deadline);
    }
}
