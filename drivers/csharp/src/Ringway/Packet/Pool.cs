using System.Runtime.CompilerServices;

namespace Ringway;

/// <summary>A stack of slot numbers: the slot that came home last, whose lines are still in the cache, is the next to go.</summary>
/// <remarks>A slot always comes home to the pool that it was taken from, whichever device or batch lets go of it.</remarks>
public sealed class Pool
{
    private readonly int[] stack;
    private readonly bool concurrent;
    private SpinLock mutex = new(enableThreadOwnerTracking: false);
    private int free;

    internal Pool(int[] slots, byte number, bool concurrent)
    {
        (stack, Number, this.concurrent) = (slots, number, concurrent);
        free = slots.Length;
    }

    /// <summary>Slots of the pool, wherever they are.</summary>
    public int Total => stack.Length;

    /// <summary>Slots that are at home.</summary>
    public int Free => Volatile.Read(ref free);

    internal byte Number { get; }

    /// <summary>Its device is closed: the pool ends when its last slot is home.</summary>
    internal bool Retired { get; set; }

    /// <summary>Takes up to <c>into.Length</c> slots; returns how many.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int Take(Span<int> into)
    {
        bool taken = Enter();
        int count = Math.Min(into.Length, free);
        free -= count;
        stack.AsSpan(free, count).CopyTo(into);
        Exit(taken);
        return count;
    }

    /// <summary>Takes slots that are this pool's back home.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void GiveBack(ReadOnlySpan<int> slots)
    {
        bool taken = Enter();
        slots.CopyTo(stack.AsSpan(free));
        free += slots.Length;
        Exit(taken);
    }

    private bool Enter()
    {
        bool taken = false;
        if (concurrent)
        {
            mutex.Enter(ref taken);
        }

        return taken;
    }

    private void Exit(bool taken)
    {
        if (taken)
        {
            mutex.Exit();
        }
    }
}
