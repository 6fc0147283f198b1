#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Draws the pictures of docs/trailhead.md, and town.png of the README, as PNG with a palette.

usage: draw.py [NAME…]     only the pictures whose names begin so
needs: waypost in PATH; pip install pillow; what packs.py needs
"""
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image

from packs import pack, there

HERE = pathlib.Path(__file__).resolve().parent
PLACES = {  # by zoom: pack and centre
    "town": {
        9: ("perth", "-32,115.9"), 11: ("perth", "-31.97,115.86"), 13: ("perth", "-31.955,115.85"),
        14.5: ("perth", "-31.957,115.845"), 16: ("perth", "-31.955,115.858"), 17.5: ("perth", "-31.9605,115.843")},
    "mountain": {
        6: ("world", "46.5,8.5"), 12: ("mountain", "46.947,-35.11"), 13: ("mountain", "46.95,-35.12"),
        14: ("mountain", "46.95,-35.12"), 15: ("mountain", "46.9555,-35.1345"), 16.5: ("mountain", "46.92827,-35.1495")},
    "coast": {
        5: ("world", "42.5,8"), 8.5: ("perth", "-32,115.6"), 11.5: ("perth", "-32,115.78"),
        15: ("monaco", "43.734,7.4265"), 16: ("monaco", "43.7315,7.4235"), 17.5: ("monaco", "43.733,7.422")},
    "shortbread": {15: ("shortbread", "37.7875,-122.4075")},
}
SMALL, DAY, NIGHT = "400x300", 160, 96
VIEWS = [  # name, pack, Waypost's zoom, centre, theme, size, colours
    *[(f"{place}-{z:g}", pack, z, c, "day", SMALL, DAY)
      for place, views in PLACES.items() for z, (pack, c) in views.items()],
    *[(f"{place}-{z:g}-night", pack, z, c, "night", SMALL, NIGHT)
      for place, views in PLACES.items() if len(views) > 1 for z, (pack, c) in views.items()],
    ("town", "perth", 14.2, "-31.957,115.842", "day", "1280x720", 256),
]


def main():
    wanted = tuple(sys.argv[1:]) or ("",)
    if not there():
        return
    with tempfile.TemporaryDirectory() as folder:
        drawn = pathlib.Path(folder) / "drawn.png"
        for name, of, zoom, center, theme, size, colors in VIEWS:
            if not f"{name}.png".startswith(wanted):
                continue
            target = HERE / f"{name}.png"
            subprocess.run(["waypost", "render", "--source", str(pack(of)), f"--center={center}", "--zoom", str(zoom),
                            "--size", size, "--theme", theme, "-o", str(drawn)], check=True)
            picture = Image.open(drawn).convert("RGB")
            picture.quantize(colors, kmeans=2, dither=Image.Dither.NONE).save(target, optimize=True)
            print(f"{target.name}: {target.stat().st_size} bytes")


main()
