namespace Ringway;

/// <summary>A run of bytes in DMA memory.</summary>
internal readonly record struct DmaSpan(long Offset, int Length);
