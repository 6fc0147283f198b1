"""PMTiles 3: archives whose header, directories and tiles belong together, but for a few of them."""

import gzip
import json
import struct

from . import odd
from .vectors import varint

LARGE = [0, 1, 10**6, 2**31, 2**32, 2**63, 2**64 - 1]
METADATA = [
    {}, [], {"name": "a &amp; b", "attribution": "<a href='x'>y</a>", "vector_layers": [{"id": "roads"}]},
    {"vector_layers": []}, {"vector_layers": [{"id": 1}]}, {"vector_layers": "x"}, {"name": 1},
    {"attribution": None, "description": "x"}, {"center": "1,2,3", "bounds": "1,2,3,4"},
    {"name": "🇨🇭", "format": "png"}]
TILES = [b"", b"\x89PNG\r\n\x1a\n" + b"\0" * 30, b"\xff\xd8\xff\xe0", b"RIFF\x04\0\0\0WEBP",
         b"\x1a\x08x\x02\x0a\x04road", b"x" * 200]
BOUNDS = [(-180, -85, 180, 85), (5.5, 45, 10, 47), (170, -10, -170, 10), (0, 0, 0, 0), (10, 47, 5, 45),
          (200, 95, -200, -95)]
# Section 3: the header's length.
HEADER = 127


def archives(random, known, words):
    archive = Archive(random)
    while True:
        yield archive.made()


def directories(random, known, words):
    archive = Archive(random)
    while True:
        yield archive.directory(archive.entries(random.choice([0, 1, 2, 5, 30]))[0])


class Archive:
    def __init__(self, random):
        self.random = random

    def rarely(self, chance=0.03):
        return self.random.random() < chance

    def some(self, number, chance=0.1):
        """The number, now and then another one."""
        if not self.rarely(chance):
            return number
        return self.random.choice(LARGE + [number + 1, max(0, number - 1)])

    def entries(self, count):
        """Entries as (tile, run, length, offset), and the tiles."""
        tile, entries, data = self.random.choice([0, 0, 1, 5]), [], b""
        for _ in range(count):
            one = self.random.choice(TILES)
            one = gzip.compress(one, mtime=0) if self.rarely(0.3) else one
            run = self.random.choice([1, 1, 1, 2, 5, 0])
            entries.append((tile, run, len(one), self.some(len(data), 0.05)))
            data += one
            tile += self.random.choice([1, 1, max(1, run), 100, 4**12])
        return entries, data

    def directory(self, entries):
        """Section 4.1: how many, then the columns."""
        data, last = varint(self.some(len(entries), 0.02)), 0
        for tile, _, _, _ in entries:
            data, last = data + varint(self.some(max(0, tile - last), 0.02)), tile
        data += b"".join(varint(self.some(run, 0.02)) for _, run, _, _ in entries)
        data += b"".join(varint(self.some(length, 0.02)) for _, _, length, _ in entries)
        for before, (_, _, _, offset) in zip([None] + entries, entries):
            follows = before and before[2] + before[3] == offset and not self.rarely(0.2)
            data += varint(0 if follows else self.some(offset + 1, 0.02))
        return odd.damaged(self.random, data, 0.05)

    def packed(self, data, compression):
        if compression != 2:
            return data
        return odd.damaged(self.random, gzip.compress(data, mtime=0), 0.04)

    def root(self, entries, compression):
        """The root directory, and the leaves, if there are any."""
        if not entries or not self.rarely(0.35):
            return self.packed(self.directory(entries), compression), b""
        half, leaves, pointers = len(entries) // 2 + 1, b"", []
        for part in [p for p in (entries[:half], entries[half:]) if p]:
            leaf = self.packed(self.directory(part), compression)
            pointers.append((part[0][0], 1 if self.rarely() else 0, len(leaf), len(leaves)))
            leaves += leaf
        if self.rarely(0.1):
            # A leaf of leaves.
            leaf = self.packed(self.directory(pointers), compression)
            pointers = [(pointers[0][0], 0, len(leaf), len(leaves))]
            leaves += leaf
        return self.packed(self.directory(pointers), compression), leaves

    def made(self):
        choice = self.random.choice
        compression = choice([0, 1, 2, 3, 4]) if self.rarely(0.3) else 2
        entries, tiles = self.entries(choice([0, 1, 1, 2, 3, 5, 20]))
        root, leaves = self.root(entries, compression)
        metadata = self.packed(
            odd.damaged(self.random, json.dumps(choice(METADATA)).encode()), compression)
        parts, offset, places = [root, metadata, leaves, tiles], HEADER, []
        for part in parts:
            places += [self.some(offset, 0.03), self.some(len(part), 0.03)]
            offset += len(part)
        zooms = choice([(0, 0), (0, 5), (0, 14), (0, 24), (3, 0), (25, 255), (255, 2)])
        data = b"PMTiles" + bytes([choice([3] * 20 + [1, 2, 4])])
        data += struct.pack("<11Q", *places, *[self.some(len(entries), 0.05)] * 3)
        data += bytes([choice([0, 1]), compression, choice([0, 1, 2, 3, 4, 9]), choice([0, 1, 2, 3, 4, 5, 6, 9]),
                       *zooms])
        data += self.degrees(choice(BOUNDS)) + bytes([choice([0, 5, 24, 255])])
        data += self.degrees(choice([(7.5, 46), (0, 0), (200, 100), (-180, -90)]))
        return odd.damaged(self.random, data + b"".join(parts))

    def degrees(self, values):
        return b"".join(struct.pack("<i", int(max(-2**31, min(2**31 - 1, d * 1e7)))) for d in values)
