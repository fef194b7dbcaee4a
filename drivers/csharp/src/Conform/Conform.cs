// conform · conformance/README.md
// The line protocol on standard input and output, as thin as it can be over the public interface of the driver.

using System.Runtime.InteropServices;

namespace Ringway.Conform;

/// <summary><c>ringway-csharp-conform</c>: reads commands line by line and answers each with one line.</summary>
internal static class Program
{
    /// <summary>DMA memory for all devices of a test; pages take no RAM until they are used.</summary>
    private const long MemoryBytes = 1L << 30;

    /// <summary>Where the judge will name PCI functions, it says how many MiB of hugepages there are for them.</summary>
    private static DmaMemory MakeMemory() =>
        long.TryParse(Environment.GetEnvironmentVariable("RINGWAY_HUGEPAGES"), out long mib)
            ? DmaMemory.CreatePhysical(mib << 20, concurrent: false)
            : DmaMemory.Create(MemoryBytes, concurrent: false);

    private static int Main()
    {
        using DmaMemory memory = MakeMemory();
        using Testee testee = new(memory);
        Lock turn = new();
        // A signal ends the program between two commands; a long one looks at the flag.
        void End(PosixSignalContext context)
        {
            context.Cancel = true;
            testee.Signalled = true;
            lock (turn)
            {
                testee.Dispose();
                Environment.Exit(0);
            }
        }

        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, End);
        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, End);
        using StreamReader input = new(Console.OpenStandardInput(), bufferSize: 1 << 16);
        using StreamWriter output = new(Console.OpenStandardOutput()) { AutoFlush = true, NewLine = "\n" };
        while (input.ReadLine() is { } line)
        {
            lock (turn)
            {
                output.WriteLine(testee.Answer(line));
            }

            if (testee.Quit)
            {
                break;
            }
        }

        return 0;
    }
}
