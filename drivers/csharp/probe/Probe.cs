// probe · Intel 82574
// The ways to a real card, on one that QEMU can play: an e1000e, which this driver does not drive, but whose transmit ring is simple
// enough to see whether DMA, interrupts and the IOMMU do what IFunction promises. See conformance/vm.
//
//     vfio_probe try ADDRESS [OTHER]    every step, one line each
//     vfio_probe send ADDRESS           one frame, by sysfs as well
//     vfio_probe open ADDRESS           only opens it
//     vfio_probe keep ADDRESS           holds it until the host wants it back

using System.Diagnostics;
using Ringway;
using Ringway.Bus;
using Ringway.Probe;

const int Failed = 1, Usage = 2;
TimeSpan keepTime = TimeSpan.FromSeconds(30);
try
{
    switch (args)
    {
        case ["try", string address]:
            TryAll(address, null);
            break;
        case ["try", string address, string other]:
            TryAll(address, other);
            break;
        case ["send", string address]:
            Send(address).Dispose();
            break;
        case ["open", string address]:
            OpenOnly(address);
            break;
        case ["keep", string address]:
            Keep(address);
            break;
        default:
            Console.Error.WriteLine("usage: vfio_probe try ADDRESS [OTHER] | send, open or keep ADDRESS");
            return Usage;
    }

    return 0;
}
catch (RingwayException failure)
{
    Console.Error.WriteLine($"vfio_probe: {failure.Message}");
    return Failed;
}

// One line for each step; the first that fails ends it.
static void Step(string name, bool good, string detail)
{
    Console.WriteLine($"{(good ? "ok" : "FAILED")} {name}: {detail}");
    if (!good)
    {
        throw new DeviceFailedException(name);
    }
}

static void TryAll(string address, string? other)
{
    using Card card = Send(address);
    Interrupt(card);
    if (other is not null)
    {
        Second(card, other);
    }

    Step("stray", !card.Transmit(Card.Nowhere), $"a ring at 0x{Card.Nowhere:x}, where nothing is mapped");
    card.Function.UnmapDma(card.Memory);
    Step("unmapped", !card.Transmit(card.Ring), $"a ring at 0x{card.Ring:x}, taken away");
    // QEMU's card does not forget its registers when it is put to sleep, which is how the kernel resets it.
    card.Function.Reset();
    Step("reset", true, "by the bus");
    card.Function.Check();
    card.Function.DisableDma();
}

// Opens the card by whichever way its address says, and sends a frame.
static Card Send(string address)
{
    Card card = Card.Open(address);
    try
    {
        (ushort vendor, ushort device) = card.Function.Identity();
        Step("identity", vendor != 0xFFFF, $"{card.Function.Way.Name()} {vendor:x4}:{device:x4}");
        Registers(card);
        card.Function.MapDma(card.Memory);
        card.Function.EnableDma();
        Step("dma", card.Transmit(card.Ring), $"a frame by a ring at 0x{card.Ring:x}, reported as done");
        return card;
    }
    catch
    {
        card.Dispose();
        throw;
    }
}

static void Registers(Card card)
{
    card.Function.EnableMemory();
    IReadOnlyList<Window> windows = card.Function.Windows(0);
    Step("window", windows is [{ Start: 0, Length: 0x2_0000 }], $"{windows.Count}, of BAR 0");
    card.Write(Regs.CTRL, Regs.CTRL_RST);
    Thread.Sleep(20);
    uint status = card.Read(Regs.STATUS);
    Step("registers", status != uint.MaxValue && (card.Read(Regs.CTRL) & Regs.CTRL_RST) == 0, $"STATUS 0x{status:x}");
}

// Has the card cause its "other" interrupt by hand, in vector 1.
static void Interrupt(Card card)
{
    using EventFile zero = new(), one = new();
    int count = card.Function.Vectors();
    card.Function.BindVectors(0, [zero.File, one.File]);
    card.Write(Regs.IVAR, Regs.IVAR_OTHER_BY_1);
    card.Write(Regs.IMS, Regs.CAUSE_OTHER);
    card.Write(Regs.ICS, Regs.CAUSE_OTHER);
    long start = Stopwatch.GetTimestamp();
    while (!one.HasHappened && Stopwatch.GetElapsedTime(start) < Card.Patience)
    {
        Thread.Sleep(1);
    }

    bool rightly = one.HasHappened && !zero.HasHappened;
    // What is left pending would come by the pin once MSI-X is off.
    card.Write(Regs.IMC, uint.MaxValue);
    card.Read(Regs.ICR);
    card.Function.UnbindVectors();
    Step("interrupt", rightly, $"vector 1 of {count} by its eventfd");
}

// Another function in the same address space: the memory is pinned once, and stays for the one when the other goes.
static void Second(Card card, string address)
{
    (ushort Vendor, ushort Device) id;
    using (IFunction other = Functions.Open(address))
    {
        id = other.Identity();
        other.MapDma(card.Memory);
    }

    Step("second", card.Transmit(card.Ring), $"{id.Vendor:x4}:{id.Device:x4} came and went");
}

static void OpenOnly(string address)
{
    using Card card = Card.Open(address);
    card.Function.MapDma(card.Memory);
}

// Holds the function until the host asks for it.
void Keep(string address)
{
    using Card card = Card.Open(address);
    Step("keep", true, $"holding {address}");
    long start = Stopwatch.GetTimestamp();
    try
    {
        while (Stopwatch.GetElapsedTime(start) < keepTime)
        {
            card.Function.Check();
            Thread.Sleep(20);
        }
    }
    catch (DeviceFailedException gone)
    {
        Step("wanted back", gone.Message.Contains("wants it back", StringComparison.Ordinal), gone.Message);
        return;
    }

    Step("wanted back", false, "nobody asked for it");
}
