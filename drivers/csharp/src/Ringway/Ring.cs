// ring · 82599:7.1.9 82599:7.2.3
// Index arithmetic of one descriptor ring as a mutable struct: no memory, no I/O, any size, a comparison instead of a division.

namespace Ringway;

/// <summary>Which descriptors of a ring are whose. The same type serves both directions.</summary>
/// <remarks>
/// The driver hands descriptors over at <see cref="Fill"/> (the tail register) and takes them back at <see cref="Clean"/>.
/// One descriptor always stays empty, because head = tail means that the ring is empty.
/// <code>
///        clean            fill
///   ┌──────┼────────────────┼───────────────┐
///   │ free │   used: the device's, or done  │ free (one of them is the gap)
///   └──────┴────────────────┴───────────────┘
/// </code>
/// </remarks>
internal struct Ring(int size)
{
    /// <summary>Number of descriptors, the gap included; at least 2.</summary>
    public readonly int Size { get; } = size;

    /// <summary>The oldest descriptor that was handed over and not yet taken back.</summary>
    public int Clean { get; private set; }

    /// <summary>The next descriptor to hand over; the value for the tail register.</summary>
    public int Fill { get; private set; }

    /// <summary>Descriptors handed over and not yet taken back.</summary>
    public readonly int Used => Distance(Fill);

    /// <summary>Descriptors that may still be handed over; the gap is not among them.</summary>
    public readonly int Free => Size - 1 - Used;

    /// <summary>The index behind <paramref name="index"/>.</summary>
    public readonly int Next(int index) => Wrap(index + 1);

    /// <summary>An index that has run at most one lap ahead.</summary>
    public readonly int Wrap(int index) => index >= Size ? index - Size : index;

    /// <summary>Of <paramref name="count"/> descriptors from <paramref name="start"/> on, those up to the ring's end.</summary>
    public readonly int UpToTheEnd(int start, int count) => Math.Min(count, Size - start);

    /// <summary>Descriptors from <see cref="Clean"/> to <paramref name="index"/>, that one not included.</summary>
    public readonly int Distance(int index) => index >= Clean ? index - Clean : index + Size - Clean;

    /// <summary>Hands over the next descriptors; the caller has seen that so many are <see cref="Free"/>.</summary>
    public void HandOver(int count) => Fill = Wrap(Fill + count);

    /// <summary>Takes the oldest descriptors back; the caller has seen that so many are <see cref="Used"/>.</summary>
    public void TakeBack(int count) => Clean = Wrap(Clean + count);
}
