using System.Text.Json;
using System.Text.Json.Nodes;

namespace Ringway.Bus;

/// <summary>What the server's greeting says of itself.</summary>
internal static class Capabilities
{
    /// <summary><c>capabilities.max_msg_fds</c>; what is missing or garbled has the protocol's default.</summary>
    public static int MaxFiles(ReadOnlySpan<byte> json)
    {
        int end = json.IndexOf((byte)0);
        try
        {
            JsonNode? value = JsonNode.Parse(json[..(end < 0 ? json.Length : end)])?["capabilities"]?["max_msg_fds"];
            return Math.Clamp((int?)value ?? (int)Wire.Limits.MAX_MSG_FDS, 1, Channel.MaxFiles);
        }
        catch (Exception garbled) when (garbled is JsonException or InvalidOperationException or FormatException)
        {
            return (int)Wire.Limits.MAX_MSG_FDS;
        }
    }
}
