using System.Buffers.Binary;
using System.Diagnostics;

namespace Ringway.Probe;

/// <summary>A legacy transmit descriptor of an 82574.</summary>
internal struct Descriptor
{
    public ulong Buffer;
    public uint Command;
    public uint Status;
}

/// <summary>A card with a ring of eight descriptors and, one page behind it, a frame.</summary>
internal sealed class Card : IDisposable
{
    /// <summary>No memory is mapped there.</summary>
    public const ulong Nowhere = 8ul << 30;

    /// <summary>How long the card may take for one frame, or one interrupt.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private const int MemoryBytes = 4 << 20, PageBytes = 4096, Descriptors = 8, FrameBytes = 128;
    private const uint SendAndSay = 0x0B << 24; // EOP, IFCS, RS
    private const uint Done = 1;

    private readonly DmaSpan space;

    private Card(IFunction function, DmaMemory memory)
    {
        (Function, Memory) = (function, memory);
        space = memory.TakeRing(2 * PageBytes);
        Ring = DmaMemory.Iova(memory.Extents, space.Offset);
    }

    public IFunction Function { get; }

    public DmaMemory Memory { get; }

    /// <summary>Where the card sees its ring.</summary>
    public ulong Ring { get; }

    /// <summary>Reaches the card by whichever way its address says, and takes it.</summary>
    public static Card Open(string address)
    {
        DmaMemory memory = Functions.NeedsPhysicalMemory(address)
            ? DmaMemory.CreatePhysical(MemoryBytes)
            : DmaMemory.Create(MemoryBytes);
        IFunction? function = null;
        try
        {
            function = Functions.Open(address);
            function.Claim(memory);
            return new Card(function, memory);
        }
        catch
        {
            function?.Dispose();
            memory.Dispose();
            throw;
        }
    }

    public uint Read(uint register)
    {
        Span<byte> word = [0, 0, 0, 0];
        Function.Read(0, register, word);
        return BinaryPrimitives.ReadUInt32LittleEndian(word);
    }

    public void Write(uint register, uint value)
    {
        Span<byte> word = [0, 0, 0, 0];
        BinaryPrimitives.WriteUInt32LittleEndian(word, value);
        Function.Write(0, register, word);
    }

    /// <summary>Sends one frame whose ring is at <paramref name="ring"/>. True if the card wrote back that it is done.</summary>
    public bool Transmit(ulong ring)
    {
        ref Descriptor first = ref Prepare();
        Write(Regs.TCTL, 0);
        Write(Regs.TDBAL, (uint)ring);
        Write(Regs.TDBAH, (uint)(ring >> 32));
        Write(Regs.TDLEN, Descriptors * 16);
        Write(Regs.TDH, 0);
        Write(Regs.TDT, 0);
        Write(Regs.TCTL, Regs.TCTL_EN);
        Write(Regs.TDT, 1);
        long start = Stopwatch.GetTimestamp();
        while ((Volatile.Read(ref first.Status) & Done) == 0)
        {
            // A card that has read a ring, its own or nobody's, is at its end at once.
            if (Stopwatch.GetElapsedTime(start) > Patience || (ring == Nowhere && Read(Regs.TDH) == 1))
            {
                return false;
            }

            Thread.Sleep(1);
        }

        return true;
    }

    public void Dispose()
    {
        Function.Dispose();
        Memory.Dispose();
    }

    /// <summary>Writes frame and descriptor.</summary>
    private ref Descriptor Prepare()
    {
        Span<byte> frame = Memory.Bytes(space.Offset + PageBytes, FrameBytes);
        frame.Clear();
        ReadOnlySpan<byte> header = [255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 3, 0x88, 0xB5];
        header.CopyTo(frame);
        "ringway was here, by way of an IOMMU, written in C#"u8.CopyTo(frame[header.Length..]);
        ref Descriptor first = ref Memory.View<Descriptor>(space)[0];
        first = new Descriptor { Buffer = Ring + PageBytes, Command = FrameBytes | SendAndSay };
        return ref first;
    }
}
