#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""Golden frames of Apache Thrift's own library (PyPI thrift).

make_golden.py make FILE    writes the frames that the tests compare with
make_golden.py check FILE   reads the frames that our writer wrote, with the library
"""
import sys
import uuid

try:
    from thrift.protocol.TBinaryProtocol import TBinaryProtocol
    from thrift.Thrift import TApplicationException, TMessageType, TType
    from thrift.transport.TTransport import TFramedTransport, TMemoryBuffer
except ImportError:
    sys.exit("make_golden.py: no Apache Thrift here: pip install thrift")


def pattern(length, start):
    """The same bytes as pattern() in unit.h."""
    return bytes(((at * 31 + at // 251 + 7) & 0xFF) for at in range(start, start + length))


CALL, REPLY = TMessageType.CALL, TMessageType.REPLY
EXCEPTION, ONEWAY = TMessageType.EXCEPTION, TMessageType.ONEWAY
I32, STRING = TType.I32, TType.STRING

# name, kind, sequence, fields: what both sides can write
MESSAGES = [
    ("msg", ONEWAY, 0, [(I32, 1, 7), (STRING, 2, b"")]),
    ("msg", ONEWAY, 0, [(I32, 1, -1), (STRING, 2, pattern(32, 0))]),
    ("msg", ONEWAY, 0, [(I32, 1, 2**31 - 1), (STRING, 2, pattern(4096, 5))]),
    ("failed", ONEWAY, 0, [(I32, 1, -1), (STRING, 2, b"no such key")]),
    ("connect", CALL, 5, [(I32, 1, 3), (STRING, 2, b"127.0.0.1"), (I32, 3, 9000)]),
    ("disconnect", CALL, -6, [(I32, 1, 3)]),
    ("connect", REPLY, 5, []),
    ("disconnect", EXCEPTION, -6, [(STRING, 1, b"no such key"), (I32, 2, 6)]),
]


def framed(write):
    """The bytes that `write` makes through TFramedTransport and the strict TBinaryProtocol."""
    memory = TMemoryBuffer()
    transport = TFramedTransport(memory)
    protocol = TBinaryProtocol(transport, strictRead=True, strictWrite=True)
    write(protocol)
    transport.flush()
    return memory.getvalue()


def put_message(protocol, name, kind, sequence, fields):
    protocol.writeMessageBegin(name, kind, sequence)
    if kind == EXCEPTION:
        text, number = (field[2] for field in fields)
        TApplicationException(number, text.decode()).write(protocol)
    else:
        protocol.writeStructBegin("arguments")
        for type_, id_, value in fields:
            protocol.writeFieldBegin("", type_, id_)
            (protocol.writeI32 if type_ == I32 else protocol.writeBinary)(value)
            protocol.writeFieldEnd()
        protocol.writeFieldStop()
        protocol.writeStructEnd()
    protocol.writeMessageEnd()


def put_plain(protocol):
    """A field of each plain type: 1 to 8."""
    plain = [
        (TType.BOOL, protocol.writeBool, True),
        (TType.I08, protocol.writeByte, -2),
        (TType.DOUBLE, protocol.writeDouble, 1.5),
        (TType.I16, protocol.writeI16, -300),
        (TType.I32, protocol.writeI32, 4711),
        (TType.I64, protocol.writeI64, -(2**40)),
        (TType.STRING, protocol.writeBinary, b"text"),
        (TType.UUID, protocol.writeUuid, uuid.UUID(int=0x0102030405060708090A0B0C0D0E0F10)),
    ]
    for id_, (type_, write, value) in enumerate(plain, 1):
        protocol.writeFieldBegin("", type_, id_)
        write(value)
        protocol.writeFieldEnd()


def put_everything(protocol):
    """Plain fields 1 to 8, a list of structs 9, a map of sets 10, and an i32 behind them, 11."""
    protocol.writeMessageBegin("everything", CALL, 99)
    protocol.writeStructBegin("arguments")
    put_plain(protocol)
    protocol.writeFieldBegin("", TType.LIST, 9)
    protocol.writeListBegin(TType.STRUCT, 2)
    for _ in range(2):
        protocol.writeStructBegin("")
        put_plain(protocol)
        protocol.writeFieldStop()
        protocol.writeStructEnd()
    protocol.writeListEnd()
    protocol.writeFieldEnd()
    protocol.writeFieldBegin("", TType.MAP, 10)
    protocol.writeMapBegin(TType.STRING, TType.SET, 2)
    for key, values in ((b"none", []), (b"some", [1, 2, 3])):
        protocol.writeBinary(key)
        protocol.writeSetBegin(TType.I16, len(values))
        for value in values:
            protocol.writeI16(value)
        protocol.writeSetEnd()
    protocol.writeMapEnd()
    protocol.writeFieldEnd()
    protocol.writeFieldBegin("", TType.I32, 11)
    protocol.writeI32(12)
    protocol.writeFieldEnd()
    protocol.writeFieldStop()
    protocol.writeStructEnd()
    protocol.writeMessageEnd()


def make(path):
    frames = [framed(lambda protocol, m=message: put_message(protocol, *m)) for message in MESSAGES]
    frames.append(framed(put_everything))
    with open(path, "wb") as file:
        file.write(b"".join(frames))
    print(f"golden: {len(frames)} frames, {sum(map(len, frames))} bytes in {path}")


def get_fields(protocol):
    fields = []
    protocol.readStructBegin()
    while True:
        _, type_, id_ = protocol.readFieldBegin()
        if type_ == TType.STOP:
            return fields
        value = protocol.readI32() if type_ == I32 else protocol.readBinary()
        fields.append((type_, id_, value))
        protocol.readFieldEnd()


def check(path):
    with open(path, "rb") as file:
        memory = TMemoryBuffer(file.read())
    protocol = TBinaryProtocol(TFramedTransport(memory), strictRead=True)
    for expected in MESSAGES:
        name, kind, sequence = protocol.readMessageBegin()
        found = (name, kind, sequence, get_fields(protocol))
        protocol.readMessageEnd()
        if found != expected:
            sys.exit(f"make_golden.py: {path}: {found} where {expected} should be")
    if memory.read(1):
        sys.exit(f"make_golden.py: {path}: bytes behind the last frame")
    print(f"golden: Apache Thrift read {len(MESSAGES)} frames of our writer's")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("make", "check"):
        sys.exit(__doc__.strip())
    {"make": make, "check": check}[sys.argv[1]](sys.argv[2])
