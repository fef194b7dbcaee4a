#!/usr/bin/env python3
"""Makes the test vectors: python3 spec/vectors/make.py (standard library only; see README.md).

Deliberately naive: every number is worked out from the definition (long division for rings, one bit at a time for
Toeplitz, shifts written out by hand from the data sheet for descriptors) and by none of the code that the vectors test.
"""

import ipaddress
import json
import pathlib
import random
import struct

HERE = pathlib.Path(__file__).parent
SEED = 82599


def word(value, digits):
    return f"0x{value:0{digits}x}"


# Ring arithmetic ------------------------------------------------------------------------------------------------------


def ring_case(size, head, tail):
    used = 0
    slot = head
    while slot != tail:  # walk, rather than subtract
        slot = 0 if slot == size - 1 else slot + 1
        used += 1
    after = lambda slot: 0 if slot == size - 1 else slot + 1
    return {
        "size": size, "head": head, "tail": tail, "used": used, "free": size - 1 - used,
        "next_head": after(head), "next_tail": after(tail),
    }


def ring():
    dice = random.Random(SEED)
    sizes = [2, 3, 7, 8, 64, 96, 100, 512, 1000, 4096]
    cases = []
    for size in sizes:
        corners = [(0, 0), (0, size - 1), (size - 1, 0), (size - 1, size - 1), (1, 0)]
        corners += [(dice.randrange(size), dice.randrange(size)) for _ in range(6)]
        cases += [ring_case(size, head, tail) for head, tail in dict.fromkeys(corners)]
    wraps = []
    for size in sizes:
        for index in sorted({0, 1, size - 1, size, size + 1, 2 * size - 1}):
            wraps.append({"size": size, "index": index, "slot": divmod(index, size)[1]})
    return {
        "about": "A ring of `size` slots. Hardware owns the `used` slots from `head` up to, but not including, `tail`; "
                 "one slot always stays empty, so `used` + `free` = `size` - 1. `wraps`: an index that has run at most "
                 "one lap ahead, and its slot.",
        "cases": cases,
        "wraps": wraps,
    }


# Descriptors ----------------------------------------------------------------------------------------------------------

# name: (quadword, lowest bit, bits), copied by hand from the data sheet, sections 7.1.5, 7.1.6 and 7.2.3.2. Not made from
# ixgbe.toml: the test compares the two.
RX_READ = {"BUFFER": (0, 0, 64), "HEADER": (1, 0, 64)}
RX_WRITEBACK = {
    "RSS_TYPE": (0, 0, 4), "PACKET_TYPE": (0, 4, 12), "RSC_COUNT": (0, 17, 4), "HEADER_LENGTH": (0, 21, 10),
    "SPH": (0, 31, 1), "RSS_HASH": (0, 32, 32), "IP_ID": (0, 32, 16), "FRAGMENT_CHECKSUM": (0, 48, 16),
    "DD": (1, 0, 1), "EOP": (1, 1, 1), "VP": (1, 3, 1), "UDPCS": (1, 4, 1), "L4CS": (1, 5, 1), "IPCS": (1, 6, 1),
    "RXE": (1, 29, 1), "L4E": (1, 30, 1), "IPE": (1, 31, 1), "LENGTH": (1, 32, 16), "VLAN": (1, 48, 16),
}
RX_LEGACY = {
    "LENGTH": (1, 0, 16), "CHECKSUM": (1, 16, 16), "DD": (1, 32, 1), "EOP": (1, 33, 1), "VP": (1, 35, 1),
    "L4CS": (1, 37, 1), "IPCS": (1, 38, 1), "RXE": (1, 40, 1), "L4E": (1, 46, 1), "IPE": (1, 47, 1), "VLAN": (1, 48, 16),
}
TX_DATA = {
    "BUFFER": (0, 0, 64), "DTALEN": (1, 0, 16), "DTYP": (1, 20, 4), "EOP": (1, 24, 1), "IFCS": (1, 25, 1),
    "RS": (1, 27, 1), "DEXT": (1, 29, 1), "VLE": (1, 30, 1), "TSE": (1, 31, 1), "IDX": (1, 36, 3), "CC": (1, 39, 1),
    "IXSM": (1, 40, 1), "TXSM": (1, 41, 1), "PAYLEN": (1, 46, 18),
}
TX_CONTEXT = {
    "IPLEN": (0, 0, 9), "MACLEN": (0, 9, 7), "VLAN": (0, 16, 16), "IPV4": (1, 10, 1), "L4T": (1, 11, 2),
    "DTYP": (1, 20, 4), "DEXT": (1, 29, 1), "IDX": (1, 36, 3), "L4LEN": (1, 40, 8), "MSS": (1, 48, 16),
}
TX_LEGACY = {
    "BUFFER": (0, 0, 64), "LENGTH": (1, 0, 16), "CSO": (1, 16, 8), "EOP": (1, 24, 1), "IFCS": (1, 25, 1),
    "IC": (1, 26, 1), "RS": (1, 27, 1), "DEXT": (1, 29, 1), "VLE": (1, 30, 1), "DD": (1, 32, 1), "CSS": (1, 40, 8),
    "VLAN": (1, 48, 16),
}
TX_WRITEBACK = {"DD": (1, 32, 1)}


def descriptor(layout, places, title, **fields):
    words = [0, 0]
    for name, value in fields.items():
        quad, low, bits = places[name]
        assert value < 1 << bits, (layout, name)
        words[quad] += value * 2**low
    assert all(w < 1 << 64 for w in words), layout
    numbers = {name: word(value, 1) for name, value in fields.items()}
    return {"layout": layout, "title": title, "fields": numbers, "words": [word(w, 16) for w in words]}


def descriptors():
    a = 0x1_2345_6780
    data = dict(DTYP=3, DEXT=1, IFCS=1)
    cases = [
        descriptor("rx_read", RX_READ, "as handed over", BUFFER=a, HEADER=0),
        descriptor("rx_read", RX_READ, "highest address", BUFFER=0xFFFF_FFFF_FFFF_F840, HEADER=0),
        descriptor("rx_writeback", RX_WRITEBACK, "60 bytes, one buffer", DD=1, EOP=1, LENGTH=60),
        descriptor("rx_writeback", RX_WRITEBACK, "first buffer of a jumbo frame", DD=1, EOP=0, LENGTH=2048),
        descriptor("rx_writeback", RX_WRITEBACK, "TCP over IPv4, hashed, checksums right", RSS_TYPE=1,
                   PACKET_TYPE=0x011, RSS_HASH=0x51CCC178, DD=1, EOP=1, L4CS=1, IPCS=1, LENGTH=1514),
        descriptor("rx_writeback", RX_WRITEBACK, "UDP over IPv6, hashed, checksum wrong", RSS_TYPE=8,
                   PACKET_TYPE=0x024, RSS_HASH=0x40207D3D, DD=1, EOP=1, UDPCS=1, L4CS=1, L4E=1, LENGTH=74),
        descriptor("rx_writeback", RX_WRITEBACK, "IPv4 header wrong", PACKET_TYPE=0x001, DD=1, EOP=1, IPCS=1, IPE=1,
                   LENGTH=64),
        descriptor("rx_writeback", RX_WRITEBACK, "VLAN tag stripped", DD=1, EOP=1, VP=1, LENGTH=60, VLAN=0xA123),
        descriptor("rx_writeback", RX_WRITEBACK, "IP id and fragment checksum (PCSD = 0)", PACKET_TYPE=0x001,
                   IP_ID=0xBEEF, FRAGMENT_CHECKSUM=0x1234, DD=1, EOP=1, LENGTH=1500),
        descriptor("rx_writeback", RX_WRITEBACK, "bad frame, stored because of FCTRL.SBP", DD=1, EOP=1, RXE=1, LENGTH=64),
        descriptor("rx_writeback", RX_WRITEBACK, "everything at its largest", RSS_TYPE=15, PACKET_TYPE=0xFFF,
                   RSC_COUNT=15, HEADER_LENGTH=1023, SPH=1, RSS_HASH=0xFFFFFFFF, DD=1, EOP=1, VP=1, UDPCS=1, L4CS=1,
                   IPCS=1, RXE=1, L4E=1, IPE=1, LENGTH=0xFFFF, VLAN=0xFFFF),
        descriptor("rx_legacy", RX_LEGACY, "60 bytes", DD=1, EOP=1, LENGTH=60),
        descriptor("rx_legacy", RX_LEGACY, "with fragment checksum and tag", DD=1, EOP=1, VP=1, IPCS=1, L4CS=1,
                   CHECKSUM=0xABCD, LENGTH=1518, VLAN=7),
        descriptor("rx_legacy", RX_LEGACY, "errors", DD=1, EOP=1, IPE=1, L4E=1, RXE=1, LENGTH=64),
        descriptor("tx_data", TX_DATA, "60 bytes, no report", BUFFER=a, DTALEN=60, EOP=1, PAYLEN=60, **data),
        descriptor("tx_data", TX_DATA, "60 bytes, report", BUFFER=a, DTALEN=60, EOP=1, RS=1, PAYLEN=60, **data),
        descriptor("tx_data", TX_DATA, "first of two buffers", BUFFER=a, DTALEN=2048, EOP=0, PAYLEN=3000, **data),
        descriptor("tx_data", TX_DATA, "last of two buffers", BUFFER=a + 2112, DTALEN=952, EOP=1, RS=1, PAYLEN=3000,
                   **data),
        descriptor("tx_data", TX_DATA, "checksums and tag by context 1", BUFFER=a, DTALEN=1514, EOP=1, RS=1, VLE=1,
                   CC=1, IDX=1, IXSM=1, TXSM=1, PAYLEN=1514, **data),
        descriptor("tx_data", TX_DATA, "segmentation", BUFFER=a, DTALEN=54, EOP=0, TSE=1, CC=1, IXSM=1, TXSM=1,
                   PAYLEN=65160, **data),
        descriptor("tx_writeback", TX_WRITEBACK, "done", DD=1),
        descriptor("tx_writeback", TX_WRITEBACK, "not done", DD=0),
        descriptor("tx_context", TX_CONTEXT, "TCP over IPv4", MACLEN=14, IPLEN=20, IPV4=1, L4T=1, L4LEN=20, MSS=1460,
                   DTYP=2, DEXT=1),
        descriptor("tx_context", TX_CONTEXT, "UDP over IPv6 with tag, context 1", MACLEN=14, IPLEN=40, IPV4=0, L4T=0,
                   L4LEN=8, VLAN=0x6064, IDX=1, DTYP=2, DEXT=1),
        descriptor("tx_legacy", TX_LEGACY, "60 bytes, report", BUFFER=a, LENGTH=60, EOP=1, IFCS=1, RS=1, DEXT=0),
        descriptor("tx_legacy", TX_LEGACY, "checksum from 34 into 50, tag", BUFFER=a, LENGTH=1514, EOP=1, IFCS=1, RS=1,
                   IC=1, VLE=1, CSS=34, CSO=50, VLAN=100),
    ]
    return {
        "about": "Sixteen-byte descriptors as two little-endian quadwords. Fields that are not named are 0. Encoding "
                 "`fields` gives `words`; decoding `words` gives `fields`.",
        "cases": cases,
    }


# RSS ------------------------------------------------------------------------------------------------------------------

MICROSOFT = bytes.fromhex("6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa")


def toeplitz(key, data):
    """For every 1 bit of the input, from the left, the 32 bits of the key that start at the same place."""
    stream = "".join(f"{byte:08b}" for byte in key)
    result = 0
    for place, bit in enumerate("".join(f"{byte:08b}" for byte in data)):
        if bit == "1":
            result ^= int(stream[place:place + 32], 2)
    return result


def rss_case(key_name, key, source, source_port, destination, destination_port):
    src, dst = ipaddress.ip_address(source), ipaddress.ip_address(destination)
    pair = src.packed + dst.packed
    four = pair + struct.pack(">HH", source_port, destination_port)
    low, high = toeplitz(key, pair), toeplitz(key, four)
    return {
        "key": key_name, "source": source, "source_port": source_port, "destination": destination,
        "destination_port": destination_port, "version": src.version,
        "addresses": {"input": pair.hex(), "hash": word(low, 8), "reta_index": low & 127},
        "addresses_and_ports": {"input": four.hex(), "hash": word(high, 8), "reta_index": high & 127},
    }


def rss():
    dice = random.Random(SEED)
    keys = {"microsoft": MICROSOFT, "random": dice.randbytes(40), "repeated_6d5a": bytes.fromhex("6d5a" * 20)}
    suite = [
        ("66.9.149.187", 2794, "161.142.100.80", 1766), ("199.92.111.2", 14230, "65.69.140.83", 4739),
        ("24.19.198.95", 12898, "12.22.207.184", 38024), ("38.27.205.30", 48228, "209.142.163.6", 2217),
        ("153.39.163.191", 44251, "202.188.127.2", 1303),
        ("3ffe:2501:200:1fff::7", 2794, "3ffe:2501:200:3::1", 1766),
        ("3ffe:501:8::260:97ff:fe40:efab", 14230, "ff02::1", 4739),
        ("3ffe:1900:4545:3:200:f8ff:fe21:67cf", 44251, "fe80::200:f8ff:fe21:67cf", 38024),
    ]
    for _ in range(6):
        suite.append((str(ipaddress.IPv4Address(dice.getrandbits(32))), dice.getrandbits(16),
                      str(ipaddress.IPv4Address(dice.getrandbits(32))), dice.getrandbits(16)))
        suite.append((str(ipaddress.IPv6Address(dice.getrandbits(128))), dice.getrandbits(16),
                      str(ipaddress.IPv6Address(dice.getrandbits(128))), dice.getrandbits(16)))
    suite += [("0.0.0.0", 0, "0.0.0.0", 0), ("255.255.255.255", 65535, "255.255.255.255", 65535)]
    cases = [rss_case(name, key, *flow) for name, key in keys.items() for flow in suite]
    queues = [dice.randrange(16) for _ in range(128)]
    return {
        "about": "Toeplitz hash (82599:7.1.2.8) over source, destination, source port, destination port in network "
                 "order. `rssrk` and `reta` are the register values of a key and of a table of 128 queues.",
        "keys": {
            name: {"bytes": key.hex(),
                   "rssrk": [word(key[i] + key[i + 1] * 0x100 + key[i + 2] * 0x10000 + key[i + 3] * 0x1000000, 8)
                             for i in range(0, 40, 4)]}
            for name, key in keys.items()
        },
        "table": {
            "queues": queues,
            "reta": [word(sum(queues[i + j] * 256**j for j in range(4)), 8) for i in range(0, 128, 4)],
        },
        "cases": cases,
    }


# Checksums ------------------------------------------------------------------------------------------------------------


def ones_sum(data):
    """The ones' complement sum of 16-bit big-endian words, odd length padded with a zero byte."""
    total = 0
    for high, low in zip(data[0::2], data[1::2] + (b"\0" if len(data) % 2 else b"")):
        total += high * 256 + low
        if total > 0xFFFF:
            total -= 0xFFFF
    return total


def pseudo_header(src, dst, protocol, length):
    source, destination = ipaddress.ip_address(src), ipaddress.ip_address(dst)
    if source.version == 4:
        return source.packed + destination.packed + struct.pack(">BBH", 0, protocol, length)
    return source.packed + destination.packed + struct.pack(">IHBB", length, 0, 0, protocol)


def transport(title, src, dst, protocol, segment):
    """`segment` has its checksum field zeroed."""
    at = {6: 16, 17: 6}[protocol]
    assert segment[at:at + 2] == b"\0\0"
    checksum = 0xFFFF - ones_sum(pseudo_header(src, dst, protocol, len(segment)) + segment)
    sent = 0xFFFF if protocol == 17 and checksum == 0 else checksum
    return {
        "title": title, "source": src, "destination": dst, "protocol": protocol, "checksum_at": at,
        "segment": segment.hex(), "computed": word(checksum, 4), "checksum": word(sent, 4),
        "pseudo": word(ones_sum(pseudo_header(src, dst, protocol, len(segment))), 4),
        "pseudo_without_length": word(ones_sum(pseudo_header(src, dst, protocol, 0)), 4),
    }


def tcp(payload, options=b""):
    offset = (20 + len(options)) // 4
    return struct.pack(">HHIIBBHHH", 443, 51234, 0x01020304, 0x05060708, offset << 4, 0x18, 501, 0, 0) + options + payload


def udp(payload, source=53):
    return struct.pack(">HHHH", source, 40000, 8 + len(payload), 0) + payload


def udp_whose_checksum_is_zero(src, dst):
    """Two payload bytes chosen so that the sum is 0xFFFF and the checksum comes out as 0."""
    rest = 0xFFFF - ones_sum(pseudo_header(src, dst, 17, 10) + udp(b"\0\0"))
    return udp(struct.pack(">H", rest))


def ipv4(title, options=b"", **fields):
    f = dict(tos=0, length=1500, ident=0x1234, flags=0x4000, ttl=64, protocol=6, src="192.0.2.1", dst="198.51.100.2")
    f.update(fields)
    header = struct.pack(">BBHHHBBH", 0x40 + (20 + len(options)) // 4, f["tos"], f["length"], f["ident"], f["flags"],
                         f["ttl"], f["protocol"], 0)
    header += ipaddress.ip_address(f["src"]).packed + ipaddress.ip_address(f["dst"]).packed + options
    return {"title": title, "header": header.hex(), "checksum": word(0xFFFF - ones_sum(header), 4)}


def checksum():
    dice = random.Random(SEED)
    v4, v6 = ("192.0.2.1", "198.51.100.2"), ("2001:db8::1", "2001:db8:0:1::abcd")
    segments = []
    for name, pair in (("IPv4", v4), ("IPv6", v6)):
        for size in (0, 1, 2, 7, 64, 1001, 1400):
            segments.append(transport(f"TCP over {name}, {size} bytes", *pair, 6, tcp(dice.randbytes(size))))
            segments.append(transport(f"UDP over {name}, {size} bytes", *pair, 17, udp(dice.randbytes(size))))
        segments.append(transport(f"TCP over {name} with options", *pair, 6, tcp(b"abc", bytes.fromhex("020405b401030307"))))
        segments.append(transport(f"UDP over {name} whose checksum is 0 and sent as 0xffff", *pair, 17,
                                  udp_whose_checksum_is_zero(*pair)))
        segments.append(transport(f"UDP over {name}, many carries", *pair, 17, udp(b"\xff" * 1400, 0xFFFF)))
    headers = [
        ipv4("plain"), ipv4("fragment", flags=0x2010), ipv4("with options", options=bytes.fromhex("94040000" "01010101")),
        ipv4("all ones", tos=0xFF, length=0xFFFF, ident=0xFFFF, flags=0x7FFF, ttl=255, protocol=255,
             src="255.255.255.255", dst="255.255.255.255"),
        ipv4("UDP", protocol=17, length=28, ident=0),
    ]
    sums = []
    for data in (b"", b"\x01", b"\x12\x34", b"\x12\x34\x56", b"\xff\xff", b"\xff\xff\x00\x01", b"\xff" * 999, bytes(100),
                 dice.randbytes(1499), dice.randbytes(1500)):
        sums.append({"bytes": data.hex(), "sum": word(ones_sum(data), 4), "checksum": word(0xFFFF - ones_sum(data), 4)})
    return {
        "about": "Internet checksum (rfc:1071). `sums`: folded sum and its complement. `ipv4`: headers with the checksum "
                 "field zeroed. `transport`: segments with the checksum field zeroed; `pseudo` is the folded sum of the "
                 "pseudo header, which software leaves in the field for TX offload (`pseudo_without_length` for "
                 "segmentation); a UDP checksum that comes out as 0 is sent as 0xffff (rfc:768).",
        "sums": sums, "ipv4": headers, "transport": segments,
    }


# Multicast hash -------------------------------------------------------------------------------------------------------


def multicast():
    dice = random.Random(SEED)
    addresses = [bytes.fromhex(a) for a in ("01005e000001", "01005e7ffffa", "333300000001", "3333ff123456", "ffffffffffff",
                                            "0180c2000000")]
    addresses += [bytes([dice.getrandbits(8) | 1]) + dice.randbytes(5) for _ in range(10)]
    cases = []
    for address in addresses:
        number = "".join(f"{byte:08b}" for byte in reversed(address))  # bit 47 first: the last byte on the wire is highest
        for mo, high in enumerate((47, 46, 45, 43)):
            value = int(number[47 - high:47 - high + 12], 2)
            cases.append({"address": address.hex(":"), "mo": mo, "hash": value, "word": value // 32, "bit": value % 32})
    return {
        "about": "The 12 bits of a destination address that index MTA (82599:8.2.3.7.3, 8.2.3.7.7): by MCSTCTRL.MO bits "
                 "47:36, 46:35, 45:34 or 43:32, where bits 47:40 are the last byte on the wire.",
        "cases": cases,
    }


def main():
    for name, make in dict(ring=ring, descriptors=descriptors, rss=rss, checksum=checksum, multicast=multicast).items():
        text = json.dumps(make(), indent=1)
        (HERE / f"{name}.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
