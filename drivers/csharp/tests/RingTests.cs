using System.Text.Json;

namespace Ringway.Tests;

/// <summary>Index arithmetic against spec/vectors/ring.json.</summary>
public class RingTests
{
    [Fact]
    public void Agrees_with_the_shared_vectors()
    {
        int seen = 0;
        foreach (JsonElement one in Vectors.Read("ring").GetProperty("cases").EnumerateArray())
        {
            int Number(string key) => one.GetProperty(key).GetInt32();
            int size = Number("size");
            Ring ring = new(size);
            ring.HandOver(Number("head"));
            ring.TakeBack(Number("head"));
            ring.HandOver((Number("tail") - Number("head") + size) % size);
            Assert.Equal(Number("tail"), ring.Fill);
            Assert.Equal((Number("used"), Number("free")), (ring.Used, ring.Free));
            Assert.Equal((Number("next_head"), Number("next_tail")), (ring.Next(ring.Clean), ring.Next(ring.Fill)));
            seen++;
        }

        Assert.True(seen > 50, $"{seen} cases");
    }

    [Theory]
    [InlineData(64, 60, 10, 4)]
    [InlineData(64, 0, 10, 10)]
    [InlineData(24, 23, 1, 1)]
    public void Counts_up_to_the_end(int size, int start, int count, int wanted) =>
        Assert.Equal(wanted, new Ring(size).UpToTheEnd(start, count));
}
