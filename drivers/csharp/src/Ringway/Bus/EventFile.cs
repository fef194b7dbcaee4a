using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>An eventfd: a counter that the kernel or a device adds to.</summary>
internal sealed unsafe class EventFile : IDisposable
{
    private const int CloseOnExecNonBlocking = 0x80800;
    private const short PollIn = 1;

    private readonly SafeFileHandle file;

    public EventFile()
    {
        if (!Native.Own(Native.EventFd(0, CloseOnExecNonBlocking), out file, out int errno))
        {
            throw new OutOfDmaMemoryException($"an event: {Native.Say(errno)}");
        }
    }

    /// <summary>Its number in this process.</summary>
    public int Number => Native.NumberOf(file);

    /// <summary>True once it was signalled.</summary>
    public bool HasHappened
    {
        get
        {
            Native.PollEntry entry = new() { File = Number, Events = PollIn };
            return Native.Poll(&entry, 1, 0) > 0;
        }
    }

    public void Dispose() => file.Dispose();
}
