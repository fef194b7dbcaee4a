namespace Ringway.Bus;

/// <summary>The way by files in sysfs, which is not built yet.</summary>
internal static class SysfsFunction
{
    public static IFunction Open(PciTree tree, string address) => throw new UnsupportedException(
        $"{address} ({tree.PathOf(address, "")}) is a PCI function, and the ways to real cards are not built yet");
}
