#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Draws trail-card.png, trail-card-night.png and vehicle.png of the README: screenshots of the daemon.

usage: screens.py [NAME…]     only the pictures whose names begin so
needs: waypostd and waypost in PATH; pip install pillow; the large test data, as packs.py

The trail, the notice and the café are examples, made up for these pictures.
"""
import pathlib
import sys
import tempfile

from PIL import Image

from kiosk import kiosk
from packs import pack, there

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = """
[[source]]
path = "{pack}"
"""
TRAIL = """
[view]
center = [-31.967, 115.833]
zoom = 14
[hud]
buttons = true
languages = ["en", "de"]
[[overlay]]
name = "trail"
path = "{here}/trail.geojson"
title = "Bushland loop"
card = ["difficulty", "surface"]
[[marker]]
id = "here"
lat = -31.9689
lon = 115.8236
label = "You are here"
[[marker]]
id = "cafe"
lat = -31.965
lon = 115.85
label = "Lookout café"
icon = "food"
[[notice]]
id = "steps"
text = "Lookout steps closed until June"
severity = "warning"
[[gpio.button]]
line = 17
action = "select-next"
[[gpio.button]]
line = 27
action = "select"
hold = "home"
[[gpio.button]]
line = 22
action = "back"
hold = "language-next"
"""
VEHICLE = """
[view]
center = [-31.975, 115.855]
zoom = 15
[position]
follow = true
heading_up = true
track = true
"""
CARD = ["call", "overlay.select", '{"name": "trail"}']
# Along a road, from south to north.
DRIVE = [
    ["call", "position.set", '{"lat": %.6f, "lon": %.6f, "heading": 340, "speed": 9}' % (
        -31.98031 + 0.00045 * n, 115.85359 - 0.000193 * n)] for n in range(10)]
SCREENS = [  # name, theme, configuration, calls
    ("trail-card", "day", TRAIL, [CARD]),
    ("trail-card-night", "night", TRAIL, [CARD]),
    ("vehicle", "day", VEHICLE, DRIVE),
]


def draw(name, theme, text, calls):
    text = (text + SOURCE).format(pack=pack("perth").resolve(), here=HERE)
    with tempfile.TemporaryDirectory() as folder, kiosk("1280x720", theme, text) as waypost:
        drawn = pathlib.Path(folder) / "drawn.png"
        waypost("settle")
        for call in calls:
            waypost(*call)
            waypost("settle")
        waypost("screenshot", str(drawn))
        target = HERE / f"{name}.png"
        picture = Image.open(drawn).convert("RGB")
        picture.quantize(128, kmeans=2, dither=Image.Dither.NONE).save(target, optimize=True)
        print(f"{target.name}: {target.stat().st_size} bytes")


def main():
    wanted = tuple(sys.argv[1:]) or ("",)
    if not there():
        return
    for name, theme, text, calls in SCREENS:
        if f"{name}.png".startswith(wanted):
            draw(name, theme, text, calls)


main()
