namespace Ringway.Bus;

/// <summary>Notices a dead peer although the driver only polls memory.</summary>
/// <remarks>Every few polls in vain it looks at the clock, and every few milliseconds at the device: after a number of polls
/// alone it would be late where polls are rare, and dear where they are not.</remarks>
internal struct Watch(IFunction function)
{
    private const int Polls = 16;
    private const long IntervalMs = 20;

    private long checkedAt = Environment.TickCount64;
    private int polls;

    /// <summary>To be called after each poll in vain.</summary>
    /// <exception cref="DeviceFailedException">The device is gone.</exception>
    public void InVain()
    {
        if (++polls >= Polls)
        {
            Look();
        }
    }

    private void Look()
    {
        polls = 0;
        long now = Environment.TickCount64;
        if (now - checkedAt >= IntervalMs)
        {
            checkedAt = now;
            function.Check();
        }
    }
}
