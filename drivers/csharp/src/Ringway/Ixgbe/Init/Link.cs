namespace Ringway.Ixgbe;

/// <summary>The link: 10 GbE over SFP+. [82599:4.6.4]</summary>
internal static partial class Init
{
    /// <summary>Selects 10G serial with an SFI module and restarts auto-negotiation. [82599:3.7.4.2]</summary>
    private static void SetUpLink(Mmio registers)
    {
        registers.Change(Regs.AUTOC, Autoc.LMS, Autoc.LMS_10G_SERIAL);
        registers.Change(Regs.AUTOC2, Autoc2.PMA_10G_SERIAL, Autoc2.PMA_10G_SERIAL_SFI);
        registers.Change(Regs.AUTOC2, Autoc2.LINK_DISABLE, 0);
        registers.Set(Regs.AUTOC, Autoc.RESTART_AN.Mask);
    }

    /// <summary>Waits for the link, if that is wanted. LINKS holds a lost link until it is read once.</summary>
    private static void WaitForLink(Mmio registers, TimeSpan deadline)
    {
        if (deadline > TimeSpan.Zero)
        {
            registers.ReadThrough(Regs.LINKS);
            registers.WaitSet(Regs.LINKS, Links.UP, deadline);
        }
    }
}
