// ixgbe/desc · 82599:7.1.6 82599:7.2.3.2
// Two quadwords and functions over the generated fields; masks are static readonly, which compiled code takes as constants.

using System.Runtime.CompilerServices;

namespace Ringway.Ixgbe;

/// <summary>A descriptor: two 64-bit words that driver and device hand to each other.</summary>
/// <remarks>
/// Receive, as the driver gives it (read) and as it comes back (back), advanced, one buffer; transmit, advanced data:
/// <code>
///         63                     32 31    30         21 20   17 16      4 3       0
///        ┌──────────────────────────────────────────────────────────────────────────┐
/// read 0 │                            packet buffer address                         │
/// read 1 │                      header buffer address = 0 (bit 0: DD)               │
///        ├─────────────────────────┬─────┬─────────────┬───────┬─────────┬──────────┤
/// back 0 │        RSS hash         │ SPH │ header len  │ RSCCNT│ pkt type│ RSS type │
///        ├────────────┬────────────┼─────┴─────────────┼───────┴─────────┴──────────┤
/// back 1 │    VLAN    │   length   │   errors (31:20)  │  status (19:0): EOP 1, DD 0 │
///        └────────────┴────────────┴───────────────────┴────────────────────────────┘
///         63        48 47        32
///
///         63          46 45   40 39 38 36 35  32 31   24 23  20 19    16 15         0
///        ┌──────────────────────────────────────────────────────────────────────────┐
///  tx  0 │                               buffer address                             │
///        ├──────────────┬───────┬──┬─────┬──────┬───────┬──────┬────────┬───────────┤
///  tx  1 │    PAYLEN    │ POPTS │CC│ IDX │ STA  │ DCMD  │ DTYP │   0    │  DTALEN   │
///        └──────────────┴───────┴──┴─────┴──────┴───────┴──────┴────────┴───────────┘
/// back 1 │                            DD 32      │                                   all else undefined
/// </code>
/// </remarks>
internal struct Descriptor
{
    public const int Bytes = 16;

    public ulong First;
    public ulong Second;
}

/// <summary>Reading and writing descriptors.</summary>
internal static class Desc
{
    /// <summary>Asks the device to say when it is done. Legal only where a packet ends. [82599:7.2.3.2.4]</summary>
    public static readonly ulong Report = TxData.RS.Mask;

    private static readonly ulong Done = RxWriteback.DD.Mask, End = RxWriteback.EOP.Mask, Bad = RxWriteback.RXE.Mask;
    private static readonly ulong Sent = TxWriteback.DD.Mask, PacketEnds = TxData.EOP.Mask;
    private static readonly int LengthShift = RxWriteback.LENGTH.Shift, TotalShift = TxData.PAYLEN.Shift;
    private static readonly int AddressShift = RxRead.BUFFER.Shift;
    private static readonly ulong HashKind = RxWriteback.RSS_TYPE.Mask;
    private static readonly int HashShift = RxWriteback.RSS_HASH.Shift;

    /// <summary>What every transmit descriptor of ours has set: advanced data, and an FCS to be added by the device.</summary>
    private static readonly ulong Transmit =
        TxData.DTYP.Put(TxData.DTYP_DATA) | TxData.DEXT.Put(1) | TxData.IFCS.Put(1);

    /// <summary>A receive descriptor that gives the buffer at <paramref name="iova"/> to the device.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Descriptor Receive(ulong iova) => new() { First = iova << AddressShift, Second = 0 };

    /// <summary>The device is done with the receive descriptor.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsDone(ulong status) => (status & Done) != 0;

    /// <summary>The packet ends in this buffer.</summary>
    public static bool Ends(ulong status) => (status & End) != 0;

    /// <summary>The port saw an error. Only valid where the packet ends.</summary>
    public static bool IsBad(ulong status) => (status & Bad) != 0;

    /// <summary>A good packet that ends in this very buffer and has 1 to <paramref name="longest"/> bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsWhole(ulong status, int longest) =>
        (status & (Done | End | Bad)) == (Done | End) && (uint)(Length(status) - 1) < (uint)longest;

    /// <summary>Bytes in the buffer, as the device claims.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Length(ulong status) => (ushort)(status >> LengthShift);

    /// <summary>The RSS hash in the first word, 0 if the packet is of a kind that is not hashed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Hash(ulong first) => (first & HashKind) == 0 ? 0 : (uint)(first >> HashShift);

    /// <summary>The command for <paramref name="length"/> bytes of a packet of <paramref name="total"/>, which ends here or
    /// not.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Command(int length, int total, bool ends) =>
        Transmit | (ends ? PacketEnds : 0) | (uint)length | ((ulong)(uint)total << TotalShift);

    /// <summary>The device has said that it is done with the transmit descriptor.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsSent(ulong status) => (status & Sent) != 0;
}
