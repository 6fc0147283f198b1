"""Pictures: read from PPM and PNG files, turned, cut, compared."""
import struct
import zlib
from itertools import accumulate


class Picture:
    """Rows of bytes, three a pixel: red, green, blue."""

    def __init__(self, width, height, rows):
        self.width, self.height, self.rows = width, height, rows

    @property
    def size(self):
        return f"{self.width}x{self.height}"

    @classmethod
    def of_ppm(cls, path):
        """A binary PPM of 8 bits a sample, as QEMU writes it: ppm(5)."""
        with open(path, "rb") as file:
            kind, width, height, top = (file.readline() + file.readline() + file.readline()).split()
            data = file.read()
        if kind != b"P6" or top != b"255":
            raise ValueError(f"{path} is no binary PPM of 8 bits a sample")
        width, height = int(width), int(height)
        return cls(width, height, [data[y * width * 3 : (y + 1) * width * 3] for y in range(height)])

    @classmethod
    def of_png(cls, data):
        """A PNG of 8 bits a sample or with a palette, not interlaced (PNG, third edition)."""
        if data[:8] != b"\x89PNG\r\n\x1a\n":
            raise ValueError("no PNG")
        at, chunks = 8, {}
        while at < len(data):
            length, name = struct.unpack(">I4s", data[at : at + 8])
            chunks[name] = chunks.get(name, b"") + data[at + 8 : at + 8 + length]
            at += 12 + length
        width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
        channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
        if interlaced or depth != 8 and colour != 3:
            raise ValueError("an interlaced PNG, or not of 8 bits a sample")
        step = max(1, channels * depth // 8)
        length = (width * channels * depth + 7) // 8
        rows, before = [], bytes(length)
        raw = zlib.decompress(chunks[b"IDAT"])
        for y in range(height):
            start = y * (length + 1)
            before = unfilter(raw[start], raw[start + 1 : start + 1 + length], before, step)
            rows.append(before)
        if colour == 3:
            palette = [chunks[b"PLTE"][i : i + 3] for i in range(0, len(chunks[b"PLTE"]), 3)]
            rows = [b"".join(palette[i] for i in indices(row, depth, width)) for row in rows]
        elif colour in (0, 4):
            rows = [b"".join(row[i : i + 1] * 3 for i in range(0, len(row), step)) for row in rows]
        elif colour == 6:
            rows = [b"".join(row[i : i + 3] for i in range(0, len(row), 4)) for row in rows]
        return cls(width, height, rows)

    def write_png(self, path):
        def chunk(name, data):
            return struct.pack(">I", len(data)) + name + data + struct.pack(
                ">I", zlib.crc32(name + data))

        head = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        raw = b"".join(b"\0" + row for row in self.rows)
        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
                       + chunk(b"IDAT", zlib.compress(raw, 3)) + chunk(b"IEND", b""))

    def turned_back(self, rotation):
        """As a viewer sees a panel that is mounted turned clockwise by so many degrees."""
        if rotation == 0:
            return self
        if rotation == 180:
            rows = [reverse(row) for row in reversed(self.rows)]
            return Picture(self.width, self.height, rows)
        columns = []
        reds, greens, blues = ([row[c::3] for row in self.rows] for c in range(3))
        for parts in zip(zip(*reds), zip(*greens), zip(*blues)):
            columns.append(bytes(sample for pixel in zip(*parts) for sample in pixel))
        # Panel pixel (height - 1 - y, x) is the view's (x, y) at 90 degrees.
        if rotation == 90:
            return Picture(self.height, self.width, list(reversed(columns)))
        return Picture(self.height, self.width, [reverse(column) for column in columns])

    def cut(self, x, y, width, height):
        rows = [row[x * 3 : (x + width) * 3] for row in self.rows[y : y + height]]
        return Picture(width, height, rows)

    def difference(self, other):
        """None if both are alike, else where and how they differ, in words."""
        if self.size != other.size:
            return f"{self.size} against {other.size}"
        first, count = None, 0
        for y, (ours, theirs) in enumerate(zip(self.rows, other.rows)):
            if ours == theirs:
                continue
            for x in range(self.width):
                a, b = ours[x * 3 : x * 3 + 3], theirs[x * 3 : x * 3 + 3]
                if a != b:
                    count += 1
                    first = first or f"({x}, {y}): #{a.hex()} against #{b.hex()}"
        return f"{count} of {self.width * self.height} pixels, first {first}" if count else None

    def alike(self, other):
        """Which part of the pixels is alike in both, 0 to 1."""
        if self.size != other.size:
            return 0
        count = sum(ours[x : x + 3] == theirs[x : x + 3] for ours, theirs in zip(self.rows, other.rows)
                    for x in range(0, len(ours), 3))
        return count / (self.width * self.height)

    def marked(self, other):
        """Where they differ: white; the rest of this picture, darkened."""
        rows = []
        for ours, theirs in zip(self.rows, other.rows):
            row = bytearray(sample >> 2 for sample in ours)
            for x in range(0, min(len(ours), len(theirs)), 3):
                if ours[x : x + 3] != theirs[x : x + 3]:
                    row[x : x + 3] = b"\xff\xff\xff"
            rows.append(bytes(row))
        return Picture(self.width, len(rows), rows)


def reverse(row):
    """The row's pixels from the last to the first."""
    turned = bytearray(row[::-1])
    turned[0::3], turned[2::3] = turned[2::3], turned[0::3]
    return bytes(turned)


def indices(row, depth, width):
    if depth == 8:
        return row
    count = 8 // depth
    mask = (1 << depth) - 1
    return [row[x // count] >> (8 - depth * (x % count + 1)) & mask for x in range(width)]


def unfilter(kind, row, above, step):
    """Undoes a row's filter: PNG, section 9.2."""
    if kind == 0:
        return row
    if kind == 2:
        return bytes((a + b) & 255 for a, b in zip(row, above))
    out = bytearray(len(row))
    if kind == 1:
        for c in range(step):
            out[c::step] = bytes(accumulate(row[c::step], lambda a, b: (a + b) & 255))
        return bytes(out)
    for i, value in enumerate(row):
        left = out[i - step] if i >= step else 0
        if kind == 3:
            out[i] = (value + ((left + above[i]) >> 1)) & 255
            continue
        up, corner = above[i], above[i - step] if i >= step else 0
        a, b, c = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
        nearest = left if a <= b and a <= c else up if b <= c else corner
        out[i] = (value + nearest) & 255
    return bytes(out)
