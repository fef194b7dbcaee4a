// ixgbe/four · 82599:7.1.6 82599:7.2.3.2
// Writing descriptors four at a time with AVX2, in safe code: vectors are taken from spans and put into spans.

using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Ringway.Ixgbe;

/// <summary>The same as the loops of <see cref="RxQueue"/> and <see cref="TxQueue"/>, which do what is left: less than four,
/// packets that need a closer look, and everything where there is no AVX2.</summary>
internal static class FourAtOnce
{
    /// <summary>Descriptors in a step.</summary>
    public const int Step = 4;

    /// <summary>64-bit words of that many descriptors.</summary>
    private const int Words = 2 * Step;

    /// <summary>Gives slots to the device to receive into. Returns how many it did: a multiple of four.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Receive(Span<ulong> descriptors, ReadOnlySpan<int> slots, SlotAddresses addresses)
    {
        int done = 0;
        if (Avx2.IsSupported && addresses.AreLinear)
        {
            for (; done <= slots.Length - Step; done += Step)
            {
                Vector256<ulong> iovas = addresses.Four(Vector128.Create(slots.Slice(done, Step)));
                Put(descriptors.Slice(2 * done, Words), iovas, Vector256<ulong>.Zero);
            }
        }

        return done;
    }

    /// <summary>Gives packets of one slot each to the device to send, as long as none has to be made longer. Returns how many it
    /// did: a multiple of four.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Send(Span<ulong> descriptors, Span<int> places, ReadOnlySpan<int> packets, ReadOnlySpan<ushort> lengths,
        SlotAddresses addresses)
    {
        int done = 0;
        if (Avx2.IsSupported && addresses.AreLinear)
        {
            for (; done <= packets.Length - Step; done += Step)
            {
                ReadOnlySpan<int> four = packets.Slice(done, Step);
                Vector256<ulong> length = Vector256.Create(
                    (ulong)lengths[four[0]], lengths[four[1]], lengths[four[2]], lengths[four[3]]);
                if (Vector256.LessThanAny(length, Vector256.Create((ulong)TxQueue.Shortest)))
                {
                    break;
                }

                Vector128<int> slots = Vector128.Create(four);
                Put(descriptors.Slice(2 * done, Words), addresses.Four(slots), Desc.Commands(length));
                slots.CopyTo(places.Slice(done, Step));
            }
        }

        return done;
    }

    /// <summary>Writes the first words and the second words of four descriptors.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Put(Span<ulong> descriptors, Vector256<ulong> first, Vector256<ulong> second)
    {
        Vector256<ulong> even = Avx2.UnpackLow(first, second), odd = Avx2.UnpackHigh(first, second);
        Avx2.Permute2x128(even, odd, 0x20).CopyTo(descriptors);
        Avx2.Permute2x128(even, odd, 0x31).CopyTo(descriptors[Step..]);
    }
}
