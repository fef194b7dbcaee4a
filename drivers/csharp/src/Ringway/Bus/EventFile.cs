using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>An eventfd: a counter that the kernel or a device adds to.</summary>
internal sealed unsafe class EventFile : IDisposable
{
    private const int CloseOnExecNonBlocking = 0x80800;
    private const short PollIn = 1;

    public EventFile()
    {
        bool made = Native.Own(Native.EventFd(0, CloseOnExecNonBlocking), out SafeFileHandle file, out int errno);
        File = file;
        if (!made)
        {
            throw new OutOfDmaMemoryException($"an event: {Native.Say(errno)}");
        }
    }

    /// <summary>Its descriptor, to give to somebody who signals it.</summary>
    public SafeFileHandle File { get; }

    /// <summary>The descriptor's number in this process.</summary>
    public int Number => Native.NumberOf(File);

    /// <summary>True once it was signalled.</summary>
    public bool HasHappened
    {
        get
        {
            Native.PollEntry entry = new() { File = Number, Events = PollIn };
            return Native.Poll(&entry, 1, 0) > 0;
        }
    }

    public void Dispose() => File.Dispose();
}
