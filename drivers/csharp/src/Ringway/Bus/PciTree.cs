using System.Globalization;
using System.Text.RegularExpressions;
using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>The folder of PCI functions: <c>/sys/bus/pci/devices</c>, or what <c>RINGWAY_SYSFS</c> says.</summary>
internal sealed partial class PciTree(string root)
{
    private const string DefaultRoot = "/sys/bus/pci/devices";

    /// <summary>PCI class of Ethernet controllers, above the 8 bits of the programming interface.</summary>
    private const uint Ethernet = 0x0200;

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

    /// <summary>The folder of a driver. Not by the link of a function, which is relative to where sysfs keeps the function,
    /// and gone once the driver has let go of it.</summary>
    public string FolderOfDriver(string name) =>
        Path.Combine(Path.GetDirectoryName(Path.TrimEndingDirectorySeparator(root)) ?? "/", "drivers", name);

    /// <summary>What one of the function's files says, without the end of the line; null if it cannot be read.</summary>
    public string? Text(string address, string file)
    {
        try
        {
            return File.ReadAllText(PathOf(address, file)).Trim();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The number in a file such as <c>class</c>: hexadecimal with 0x. 0 if there is none.</summary>
    public uint Number(string address, string file)
    {
        string text = Text(address, file) ?? "";
        bool hex = text.StartsWith("0x", StringComparison.Ordinal);
        NumberStyles style = hex ? NumberStyles.AllowHexSpecifier : NumberStyles.None;
        return uint.TryParse(hex ? text[2..] : text, style, CultureInfo.InvariantCulture, out uint number) ? number : 0;
    }

    /// <summary>True if the function is an Ethernet controller by its class.</summary>
    public bool IsEthernet(string address) => Number(address, "class") >> 8 == Ethernet;

    /// <summary>How an IOMMU treats what the function reads and writes (<c>DMA</c>, <c>DMA-FQ</c>), if it translates.</summary>
    public string? Translation(string address) => Text(address, "iommu_group/type") is { } mode and not "identity" ? mode : null;

    /// <summary>The first of the function's network interfaces that is up, if one is.</summary>
    public string? InterfaceThatIsUp(string address)
    {
        const uint Up = 1; // IFF_UP
        string folder = PathOf(address, "net");
        return !Directory.Exists(folder) ? null : Directory.EnumerateFileSystemEntries(folder).Select(Path.GetFileName)
            .FirstOrDefault(name => (Number(address, $"net/{name}/flags") & Up) != 0);
    }

    /// <summary>Opens one of the function's files for reading and writing.</summary>
    public SafeFileHandle Open(string address, string name)
    {
        string path = PathOf(address, name);
        // Not by File.OpenHandle, which takes locks of its own.
        if (PositionedFile.TryOpen(path, out SafeFileHandle file, out int errno))
        {
            return file;
        }

        file.Dispose();
        throw errno is Native.EACCES or Native.EPERM ? Refused(address, path)
            : new UnsupportedException($"{address} cannot be used: {path}: {Native.Say(errno)}");
    }

    /// <summary>Writes a word to a file of the kernel's.</summary>
    public static void Tell(string address, string path, string word)
    {
        try
        {
            File.WriteAllText(path, word);
        }
        catch (UnauthorizedAccessException)
        {
            throw Refused(address, path);
        }
        catch (IOException failure)
        {
            throw new UnsupportedException($"{address} cannot be used: {path}: {failure.Message}");
        }
    }

    private static PermissionDeniedException Refused(string address, string path) => new($"{address}: {path}: permission denied",
        $"run as root (and not under kernel lockdown), or `sudo ringway bind {address} --user $USER` once");

    [GeneratedRegex(@"\A([0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]\z")]
    private static partial Regex Form();
}
