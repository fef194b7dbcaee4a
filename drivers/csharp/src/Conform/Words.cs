using System.Globalization;
using System.Numerics;

namespace Ringway.Conform;

/// <summary>The judge's own fault: the line makes no sense.</summary>
internal sealed class UsageException(string message) : Exception(message);

/// <summary>The words behind a command: positional ones first, then <c>KEY=VALUE</c>.</summary>
internal sealed class Words
{
    private readonly List<string> plain = [];
    private readonly Dictionary<string, string> pairs = [];

    public Words(IEnumerable<string> words)
    {
        foreach (string word in words)
        {
            int equals = word.IndexOf('=', StringComparison.Ordinal);
            // An address may have a `=` in its path.
            if (equals < 0 || word.StartsWith("unix:", StringComparison.Ordinal))
            {
                plain.Add(word);
            }
            else
            {
                pairs.TryAdd(word[..equals], word[(equals + 1)..]);
            }
        }
    }

    /// <summary>The positional word at <paramref name="index"/>.</summary>
    public string Word(int index, string what) =>
        index < plain.Count ? plain[index] : throw new UsageException($"{what} is missing");

    /// <summary>All positional words from <paramref name="index"/> on.</summary>
    public List<string> Rest(int index) => plain.GetRange(Math.Min(index, plain.Count), Math.Max(0, plain.Count - index));

    /// <summary>The positional number at <paramref name="index"/>.</summary>
    public T Number<T>(int index, string what)
        where T : struct, INumber<T> => Parse<T>(Word(index, what), what);

    /// <summary>The number of a key, null if it is not there.</summary>
    public T? Optional<T>(string key)
        where T : struct, INumber<T> => pairs.TryGetValue(key, out string? value) ? Parse<T>(value, key) : null;

    /// <summary>The number of a key, or what holds without it.</summary>
    public T Key<T>(string key, T otherwise)
        where T : struct, INumber<T> => Optional<T>(key) ?? otherwise;

    /// <summary>0 or 1.</summary>
    public static bool Switch(int word) =>
        word is 0 or 1 ? word == 1 : throw new UsageException($"{word} is neither 0 nor 1");

    /// <summary>Bytes of a hex word.</summary>
    public static byte[] Unhex(string word)
    {
        try
        {
            return Convert.FromHexString(word);
        }
        catch (FormatException)
        {
            throw new UsageException($"a packet that is no hex: {word[..Math.Min(word.Length, 20)]}");
        }
    }

    private static T Parse<T>(string word, string what)
        where T : struct, INumber<T> =>
        T.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out T value)
            ? value : throw new UsageException($"{what}: {word} is no number that fits");
}
