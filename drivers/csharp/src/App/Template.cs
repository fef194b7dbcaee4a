using System.Buffers.Binary;

namespace Ringway.App;

/// <summary>Packets to generate.</summary>
internal static class Template
{
    private const int EthernetBytes = 14, Ipv4Bytes = 20, DiscardPort = 9;

    /// <summary>An Ethernet broadcast with IPv4 and UDP, to the discard port of a documentation address.</summary>
    public static byte[] Udp(byte[] source, int length, int flow)
    {
        byte[] packet = new byte[length];
        Span<byte> bytes = packet;
        bytes[..6].Fill(byte.MaxValue);
        source.CopyTo(bytes[6..]);
        bytes[12] = 8; // IPv4
        Span<byte> ip = bytes[EthernetBytes..];
        ip[0] = 0x45;
        BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)ip.Length);
        (ip[8], ip[9]) = (64, 17); // time to live, UDP
        ((ReadOnlySpan<byte>)[192, 0, 2, 1, 192, 0, 2, 2]).CopyTo(ip[12..]);
        BinaryPrimitives.WriteUInt16BigEndian(ip[10..], Checksum(ip[..Ipv4Bytes]));
        Span<byte> udp = ip[Ipv4Bytes..];
        BinaryPrimitives.WriteUInt16BigEndian(udp, (ushort)(DiscardPort + flow));
        BinaryPrimitives.WriteUInt16BigEndian(udp[2..], DiscardPort);
        BinaryPrimitives.WriteUInt16BigEndian(udp[4..], (ushort)udp.Length); // no UDP checksum: 0 is legal over IPv4
        return packet;
    }

    /// <summary>The Internet checksum of an even number of bytes.</summary>
    private static ushort Checksum(ReadOnlySpan<byte> bytes)
    {
        uint sum = 0;
        for (int i = 0; i < bytes.Length; i += 2)
        {
            sum += BinaryPrimitives.ReadUInt16BigEndian(bytes[i..]);
        }

        sum = (sum & ushort.MaxValue) + (sum >> 16);
        return (ushort)~(sum + (sum >> 16));
    }
}
