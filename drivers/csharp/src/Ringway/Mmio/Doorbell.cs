namespace Ringway;

/// <summary>A tail register.</summary>
internal sealed unsafe class Doorbell(Mmio registers, Register register, Window? window)
{
    // Valid as long as the window is: the queue that rings is closed before the window is unmapped.
    private readonly uint* mapped = window is null ? null : window.At(register.Offset);

    /// <summary>Writes the tail, after everything that was written to DMA memory before (release).</summary>
    public void Ring(int tail)
    {
        if (mapped != null)
        {
            Volatile.Write(ref *mapped, (uint)tail);
        }
        else
        {
            registers.Write(register, (uint)tail);
        }
    }
}
