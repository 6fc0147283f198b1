"""Maps whose pictures are known: the pattern map, and mosaics of a folder of tiles."""
import math
import os
import shutil

from picture import Picture

EDGE = 256
PATTERN_LEVELS = 5


def pattern_map(store):
    """A folder of tiles in which no two pixels of a tile are alike, made if it is not there.

    Every colour is one that RGB565 holds exactly, so that a 16-bit display has to show it unchanged:
    column and row, 8 bits each, mixed with the tile's own number.
    """
    folder = os.path.join(store, f"pattern-{PATTERN_LEVELS}")
    if os.path.isdir(folder):
        return folder
    colours = [wide(value) for value in range(1 << 16)]
    new = f"{folder}.{os.getpid()}"
    for level in range(PATTERN_LEVELS):
        for x in range(1 << level):
            os.makedirs(os.path.join(new, str(level), str(x)))
            for y in range(1 << level):
                mixed = (level * 0x3A61 + x * 0x1F35 + y * 0x64C9 + 0x2B1D) & 0xFFFF
                rows = [b"".join(colours[(column << 8 | row) ^ mixed] for column in range(EDGE))
                        for row in range(EDGE)]
                path = os.path.join(new, str(level), str(x), f"{y}.png")
                Picture(EDGE, EDGE, rows).write_png(path)
    try:
        os.rename(new, folder)
    except OSError:  # another run was quicker
        shutil.rmtree(new)
    return folder


def wide(value):
    """RGB565 as three bytes, by bit replication."""
    red, green, blue = value >> 11, value >> 5 & 63, value & 31
    return bytes((red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2))


class Mosaic:
    """Tiles of a folder {z}/{x}/{y}.png, put side by side."""

    def __init__(self, folder):
        self.folder = folder
        self.tiles = {}

    def tile(self, level, x, y):
        """The tile's picture; None where there is none."""
        key = level, x, y
        if key not in self.tiles:
            path = os.path.join(self.folder, str(level), str(x), f"{y}.png")
            self.tiles[key] = None
            if os.path.exists(path):
                with open(path, "rb") as file:
                    self.tiles[key] = Picture.of_png(file.read())
        return self.tiles[key]

    def view(self, lat, lon, level, width, height):
        """The view of so many pixels about a place, north up, at a whole zoom.

        The world's columns go on around the dateline; beyond its upper and lower edge and where a
        tile is missing there is no picture to compare with: LookupError.
        """
        world = EDGE << level
        sine = math.sin(math.radians(lat))
        centre_x = (lon + 180) / 360 * world
        centre_y = (0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * world
        left = math.floor(centre_x - width / 2 + 0.5)
        top = math.floor(centre_y - height / 2 + 0.5)
        rows = []
        for row in range(top, top + height):
            parts, column = [], left
            while column < left + width:
                tile_x, offset = (column // EDGE) % (1 << level), column % EDGE
                count = min(EDGE - offset, left + width - column)
                tile = self.tile(level, tile_x, row // EDGE)
                if tile is None:
                    raise LookupError(f"no tile {level}/{tile_x}/{row // EDGE} in {self.folder}")
                parts.append(tile.rows[row % EDGE][offset * 3 : (offset + count) * 3])
                column += count
            rows.append(b"".join(parts))
        return Picture(width, height, rows)
