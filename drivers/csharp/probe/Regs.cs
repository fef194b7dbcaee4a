namespace Ringway.Probe;

/// <summary>The registers of an 82574 that are needed to send a frame and to cause an interrupt.</summary>
internal static class Regs
{
    public const uint CTRL = 0x0000, STATUS = 0x0008, ICR = 0x00C0, ICS = 0x00C8, IMS = 0x00D0, IMC = 0x00D8, IVAR = 0x00E4;
    public const uint TCTL = 0x0400, TDBAL = 0x3800, TDBAH = 0x3804, TDLEN = 0x3808, TDH = 0x3810, TDT = 0x3818;

    /// <summary>CTRL: reset of the whole device.</summary>
    public const uint CTRL_RST = 1 << 26;

    /// <summary>TCTL: transmitting.</summary>
    public const uint TCTL_EN = 1 << 1;

    /// <summary>ICS, IMS: a cause that is neither receive nor transmit.</summary>
    public const uint CAUSE_OTHER = 1 << 24;

    /// <summary>IVAR: that cause by vector 1.</summary>
    public const uint IVAR_OTHER_BY_1 = (8 | 1) << 16;
}
