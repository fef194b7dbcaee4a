namespace Ringway.App;

/// <summary>How the program ends.</summary>
internal enum ExitCode
{
    Done,
    OutputFailed,
    Usage,
    CannotOpen,
    DeviceFailed,
}

/// <summary>Why the program ends early, with its exit code.</summary>
internal sealed class FailureException(ExitCode code, string kind, string message) : Exception(message)
{
    public ExitCode Code { get; } = code;

    public string Kind { get; } = kind;

    public static FailureException Opening(RingwayException failure) =>
        new(ExitCode.CannotOpen, failure.Kind, failure.Message);

    public static FailureException Output(string path, Exception failure) =>
        new(ExitCode.OutputFailed, "OutputFailed", $"writing {path}: {failure.Message}");

    public static FailureException Usage(string message) => new(ExitCode.Usage, "Usage", message);
}
