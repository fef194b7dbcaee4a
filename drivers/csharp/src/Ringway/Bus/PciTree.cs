using System.Text.RegularExpressions;

namespace Ringway.Bus;

/// <summary>The folder of PCI functions: <c>/sys/bus/pci/devices</c>, or what <c>RINGWAY_SYSFS</c> says.</summary>
internal sealed partial class PciTree(string root)
{
    private const string DefaultRoot = "/sys/bus/pci/devices";

    /// <summary>The tree of this system.</summary>
    public static PciTree System =>
        new(Environment.GetEnvironmentVariable("RINGWAY_SYSFS") is { Length: > 0 } given ? given : DefaultRoot);

    /// <summary>True for <c>0000:03:00.0</c>; the domain may be missing.</summary>
    public static bool IsAddress(string address) => Form().IsMatch(address);

    /// <summary>The address with its domain, as sysfs writes it.</summary>
    public static string Normal(string address)
    {
        string lower = address.ToLowerInvariant();
        return lower.Count(c => c == ':') == 2 ? lower : $"0000:{lower}";
    }

    /// <summary>The path of one of the function's files.</summary>
    /// <exception cref="NoSuchDeviceException">There is no such function.</exception>
    public string PathOf(string address, string file)
    {
        string folder = Path.Combine(root, address);
        return Directory.Exists(folder) ? Path.Combine(folder, file)
            : throw new NoSuchDeviceException(address, $"there is no {folder}; lspci -D lists what there is");
    }

    /// <summary>The last part of where a link of the function leads to, null if there is none.</summary>
    public string? LinkName(string address, string link)
    {
        string? target = new FileInfo(PathOf(address, link)).LinkTarget;
        return target is null ? null : Path.GetFileName(target.TrimEnd('/'));
    }

    /// <summary>True if the function is bound to vfio-pci.</summary>
    public bool IsOnVfio(string address) => LinkName(address, "driver") == "vfio-pci";

    [GeneratedRegex(@"\A([0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]\z")]
    private static partial Regex Form();
}
