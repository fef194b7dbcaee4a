namespace Ringway.Ixgbe;

/// <summary>Packet buffers and frame lengths: one traffic class, no virtualization. [82599:4.6.11.3.4]</summary>
internal static partial class Init
{
    /// <summary>All of the receive buffer, and what it keeps free above the flow control threshold, in KiB.</summary>
    private const uint RxKib = 512, RxHeadroomKib = 24;

    /// <summary>All of the transmit buffer, and what it keeps for the longest packet, in KiB.</summary>
    private const uint TxKib = 160, TxLongestKib = 10;

    /// <summary>FCRTH counts in units of so many bytes.</summary>
    private const uint ThresholdUnit = 32;

    /// <summary>Frames longer than this are jumbo frames.</summary>
    private const int OrdinaryFrame = 1518;

    /// <summary>Gives all memory to buffer 0, and says what frames look like on the wire.</summary>
    private static void SetUpBuffers(Mmio registers, int maxFrame)
    {
        for (int n = 0; n < Regs.RXPBSIZE.Count; n++)
        {
            registers.Write(Regs.RXPBSIZE[n], Rxpbsize.SIZE.Put(n == 0 ? RxKib : 0));
        }

        // Where full is must be known with flow control and without. [82599:8.2.3.3.4]
        registers.Write(Regs.FCRTH[0], Fcrth.RTH.Put((RxKib - RxHeadroomKib) * 1024 / ThresholdUnit));
        // The arbiter stands still while the queue layout and its limits change. [82599:7.2.1.2.1]
        registers.Set(Regs.RTTDCS, Rttdcs.ARBDIS.Mask);
        for (int n = 0; n < Regs.TXPBSIZE.Count; n++)
        {
            registers.Write(Regs.TXPBSIZE[n], Txpbsize.SIZE.Put(n == 0 ? TxKib : 0));
            registers.Write(Regs.TXPBTHRESH[n], Txpbthresh.THRESH.Put(n == 0 ? TxKib - TxLongestKib : 0));
        }

        registers.Write(Regs.DTXMXSZRQ, Dtxmxszrq.MAX_BYTES.Mask); // as much as fits: 1 MiB
        registers.Clear(Regs.MTQC, Mtqc.RT_ENA.Mask | Mtqc.VT_ENA.Mask | Mtqc.NUM_TC_OR_Q.Mask);
        registers.Clear(Regs.RTTDCS, Rttdcs.ARBDIS.Mask);
        SetUpFrames(registers, maxFrame);
    }

    /// <summary>The device adds and strips the FCS, pads short frames, and takes long ones if they are wanted.
    /// [82599:8.2.3.22.8] [82599:8.2.3.22.13]</summary>
    private static void SetUpFrames(Mmio registers, int maxFrame)
    {
        uint on = Hlreg0.TXCRCEN.Mask | Hlreg0.RXCRCSTRP.Mask | Hlreg0.TXPADEN.Mask;
        uint word = (registers.Read(Regs.HLREG0) | on) & ~Hlreg0.LPBK.Mask;
        registers.Write(Regs.HLREG0, Hlreg0.JUMBOEN.Set(word, maxFrame > OrdinaryFrame ? 1u : 0u));
        registers.Change(Regs.MAXFRS, Maxfrs.MFS, (uint)maxFrame);
    }
}
