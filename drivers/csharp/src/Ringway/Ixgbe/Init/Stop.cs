using System.Diagnostics;

namespace Ringway.Ixgbe;

/// <summary>The way down: reception, queues, DMA, reset. [82599:4.6.7.1.2] [82599:5.2.5.3.2]</summary>
internal static partial class Init
{
    /// <summary>Longest wait for all queues together to come to rest. The reset that follows stops them in any case.</summary>
    private static readonly TimeSpan Rest = TimeSpan.FromMilliseconds(500);

    /// <summary>Longest wait for what was handed over to be sent: without a link it never is.</summary>
    private static readonly TimeSpan Sent = TimeSpan.FromMilliseconds(500);

    /// <summary>Stops everything, in order. What goes wrong on the way is told at the end: the later steps are needed the more.
    /// </summary>
    public static void Stop(Mmio registers, DeviceOptions options)
    {
        List<RingwayException> failures = [];
        Attempt(failures, () => MaskInterrupts(registers));
        Attempt(failures, () => SwitchReception(registers, false));
        Attempt(failures, () => Drain(registers, options));
        Attempt(failures, () => Disable(registers, options));
        Attempt(failures, () => registers.Clear(Regs.DMATXCTL, Dmatxctl.TE.Mask));
        Attempt(failures, () => registers.Clear(Regs.CTRL_EXT, CtrlExt.DRV_LOAD.Mask));
        Attempt(failures, () => Reset(registers));
        if (failures.Count > 0)
        {
            throw failures[0];
        }
    }

    private static void Attempt(List<RingwayException> failures, Action step)
    {
        try
        {
            step();
        }
        catch (RingwayException failure)
        {
            failures.Add(failure);
        }
    }

    /// <summary>Waits until the device has read the transmit queues to their ends. [82599:4.6.8.1]</summary>
    private static void Drain(Mmio registers, DeviceOptions options)
    {
        long start = Stopwatch.GetTimestamp();
        for (int n = 0; n < options.TxQueues; n++)
        {
            if (!Txdctl.ENABLE.IsSet(registers.Read(Regs.TXDCTL[n])))
            {
                continue; // the device never got so far
            }

            TimeSpan left = Sent - Stopwatch.GetElapsedTime(start);
            try
            {
                registers.Wait(Regs.TDH[n], Tdh.TDH.Mask, registers.Read(Regs.TDT[n]), left > TimeSpan.Zero ? left : TimeSpan.Zero);
            }
            catch (DeviceTimeoutException)
            {
                return; // not a reason to stop less
            }
        }
    }

    /// <summary>Takes the queues from the device and waits until it has let go of them. [82599:4.6.7.1.2]</summary>
    private static void Disable(Mmio registers, DeviceOptions options)
    {
        List<(Register Register, uint Mask)> queues = [];
        for (int n = 0; n < options.RxQueues; n++)
        {
            queues.Add((Regs.RXDCTL[n], Rxdctl.ENABLE.Mask));
        }

        for (int n = 0; n < options.TxQueues; n++)
        {
            queues.Add((Regs.TXDCTL[n], Txdctl.ENABLE.Mask));
        }

        queues.ForEach(queue => registers.Clear(queue.Register, queue.Mask));
        long start = Stopwatch.GetTimestamp();
        foreach ((Register register, uint mask) in queues)
        {
            TimeSpan left = Rest - Stopwatch.GetElapsedTime(start);
            registers.Wait(register, mask, 0, left > TimeSpan.Zero ? left : TimeSpan.Zero);
        }
    }
}
