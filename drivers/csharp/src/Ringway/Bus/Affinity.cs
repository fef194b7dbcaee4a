namespace Ringway;

/// <summary>Where threads run.</summary>
public static class Affinity
{
    private const int WordBits = 64, MaxCpus = 1024;

    /// <summary>Whether the calling thread may run on each of <paramref name="count"/> CPUs from <paramref name="first"/> on.</summary>
    public static unsafe bool MayUse(int first, int count)
    {
        ulong* mask = stackalloc ulong[MaxCpus / WordBits];
        new Span<ulong>(mask, MaxCpus / WordBits).Clear();
        if (first < 0 || count > MaxCpus - first || Bus.Native.SchedGetAffinity(0, MaxCpus / 8, mask) < 0)
        {
            return false;
        }

        for (int cpu = first; cpu < first + count; cpu++)
        {
            if ((mask[cpu / WordBits] >> (cpu % WordBits) & 1) == 0)
            {
                return false;
            }
        }

        return true;
    }

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
