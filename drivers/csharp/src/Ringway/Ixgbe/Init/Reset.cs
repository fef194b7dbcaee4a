namespace Ringway.Ixgbe;

/// <summary>Global reset. [82599:4.6.3]</summary>
internal static partial class Init
{
    /// <summary>How long the device may take to finish what DMA it has begun. [82599:5.2.5.3.2]</summary>
    private static readonly TimeSpan Quiet = TimeSpan.FromMilliseconds(100);

    /// <summary>No register may be touched so long after a reset was asked for. [82599:8.2.3.1.1]</summary>
    private static readonly TimeSpan ResetBegins = TimeSpan.FromMilliseconds(1);

    /// <summary>Time that the device needs to itself after a reset. [82599:4.6.3.2]</summary>
    private static readonly TimeSpan Settle = TimeSpan.FromMilliseconds(10);

    /// <summary>Masks all interrupts, lets DMA run out, resets, and masks again.</summary>
    private static void Reset(Mmio registers)
    {
        MaskInterrupts(registers); // [82599:4.6.3.1]
        if (!StopDma(registers))
        {
            // DMA that does not end needs two resets, one to break it off and one to clean up. [82599:5.2.5.3.2]
            GlobalReset(registers);
        }

        GlobalReset(registers);
        MaskInterrupts(registers); // again: the reset promises little
    }

    /// <summary>Waits for the EEPROM and the DMA engine to be ready.</summary>
    private static void WaitUntilReady(Mmio registers)
    {
        registers.WaitSet(Regs.EEC, Eec.ARD, Deadline);
        registers.WaitSet(Regs.RDRXCTL, Rdrxctl.DMAIDONE, Deadline);
    }

    /// <summary>Masks every cause and forgets what is pending. Bit 31 of EIMC is reserved and stays 0. [82599:8.2.3.5.6]
    /// </summary>
    private static void MaskInterrupts(Mmio registers)
    {
        registers.Write(Regs.EIMC, Eimc.RTXQ.Mask | Eimc.OTHERS.Mask);
        for (int word = 0; word < Regs.EIMC_EX.Count; word++)
        {
            registers.Write(Regs.EIMC_EX[word], uint.MaxValue);
        }

        registers.ReadThrough(Regs.EICR);
    }

    /// <summary>Asks for no new DMA and waits for the end of what runs; false if it does not end.</summary>
    private static bool StopDma(Mmio registers)
    {
        registers.Write(Regs.CTRL, Ctrl.GIO_DIS.Mask);
        try
        {
            registers.Wait(Regs.STATUS, Status.GIO.Mask, 0, Quiet);
            return true;
        }
        catch (DeviceTimeoutException)
        {
            return false;
        }
    }

    /// <summary>Device and link reset together are the global reset. Both bits clear themselves. [82599:4.6.3.2]</summary>
    private static void GlobalReset(Mmio registers)
    {
        uint both = Ctrl.RST.Mask | Ctrl.LRST.Mask;
        registers.Write(Regs.CTRL, both);
        Thread.Sleep(ResetBegins);
        registers.Wait(Regs.CTRL, both, 0, Deadline);
        Thread.Sleep(Settle);
    }
}
