// app · the command line that is the same in every language
// System.CommandLine for the arguments; a job a command, moved by pinned worker threads while the main thread reports.

using System.CommandLine;

namespace Ringway.App;

/// <summary><c>ringway-csharp</c>: forward, generate, capture, info.</summary>
/// <remarks>Exit codes: 0 done, 1 the output file failed, 2 usage, 3 cannot open the device, 4 the device failed.</remarks>
internal static class Program
{
    private static int Main(string[] words)
    {
        ParseResult parsed = CommandLine.Root.Parse(words);
        if (parsed.Errors.Count > 0)
        {
            foreach (System.CommandLine.Parsing.ParseError error in parsed.Errors)
            {
                Console.Error.WriteLine($"ringway-csharp: {error.Message}");
            }

            Console.Error.WriteLine("ringway-csharp --help says more");
            return (int)ExitCode.Usage;
        }

        return parsed.Invoke();
    }

    /// <summary>Runs a command and says why it failed, if it did.</summary>
    internal static int Run(string app, Settings settings, Action<Settings, Report> command)
    {
        Report report = new(app, settings.Json);
        try
        {
            command(settings, report);
            return (int)ExitCode.Done;
        }
        catch (FailureException failure)
        {
            report.Error(failure.Kind, failure.Message);
            return (int)failure.Code;
        }
        catch (RingwayException failure)
        {
            // What is wrong at opening is told as such; after that it is the device's fault.
            report.Error(failure.Kind, failure.Message);
            return (int)ExitCode.DeviceFailed;
        }
    }
}
