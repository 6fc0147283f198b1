#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Draws the pictures of docs/trailhead.md, and town.png of the README, as PNG with a palette.

usage: draw.py FOLDER [NAME…]     FOLDER has the packs that PACKS names; only the pictures whose names begin so
needs: waypost in PATH; pip install pillow
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent.parent / "Sources" / "CBundled" / "data"
PACKS = {  # file and schema; the first is the program's own
    "world": (DATA / "natural-earth.pmtiles", "naturalearth"),
    "perth": ("perth-protomaps-v4-z0-15.pmtiles", "protomaps"),
    "monaco": ("monaco.mbtiles", "openmaptiles"),
    "mountain": ("mountain.mbtiles", "openmaptiles"),
}
SMALL, COLORS = "400x300", 160
VIEWS = [  # name, pack, Waypost's zoom, centre, theme, size, colours
    *[(f"town-{z:g}", "perth", z, c, "day", SMALL, COLORS) for z, c in (
        (9, "-32,115.9"), (11, "-31.97,115.86"), (13, "-31.955,115.85"), (14.5, "-31.957,115.845"),
        (16, "-31.955,115.858"), (17.5, "-31.9605,115.843"))],
    ("town-14.5-night", "perth", 14.5, "-31.957,115.845", "night", SMALL, COLORS),
    ("mountain-6", "world", 6, "46.5,8.5", "day", SMALL, COLORS),
    *[(f"mountain-{z:g}", "mountain", z, c, "day", SMALL, COLORS) for z, c in (
        (12, "46.947,-35.11"), (13, "46.95,-35.12"), (14, "46.95,-35.12"), (15, "46.9555,-35.137"),
        (16.5, "46.9285,-35.1495"))],
    ("mountain-14-night", "mountain", 14, "46.95,-35.12", "night", SMALL, COLORS),
    ("coast-5", "world", 5, "42.5,8", "day", SMALL, COLORS),
    *[(f"coast-{z:g}", "perth", z, c, "day", SMALL, COLORS) for z, c in ((8.5, "-32,115.6"), (11.5, "-32,115.78"))],
    *[(f"coast-{z:g}", "monaco", z, c, "day", SMALL, COLORS) for z, c in (
        (15, "43.734,7.4265"), (16, "43.7315,7.4235"), (17.5, "43.733,7.422"))],
    ("coast-16-night", "monaco", 16, "43.7315,7.4235", "night", SMALL, COLORS),
    ("town", "perth", 14.2, "-31.957,115.842", "day", "1280x720", 256),
]


def styles(folder):
    """Copies of the styles that find their icons, for --style."""
    for file in (DATA / "trailhead").glob("*-*.json"):
        style = json.loads(file.read_text())
        if "sprite" in style:
            style["sprite"] = style["sprite"].replace("bundled://trailhead", str(DATA / "trailhead"))
            (folder / file.name).write_text(json.dumps(style))


def main():
    packs, wanted = pathlib.Path(sys.argv[1]), tuple(sys.argv[2:]) or ("",)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        styles(folder)
        for name, pack, zoom, center, theme, size, colors in VIEWS:
            if not name.startswith(wanted):
                continue
            file, schema = PACKS[pack]
            drawn, target = folder / "drawn.png", HERE / f"{name}.png"
            subprocess.run(["waypost", "render", "--source", str(packs / file), f"--center={center}", "--zoom",
                            str(zoom), "--size", size, "--style", str(folder / f"{schema}-{theme}.json"),
                            "-o", str(drawn)], check=True)
            picture = Image.open(drawn).convert("RGB")
            picture.quantize(colors, kmeans=2, dither=Image.Dither.NONE).save(target, optimize=True)
            print(f"{target.name}: {target.stat().st_size} bytes")


main()
