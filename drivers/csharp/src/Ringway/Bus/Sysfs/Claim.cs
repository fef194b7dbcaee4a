using Microsoft.Win32.SafeHandles;

namespace Ringway.Bus;

/// <summary>What is held of a function while it is ours. Disposing of it gives the function back as it was found.</summary>
internal sealed class Claim : IDisposable
{
    private const int ExclusiveNow = 2 | 4;

    private readonly PciTree tree;
    private readonly string address;
    private readonly SafeFileHandle config;
    private readonly SafeFileHandle resource;
    private readonly byte[] command = new byte[sizeof(ushort)];
    private bool hasCommand;
    private string? driver;

    private Claim(PciTree tree, string address, SafeFileHandle config)
    {
        (this.tree, this.address, this.config) = (tree, address, config);
        resource = tree.Open(address, "resource0");
    }

    /// <summary>The registers.</summary>
    public Window? Window { get; private set; }

    /// <summary>Takes the function from its kernel driver, unless somebody needs it. Nothing has changed after an exception.
    /// </summary>
    public static Claim Take(PciTree tree, string address, SafeFileHandle config)
    {
        RefuseIfUp(tree, address);
        Claim claim = new(tree, address, config);
        try
        {
            claim.Lock();
            claim.Unbind();
            claim.SaveCommand();
            claim.Map();
            return claim;
        }
        catch
        {
            claim.Dispose();
            throw;
        }
    }

    /// <summary>Somebody may be logged in through an interface that is up.</summary>
    public static void RefuseIfUp(PciTree tree, string address)
    {
        if (tree.InterfaceThatIsUp(address) is { } name)
        {
            throw new PermissionDeniedException($"the kernel uses {address} as {name}, which is up", $"sudo ip link set {name} down");
        }
    }

    public void Dispose()
    {
        Window?.Dispose();
        if (hasCommand)
        {
            // A card that is gone needs no command.
            PositionedFile.Write(config, command, (long)Wire.Pci.COMMAND);
        }

        try
        {
            if (driver is not null)
            {
                PciTree.Tell(address, Path.Combine(driver, "bind"), address);
            }
        }
        catch (RingwayException)
        {
            // Whether the driver wants it again is the driver's business; `ringway list` shows how it ended.
        }

        resource.Dispose(); // and with it the lock, which goes last
    }

    /// <summary>A lock on the file that all drivers in user space map, whatever they are written in. Gone with this process.
    /// </summary>
    private void Lock()
    {
        if (Native.Flock(resource, ExclusiveNow) != 0)
        {
            throw new PermissionDeniedException($"{address} is in use by another driver in user space", "stop that one first");
        }
    }

    /// <summary>The kernel's driver, if there is one, is asked to let go.</summary>
    private void Unbind()
    {
        if (tree.LinkName(address, "driver") is { } name)
        {
            string folder = tree.FolderOfDriver(name);
            PciTree.Tell(address, Path.Combine(folder, "unbind"), address);
            driver = folder;
        }
    }

    /// <summary>The command register as it was found: the bits for memory and bus master above all.</summary>
    private void SaveCommand()
    {
        hasCommand = PositionedFile.Read(config, command, (long)Wire.Pci.COMMAND) == command.Length;
        if (!hasCommand)
        {
            throw new DeviceFailedException($"{address}: config space cannot be read");
        }
    }

    private void Map()
    {
        long length = RandomAccess.GetLength(resource);
        Window = length is > 0 and <= int.MaxValue ? Window.TryMap(resource, 0, 0, (uint)length) : null;
        if (Window is null)
        {
            throw new UnsupportedException($"{address}: its resource0 of {length} bytes cannot be mapped; use VFIO");
        }
    }
}
