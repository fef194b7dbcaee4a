using System.Runtime.CompilerServices;

namespace Ringway.App;

/// <summary>Why a run ended.</summary>
internal enum StopReason
{
    Packets,
    Duration,
    Signal,
}

/// <summary>Names in the JSON lines.</summary>
internal static class StopReasons
{
    public static string Name(this StopReason reason) => reason switch
    {
        StopReason.Packets => "packets",
        StopReason.Duration => "duration",
        _ => "signal",
    };
}

/// <summary>Packets that may still be moved by all workers together.</summary>
internal sealed class Budget(long? packets)
{
    /// <summary>What may still be taken.</summary>
    private long left = packets ?? long.MaxValue;

    /// <summary>What is not moved yet: more than is left while somebody tries to use what it has taken.</summary>
    private long open = packets ?? long.MaxValue;

    /// <summary>There is an end to it.</summary>
    public bool IsLimited { get; } = packets is not null;

    /// <summary>Nothing is left, and nothing that was taken can come back.</summary>
    public bool IsSpent => IsLimited && Volatile.Read(ref open) == 0;

    /// <summary>Takes up to <paramref name="most"/>; to be followed by <see cref="Settle"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Take(int most)
    {
        if (!IsLimited)
        {
            return most;
        }

        while (true)
        {
            long had = Volatile.Read(ref left);
            int taken = (int)Math.Min(had, most);
            if (taken == 0 || Interlocked.CompareExchange(ref left, had - taken, had) == had)
            {
                return taken;
            }
        }
    }

    /// <summary>Of what was taken, so many are used; the others go back.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Settle(int taken, int used)
    {
        if (!IsLimited)
        {
            return;
        }

        if (taken > used)
        {
            Interlocked.Add(ref left, taken - used);
        }

        if (used > 0)
        {
            Interlocked.Add(ref open, -used);
        }
    }
}

/// <summary>What one worker thread does, again and again.</summary>
internal abstract class Job : IDisposable
{
    /// <summary>Some packets, as far as there are any. True if one moved.</summary>
    public abstract bool Round();

    /// <summary>There is nothing left to do.</summary>
    public abstract bool IsDone { get; }

    /// <summary>Gives back what it holds.</summary>
    public abstract void Dispose();
}
