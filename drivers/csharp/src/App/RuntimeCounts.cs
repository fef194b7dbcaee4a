namespace Ringway.App;

/// <summary>What the garbage collector had to do, for all threads of the process.</summary>
/// <param name="AllocatedBytes">Bytes allocated.</param>
/// <param name="Collections">Collections, of whatever generation.</param>
internal readonly record struct RuntimeCounts(long AllocatedBytes, int Collections)
{
    /// <summary>Since the process began.</summary>
    public static RuntimeCounts Now() => new(
        GC.GetTotalAllocatedBytes(precise: true),
        // A collection of a generation counts for all below it too.
        GC.CollectionCount(0));

    /// <summary>What came between two looks.</summary>
    public static RuntimeCounts operator -(RuntimeCounts after, RuntimeCounts before) =>
        new(after.AllocatedBytes - before.AllocatedBytes, after.Collections - before.Collections);
}
