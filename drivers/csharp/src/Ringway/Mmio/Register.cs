// mmio/register · spec/
// What the generated tables are made of: a register knows its own name, so that a wait that fails can tell it.

namespace Ringway;

/// <summary>One 32-bit register: its name in the data sheet, its number if it is one of several, its offset in BAR0.</summary>
internal readonly record struct Register(string Name, uint Offset, int Index = -1)
{
    /// <summary>Name as the data sheet writes it, <c>RDT[3]</c>.</summary>
    public override string ToString() => Index < 0 ? Name : $"{Name}[{Index}]";
}

/// <summary>A run of <c>Count</c> equally spaced registers, the first of which has number <c>First</c>.</summary>
internal readonly record struct Bank(int First, int Count, uint Offset, uint Stride);

/// <summary>Registers of one name that are reached by a number.</summary>
internal sealed class Registers(string name, params Bank[] banks)
{
    /// <summary>How many there are.</summary>
    public int Count => banks[^1].First + banks[^1].Count;

    /// <summary>Register number <paramref name="n"/>.</summary>
    public Register this[int n]
    {
        get
        {
            foreach (Bank bank in banks)
            {
                if (n >= bank.First && n < bank.First + bank.Count)
                {
                    return new Register(name, bank.Offset + bank.Stride * (uint)(n - bank.First), n);
                }
            }

            throw new ArgumentOutOfRangeException(nameof(n), n, name);
        }
    }
}

/// <summary>A field of a 32-bit register.</summary>
internal readonly record struct Field(int Shift, int Width)
{
    /// <summary>Ones at the field's bits.</summary>
    public uint Mask => (uint.MaxValue >> (32 - Width)) << Shift;

    /// <summary>True if any bit of the field is 1 in <paramref name="word"/>.</summary>
    public bool IsSet(uint word) => (word & Mask) != 0;

    /// <summary>The field's value in <paramref name="word"/>.</summary>
    public uint Get(uint word) => (word & Mask) >> Shift;

    /// <summary><paramref name="value"/> at the field's place, all else 0.</summary>
    public uint Put(uint value) => (value << Shift) & Mask;

    /// <summary><paramref name="word"/> with the field replaced.</summary>
    public uint Set(uint word, uint value) => (word & ~Mask) | Put(value);
}

/// <summary>A field of a 16-byte descriptor, in quadword <c>Quad</c>.</summary>
internal readonly record struct QuadField(int Quad, int Shift, int Width)
{
    /// <summary>Ones at the field's bits, in its own quadword.</summary>
    public ulong Mask => (ulong.MaxValue >> (64 - Width)) << Shift;

    /// <summary>The field's value in its quadword.</summary>
    public ulong Get(ulong quad) => (quad & Mask) >> Shift;

    /// <summary><paramref name="value"/> at the field's place, all else 0.</summary>
    public ulong Put(ulong value) => (value << Shift) & Mask;
}
