using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using Ringway.Bus;
using Ringway.Ixgbe;

namespace Ringway.Tests;

/// <summary>Just enough of an 82599 to drive: registers in an array, rings in the driver's own memory, played by hand.</summary>
internal sealed class FakeNic(DmaMemory memory, Window? window = null) : IFunction
{
    private const int Bar = 0x2_0000;

    private readonly uint[] registers = new uint[Bar / sizeof(uint)];
    private readonly byte[] config = Config();
    private int rxHead;
    private int txHead;

    /// <summary>What the driver wrote to BAR0, in order, while <see cref="Records"/>.</summary>
    public List<(uint Offset, uint Value)> Written { get; } = [];

    public bool Records { get; set; } = true;

    /// <summary>A register that never shows these bits, however long the driver waits.</summary>
    public (Register Register, uint Mask)? Stuck { get; set; }

    public bool IsGone { get; set; }

    public bool IsMapped { get; private set; }

    public bool IsDisposed { get; private set; }

    public Way Way => Way.VfioUser;

    public string Address => "fake";

    public ulong Size(uint region) => region == Wire.Region.BAR0 ? (ulong)Bar : 0;

    /// <summary>The pages with the queues' registers, so that a doorbell is a store: the <paramref name="n"/>th such window.
    /// </summary>
    public static Window? Map(DmaMemory registers, int n) => Window.TryMap(registers.File, (ulong)(n * Bar), 0x1000, 0x6000);

    public IReadOnlyList<Window> Windows(uint region) => window is null ? [] : [window];

    public uint this[Register register]
    {
        get => Load(register.Offset);
        set => registers[register.Offset / sizeof(uint)] = value;
    }

    public void Read(uint region, ulong offset, Span<byte> bytes)
    {
        Check();
        if (region == Wire.Region.CONFIG)
        {
            config.AsSpan((int)offset, bytes.Length).CopyTo(bytes);
            return;
        }

        uint value = Answer((uint)offset);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
    }

    public void Write(uint region, ulong offset, ReadOnlySpan<byte> bytes)
    {
        Check();
        if (region == Wire.Region.CONFIG)
        {
            bytes.CopyTo(config.AsSpan((int)offset));
            return;
        }

        uint value = BinaryPrimitives.ReadUInt32LittleEndian(bytes);
        if (Records)
        {
            Written.Add(((uint)offset, value));
        }

        if (offset == Regs.CTRL.Offset && Ctrl.RST.IsSet(value))
        {
            Array.Clear(registers);
            (rxHead, txHead) = (0, 0);
            value = 0;
        }

        registers[offset / sizeof(uint)] = value;
    }

    public void MapDma(DmaMemory memory) => IsMapped = true;

    public void UnmapDma(DmaMemory memory) => IsMapped = false;

    public int Vectors() => 0;

    public void BindVectors(int first, IReadOnlyList<SafeFileHandle> events) => throw new UnsupportedException("vectors");

    public void UnbindVectors()
    {
    }

    public void Reset() => Array.Clear(registers);

    public void Check()
    {
        if (IsGone)
        {
            throw new DeviceFailedException("fake: gone");
        }
    }

    public void Dispose()
    {
        IsDisposed = true;
        window?.Dispose();
    }

    /// <summary>Receive descriptors that the device may fill.</summary>
    public int RxFree => Distance(rxHead, (int)this[Regs.RDT[0]], RxSize);

    /// <summary>Puts a packet of so many bytes, each <paramref name="fill"/>, into the next receive buffer.</summary>
    public void Receive(int length, byte fill, bool ends = true, ulong claims = ulong.MaxValue)
    {
        Span<Descriptor> ring = Ring(Regs.RDBAL[0], Regs.RDBAH[0], RxSize);
        ref Descriptor descriptor = ref ring[rxHead];
        memory.Bytes(OffsetOf(descriptor.First), length).Fill(fill);
        descriptor.First = 0;
        ulong words = claims == ulong.MaxValue ? (ulong)length : claims;
        ulong status = RxWriteback.DD.Mask | (ends ? RxWriteback.EOP.Mask : 0) | RxWriteback.LENGTH.Put(words);
        Volatile.Write(ref descriptor.Second, status);
        rxHead = (rxHead + 1) % RxSize;
    }

    /// <summary>Sends what the driver has put into its transmit ring; returns the number of packets.</summary>
    public int Transmit(Action<byte[]>? wire = null)
    {
        int size = (int)this[Regs.TDLEN[0]] / Descriptor.Bytes, packets = 0;
        Span<Descriptor> ring = Ring(Regs.TDBAL[0], Regs.TDBAH[0], size);
        while (txHead != (int)this[Regs.TDT[0]])
        {
            ref Descriptor descriptor = ref ring[txHead];
            int length = (int)TxData.DTALEN.Get(descriptor.Second);
            wire?.Invoke(memory.Bytes(OffsetOf(descriptor.First), length).ToArray());
            packets += (descriptor.Second & TxData.EOP.Mask) != 0 ? 1 : 0;
            if ((descriptor.Second & TxData.RS.Mask) != 0)
            {
                Volatile.Write(ref descriptor.Second, TxWriteback.DD.Mask);
            }

            txHead = (txHead + 1) % size;
        }

        return packets;
    }

    private int RxSize => (int)this[Regs.RDLEN[0]] / Descriptor.Bytes;

    private Span<Descriptor> Ring(Register low, Register high, int size) =>
        memory.View<Descriptor>(new DmaSpan(OffsetOf(this[low] | ((ulong)this[high] << 32)), size * Descriptor.Bytes));

    private long OffsetOf(ulong iova) => (long)(iova - memory.Extents[0]);

    private static int Distance(int from, int to, int size) => (to - from + size) % size;

    private uint Load(uint offset) =>
        window?.Covers(offset) == true ? window.Load(offset) : registers[offset / sizeof(uint)];

    private uint Answer(uint offset)
    {
        uint value = Load(offset);
        value |= offset == Regs.EEC.Offset ? Eec.ARD.Mask
            : offset == Regs.RDRXCTL.Offset ? Rdrxctl.DMAIDONE.Mask
            : offset == Regs.SECRXSTAT.Offset ? Secrxstat.RDY.Mask
            : offset == Regs.TDH[0].Offset ? this[Regs.TDT[0]] // sent at once
            : offset == Regs.RAL[0].Offset ? 0x0403_0002u
            : offset == Regs.RAH[0].Offset ? 0x0605u
            : offset == Regs.LINKS.Offset ? Links.UP.Mask | Links.SPEED.Put(Links.SPEED_10G)
            : 0;
        return Stuck is { } stuck && stuck.Register.Offset == offset ? value & ~stuck.Mask : value;
    }

    private static byte[] Config()
    {
        byte[] bytes = new byte[Wire.Pci.BYTES];
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, Wire.PciId.INTEL);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan((int)Wire.Pci.DEVICE_ID), Wire.PciId.I82599_SFP);
        return bytes;
    }
}
