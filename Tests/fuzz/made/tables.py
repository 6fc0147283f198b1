"""What clients add over the socket and the state file keeps: tables of sources, overlays, markers and
notices, with all keys that they may have."""

import json
import pathlib

from . import odd, trees

LANGUAGES = ["de", "fr", "de-CH", "zh-Hans", "en", "EN", "d", "x-y", "", "de.fr", "é"]
COLORS = ["#fff", "#FFFFFF", "#ff000080", "#ffff", "#ff", "red", "#ggg", "fff", "#", "#éé", "#12345", "none"]
CARDS = [
    [], ["surface"], ["a", "a"], ["a", 1], [""], ["x" * 101], ["a"] * 40, "a", [[]], [{}],
    [{"property": "a"}], [{"property": "a", "name": "A"}], [{"property": "", "name": "A"}],
    [{"name": "A", "name.de": "B"}], [{"property": "a", "name": {"en": "A", "x": 1}}],
    [{"property": "a", "nome": "A"}], [{"property": "a", "name.de": "A", "name.e": ""}],
    [{"property": "a", "name": "x" * 200}], [{"property": 1}, "b"]]
FEATURES = [
    {"type": "Point", "coordinates": [1, 2]}, "{}", "x", 1, None, [], {}, "x" * 5000,
    {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}]
TIMES = [
    "2027-06-01", "2027-06-01T18:00:00Z", "2027-06-01t18:00:00z", "2027-06-01 18:00:00+02:00",
    "2027-06-01T18:00:00.25-05:30", "2027-06-01T18:00:00.Z", "2027-06-31", "1969-01-01", "2027-13-01",
    "2027-02-29T00:00:60Z", "2027-06-01T24:00:00Z", "2027-06-01T18:60:00Z", "2027-06-01T18:00:61Z",
    "2027-06-01T18:00:00", "2027-06-01T18:00:00+2", "2027-06-01T18:00:00+24:00", "2027-06-01T18:00:00+02:60",
    "2027-06-01T18:00:00+02:00x", "2027-06-01T18:00", "2027-6-1", "2027-06-01T", "20270601", "é", ""]
PATHS = [
    "/a.mbtiles", "/a.PMTiles", "/d", "a.mbtiles", "", "/", "/a/../b", "~/a", "/é.gpx", "/a\0b", ".mbtiles",
    "https://a.org/a.pmtiles", "/d/{z}/{x}/{y}.png", "/p.geojson", "/p.kml", "/closure:a.gpx", "x" * 5000]
URLS = [
    "file:///d/{z}/{x}/{y}.png", "file://localhost/d/{z}/{x}/{y}", "file://d/{z}", "file://", "{z}/{x}/{y}",
    "file:///d/{z}/{x}", "file:///d/{z}/{x}/{y}{y}", "file:///d/{z}/{x}/{-y}{scale}.png", "file:///{q}.png",
    "https://a.org/{z}/{x}/{y}.png", "HTTP://a.org", "ftp://a.org/{z}/{x}/{y}", "file:///{z}/{x}/{y}{a}",
    "file:///{s}/{z}/{x}/{y}", "file:///{z/{x}/{y}", "file:///}{z}/{x}/{y}", "file:///d/{z}/{x}/{y}.png#é",
    "file:///" + "{z}{x}{y}{q}{-y}a" * 5, "file:///{z}/{x}/{y}" + "{scale}{r}{switch:a,b}" * 3]
# What the fuzzers' inputs have as templates. Ordered, so that the same random numbers make the same.
URLS += [
    start + file.read_bytes().decode(errors="replace")
    for file in sorted(pathlib.Path(__file__).parents[2].glob("Fixtures/fuzz*/template/*"))
    for start in ("", "file:///{z}/{x}/{y}")]
TEXT = ["A", "", "Weiße Straße", {"en": "A"}, {"en": "A", "de": "B"}, {"": "A"}, {"en": 1}, {}, "x" * 90,
        "x" * 600, "\0", "\n", "a\u2028b", "e\u0301", {"en": ""}, {"e": "A", "de-CH": "B"}, {"en": "x" * 600}]
NAME = ["a", "b", "", "x" * 100, "x" * 101, "a\nb", "closure:a", "é", 1, "tile"]
ZOOMS = [0, 1, 5, 12.5, 24, 25, 30, 31, -1, "5", 5.0]

KINDS = {
    "source": {
        "name": NAME, "path": PATHS, "paths": [[], ["/a.mbtiles"], ["/a", "/b"], ["", "/a"], [1], "x"] + PATHS,
        "url": URLS, "provider": PATHS, "scheme": ["xyz", "tms", "quadkey", "XYZ", "xy"],
        "tile_size": [256, 512, 128, "256", 256.0], "min_zoom": ZOOMS, "max_zoom": ZOOMS, "attribution": TEXT,
        "role": ["base", "overlay", "style", "bases"],
        "level": ["above-roads", "above-labels", "above-road", "below"],
        "opacity": [0, 1, 0.5, 1.5, -1, "1"],
        "filters": [
            [], ["invert"], ["grayscale", "dark", "red"], ["tint:#ff000080"], ["tint:#ff"], ["brightness:0.6"],
            ["brightness:5"], ["brightness:"], ["brightness"], ["mosaic:0.2"], ["mosaic:0"], ["invert:1"],
            ["invert"] * 17, "invert", [1], [""], ["tint"]],
        "style": ["trailhead", "/s.json", "/s.JSON", "/s.txt", "s.json"], "style_night": ["/n.json", "/n", ""],
        "night": ["theme", "dim", "keep", "dark"], "language": LANGUAGES,
        "fallback": NAME, "subdomains": [[], ["a", "b"], ["a", ""], ["a\n"], "ab", [1]],
        "headers": [{}, {"A": "b"}, {"A b": "c"}, {"": "c"}, {"A": "b\n"}, {"é": "b"}, {"A:": "b"}, {"A": 1}, "A"],
        "store": PATHS, "store_limit": ["512MiB", "1KiB", "64MiB", 5, "1TiB", "x"]},
    "overlay": {
        "name": NAME, "path": PATHS, "kind": ["grid", "grids"], "geojson": FEATURES,
        "level": ["above-roads", "above-labels", "above"], "stroke": COLORS, "fill": COLORS,
        "stroke_width": [0, 2.5, 100, 101, -1, "2"], "label": ["name", "", 1],
        "color_by": ["elevation", "speed", "slope", ""],
        "min_zoom": ZOOMS, "casing": COLORS + ["auto", True],
        "dash": [[4, 2], [], [0, 0], [1], [-1, 2], "none", "dashed", "dotted", "dash", [1] * 9, [1] * 40,
                 ["a"], [1e9, 1]], "attribution": TEXT,
        "title": TEXT, "card": CARDS, "travel": ["hiking", "cycling", "none", "car"],
        "travel_speed": [4.5, 0, 0.1, 200, 201, "4"]},
    "marker": {
        "id": NAME, "lat": [0, 46.5, -90, 91, "46", 1e400], "lon": [0, 7.5, -540, 541, None, True], "label": TEXT,
        "text": TEXT, "color": COLORS,
        "icon": ["here", "pin", "hut", "first-aid", "huts", "P", ""]},
    "notice": {
        "id": NAME, "text": TEXT, "severity": ["info", "warning", "danger", "dangers", ""], "until": TIMES,
        "closes": NAME, "feature": NAME + ["x" * 200, "x" * 201], "geojson": FEATURES},
}
TRANSLATED = {"attribution", "title", "text", "label", "name"}
LISTS = {"sources": "source", "added_overlays": "overlay", "markers": "marker", "notices": "notice"}
METHODS = {"source.add": "source", "overlay.add": "overlay", "marker.set": "marker", "notice.set": "notice"}
NEEDED = {"source": ["name", "path"], "overlay": ["name", "path"], "marker": ["id", "lat", "lon"],
          "notice": ["id", "text"]}


def table(random, kind):
    """A table with some of its keys: most have a value of their kind, some any."""
    keys, made = KINDS[kind], {}
    wanted = random.sample(list(keys), random.randint(0, min(6, len(keys))))
    if random.random() < 0.8:
        wanted += NEEDED[kind]
    for key in wanted:
        value = random.choice(keys[key])
        if key in NEEDED[kind] and random.random() < 0.7:
            value = keys[key][0]
        elif random.random() < 0.1:
            value = random.choice([None, True, {}, [], random.choice(odd.TEXTS), 3.5, 10**19])
        elif isinstance(value, str) and random.random() < 0.2:
            value = cut(random, value, keys[key])
        elif isinstance(value, (int, float)) and random.random() < 0.2:
            value = number(random)
        elif key in ("stroke", "fill", "casing", "color") and random.random() < 0.3:
            value = color(random)
        elif key == "filters" and random.random() < 0.5:
            value = filters(random)
        name = key
        if random.random() < 0.1:
            if key in TRANSLATED and random.random() < 0.6:
                name += "." + random.choice(LANGUAGES)
            else:
                at = random.randint(0, len(key))
                name = key[:at] + random.choice(["", "s", "_", "é"]) + key[at + random.randint(0, 1):]
        made[name] = value
    return made


def number(random):
    return random.choice([
        random.uniform(-200, 200), random.uniform(-1, 1), random.randint(-99999, 99999), 1e300, -1e-300, 5e-324,
        -0.0, 9e18, 1e15, 123456789.123, 2**63, -2**63, 0.1])


def color(random):
    digits = "".join(random.choice("0123456789abcdefABCDEFf0") for _ in range(random.choice([3, 4, 6, 8, 8])))
    return "#" + digits


def filters(random):
    """Some filters with their values."""
    def one():
        name = random.choice(["tint", "brightness", "mosaic", "invert", "grayscale", "dark", "red", "", "x"])
        value = random.choice(["", ":" + color(random), f":{number(random)}", f":{random.uniform(0, 1):.2f}", ":"])
        return name + (":" + color(random) if name == "tint" and random.random() < 0.7 else value)
    return [one() for _ in range(random.choice([0, 1, 1, 2, 16, 17]))]


def cut(random, text, others):
    """A text cut off, or with another one or a sign in it."""
    at = random.randint(0, len(text))
    if random.random() < 0.4:
        return text[:at]
    others = [other for other in others if isinstance(other, str)]
    return text[:at] + random.choice(others + odd.TEXTS)[:100] + text[at + random.randint(0, 2):]


def states(random, known, words):
    """State files: variants of the known ones, and some with other tables."""
    variants = trees.documents(random, known, words)
    while True:
        yield next(variants) if random.random() < 0.4 else written(random, state(random))


def state(random):
    """A state file with tables in its lists."""
    made = {"lat": 46, "lon": 7.5, "zoom": 12, "bearing": 0}
    for name, kind in LISTS.items():
        if random.random() < 0.4:
            made[name] = [table(random, kind) for _ in range(random.choice([1, 1, 2, 4]))]
    for name, kind in (("trusted_sources", "sources"), ("trusted_overlays", "added_overlays")):
        if random.random() < 0.4:
            made[name] = [t.get("name", "a") for t in made.get(kind, [])]
    if random.random() < 0.3:
        made["overlays"] = [
            {"name": random.choice(NAME), "shown": random.choice([True, False, 1]),
             "level": random.choice(KINDS["overlay"]["level"])} for _ in range(random.choice([1, 2, 5]))]
    return made


def requests(random, known, words):
    """Requests: variants of the known ones, and some that bring other tables."""
    variants = trees.lines(random, known, words)
    while True:
        made = [written(random, request(random)) for _ in range(random.choice([1, 1, 2, 4]))]
        yield next(variants) if random.random() < 0.5 else b"\n".join(made) + b"\n"


def request(random):
    method = random.choice(list(METHODS))
    return {"jsonrpc": "2.0", "id": random.choice([1, "a", None, 1.5]), "method": method,
            "params": table(random, METHODS[method])}


def written(random, value):
    text = json.dumps(value, ensure_ascii=random.random() < 0.3, separators=(",", ":"))
    return odd.damaged(random, text.encode("utf-8", "surrogatepass"), 0.03)
