namespace Ringway;

/// <summary>What can go wrong with a device. Every message says what happened and, where there is one, the remedy.</summary>
/// <remarks>Empty and full rings are results, not exceptions; the data path throws <see cref="DeviceFailedException"/> only.
/// </remarks>
public abstract class RingwayException(string kind, string message) : Exception(message)
{
    /// <summary>One word for programs, the same in every language's driver.</summary>
    public string Kind { get; } = kind;
}

/// <summary>A wait for a register ran out.</summary>
public sealed class DeviceTimeoutException(string register, uint mask, uint value, TimeSpan waited)
    : RingwayException("Timeout", $"{register} & 0x{mask:x8} did not become 0x{value:x8} in {waited.TotalMilliseconds:F0} ms")
{
    /// <summary>Name of the register, as the data sheet writes it.</summary>
    public string Register { get; } = register;

    /// <summary>The bits that were awaited.</summary>
    public uint Mask { get; } = mask;

    /// <summary>What they should have become.</summary>
    public uint Value { get; } = value;

    /// <summary>How long the driver waited.</summary>
    public TimeSpan Waited { get; } = waited;
}

/// <summary>There is nothing at the address, or nothing that this library can talk to.</summary>
public sealed class NoSuchDeviceException(string address, string reason)
    : RingwayException("NoSuchDevice", $"{address}: {reason}")
{
    /// <summary>The address as it was given.</summary>
    public string Address { get; } = address;
}

/// <summary>The device is there, and we may not have it.</summary>
public sealed class PermissionDeniedException(string what, string remedy)
    : RingwayException("PermissionDenied", $"{what}; {remedy}")
{
    /// <summary>What was refused.</summary>
    public string What { get; } = what;

    /// <summary>What would help.</summary>
    public string Remedy { get; } = remedy;
}

/// <summary>The device, or this driver, cannot do what was asked.</summary>
public sealed class UnsupportedException(string what) : RingwayException("Unsupported", what);

/// <summary>DMA memory or a pool cannot hold what was asked.</summary>
public sealed class OutOfDmaMemoryException(string what) : RingwayException("OutOfMemory", what);

/// <summary>The device broke a rule or went away. It can only be closed.</summary>
public sealed class DeviceFailedException(string what) : RingwayException("DeviceFailed", what);
