// mmio · 82599:4.6 vfio-user:mmap
// Registers by typed names: a volatile load or store where the address is mapped, a message where not; waits have deadlines.

using System.Buffers.Binary;
using System.Diagnostics;

namespace Ringway;

/// <summary>The registers of one region: which way an access takes, in what order, and how long to wait.</summary>
/// <remarks>
/// An access to a mapped address is one aligned 32-bit load or store; any other is a message, which has been carried out when
/// the call returns. A mapped load has no side effects when the other end is software, and a mapped store may not have been
/// looked at yet: <see cref="ReadThrough"/> always goes to the device, and is a fence for the stores before it.
/// </remarks>
internal sealed class Mmio(IFunction function, uint region)
{
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(1);

    private readonly IReadOnlyList<Window> windows = function.Windows(region);

    /// <summary>Reads a register: a load if it is mapped, otherwise a message.</summary>
    public uint Read(Register register) =>
        WindowOf(register) is { } window ? Doubted(window.Load(register.Offset)) : ReadThrough(register);

    /// <summary>Reads by asking the device, mapped or not: for registers that a read changes, and as a fence.</summary>
    public uint ReadThrough(Register register)
    {
        Span<byte> bytes = [0, 0, 0, 0];
        function.Read(region, register.Offset, bytes);
        return Doubted(BinaryPrimitives.ReadUInt32LittleEndian(bytes));
    }

    /// <summary>All ones is what a card that was pulled out reads as, and what hardly any register does: worth a question.</summary>
    private uint Doubted(uint value)
    {
        if (value == uint.MaxValue)
        {
            function.Check();
        }

        return value;
    }

    /// <summary>Writes a register: a store if it is mapped, otherwise a message whose answer is awaited.</summary>
    public void Write(Register register, uint value)
    {
        if (WindowOf(register) is { } window)
        {
            window.Store(register.Offset, value);
            return;
        }

        Span<byte> bytes = [0, 0, 0, 0];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        function.Write(region, register.Offset, bytes);
    }

    /// <summary>Writes without waiting for the answer, for long tables. Follow it with a <see cref="ReadThrough"/>.</summary>
    public void Post(Register register, uint value)
    {
        if (WindowOf(register) is not null)
        {
            Write(register, value);
            return;
        }

        Span<byte> bytes = [0, 0, 0, 0];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        function.Post(region, register.Offset, bytes);
    }

    /// <summary>Sets the bits of <paramref name="mask"/>, leaving the others.</summary>
    public void Set(Register register, uint mask) => Write(register, Read(register) | mask);

    /// <summary>Clears the bits of <paramref name="mask"/>, leaving the others.</summary>
    public void Clear(Register register, uint mask) => Write(register, Read(register) & ~mask);

    /// <summary>Gives one field another value, leaving the others.</summary>
    public void Change(Register register, Field field, uint value) => Write(register, field.Set(Read(register), value));

    /// <summary>Waits until the device itself says that <c>register &amp; mask == value</c>. Looks at least twice, so that a
    /// slow machine does not make a timeout of an answer that is there.</summary>
    /// <exception cref="DeviceTimeoutException">It did not, within <paramref name="deadline"/>.</exception>
    public void Wait(Register register, uint mask, uint value, TimeSpan deadline)
    {
        long start = Stopwatch.GetTimestamp();
        TimeSpan pause = TimeSpan.FromMicroseconds(1);
        while (true)
        {
            bool late = Stopwatch.GetElapsedTime(start) >= deadline;
            if ((ReadThrough(register) & mask) == value)
            {
                return;
            }

            if (late)
            {
                throw new DeviceTimeoutException(register.ToString(), mask, value, Stopwatch.GetElapsedTime(start));
            }

            Thread.Sleep(pause);
            pause = pause * 2 < LongestPause ? pause * 2 : LongestPause;
        }
    }

    /// <summary>Waits until all bits of <paramref name="field"/> are 1.</summary>
    public void WaitSet(Register register, Field field, TimeSpan deadline) =>
        Wait(register, field.Mask, field.Mask, deadline);

    /// <summary>The tail register of a queue, resolved once so that ringing it is one store.</summary>
    public Doorbell Doorbell(Register register) => new(this, register, WindowOf(register));

    private Window? WindowOf(Register register)
    {
        foreach (Window window in windows)
        {
            if (window.Covers(register.Offset))
            {
                return window;
            }
        }

        return null;
    }
}
