// ixgbe/init · 82599:4.6.3 82599:4.6.4 82599:4.6.5 82599:4.6.7 82599:4.6.8
// A partial class, one file for each unit of the device, in the data sheet's order; no reset value is relied upon.

using System.Net.NetworkInformation;

namespace Ringway.Ixgbe;

/// <summary>Bringing the device up and down, in the data sheet's order.</summary>
internal static partial class Init
{
    /// <summary>Longest wait for a register. Hardware takes milliseconds at most; a software device may wait for a core.
    /// </summary>
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(1);

    /// <summary>Resets the device and reads its Ethernet address. No DMA memory is needed yet. [82599:4.6.3]</summary>
    public static PhysicalAddress ResetAndIdentify(Mmio registers)
    {
        Reset(registers);
        WaitUntilReady(registers);
        return ReadMac(registers);
    }

    /// <summary>Everything after the reset, up to the moment when packets flow.</summary>
    public static void Start(Nic nic, RxQueue[] rx, TxQueue[] tx, Totals totals)
    {
        Mmio registers = nic.Registers;
        registers.Set(Regs.CTRL_EXT, CtrlExt.DRV_LOAD.Mask); // tells the firmware that there is a driver [82599:8.2.3.1.3]
        SetUpLink(registers); // [82599:4.6.4]
        totals.Clear(); // [82599:4.6.5]
        registers.Clear(Regs.RXCTRL, Rxctrl.RXEN.Mask); // off while filters change [82599:4.6.7]
        ClearTables(registers);
        SetFilters(registers, nic.Options.Promiscuous);
        SetUpBuffers(registers, nic.Options.MaxFrame);
        SetUpReception(registers, nic.Options.RxQueues);
        SetUpTransmission(registers);
        Array.ForEach(rx, queue => Program(nic, queue));
        Array.ForEach(tx, queue => Program(nic, queue));
        registers.Set(Regs.DMATXCTL, Dmatxctl.TE.Mask); // before any transmit queue [82599:4.6.8]
        Array.ForEach(rx, queue => Enable(registers, queue));
        Array.ForEach(tx, queue => Enable(registers, queue));
        SwitchReception(registers, true);
        WaitForLink(registers, nic.Options.LinkWait);
    }

    /// <summary>Waits until the device has seen everything so far: any message does. [82599:8.2.3.1.2]</summary>
    private static void Flush(Mmio registers) => registers.ReadThrough(Regs.STATUS);
}
