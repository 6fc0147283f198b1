#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Draws ten views of each schema in the style trailhead, for a person to look at before a release.

usage: review.py FOLDER [NAME…]     only the views whose names begin so, such as shortbread or openmaptiles-3
needs: waypost in PATH, the large test data (packs.py)

Each view is drawn by day and at night in three sizes. FOLDER/index.html shows them all. Look for words that are cut or
that overlap, seams between tiles, colours that do not fit, missing water, and blank areas.
"""
import pathlib
import subprocess
import sys

from packs import LARGE, there

PACKS = LARGE / "packs"
PERTH, PARIS = "perth-protomaps-v4-z0-15.pmtiles", "paris-ruhr-openmaptiles-z0-14.mbtiles"
SF, MONACO = "sf-downtown-", "monaco-"
SIZES = ("800x480", "1280x720", "1920x1080")
VIEWS = {  # by schema: pack, Waypost's zoom, centre, bearing, what is there
    "protomaps": [
        (PERTH, 3, "-28,125", 0, "Australia"),
        (PERTH, 7.5, "-32,116", 0, "coast and land cover, far"),
        (PERTH, 9.3, "-32,115.9", 40, "the region, turned"),
        (PERTH, 11, "-31.97,115.86", 0, "the town"),
        (PERTH, 12.6, "-32.0,115.8", 200, "river and coast, almost upside down"),
        (PERTH, 13.5, "-31.955,115.85", 0, "quarters, half way between zooms"),
        (PERTH, 14, "-31.957,115.845", 90, "park and motorways, east up"),
        (PERTH, 15.25, "-31.96,115.843", 0, "paths in a park"),
        (PERTH, 16, "-31.955,115.858", 315, "streets and buildings, turned"),
        (PERTH, 18.3, "-31.9605,115.843", 17, "enlarged from zoom 15"),
    ],
    "openmaptiles": [
        (PARIS, 2, "47,10", 0, "the world"),
        (PARIS, 5, "48,8", 0, "Europe"),
        (PARIS, 6.7, "48.9,8.4", 25, "Germany, turned"),
        (PARIS, 9, "51.6,8.4", 0, "the Ruhr and beyond"),
        (PARIS, 11.4, "51.5,7.05", 135, "the Ruhr, turned"),
        (PARIS, 13, "51.51,7.45", 0, "Dortmund"),
        (PARIS, 14.6, "48.879,2.34", 0, "Paris"),
        (PARIS, 16, "48.876,2.345", 60, "Paris, streets and buildings, turned"),
        (SF + "openmaptiles.mbtiles", 15.5, "37.785,-122.401", 0, "San Francisco"),
        (MONACO + "openmaptiles.mbtiles", 15.3, "43.736,7.423", 300, "Monaco, turned"),
    ],
    "shortbread": [
        (SF + "shortbread.pmtiles", 12, "37.785,-122.4", 0, "San Francisco, far"),
        (SF + "shortbread.pmtiles", 13.4, "37.785,-122.4", 30, "San Francisco, turned"),
        (SF + "shortbread.pmtiles", 14.2, "37.784,-122.401", 0, "motorway and quarters"),
        (SF + "shortbread.pmtiles", 15, "37.7875,-122.4075", 0, "streets"),
        (SF + "shortbread.pmtiles", 15.7, "37.7955,-122.4", 120, "shore, turned"),
        (SF + "shortbread.pmtiles", 17, "37.785,-122.402", 0, "a park between buildings"),
        (MONACO + "shortbread.pmtiles", 13.5, "43.738,7.425", 0, "Monaco"),
        (MONACO + "shortbread.pmtiles", 15, "43.738,7.4245", 210, "Monaco, almost upside down"),
        (MONACO + "shortbread.pmtiles", 16.5, "43.7315,7.421", 0, "rock and harbour"),
        (MONACO + "shortbread.pmtiles", 18, "43.739,7.427", 45, "enlarged from zoom 14, turned"),
    ],
}


def main():
    folder, wanted = pathlib.Path(sys.argv[1]), tuple(sys.argv[2:]) or ("",)
    if not there():
        return
    folder.mkdir(parents=True, exist_ok=True)
    page = ["<!DOCTYPE html><meta charset=utf-8><title>Review</title>"]
    for schema, views in VIEWS.items():
        for number, (pack, zoom, center, bearing, what) in enumerate(views, 1):
            name = f"{schema}-{number}"
            if not f"{name}-".startswith(wanted):
                continue
            page.append(f"<h2>{name}: {what}; zoom {zoom}, bearing {bearing}</h2>")
            for size in SIZES:
                for theme in ("day", "night"):
                    file = f"{name}-{size}-{theme}.png"
                    subprocess.run(["waypost", "render", "--source", str(PACKS / pack), f"--center={center}",
                                    "--zoom", str(zoom), "--bearing", str(bearing), "--size", size, "--theme", theme,
                                    "--hud", "-o", str(folder / file)], check=True)
                    page.append(f"<p>{file}<br><img src={file} loading=lazy>")
            print(f"{name}: {what}", flush=True)
    (folder / "index.html").write_text("\n".join(page))


main()
