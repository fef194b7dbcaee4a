namespace Ringway.Bus;

/// <summary>The way by kernel VFIO, which is not built yet.</summary>
internal static class VfioFunction
{
    public static IFunction Open(PciTree tree, string address) => throw new UnsupportedException(
        $"{address} ({tree.PathOf(address, "")}) is a PCI function, and the ways to real cards are not built yet");
}
