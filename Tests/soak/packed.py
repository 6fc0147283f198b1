"""Archives with one large vector tile each, packed in the ways that PMTiles knows, for `faults`."""

import gzip
import json
import struct


def number(value):
    data = b""
    while value > 0x7F:
        data += bytes([value & 0x7F | 0x80])
        value >>= 7
    return data + bytes([value])


def field(place, data):
    return number(place << 3 | 2) + number(len(data)) + data


def zigzag(value):
    return number(value << 1 if value >= 0 else -value * 2 - 1)


def tile(features=6000, points=20000):
    """Squares of water all over the tile, and a road with many points."""
    squares, x, y = [], 0, 0
    for n in range(features):
        x, y = n * 37 % 4000, n * 91 % 4000
        ring = (number(9) + zigzag(x) + zigzag(y) + number(3 << 3 | 2)
                + zigzag(20) + zigzag(0) + zigzag(0) + zigzag(20) + zigzag(-20) + zigzag(0) + number(15))
        squares.append(field(2, b"\x18\x03" + field(4, ring)))
    line = number(9) + zigzag(0) + zigzag(2000) + number(points << 3 | 2)
    line += b"".join(zigzag(1 if n % 5 == 0 else 0) + zigzag(1 if n % 2 else -1) for n in range(points))
    water = field(1, b"water") + b"\x78\x02" + b"".join(squares)
    road = (field(1, b"transportation") + b"\x78\x02" + field(3, b"class")
            + field(4, field(1, b"motorway")) + field(2, b"\x18\x02" + field(2, b"\0\0") + field(4, line)))
    return field(3, water) + field(3, road)


def zstd(data):
    """A frame of raw blocks (RFC 8878, 3.1.1)."""
    frame = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(data))
    blocks = [data[n:n + (1 << 16)] for n in range(0, len(data), 1 << 16)]
    for n, block in enumerate(blocks):
        head = len(block) << 3 | (n == len(blocks) - 1)
        frame += head.to_bytes(3, "little") + block
    return frame


def brotli(data):
    """A stream of uncompressed meta-blocks (RFC 7932, 9.2), the first with the window of 2^22."""
    # A bit after each block's header is a whole byte: 4 + 1 + 2 + 16 + 1 bits, later without the 4.
    stream = b""
    for n in range(0, len(data), 1 << 16):
        block = data[n:n + (1 << 16)]
        bits = (len(block) - 1) << 3 | 1 << 19
        if n == 0:
            bits = bits << 4 | 0xB
        stream += bits.to_bytes(3, "little") + block
    return stream + b"\x03"


PACKINGS = {"plain": lambda data: data, "gzip": gzip.compress, "brotli": brotli, "zstd": zstd}


def archive(path, packing):
    """Writes a PMTiles archive whose tile 0/0/0 is packed in one of `PACKINGS`. What is not packed is
    smaller, but has as many points."""
    data = tile(features=300) if packing == "plain" else tile()
    packed = PACKINGS[packing](data)
    root = number(1) + number(0) + number(1) + number(len(packed)) + number(1)
    layers = [{"id": name, "fields": {}} for name in (
        "water", "waterway", "landcover", "landuse", "transportation", "building", "boundary", "place",
        "water_name", "transportation_name", "poi", "park")]
    metadata = json.dumps({"name": packing, "vector_layers": layers}).encode()
    head, at = b"PMTiles\x03", 127
    for part in (root, metadata, b"", packed):
        head += struct.pack("<QQ", at, len(part))
        at += len(part)
    head += struct.pack("<QQQ", 1, 1, 1)
    head += bytes([0, 1, 1 + list(PACKINGS).index(packing), 1, 0, 0])
    head += struct.pack("<iiii", -1800000000, -850000000, 1800000000, 850000000) + b"\0" * 9
    with open(path, "wb") as file:
        file.write(head.ljust(127, b"\0") + root + metadata + packed)
    return len(data)
