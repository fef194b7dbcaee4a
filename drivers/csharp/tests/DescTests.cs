using System.Text.Json;
using Ringway.Ixgbe;

namespace Ringway.Tests;

/// <summary>Descriptors against spec/vectors/descriptors.json, as far as this driver reads or writes the layout.</summary>
public class DescTests
{
    private const ulong OurTransmitBits = 0xFFFF_C000_2F30_FFFF;

    [Fact]
    public void Agrees_with_the_shared_vectors()
    {
        Dictionary<string, int> seen = [];
        foreach (JsonElement one in Vectors.Read("descriptors").GetProperty("cases").EnumerateArray())
        {
            ulong first = Vectors.Hex(one.GetProperty("words")[0]), second = Vectors.Hex(one.GetProperty("words")[1]);
            ulong Field(string name) =>
                one.GetProperty("fields").TryGetProperty(name, out JsonElement value) ? Vectors.Hex(value) : 0;
            string layout = one.GetProperty("layout").GetString()!;
            if (Compare(layout, first, second, Field))
            {
                seen[layout] = seen.GetValueOrDefault(layout) + 1;
            }
        }

        Assert.Equal(["rx_read", "rx_writeback", "tx_data", "tx_writeback"], seen.Keys.Order());
    }

    [Fact]
    public void A_whole_packet_is_done_ended_good_and_fits()
    {
        ulong back = RxWriteback.DD.Mask | RxWriteback.EOP.Mask | RxWriteback.LENGTH.Put(60);
        Assert.True(Desc.IsWhole(back, 60));
        Assert.False(Desc.IsWhole(back, 59));
        Assert.False(Desc.IsWhole(back & ~RxWriteback.DD.Mask, 60));
        Assert.False(Desc.IsWhole(back & ~RxWriteback.EOP.Mask, 60));
        Assert.False(Desc.IsWhole(back | RxWriteback.RXE.Mask, 60));
        Assert.False(Desc.IsWhole(back & ~RxWriteback.LENGTH.Mask, 60));
    }

    private static bool Compare(string layout, ulong first, ulong second, Func<string, ulong> field)
    {
        switch (layout)
        {
            case "rx_read" when field("HEADER") == 0:
                Descriptor read = Desc.Receive(field("BUFFER"));
                Assert.Equal((first, second), (read.First, read.Second));
                return true;
            case "rx_writeback":
                Assert.Equal((field("DD") == 1, field("EOP") == 1), (Desc.IsDone(second), Desc.Ends(second)));
                Assert.Equal((field("LENGTH"), field("RXE") == 1), ((ulong)Desc.Length(second), Desc.IsBad(second)));
                Assert.Equal(field("RSS_TYPE") == 0 ? 0 : (uint)field("RSS_HASH"), Desc.Hash(first));
                return true;
            case "tx_data" when (second & ~OurTransmitBits) == 0 && field("IFCS") == 1:
                ulong command = Desc.Command((int)field("DTALEN"), (int)field("PAYLEN"), field("EOP") == 1);
                Assert.Equal(second, command | (field("RS") == 1 ? Desc.Report : 0));
                return true;
            case "tx_writeback":
                Assert.Equal(field("DD") == 1, Desc.IsSent(second));
                return true;
            default:
                return false;
        }
    }
}
