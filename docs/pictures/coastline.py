#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Writes the sea of an OpenStreetMap extract as a shapefile, from its coastline, for tilemaker.

usage: coastline.py EXTRACT.osm.pbf SEA.shp
needs: osmium (Debian: osmium-tool); pip install shapely pyshp

The coastline cuts the extract's box into pieces. Those to the right of it are sea:
https://wiki.openstreetmap.org/wiki/Tag:natural%3Dcoastline. Where the coastline ends in the box, it is continued
straight on.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import shapefile
from shapely import LineString, Point, box, get_parts, line_merge, polygonize, unary_union

FAR = 1.0        # degrees: longer than a box
BESIDE = 1e-6    # degrees: beside the coast, nearer than the other bank


def read(extract):
    """The box of an extract, and its lines of coast."""
    info = json.loads(subprocess.run(["osmium", "fileinfo", "--json", extract], check=True, capture_output=True).stdout)
    with tempfile.TemporaryDirectory() as folder:
        coast, config = pathlib.Path(folder) / "coast.osm.pbf", pathlib.Path(folder) / "lines.json"
        config.write_text('{"linear_tags": true, "area_tags": false}')
        subprocess.run(["osmium", "tags-filter", "--no-progress", "-o", coast, extract, "w/natural=coastline"], check=True)
        out = subprocess.run(["osmium", "export", "--no-progress", "-c", config, "-f", "geojson",
                              "--geometry-types=linestring", coast], check=True, capture_output=True).stdout
    lines = [LineString(feature["geometry"]["coordinates"]) for feature in json.loads(out)["features"]]
    return box(*info["header"]["boxes"][0]), lines


def beyond(a, b):
    """The point far behind `b`, on the straight line from `a`."""
    angle = math.atan2(b[1] - a[1], b[0] - a[0])
    return b[0] + FAR * math.cos(angle), b[1] + FAR * math.sin(angle)


def continued(line, area):
    """The line, continued from ends that are inside of an area."""
    points = list(line.coords)
    if line.is_ring:
        return line
    if area.contains(Point(points[0])):
        points.insert(0, beyond(points[1], points[0]))
    if area.contains(Point(points[-1])):
        points.append(beyond(points[-2], points[-1]))
    return LineString(points)


def sea(area, lines):
    """The pieces of the area that have more coast on their right than on their left."""
    coast = [continued(line, area) for line in get_parts(line_merge(unary_union(lines), directed=True))]
    for piece in get_parts(polygonize(get_parts(unary_union([area.boundary, *coast])))):
        sides = 0
        for line in lines:
            for (ax, ay), (bx, by) in zip(line.coords, line.coords[1:]):
                length = math.hypot(bx - ax, by - ay) or 1
                x, y = (by - ay) / length * BESIDE, (ax - bx) / length * BESIDE
                sides += piece.contains(Point((ax + bx) / 2 + x, (ay + by) / 2 + y))
                sides -= piece.contains(Point((ax + bx) / 2 - x, (ay + by) / 2 - y))
        if sides > 0 and area.contains(piece.representative_point()):
            yield piece


def main():
    area, lines = read(sys.argv[1])
    with shapefile.Writer(sys.argv[2]) as file:
        file.field("name", "C")
        for piece in sea(area, lines):
            rings = [piece.exterior, *piece.interiors]
            # A shapefile has outer rings clockwise, and holes counter-clockwise.
            file.poly([list(ring.coords)[::-1 if ring.is_ccw == (ring is rings[0]) else 1] for ring in rings])
            file.record("sea")


main()
