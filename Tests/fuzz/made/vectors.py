"""Vector tiles (Mapbox Vector Tile Specification 2.1) of any layers, features and values."""

import gzip
import struct

from . import odd

TEXTS = [
    b"", b"name", b"class", b"kind", b"name:de", b"primary", "Straße".encode(), b"ref", b"is_tunnel",
    b"oneway", b"highway", b"x" * 200, b"\xff\xfe", b"\xc3", b"\0"]
NUMBERS = [0, 1, -1, 17, 100, -64, 4095, 4096, 8192, 2**31 - 1, -2**31, 2**31, 2**62]
LARGE = [0, 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1]


def tiles(random, known, words):
    tile = Tile(random)
    while True:
        data = tile.made()
        yield gzip.compress(data, mtime=0) if random.random() < 0.03 else data


def painted(random, known, words):
    """Tiles behind the four bytes that say how the target paints them."""
    for data in tiles(random, known, words):
        yield random.randbytes(4) + data


def varint(number):
    """A number as Protocol Buffers and PMTiles have it; a negative one in two's complement."""
    number &= 2**64 - 1
    data = b""
    while number > 127:
        data += bytes([number & 127 | 128])
        number >>= 7
    return data + bytes([number])


class Tile:
    """Protocol Buffers' fields of a tile, a few of which are wrong."""

    def __init__(self, random):
        self.random = random

    def made(self):
        layers = [self.bytes(3, self.layer()) for _ in range(self.random.choice([1, 1, 1, 2, 3]))]
        return odd.damaged(self.random, b"".join(layers))

    def rarely(self, chance=0.03):
        return self.random.random() < chance

    def field(self, number, kind, data):
        if self.rarely(0.01):
            number = self.random.choice([0, 1, 2, 3, 4, 5, 15, 16, 100, 2**29 - 1])
        if self.rarely(0.01):
            kind = self.random.randrange(8)
        return varint(number << 3 | kind) + data

    def number(self, number, value):
        return self.field(number, 0, varint(value))

    def bytes(self, number, data):
        length = len(data)
        if self.rarely(0.01):
            length = self.random.choice(LARGE + [length + 1, max(0, length - 1)])
        return self.field(number, 2, varint(length) + data)

    def mixed(self, fields):
        """The fields, now and then in another order, without one, or with one twice."""
        if self.rarely(0.1):
            self.random.shuffle(fields)
        if fields and self.rarely(0.06):
            fields.pop(self.random.randrange(len(fields)))
        if fields and self.rarely(0.05):
            fields.append(self.random.choice(fields))
        return b"".join(fields)

    def layer(self):
        choice = self.random.choice
        keys, values = choice([0, 1, 3, 6]), choice([0, 1, 3, 8])
        fields = [self.number(15, choice([2] * 9 + [0, 1, 3, 99]))]
        fields.append(self.bytes(1, choice([b"roads", b"water", b"hello", b"", b"x" * 300, b"\xff"])))
        fields += [self.bytes(2, self.feature(keys, values)) for _ in range(choice([0, 1, 1, 2, 4]))]
        fields += [self.bytes(3, choice(TEXTS)) for _ in range(keys)]
        fields += [self.bytes(4, self.value()) for _ in range(values)]
        if not self.rarely(0.1):
            fields.append(self.number(5, choice([4096] * 6 + [256, 512, 8192] + LARGE)))
        return self.mixed(fields)

    def value(self):
        choice = self.random.choice
        numbers = [0, 1.5, float("nan"), float("inf"), -1e38]
        return choice([
            b"", self.bytes(1, choice(TEXTS)), self.field(2, 5, struct.pack("<f", choice(numbers))),
            self.field(3, 1, struct.pack("<d", choice(numbers))), self.number(4, choice(LARGE)),
            self.number(5, choice(LARGE)), self.number(6, choice(LARGE)), self.number(7, choice([0, 1, 2])),
            self.bytes(9, b"x"), self.bytes(1, b"a") + self.bytes(1, b"b")])

    def feature(self, keys, values):
        choice, kind = self.random.choice, self.random.choice([0, 1, 1, 2, 2, 3, 3, 4])
        fields = [self.number(1, choice([1, 12345, 2**64 - 1]))] if self.rarely(0.5) else []
        tags = b""
        for count in [keys, values] * choice([0, 1, 2, 3, 5]):
            is_wrong = count == 0 or self.rarely(0.05)
            tags += varint(choice([count, 999, 2**32]) if is_wrong else self.random.randrange(count))
        fields += [self.bytes(2, tags[:-1] if self.rarely() else tags), self.number(3, kind)]
        fields.append(self.bytes(4, self.geometry(kind)))
        if self.rarely():
            # Not packed.
            fields += [self.field(4, 0, self.coordinate()) for _ in range(5)]
        return self.mixed(fields)

    def coordinate(self):
        value = self.random.choice(NUMBERS) if self.rarely(0.15) else self.random.randint(-200, 200)
        return varint(value << 1 if value >= 0 else ~(value << 1))

    def command(self, number, count):
        if self.rarely():
            number = self.random.choice([0, 3, 4, 5, 6, 7])
        stated = self.random.choice([0, 1, 2, 100, 2**28, 2**29 - 1]) if self.rarely() else count
        return varint(stated << 3 | number) + b"".join(self.coordinate() for _ in range(2 * count))

    def geometry(self, kind):
        """MoveTo, LineTo and ClosePath (section 4.3)."""
        data = b""
        for _ in range(self.random.choice([1, 1, 2, 3])):
            data += self.command(1, self.random.choice([1, 1, 2, 5]) if kind == 1 else 1)
            if kind != 1:
                data += self.command(2, self.random.choice([0, 1, 2, 3, 4, 9]))
            if (kind == 3) != self.rarely(0.07):
                data += varint(1 << 3 | 7)
        return odd.damaged(self.random, data, 0.04)
