#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Draws the screens of scenes/ for a person to look at before a release.

usage: scenes.py [--before FOLDER] FOLDER [NAME…]     only the scenes whose names begin so
needs: waypostd and waypost in PATH, the large test data (packs.py)

Each scene is drawn by day and at night in four sizes. FOLDER/index.html shows them all, with what is to be seen in
each; --before puts beside them the pictures that this program drew into another folder, with an older version in PATH.
What a version refuses is left out, and the page says why.
"""
import argparse
import html
import math
import os
import pathlib
import shlex
import string
import time

from kiosk import Refused, kiosk
from packs import DATA, HERE, PACKS, there

SIZES = ("800x480", "1280x720", "1920x1080", "480x800")
WALL = "1920x1080"  # is read from further away, so with a larger HUD where a scene says nothing else
THEMES = ("day", "night")


def crowd(lat, lon):
    """Markers around a place, many in its middle and few further out, as configuration."""
    for n in range(260):
        away, angle = 0.016 * (n / 260) ** 3, 2.4 * n
        yield (f'[[marker]]\nid = "{n}"\nlabel = "Place {n}"\n'
               f"lat = {lat + away * math.sin(angle):.6f}\nlon = {lon + away * math.cos(angle):.6f}\n")


BUTTONS = """
[gpio]
button = [
  { line = 17, action = "select-next" }, { line = 27, action = "select", hold = "home" },
  { line = 22, action = "back", hold = "language-next" },
]
"""
VALUES = {  # what $NAMEs in a scene stand for
    "DATA": DATA, "HERE": HERE, "BUTTONS": BUTTONS, "CROWD": "".join(crowd(-31.925, 115.805)),
    **{name.upper().replace("-", "_"): path for name, path in PACKS.items()},
}


def read(file):
    """A scene's configuration, and what its first comment says: `shows`, `before` and `steps`."""
    said, key = {"before": "", "steps": ""}, None
    text = string.Template(file.read_text()).substitute(VALUES)
    for line in text.splitlines():
        if not line.startswith("# "):
            break
        first, colon, rest = line[2:].partition(": ")
        if colon and first in ("Shows", "Before", "Steps"):
            key, line = first.lower(), "# " + rest
            said[key] = ""
        said[key] = f"{said[key]} {line[2:]}".strip()
    return text, said


def draw(target, size, theme, text, steps):
    """Draws one picture after the steps: words of waypost, `wait SECONDS`, or a last `now`, which awaits no tile."""
    with kiosk(size, theme, text, "large" if size == WALL else "normal") as waypost:
        waypost("settle", "--timeout", "30")
        for step in filter(None, steps.split("; ")):
            first, *rest = shlex.split(step)
            if first == "wait":
                time.sleep(float(rest[0]))
            elif first != "now":
                waypost(first, *rest)
        if not steps.endswith("now"):
            waypost("settle", "--timeout", "30")
        waypost("screenshot", str(target))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="where the pictures go")
    parser.add_argument("names", nargs="*", metavar="NAME", help="how the names of wanted scenes begin")
    parser.add_argument("--before", type=pathlib.Path, metavar="FOLDER", help="pictures of an older version")
    wanted = parser.parse_args()
    if not there():
        return
    wanted.folder.mkdir(parents=True, exist_ok=True)
    page = ["<!DOCTYPE html><meta charset=utf-8><title>Scenes</title>"]
    for file in sorted((HERE / "scenes").glob("*.toml")):
        if not file.name.startswith(tuple(wanted.names) or ""):
            continue
        text, said = read(file)
        page.append(f"<h2>{file.stem}</h2><p>{html.escape(said['shows'])}")
        page.append(f"<p>Before: {html.escape(said['before'])}")
        for name, size, theme in ((f"{file.stem}-{s}-{t}.png", s, t) for s in SIZES for t in THEMES):
            target = wanted.folder / name
            target.unlink(missing_ok=True)
            try:
                draw(target, size, theme, text, said["steps"])
                page.append(f"<p>{name}<br><img src={name} loading=lazy>")
            except Refused as reason:
                print(f"{name}: left out: {reason}", flush=True)
                page.append(f"<p>{name}: left out: {html.escape(str(reason))}")
            if wanted.before and (wanted.before / name).exists():
                before = os.path.relpath(wanted.before / name, wanted.folder)
                page.append(f'<img src="{html.escape(before)}" loading=lazy title=before>')
        print(file.stem, flush=True)
    (wanted.folder / "index.html").write_text("\n".join(page))


main()
