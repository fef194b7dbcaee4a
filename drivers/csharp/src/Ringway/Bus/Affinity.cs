namespace Ringway;

/// <summary>Where threads run.</summary>
public static class Affinity
{
    private const int WordBits = 64, MaxCpus = 1024;

    /// <summary>Binds the calling thread to one CPU; the runtime's own threads stay free to run elsewhere.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such CPU, or this process may not use it.</exception>
    public static unsafe void PinThisThread(int cpu)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(cpu);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(cpu, MaxCpus);
        ulong* mask = stackalloc ulong[MaxCpus / WordBits];
        new Span<ulong>(mask, MaxCpus / WordBits).Clear();
        mask[cpu / WordBits] = 1UL << (cpu % WordBits);
        if (Bus.Native.SchedSetAffinity(0, MaxCpus / 8, mask) != 0)
        {
            throw new ArgumentOutOfRangeException(nameof(cpu), cpu, Bus.Native.Say(Bus.Native.Errno));
        }
    }
}
