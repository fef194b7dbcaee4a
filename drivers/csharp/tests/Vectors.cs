using System.Globalization;
using System.Text.Json;

namespace Ringway.Tests;

/// <summary>The vectors that all languages share; they are read where they lie.</summary>
internal static class Vectors
{
    public static JsonElement Read(string name)
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            string path = Path.Combine(folder.FullName, "spec", "vectors", name + ".json");
            if (File.Exists(path))
            {
                return JsonDocument.Parse(File.ReadAllBytes(path)).RootElement;
            }
        }

        throw new FileNotFoundException($"spec/vectors/{name}.json above {AppContext.BaseDirectory}");
    }

    /// <summary><c>0x1f</c>.</summary>
    public static ulong Hex(JsonElement value) =>
        ulong.Parse(value.GetString()!.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
}
