using System.Buffers.Binary;
using System.Net.NetworkInformation;

namespace Ringway.Ixgbe;

/// <summary>Address filters: what is received. Their tables are undefined after a reset. [82599:7.1.1]</summary>
internal static partial class Init
{
    /// <summary>Changes the filter of a running device: reception is off meanwhile, as FCTRL demands. [82599:8.2.3.7.1]
    /// </summary>
    public static void SetPromiscuous(Mmio registers, bool on)
    {
        SwitchReception(registers, false);
        SetFilters(registers, on);
        SwitchReception(registers, true);
    }

    /// <summary>The device's own address, which the reset has loaded from the EEPROM into entry 0. [82599:8.2.3.7.8]</summary>
    private static PhysicalAddress ReadMac(Mmio registers)
    {
        byte[] mac = new byte[6];
        uint high = registers.ReadThrough(Regs.RAH[0]);
        BinaryPrimitives.WriteUInt32LittleEndian(mac, registers.ReadThrough(Regs.RAL[0]));
        BinaryPrimitives.WriteUInt16LittleEndian(mac.AsSpan(4), (ushort)Rah.ADDRESS.Get(high));
        PhysicalAddress address = new(mac);
        if ((mac[0] & 1) != 0 || !mac.AsSpan().ContainsAnyExcept((byte)0))
        {
            throw new DeviceFailedException($"its EEPROM has the Ethernet address {address}");
        }

        registers.Write(Regs.RAH[0], Rah.AV.Set(high, 1));
        return address;
    }

    /// <summary>Empties every table but our own address. [82599:4.6.7]</summary>
    private static void ClearTables(Mmio registers)
    {
        for (int entry = 1; entry < Regs.RAL.Count; entry++)
        {
            registers.Post(Regs.RAH[entry], 0);
            registers.Post(Regs.RAL[entry], 0);
        }

        foreach (Registers table in (Registers[])[Regs.MPSAR, Regs.MTA, Regs.VFTA, Regs.PFUTA])
        {
            for (int word = 0; word < table.Count; word++)
            {
                registers.Post(table[word], 0);
            }
        }

        Flush(registers);
    }

    /// <summary>Our address and broadcasts, or everything; all VLANs. Only while reception is off. [82599:8.2.3.7.1]</summary>
    private static void SetFilters(Mmio registers, bool promiscuous)
    {
        uint everything = promiscuous ? Fctrl.UPE.Mask | Fctrl.MPE.Mask : 0;
        registers.Write(Regs.FCTRL, Fctrl.BAM.Mask | everything);
        registers.Clear(Regs.MCSTCTRL, Mcstctrl.MFE.Mask);
        registers.Clear(Regs.VLNCTRL, Vlnctrl.VFE.Mask | Vlnctrl.CFIEN.Mask);
    }
}
