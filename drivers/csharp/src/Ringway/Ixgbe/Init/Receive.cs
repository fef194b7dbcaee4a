using System.Buffers.Binary;

namespace Ringway.Ixgbe;

/// <summary>Reception: the master switch, RSS, and the rings. [82599:4.6.7]</summary>
internal static partial class Init
{
    /// <summary>Units of SRRCTL: packet buffers in KiB, header buffers in 64 bytes; those are not used, but 0 is illegal.
    /// </summary>
    private const uint PacketKib = DmaMemory.SlotBytes / 1024, HeaderLines = 4;

    /// <summary>The key of the published verification suite, so that hashes can be compared.</summary>
    private static ReadOnlySpan<byte> RssKey =>
    [
        0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
        0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
    ];

    /// <summary>What holds for all queues.</summary>
    private static void SetUpReception(Mmio registers, int queues)
    {
        // The FCS is stripped here and in HLREG0, or lengths do not agree. Receive side coalescing is not used, but its
        // fields have to be set like this in any case. [82599:8.2.3.8.8]
        uint on = Rdrxctl.CRCSTRIP.Mask | Rdrxctl.RSCACKC.Mask | Rdrxctl.FCOE_WRFIX.Mask;
        registers.Write(Regs.RDRXCTL, Rdrxctl.RSCFRSTSIZE.Set(registers.Read(Regs.RDRXCTL), 0) | on);
        registers.Set(Regs.CTRL_EXT, CtrlExt.NS_DIS.Mask); // no snoop off [82599:4.6.7]
        registers.Write(Regs.PSRTYPE[0], 0); // no header split [82599:8.2.3.7.4]
        for (int word = 0; word < Regs.RQSMR.Count; word++)
        {
            // Queue q counts in set q modulo 16. [82599:8.2.3.23.71]
            registers.Post(Regs.RQSMR[word], FourBytes(word, Totals.CounterSets));
        }

        Flush(registers);
        SetUpRss(registers, queues);
    }

    /// <summary>TCP and UDP over all queues by their hash; all else, fragments included, to queue 0. [82599:7.1.2.8]</summary>
    private static void SetUpRss(Mmio registers, int queues)
    {
        for (int word = 0; word < Regs.RSSRK.Count; word++)
        {
            registers.Write(Regs.RSSRK[word], BinaryPrimitives.ReadUInt32LittleEndian(RssKey[(word * 4)..]));
        }

        for (int word = 0; word < Regs.RETA.Count; word++)
        {
            registers.Write(Regs.RETA[word], FourBytes(word, queues));
        }

        uint kinds = Mrqc.TCP_IPV4.Mask | Mrqc.TCP_IPV6.Mask | Mrqc.UDP_IPV4.Mask | Mrqc.UDP_IPV6.Mask;
        uint spread = Mrqc.MRQE.Put(Mrqc.MRQE_RSS) | kinds;
        registers.Write(Regs.MRQC, queues > 1 ? spread : Mrqc.MRQE.Put(Mrqc.MRQE_NONE));
        // The hash and the fragment checksum share a place in the descriptor. [82599:8.2.3.7.5]
        registers.Change(Regs.RXCSUM, Rxcsum.PCSD, queues > 1 ? 1u : 0u);
    }

    /// <summary>Four entries of one byte, in a register of their own: those from <c>4 * word</c> on, modulo
    /// <paramref name="count"/>.</summary>
    internal static uint FourBytes(int word, int count)
    {
        Span<byte> entries = [0, 0, 0, 0];
        for (int i = 0; i < entries.Length; i++)
        {
            entries[i] = (byte)(((4 * word) + i) % count);
        }

        return BinaryPrimitives.ReadUInt32LittleEndian(entries);
    }

    /// <summary>Tells the device where a ring is and how its buffers look. [82599:4.6.7] [82599:8.2.3.8.7]</summary>
    private static void Program(Nic nic, RxQueue queue)
    {
        (Mmio registers, int n) = (nic.Registers, queue.Number);
        ulong iova = DmaMemory.Iova(nic.Memory.Extents, queue.Span.Offset);
        registers.Write(Regs.RDBAL[n], (uint)iova);
        registers.Write(Regs.RDBAH[n], (uint)(iova >> 32));
        registers.Write(Regs.RDLEN[n], (uint)queue.Span.Length);
        registers.Write(Regs.RDH[n], 0);
        registers.Write(Regs.RDT[n], 0);
        uint buffers = Srrctl.BSIZEPACKET.Put(PacketKib) | Srrctl.BSIZEHEADER.Put(HeaderLines);
        // With one queue packets may wait for a descriptor; with several, one idle queue would stop all others.
        uint drop = Srrctl.DROP_EN.Put(nic.Options.RxQueues > 1 ? 1u : 0u);
        registers.Write(Regs.SRRCTL[n], buffers | drop | Srrctl.DESCTYPE.Put(Srrctl.DESCTYPE_ADV_ONE_BUFFER));
        registers.Clear(Regs.RSCCTL[n], Rscctl.RSCEN.Mask);
        uint relaxed = DcaRxctrl.DATA_WRITE_RO.Mask | DcaRxctrl.HEADER_RO.Mask;
        registers.Clear(Regs.DCA_RXCTRL[n], DcaRxctrl.RESERVED_CLEAR.Mask | relaxed); // bit 12 [82599:4.6.7]
        registers.Clear(Regs.RXDCTL[n], Rxdctl.VME.Mask | Rxdctl.RLPML_EN.Mask); // VLAN tags stay
    }

    /// <summary>Enables a ring, waits until the device says that it is, and only then hands it the descriptors.
    /// [82599:4.6.7.1.1]</summary>
    private static void Enable(Mmio registers, RxQueue queue)
    {
        registers.Set(Regs.RXDCTL[queue.Number], Rxdctl.ENABLE.Mask);
        registers.WaitSet(Regs.RXDCTL[queue.Number], Rxdctl.ENABLE, Deadline);
        queue.Publish();
        Flush(registers);
    }

    /// <summary>Turns reception on or off while the security block holds the packets back. [82599:4.6.7]</summary>
    private static void SwitchReception(Mmio registers, bool on)
    {
        registers.Set(Regs.SECRXCTRL, Secrxctrl.RX_DIS.Mask);
        registers.WaitSet(Regs.SECRXSTAT, Secrxstat.RDY, Deadline);
        registers.Change(Regs.RXCTRL, Rxctrl.RXEN, on ? 1u : 0u);
        registers.Clear(Regs.SECRXCTRL, Secrxctrl.RX_DIS.Mask);
    }
}
