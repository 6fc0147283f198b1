"""TOML: tables and keys of the known configurations with values of all of TOML's kinds."""

import json
import re
import tomllib

from . import odd, tables

TABLE = re.compile(r'^(\[+[\w.\-"]+\]+)')
PAIR = re.compile(r'^([\w.\-"]+)\s*=\s*(.+)$')
VALUES = [
    "0x1F", "0o17", "0b101", "0xG", "1__0", "1_000", "6.02e+23", "1.", "01", "true", "false", "True", "''",
    "'''\na'b'''", '"""\na\\\n   b"""', '"\\u00e9\\U0001F600\\t\\n\\"\\\\"', '"\\uD800"', '"\\x"', "2026-01-01",
    "2026-01-01T00:00:00Z", "2026-01-01 00:00:00.123456+02:00", "07:32:00", "2026-02-30", "2026-13-01T25:00:00Z",
    "[]", "[1, 2]", '[1, "a"]', "[[1], [2, 3]]", "[ 1, # c\n 2,\n]", "[1 2]", "[,]", "{}", "{ a = 1 }",
    "{ a = 1, b = { c = [1] } }", '{ a.b = 1, "c d" = 2 }', "{ a = 1, }", "{ a = 1\n}", '"5m"', '"10s"', '"0s"',
    '"-5s"', '"1.5h"', '"99999999h"', '"64MiB"', '"0B"', '"1TiB"', '"640x480"', '"0x0"', '"1280x720@60"',
    '"auto"', '"none"', "[46.0, 7.7]", "[91, 181]", '["a", "a"]', '"6:00-20:00"', '"25:00-30:00"',
    '"localhost:2947"', '"a:99999"', '"[::1]:5"', '"GPIO22"', '"gpiochip0"', "180", "90", "270", "45",
    '"/a\\u0000b"', '"KEY_VOLUMEUP"', '"KEY_"', '"BTN_LEFT"', '"BTN_0"', '"key_a"', "1e300", "-1e-300", "5e-324", "-0.0",
    "9e18", "0.1", "1e15", "123456789.123", "inf", "-nan", '"#ff0000"', '"#ff000080"', '"#ff000000"', '"tint:#1234"',
    '["tint:#ff000080", "tint:#00000000", "brightness:0.25"]', '"12"', '"0x1"', '" a"', '"a "', '"source:"', '"source:a"',
    '"overlay-toggle:a"', '"en"', '"de-CH"', '["de", "fr"]', '["de", "de"]', '["x-y"]', '"{name}"', '"~/a"', '"."', '".."']
TABLES = ["[a]", "[[a]]", "[a.b.c]", "[ a . b ]", '["a b"]', "[]", "[a", "[[a]", "[a]]", "[a.]", "[source]",
          "[[view]]", "['x'.\"y\"]"]
KEYS = ['"a b"', "'x'", "a.b", "a . b", '""', "-", "é", "1", "a b", '"\\u00e9"']
LINES = ["", "#", "# \x01", "garbage", "= 1", "a =", "\t", "["]
PLACES = [
    'path = "/m/a.mbtiles"', 'path = ["/a.pmtiles", "/b.mbtiles"]', 'provider = "/run/x.sock"',
    'url = "https://{s}.e.org/{z}/{x}/{y}.png"', 'path = "/d/{z}/{x}/{y}.png"',
    'url = "https://e.org/' + "{z}{x}{y}{-y}/a{scale}" * 3 + '"']


def configurations(random, known, words):
    toml = Toml(random, [data.decode("utf-8", "surrogateescape") for data in known], words)
    while True:
        text = toml.document()
        yield odd.damaged(random, text.encode("utf-8", "surrogateescape"), 0.04)


class Toml:
    def __init__(self, random, texts, words):
        self.random, self.texts = random, texts or [""]
        values, keys, tables, words = {}, {}, {}, words or KEYS
        # Ordered, so that the same random numbers give the same text. Of most of what fuzzers found
        # no part is a key or value.
        for text in filter(valid, self.texts):
            table = ""
            for line in map(str.strip, text.splitlines()):
                if found := TABLE.match(line):
                    table = found[1]
                    tables[table] = None
                elif (found := PAIR.match(line)) and len(found[2]) < 200:
                    values.setdefault(found[1], {})[found[2]] = None
                    keys.setdefault(table, {})[found[1]] = None
        self.values = {key: list(all_values) for key, all_values in values.items()}
        self.keys = {table: list(all_keys) for table, all_keys in keys.items()}
        names = {one: None for key in values for one in key.split(".") if one in words}
        self.all_keys = list(names) * 3 + list(values) + KEYS + words
        known = [table for table in tables if table.strip("[]").split(".")[0] in words]
        self.tables = known * 9 + list(tables) + TABLES
        self.known = {table: [key for key in self.keys.get(table, []) if key.split(".")[0] in words]
                      for table in known}
        # Chosen for each text: how much of it is no value at all.
        self.faults = 0.2

    def rarely(self, chance):
        return self.random.random() < chance

    def key(self, table):
        keys = self.keys.get(table)
        return self.random.choice(self.all_keys if keys is None or self.rarely(0.15) else keys)

    def value(self, key):
        choice = self.random.choice
        value = choice(VALUES) if self.rarely(0.5) else choice(self.values.get(key, VALUES))
        if self.rarely(self.faults):
            at = self.random.randint(0, len(value))
            value = value[:at] + choice(odd.TEXTS)[:100] + value[at + self.random.randint(0, 3):]
        elif self.rarely(0.08):
            value = "[" + ", ".join([value] * choice([1, 2, 5, 20])) + "]"
        elif self.rarely(0.04):
            value = "{ " + ", ".join(f"{choice(self.all_keys)} = {value}" for _ in range(2)) + " }"
        return value

    def table(self):
        """A table of a list, with values for its keys."""
        kind = self.random.choice(list(tables.KINDS))
        return [f"[[{kind}]]"] + [
            f"{key if re.fullmatch('[a-z_.]+', key) else written(key)} = {written(value)}"
            for key, value in tables.table(self.random, kind).items()]

    def sources(self):
        """Sources that fall back on each other."""
        names, lines = self.random.choices(["a", "b", "c", "a b", "é"], k=self.random.randint(2, 5)), []
        for name in names:
            lines += ["[[source]]", f'name = "{name}"', self.random.choice(PLACES)]
            if self.rarely(0.6):
                lines.append(f'fallback = "{self.random.choice(names + ["none"])}"')
        return lines

    def faulty(self):
        """A text with many faults, which are found in another order than they have in it."""
        choice, lines = self.random.choice, []
        for table in dict.fromkeys(choice(self.tables) for _ in range(choice([1, 2, 4, 8]))):
            lines.append(table)
            count = choice([1, 4, 16, 32, 64])
            keys = [f"{choice('abz')}{number}" if self.rarely(0.7) else self.key(table) for number in range(count)]
            lines += [f"{key} = {choice(['1', 'true', '[]'])}" for key in dict.fromkeys(keys)]
        return "\n".join(lines)

    def single(self):
        """One value for a known key. There are many thousands of these pairs, and beside other lines
        most values are not reached."""
        table = self.random.choice([table for table, keys in self.known.items() if keys])
        return f"{table}\n{self.random.choice(self.known[table])} = {self.random.choice(VALUES)}\n"

    def document(self):
        choice, lines = self.random.choice, []
        if self.rarely(0.15):
            return self.faulty()
        if any(self.known.values()) and self.rarely(0.4):
            return self.single()
        self.faults, used = choice([0, 0.05, 0.2]), set()
        if self.rarely(0.4):
            lines += choice(self.texts).splitlines()[:self.random.randint(1, 60)]
        if self.rarely(0.15):
            lines += self.sources()
        while self.rarely(0.4):
            lines += self.table()
        for _ in range(choice([0, 1, 2, 3, 5])):
            table = choice(self.tables)
            if table in used and not table.startswith("[[") and not self.rarely(self.faults):
                continue
            used.add(table)
            lines.append(table)
            keys = set()
            for _ in range(choice([0, 1, 2, 3, 6])):
                key = self.key(table)
                if key in keys and not self.rarely(self.faults):
                    continue
                keys.add(key)
                lines.append(f"{key} = {self.value(key)}" + (choice([" # é", " x", ","]) if self.rarely(self.faults / 3) else ""))
            if self.rarely(self.faults / 2):
                lines.append(choice(LINES))
        return choice(["\n", "\n", "\n", "\r\n"]).join(lines) + choice(["\n", ""])


def valid(text):
    try:
        tomllib.loads(text)
        return True
    except (ValueError, RecursionError):
        return False


def written(value):
    """A value of JSON as TOML writes it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{written(key)} = {written(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
