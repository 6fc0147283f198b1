#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""The packs that the pictures show. Those of Monaco and of the invented mountain are made when first needed.

usage: packs.py [NAME…]     makes them in .build-pictures of the checkout, anew if they are there
needs: tilemaker and osmium (Debian: tilemaker, osmium-tool); pip install numpy contourpy shapely pyshp

The large test data has to be in ../shared/data or in $WAYPOST_TEST_DATA.
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
DATA = pathlib.Path(os.environ.get("WAYPOST_TEST_DATA") or CHECKOUT.parent / "shared" / "data").resolve()
LARGE = DATA / "vector"
BUNDLED = CHECKOUT / "Sources" / "CBundled" / "data"
MADE = CHECKOUT / ".build-pictures"
EXAMPLES = pathlib.Path("/usr/share/doc/tilemaker/examples")
PACKS = {
    "world": BUNDLED / "natural-earth.pmtiles",
    "perth": LARGE / "packs" / "perth-protomaps-v4-z0-15.pmtiles",
    "paris": LARGE / "packs" / "paris-ruhr-openmaptiles-z0-14.mbtiles",
    "shortbread": LARGE / "packs" / "sf-downtown-shortbread.pmtiles",
    "shortbread-monaco": LARGE / "packs" / "monaco-shortbread.pmtiles",
    "monaco": MADE / "monaco.mbtiles",
    "mountain": MADE / "mountain.mbtiles",
}


def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, cwd=MADE, **options)


def tilemaker(extract, name, sea=None):
    """Makes a pack as docs/vector-maps.md says, with the edit of the example that it prints, and a shapefile as sea."""
    lines = (CHECKOUT / "docs" / "vector-maps.md").read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("    sed -e "))
    last = next(i for i, line in enumerate(lines) if line.endswith("> process-walk.lua"))
    run("sh", "-c", "\n".join(line.strip() for line in lines[first:last + 1]))
    # tilemaker draws the sea of this folder, where it runs.
    shutil.rmtree(MADE / "coastline", ignore_errors=True)
    if sea:
        (MADE / "coastline").mkdir()
        run(sys.executable, HERE / "coastline.py", sea, "coastline/water_polygons.shp")
    (MADE / name).unlink(missing_ok=True)
    run("tilemaker", "--input", extract, "--output", name, "--config", EXAMPLES / "config-openmaptiles.json",
        "--process", "process-walk.lua", stdout=subprocess.DEVNULL)


def make_monaco():
    extract = LARGE / "osm" / "monaco.osm.pbf"
    tilemaker(extract, "monaco.mbtiles", sea=extract)


def make_mountain():
    run(sys.executable, HERE / "mountain.py", "mountain.osm")
    run("osmium", "sort", "--no-progress", "--overwrite", "-o", "mountain.osm.pbf", "mountain.osm")
    tilemaker("mountain.osm.pbf", "mountain.mbtiles")


MAKERS = {"monaco": make_monaco, "mountain": make_mountain}


def there():
    """Whether the large test data is there; says so aloud if it is not."""
    if not (LARGE / "packs").is_dir():
        print(f"{sys.argv[0]}: skipped: there is no {LARGE}; set WAYPOST_TEST_DATA", file=sys.stderr)
        return False
    return True


def pack(name):
    """The path of a pack, which is made if need be."""
    if name in MAKERS and not PACKS[name].exists():
        MADE.mkdir(exist_ok=True)
        MAKERS[name]()
    return PACKS[name]


def main():
    if not there():
        return
    for name in sys.argv[1:] or MAKERS:
        if name in MAKERS:
            PACKS[name].unlink(missing_ok=True)
        print(pack(name))


if __name__ == "__main__":
    main()
