"""MBTiles 1.3: packs of many schemas, with values of all kinds, some of them damaged."""

import gzip
import json
import os
import pathlib
import sqlite3
import tempfile
import zlib

from . import odd, pieces

KEYS = ["name", "format", "minzoom", "maxzoom", "bounds", "center", "attribution", "json"]
OTHER_KEYS = ["type", "version", "description", "scheme", "Name", "MINZOOM", "", "compression", "x"]
FORMATS = ["png", "PNG", "jpg", "jpeg", "webp", "pbf", "mvt", "application/vnd.mapbox-vector-tile",
           "Image/PNG", "", "x", "avif"]
LAYERS = [
    {"vector_layers": [{"id": "roads", "fields": {"a": "String"}}]}, {"vector_layers": []},
    {"vector_layers": 1}, {"vector_layers": [1, {"id": 2}, {"id": "x", "minzoom": 3, "maxzoom": "a"}]},
    {"vector_layers": [{"id": "a"}] * 40}, {"tilestats": {"layers": [{"layer": "a"}]}}, [], 1, None,
    {"a": [[[]]]}]
# Values of other types than text.
TYPES = [None, 1, -1, 0, 3.5, 1e300, float("inf"), 2**62, b"\x00\xff", b"5", b""]
BLOBS = [b"", b"\x89PNG\r\n\x1a\n" + b"\0" * 30, b"\xff\xd8\xff\xe0", b"RIFF\x04\0\0\0WEBP",
         b"\x1a\x08x\x02\x0a\x04road", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x78\x9c", b"<html>", b"x" * 200]

METADATA = [
    "CREATE TABLE metadata(name text, value text)", "CREATE TABLE metadata(name, value)",
    "CREATE TABLE METADATA(name text primary key, value text)", "CREATE TABLE metadata(name)",
    "CREATE TABLE metadata(value, name, x)",
    "CREATE TABLE metadata(name text primary key, value) WITHOUT ROWID",
    "CREATE VIEW metadata AS SELECT 'name' AS name, 'a' AS value", "CREATE TABLE meta(name, value)"]
COLUMNS = ["zoom_level integer, tile_column integer, tile_row integer, tile_data blob"] * 6 + [
    "zoom_level, tile_column, tile_row, tile_data", "zoom_level, tile_column, tile_row",
    "zoom_level text, tile_column text, tile_row text, tile_data",
    "tile_data, tile_row, tile_column, zoom_level, extra", "x, y, z, s, image",
    "zoom_level int, tile_column int, tile_row int, tile_data blob,"
    " primary key(zoom_level, tile_column, tile_row)"]
VIEWS = [
    "SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images ON images.tile_id = map.tile_id",
    "SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, map.tile_row AS tile_row,"
    " images.tile_data AS tile_data FROM map, images",
    "SELECT 1",
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i AS zoom_level,"
    " 0 AS tile_column, 0 AS tile_row, i AS tile_data FROM c",
    "SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, randomblob(100) AS tile_data",
    "SELECT * FROM nothing"]
INDEX = "UNIQUE INDEX {} ON {}(zoom_level, tile_column, tile_row)"


def packs(random, known, words):
    rows = Rows(random)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pack")
        while True:
            Pack(random, rows, path).fill()
            with open(path, "rb") as file:
                data = file.read()
            os.unlink(path)
            # The header and the first page say how the rest is read.
            places = [200] if random.random() < 0.12 else []
            if random.random() < 0.2:
                places += [len(data)] * random.choice([1, 2, 8])
            for most in places:
                at = random.randrange(max(1, min(len(data), most)))
                data = data[:at] + random.choice([b"\0", b"\xff", random.randbytes(1)]) + data[at + 1:]
            yield odd.damaged(random, data)


def files(random, known, words):
    """A pack, whole or not, after the byte that says so; or a variant of what was known, such as a
    journal beside a pack."""
    made, others = packs(random, known, words), pieces.texts(random, known, words)
    while True:
        if random.random() < 0.2:
            yield next(others)
            continue
        data, way = next(made), random.random()
        if way < 0.15:
            data = data[:random.randrange(len(data) + 1)]
        elif way < 0.25:
            data = data[:len(data) // 512 * 512 - 512 * random.randint(0, 3)]
        elif way < 0.3:
            data += random.choice([b"\0", b"\0" * 512, random.randbytes(600)])
        elif way < 0.4:
            # The header's number of pages (sqlite.org/fileformat2.html, section 1.3.7).
            data = data[:28] + random.choice([0, 1, 2, 2**31, 2**32 - 1]).to_bytes(4, "big") + data[32:]
        yield b"\0" + data


def values(random, known, words):
    """Rows of the metadata and a tile, as the target puts them into an intact pack."""
    rows = Rows(random)
    while True:
        data = b""
        for _ in range(random.randint(0, 9)):
            key, value = rows.row()
            value = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
            data += str(key).encode() + b"=" + value.replace(b"\n", b" ") + b"\n"
        yield data + b"\n" + rows.blob()


class Rows:
    """Values of rows."""

    def __init__(self, random):
        self.random = random
        # What the fuzzers' inputs have as attributions.
        files = sorted(pathlib.Path(__file__).parents[2].glob("Fixtures/fuzz*/html/*"))
        self.texts = [file.read_bytes().decode(errors="replace") for file in files]

    def row(self):
        key = self.random.choice(KEYS * 2 + OTHER_KEYS)
        return key, self.random.choice(TYPES) if self.random.random() < 0.12 else self.value(key)

    def value(self, key):
        choice = self.random.choice
        if key in ("minzoom", "maxzoom"):
            return choice(odd.NUMBERS)
        if key in ("bounds", "center"):
            count = choice([4, 4, 4, 3, 5, 2]) if key == "bounds" else choice([3, 3, 2, 4])
            return choice([",", ",", ", ", " ", ";"]).join(choice(odd.NUMBERS) for _ in range(count))
        if key == "format":
            return choice(FORMATS)
        if key == "json":
            text = json.dumps(choice(LAYERS))
            return odd.damaged(self.random, text.encode(), 0.3).decode("utf-8", "replace")
        if key == "attribution" and self.texts and self.random.random() < 0.6:
            return "".join(choice(self.texts) for _ in range(choice([1, 1, 2])))
        return "".join(choice(odd.TEXTS) for _ in range(choice([1, 1, 2, 3])))

    def blob(self):
        blob = self.random.choice(BLOBS)
        pack = self.random.choice([bytes, bytes, bytes, zlib.compress, lambda b: gzip.compress(b, mtime=0)])
        return odd.damaged(self.random, pack(blob))

    def place(self):
        """Level, column and row: mostly a tile's."""
        choice = self.random.choice
        if self.random.random() < 0.3:
            return choice([24, 25, -1, "a", None, 1.5, 10**12]), choice([-1, "x", None, 0]), choice([0, -1, 1.5])
        level = self.random.randint(0, 4)
        return level, self.random.randrange(1 << level), self.random.randrange(1 << level)


class Pack:
    """A database, made at `path`."""

    def __init__(self, random, rows, path):
        self.random, self.rows = random, rows
        self.database = sqlite3.connect(path, isolation_level=None)

    def run(self, text, *values):
        """What is no SQL for this database is left out."""
        try:
            self.database.execute(text, values)
        except (sqlite3.Error, OverflowError, UnicodeEncodeError):
            pass

    def fill(self):
        choice, chance = self.random.choice, self.random.random
        self.run(f"PRAGMA page_size = {choice([512, 512, 512, 1024, 4096])}")
        if chance() < 0.1:
            self.run(f"PRAGMA encoding = '{choice(['UTF-16le', 'UTF-16be'])}'")
        if chance() < 0.05:
            self.run("PRAGMA auto_vacuum = 1")
        self.run("PRAGMA journal_mode = MEMORY")
        self.run("PRAGMA synchronous = OFF")
        self.run("BEGIN")
        if chance() < 0.9:
            self.run(choice(METADATA[:1] * 8 + METADATA))
        for _ in range(self.random.randint(0, 9)):
            self.run("INSERT INTO metadata(name, value) VALUES (?, ?)", *self.rows.row())
        kind = chance()
        if kind < 0.65:
            self.run(f"CREATE TABLE {choice(['tiles'] * 9 + ['Tiles'])}({choice(COLUMNS)})")
            if chance() < 0.4:
                self.run("CREATE " + INDEX.format("tile_index", "tiles"))
        elif kind < 0.92:
            self.views()
        elif kind < 0.96:
            self.run("CREATE VIRTUAL TABLE tiles USING fts5(zoom_level, tile_column, tile_row, tile_data)")
        self.tiles(isView=0.65 <= kind < 0.92)
        self.run("COMMIT")
        if chance() < 0.05:
            self.run("PRAGMA journal_mode = WAL")
        self.database.close()

    def views(self):
        """Tiles as some tools store them: each picture once."""
        self.run("CREATE TABLE map(zoom_level int, tile_column int, tile_row int, tile_id text)")
        self.run("CREATE TABLE images(tile_id text, tile_data blob)")
        if self.random.random() < 0.8:
            self.run("CREATE " + INDEX.format("map_index", "map"))
            self.run("CREATE UNIQUE INDEX image_index ON images(tile_id)")
        self.run("CREATE VIEW tiles AS " + self.random.choice(VIEWS[:1] * 3 + VIEWS))

    def tiles(self, isView):
        for number in range(self.random.choice([0, 1, 1, 2, 3, 8, 40])):
            place = (0, 0, 0) if number == 0 and self.random.random() < 0.5 else self.rows.place()
            data = self.random.choice(TYPES) if self.random.random() < 0.1 else self.rows.blob()
            if isView:
                self.run("INSERT OR IGNORE INTO map VALUES (?, ?, ?, ?)", *place, str(number))
                self.run("INSERT OR IGNORE INTO images VALUES (?, ?)", str(number), data)
            else:
                self.run(
                    "INSERT OR IGNORE INTO tiles(zoom_level, tile_column, tile_row, tile_data)"
                    " VALUES (?, ?, ?, ?)", *place, data)
