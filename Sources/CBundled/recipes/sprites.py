#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Draws data/trailhead/sprite-THEME[@2x].png and .json, the icons of the style "trailhead".

usage: sprites.py
needs: apt install librsvg2-bin; pip install pillow (for the palette)

The drawings are our own. Each is SVG in a square of 16 units; those in PLATES lie on a rounded plate.
"""
import json
import pathlib
import subprocess

from PIL import Image

COLORS = {  # plate by group, sign on it, edge of what lies on the map itself
    "day": {"outdoor": "#2f6b3a", "service": "#2d5f93", "info": "#7a4a1e", "health": "#b3261e",
            "sign": "#ffffff", "edge": "#fffdf6", "peak": "#5c3414", "dot": "#26251f", "arrow": "#8a7f68",
            "shield": "#fffdf6", "shield-edge": "#8a8272"},
    "night": {"outdoor": "#3f7d4b", "service": "#3f719f", "info": "#8d6136", "health": "#b4473f",
              "sign": "#f2efe6", "edge": "#101413", "peak": "#e3b98e", "dot": "#e6e2d6", "arrow": "#a39b8a",
              "shield": "#262a29", "shield-edge": "#6d6f68"},
}
LINE = 'fill="none" stroke="{sign}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"'
PLATES = {
    "hut": ("outdoor", '<path fill="{sign}" d="M8 3 2.6 7.8h1.6V13h3v-3h1.6v3h3V7.8h1.6z"/>'),
    "shelter": ("outdoor", f'<path {LINE} d="M2.8 7.2 13 3.6M4.5 7v6M11.5 4.6V13M6.6 12.8h2.8v-2H6.6z"/>'),
    "camp": ("outdoor", '<path fill="{sign}" fill-rule="evenodd" d="M8 3.2 2.2 13h11.6zM8 8.2l2.4 4.8H5.6z"/>'),
    "picnic": ("outdoor", f'<path {LINE} d="M3.6 5h8.8M5.8 5 4 12.4M10.2 5l1.8 7.4M2.6 8.8h10.8"/>'),
    "viewpoint": ("outdoor", f'<path {LINE} d="M8 7V3M4.9 8 2.3 5.4M11.1 8l2.6-2.6M3.4 11.6H1.8M14.2 11.6h-1.6"/>'
                             '<circle cx="8" cy="11.6" r="2.2" fill="{sign}"/>'),
    "water": ("service", '<path fill="{sign}" d="M8 2.6c2.4 3.2 3.9 5.2 3.9 7.2a3.9 3.9 0 0 1-7.8 0c0-2 1.5-4 3.9-7.2z"/>'),
    "toilets": ("service", '<circle cx="4.8" cy="4.2" r="1.4" fill="{sign}"/><circle cx="11.2" cy="4.2" r="1.4" fill="{sign}"/>'
                           '<path fill="{sign}" d="M3 6.4h3.6v3.4H5.9v3.4H3.7V9.8H3zM11.2 6l2.1 4.4h-1.2v2.8h-1.8v-2.8H9.1z"/>'
                           '<path stroke="{sign}" stroke-width=".7" d="M8 3v10.2"/>'),
    "parking": ("service", '<path fill="none" stroke="{sign}" stroke-width="2" stroke-linejoin="round" '
                           'd="M5.9 13V3.8h2.9a2.65 2.65 0 0 1 0 5.3H5.9"/>'),
    "station": ("service", '<path fill="{sign}" fill-rule="evenodd" d="M5.4 2.8h5.2a1.4 1.4 0 0 1 1.4 1.4v5.6a1.4 1.4 0 0 1-1.4 '
                           '1.4H5.4A1.4 1.4 0 0 1 4 9.8V4.2a1.4 1.4 0 0 1 1.4-1.4zM5.3 4.2v2.6h5.4V4.2z"/>'
                           f'<path {LINE} d="m5.6 11.8-1.2 1.6M10.4 11.8l1.2 1.6"/>'),
    "information": ("info", '<circle cx="8" cy="4.3" r="1.35" fill="{sign}"/>'
                            '<path fill="{sign}" d="M6.2 6.8h2.9v4.8h1v1.5H6v-1.5h1V8.3h-.8z"/>'),
    "hospital": ("health", '<path fill="{sign}" d="M6.5 3h3v3.5H13v3H9.5V13h-3V9.5H3v-3h3.5z"/>'),
}
BARE = {  # name: size in points, drawing in a square of 16 units
    "peak": (14, '<path fill="{peak}" stroke="{edge}" stroke-width="1.6" paint-order="stroke" stroke-linejoin="round" '
                 'd="M8 2.6 14 13H2z"/>'),
    "town": (10, '<circle cx="8" cy="8" r="4.6" fill="{edge}" stroke="{dot}" stroke-width="2.6"/>'),
    "capital": (13, '<circle cx="8" cy="8" r="6" fill="{edge}" stroke="{dot}" stroke-width="1.7"/>'
                    '<circle cx="8" cy="8" r="3" fill="{dot}"/>'),
    "oneway": (12, '<path fill="none" stroke="{arrow}" stroke-width="1.8" stroke-linecap="round" '
                   'stroke-linejoin="round" d="M2.5 8h10M9 4.5 12.8 8 9 11.5"/>'),
    "shield": (18, '<rect x="1" y="1" width="14" height="14" rx="2.6" fill="{shield}" stroke="{shield-edge}" stroke-width="1"/>'),
}
SIZE = 18  # of a plate, in points


def drawing(name, colors):
    """The SVG of one icon in a square of 16 units, and its size in points."""
    if name in BARE:
        size, body = BARE[name]
        return size, fill(body, colors)
    group, body = PLATES[name]
    plate = f'<rect x=".4" y=".4" width="15.2" height="15.2" rx="3.4" fill="{colors[group]}" ' \
            f'stroke="{colors["edge"]}" stroke-width=".8"/>'
    return SIZE, plate + f'<g transform="translate(8 8) scale(.86) translate(-8 -8)">{fill(body, colors)}</g>'


def fill(body, colors):
    for key, value in colors.items():
        body = body.replace("{" + key + "}", value)
    return body


def main():
    folder = pathlib.Path(__file__).resolve().parent.parent / "data" / "trailhead"
    folder.mkdir(parents=True, exist_ok=True)
    for theme, colors in COLORS.items():
        for scale in (1, 2):
            parts, index, x = [], {}, 0
            for name in [*PLATES, *BARE]:
                size, body = drawing(name, colors)
                parts.append(f'<svg x="{x}" y="0" width="{size}" height="{size}" viewBox="0 0 16 16">{body}</svg>')
                index[name] = {"x": x * scale, "y": 0, "width": size * scale, "height": size * scale, "pixelRatio": scale}
                x += size + 1
            svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{x * scale}" height="{SIZE * scale}" ' \
                  f'viewBox="0 0 {x} {SIZE}">{"".join(parts)}</svg>'
            stem = folder / f"sprite-{theme}{'@2x' if scale == 2 else ''}"
            picture = stem.with_name(stem.name + ".png")
            subprocess.run(["rsvg-convert", "-o", picture], input=svg.encode(), check=True)
            Image.open(picture).convert("RGBA").save(picture, optimize=True)
            stem.with_name(stem.name + ".json").write_text(json.dumps(index, separators=(",", ":")) + "\n")
            print(f"{picture.name}: {picture.stat().st_size} bytes, {len(index)} icons")


main()
