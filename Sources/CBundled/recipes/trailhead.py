#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Writes data/trailhead/SCHEMA-THEME.json, Waypost's own map style, from tables.

usage: trailhead.py          writes the styles
       trailhead.py check    measures the contrast of labels, and fails below 4.5; how far areas and roads differ

docs/trailhead.md explains the design; trailhead_palette.py has the colours, and trailhead_schemas.py what the
layers of each schema are called. Zooms are the style's: one less than Waypost's. "{language}" and "{script}" in
names of fields are replaced when the style is loaded.
"""
import json
import pathlib
import sys

from trailhead_labels import Labels, zoomed
from trailhead_palette import PALETTE, THEMES, check
from trailhead_schemas import SCHEMAS

# Widths in pixels at style zooms; between them they are interpolated with base 1.6.
WIDTH_ZOOMS = (5, 8, 11, 13, 15, 18, 21)
WIDTHS = {
    "motorway":  (0.8, 1.7, 3.0, 4.4, 7.8, 26, 106),
    "trunk":     (0.6, 1.4, 2.6, 3.9, 7.4, 25, 102),
    "primary":   (0.0, 1.0, 2.2, 3.6, 6.9, 23, 94),
    "secondary": (0.0, 0.5, 1.5, 2.9, 6.0, 20, 82),
    "tertiary":  (0.0, 0.0, 1.0, 2.3, 5.3, 18.5, 76),
    "minor":     (0.0, 0.0, 0.5, 1.5, 4.5, 17, 70),
    "service":   (0.0, 0.0, 0.0, 0.7, 2.6, 9, 37),
}
CASING = (0.6, 0.8, 1.1, 1.5, 1.9, 3.0, 5.0)
STREET_CASING = (0.0, 0.0, 0.3, 1.1, 1.7, 3.0, 5.0)  # of tertiary roads and smaller ones
CLASSES = list(WIDTHS)
# What the key of the map calls the features of a layer; those under others are "casing", and the land on which lines
# are drawn is "ground", where that is not the background.
KEYS = {
    "land": "ground", "farmland": "farmland", "residential": "built-up", "urban": "built-up",
    "park": "protected-area", "park-edge": "protected-area",
    "sand": "sand", "grass": "meadow", "wood": "forest", "wetland": "wetland", "rock": "rock", "glacier": "glacier",
    "waterway": "river", "stream": "river", "water": "water", "building": "building",
    "road-casing": "casing", "bridge-casing": "casing", "footway": "footway", "way": "path", "path": "path",
    "cycleway": "cycleway", "track": "track", "rail": "railway", "aerialway": "cable-car", "ferry": "ferry",
    "border-state": "border", "border-country": "border",
}
ROAD_KEYS = {
    "motorway": "motorway", "trunk": "main-road", "primary": "main-road", "secondary": "secondary-road",
    "tertiary": "secondary-road", "minor": "street", "service": "street",
}
LINK = 0.65  # a ramp is this much as wide as its road


def key_of(layer):
    """What the key of the map calls the features of a layer; None: it does not show them."""
    return KEYS.get(layer.removesuffix("-bridge"))


def number(value):
    return int(value) if value == int(value) else round(value, 2)


class Style(Labels):
    """The layers of one schema in one theme."""

    def __init__(self, schema, theme):
        self.schema, self.theme, self.layers = SCHEMAS[schema], theme, []
        self.color = {k: v[THEMES.index(theme)] for k, v in PALETTE.items()}
        self.style = {
            "version": 8, "name": f"Trailhead {theme}",
            "metadata": {"waypost:schema": schema, "waypost:theme": theme},
            "sprite": f"bundled://trailhead/sprite-{'day' if theme == 'day' else 'night'}",
            "sources": {"map": {"type": "vector"}},
            "layers": self.layers,
        }

    def add(self, kind, name, where, paint, layout=None, zoom=(None, None), key=None):
        """Adds a layer; `where` is a source layer and a filter, or a list of them, or None."""
        if where is None:
            return
        if isinstance(where, list):
            for i, one in enumerate(where):
                self.add(kind, name + (f"-{i + 1}" if i else ""), one, paint, layout, zoom, key or key_of(name))
            return
        key = key or key_of(name)
        source_layer, rule = where[:2]
        first = max([z for z in (zoom[0], where[2] if len(where) > 2 else None) if z] or [0])
        layer = {"id": name, "type": kind, "source": "map", "source-layer": source_layer}
        layout = dict(layout or {})
        metadata = {"waypost:key": key, "waypost:repeat": layout.pop("waypost:repeat", None)}
        if any(metadata.values()):
            layer["metadata"] = {k: v for k, v in metadata.items() if v}
        if first:
            layer["minzoom"] = first
        if zoom[1]:
            layer["maxzoom"] = zoom[1]
        if rule:
            layer["filter"] = rule
        if layout:
            layer["layout"] = {k: v for k, v in layout.items() if v is not None}
        layer["paint"] = {k: v for k, v in paint.items() if v is not None}
        self.layers.append(layer)

    def get(self, name):
        return self.schema.get(name)

    # Areas

    def grounds(self, *names):
        for name in names:
            self.add("fill", name, self.get(name), {"fill-color": self.color[name]})

    def areas(self):
        c = self.color
        ground = c["water"] if self.get("land") else c["earth"]
        self.layers.append({"id": "background", "type": "background", "paint": {"background-color": ground}})
        if self.get("land"):
            self.add("fill", "land", self.get("land"), {"fill-color": c["earth"]})
        self.grounds("farmland", "residential", "industrial", "urban")
        self.add("fill", "park", self.get("park"), {
            "fill-color": c["park"], "fill-opacity": zoomed(6, 0.8, 12, 0.5)})
        self.grounds("sand", "grass", "scrub", "wood", "wetland", "rock", "glacier")
        self.add("line", "park-edge", self.get("park"), {
            "line-color": c["park-edge"], "line-width": zoomed(10, 0.6, 14, 1.8), "line-opacity": 0.8},
            {"line-join": "round"}, (10, None))
        self.add("line", "waterway", self.get("waterway"), {
            "line-color": c["waterway"],
            "line-width": zoomed(5, 0.6, 10, 1.1, 14, 2.2, 18, 7, base=1.4)},
            {"line-cap": "round", "line-join": "round"})
        self.add("line", "stream", self.get("stream"), {
            "line-color": c["waterway"], "line-width": zoomed(12, 0.6, 15, 1.4, 18, 4, base=1.4)},
            {"line-cap": "round", "line-join": "round"}, (12, None))
        self.add("fill", "water", self.get("water"), {"fill-color": c["water"]})
        self.add("line", "graticule", self.get("graticule"), {
            "line-color": c["graticule"], "line-width": ["case", ["==", ["get", "class"], "equator"], 1.2, 0.7]})
        self.add("line", "shelf", self.get("shelf"), {
            "line-color": c["shelf"], "line-opacity": 0.6, "line-width": zoomed(0, 1.5, 2, 3, 4, 7, 6, 10),
            "line-offset": zoomed(0, 0.75, 2, 1.5, 4, 3.5, 6, 5)}, {"line-join": "bevel"})
        red = self.theme == "red"  # then little else tells land from sea
        self.add("line", "shore", self.get("shore"), {
            "line-color": c["shore"], "line-width": zoomed(0, 1.2, 6, 1.5) if red else zoomed(3, 0.6, 6, 0.9)},
            {"line-join": "bevel"}, (None if red else 3, None))
        self.add("fill", "pier", self.get("pier"), {"fill-color": c["pier"]})
        self.add("line", "pier-line", self.get("pier-line"), {
            "line-color": c["pier"], "line-width": zoomed(13, 0.8, 18, 8, base=1.6)},
            None, (13, None))
        self.add("fill", "aeroway", self.get("aeroway-area"), {"fill-color": c["industrial"]}, None, (10, None))
        self.add("line", "runway", self.get("runway"), {
            "line-color": c["runway"], "line-width": zoomed(10, 1, 14, 10, 18, 60, base=1.6)}, None, (10, None))
        self.add("fill", "pedestrian", self.get("pedestrian"), {"fill-color": c["pedestrian"]}, None, (14, None))
        self.add("fill", "building", self.get("building"), {
            "fill-color": c["building"],
            "fill-outline-color": zoomed(14, c["building"], 16, c["building-edge"]),
            "fill-opacity": zoomed(13, 0, 14, 1)}, None, (13, None))

    # Roads

    def by_class(self, values, default):
        """A match on the schema's own class of road."""
        field, classes = self.schema["road-class"], self.schema["road-classes"]
        out, seen = ["match", field], []
        for name in CLASSES:
            if name in classes and values[name] != default:
                out += [classes[name], values[name]]
                seen.append(name)
        return out + [default] if seen else default

    def widths(self, add):
        link = self.get("link")
        stops = []
        for i, z in enumerate(WIDTH_ZOOMS):
            def across(name, share=1):
                edge = (STREET_CASING if name in ("tertiary", "minor", "service") else CASING)[i]
                own = WIDTHS[name][i]
                return number(own * share + (edge if add and own else 0))

            width = {k: across(k) for k in WIDTHS}
            value = self.by_class(width, width["service"])
            if link and z >= 11:
                ramp = {k: across(k, LINK) for k in WIDTHS}
                value = ["case", link, self.by_class(ramp, ramp["service"]), value]
            stops += [z, value]
        return zoomed(*stops, base=1.6)

    def roads(self):
        c = self.color
        edge = {k: c["motorway-edge" if k == "motorway" else "minor-edge" if k in ("minor", "service") else
                     "primary-edge"] for k in CLASSES}
        fill = {k: c["minor" if k == "service" else k] for k in CLASSES}
        order = {k: len(CLASSES) - i for i, k in enumerate(CLASSES)}
        round_ = {"line-cap": "round", "line-join": "round"}
        sort = {"line-sort-key": self.by_class(order, 1)}
        name = self.by_class(ROAD_KEYS, "street")

        self.add("line", "tunnel-casing", self.get("road-tunnel"), {
            "line-color": self.by_class(edge, edge["service"]), "line-width": self.widths(True),
            "line-dasharray": [2, 1.2], "line-opacity": 0.6}, {"line-join": "round", **sort}, (12, None))
        self.add("line", "tunnel", self.get("road-tunnel"), {
            "line-color": self.by_class(fill, fill["service"]), "line-width": self.widths(False),
            "line-opacity": 0.45}, {"line-join": "round", **sort}, (11, None))
        # Far away, bridges and tunnels are parts of their roads.
        for far, where, zooms in (("-far", self.get("road-far"), (8, 11)), ("", self.get("road"), (11, None))):
            self.add("line", "road-casing" + far, where, {
                "line-color": self.by_class(edge, edge["service"]), "line-width": self.widths(True),
                "line-opacity": zoomed(8, 0.4, 11, 1) if far else None}, {**round_, **sort}, zooms, "casing")
        self.trails(c)
        for far, where, zooms in (("-far", self.get("road-far"), (None, 11)), ("", self.get("road"), (11, None))):
            self.add("line", "road" + far, where, {
                "line-color": self.by_class(fill, fill["service"]), "line-width": self.widths(False),
                "line-opacity": zoomed(4, 0.55, 8, 1) if far else None}, {**round_, **sort}, zooms, name)
        self.rails(c)
        self.add("line", "bridge-casing", self.get("road-bridge"), {
            "line-color": self.by_class(edge, edge["service"]), "line-width": self.widths(True)},
            {"line-join": "round", **sort}, (11, None))
        self.add("line", "bridge", self.get("road-bridge"), {
            "line-color": self.by_class(fill, fill["service"]), "line-width": self.widths(False)},
            {**round_, **sort}, (11, None), name)
        self.trails(c, "-bridge", 14)
        self.add("line", "aerialway", self.get("aerialway"), {
            "line-color": c["aerialway"], "line-width": zoomed(12, 0.8, 16, 1.8)}, None, (12, None))
        self.add("line", "aerialway-ticks", self.get("aerialway"), {
            "line-color": c["aerialway"], "line-width": zoomed(12, 3, 16, 7),
            "line-dasharray": [0.3, 4]}, None, (12, None))

    def ferries(self):
        c = self.color
        self.add("line", "road", self.get("road-line"), {
            "line-color": ["match", ["get", "class"], "freeway", c["motorway"], c["primary-edge"]],
            "line-width": zoomed(5, 0.7, 9, 2), "line-opacity": zoomed(5, 0.6, 7, 1)}, {"line-join": "round"},
            key=["match", ["get", "class"], "freeway", "motorway", "main-road"])
        self.add("line", "ferry", self.get("ferry"), {
            "line-color": c["ferry"], "line-width": zoomed(6, 0.7, 14, 1.4), "line-opacity": 0.8,
            "line-dasharray": [4, 3]}, None, (6, None))

    def trails(self, c, end="", first=0):
        """Paths and tracks: dashed, over a pale band that keeps them apart from the ground.

        `end` is that of the schema's layers, `first` the first zoom.
        """
        butt = {"line-join": "round"}
        self.add("line", "trail-halo" + end, self.get("trail" + end), {
            "line-color": c["path-halo"], "line-opacity": 0.75,
            "line-width": zoomed(12, 2, 14, 3.2, 16, 5.2, 18, 8, base=1.3)},
            {"line-cap": "round", "line-join": "round"}, (max(13, first), None))
        self.add("line", "footway" + end, self.get("footway" + end), {
            "line-color": c["footway"], "line-width": zoomed(13, 0.5, 15, 1.1, 18, 2.6, base=1.3),
            "line-dasharray": [3, 1.5]}, butt, (max(14, first), None))
        self.add("line", "way" + end, self.get("way" + end), {
            "line-color": c["path"], "line-width": zoomed(12, 0.6, 14, 1, 16, 1.6, 18, 2.8, base=1.3),
            "line-opacity": 0.85, "line-dasharray": [2.6, 1.6]}, butt, (max(12, first), None))
        self.add("line", "cycleway" + end, self.get("cycleway" + end), {
            "line-color": c["cycleway"], "line-width": zoomed(12, 0.8, 15, 1.6, 18, 3.4, base=1.3),
            "line-dasharray": [4, 1.5]}, butt, (max(13, first), None))
        self.add("line", "track" + end, self.get("track" + end), {
            "line-color": c["track"], "line-width": zoomed(11, 0.9, 14, 1.9, 16, 2.8, 18, 4.2, base=1.3),
            "line-dasharray": [5, 1.6]}, butt, (max(11, first), None))
        self.add("line", "path" + end, self.get("path" + end), {
            "line-color": c["path"], "line-width": zoomed(11, 0.8, 14, 1.7, 16, 2.5, 18, 3.8, base=1.3),
            "line-dasharray": [2.4, 1.4]}, butt, (max(11, first), None))
        self.add("line", "steps" + end, self.get("steps" + end), {
            "line-color": c["path"], "line-width": zoomed(14, 1.2, 16, 3.2, 18, 6, base=1.3),
            "line-dasharray": [0.45, 0.35]}, butt, (max(14, first), None))

    def rails(self, c):
        self.add("line", "tram", self.get("tram"), {
            "line-color": c["rail"], "line-opacity": 0.55,
            "line-width": zoomed(12, 0.6, 16, 1.2, base=1.3)}, None, (12, None))
        self.add("line", "rail-tunnel", self.get("rail-tunnel"), {
            "line-color": c["rail"], "line-opacity": 0.6, "line-dasharray": [4, 4],
            "line-width": zoomed(12, 0.8, 16, 1.5, base=1.3)}, None, (12, None))
        self.add("line", "rail", self.get("rail"), {
            "line-color": c["rail"], "line-width": zoomed(8, 0.5, 12, 0.9, 16, 1.8, base=1.3),
            "line-opacity": zoomed(8, 0.35, 12, 0.9)}, None, (8, None))
        self.add("line", "rail-ticks", self.get("rail"), {
            "line-color": c["rail"], "line-width": zoomed(13, 2.6, 15, 4, 17, 7, base=1.3),
            "line-opacity": zoomed(14, 0.4, 16, 0.9), "line-dasharray": [0.3, 3]}, None, (13, None))

    def borders(self):
        c = self.color
        self.add("line", "border-ribbon", self.get("border-country"), {
            "line-color": c["country"], "line-opacity": zoomed(0, 0.16, 12, 0.12),
            "line-width": zoomed(0, 0.8, 4, 4.5, 8, 9, 14, 16)},
            {"line-join": "round", "line-cap": "round"})
        self.add("line", "border-state", self.get("border-state"), {
            "line-color": c["state"], "line-width": zoomed(3, 0.5, 8, 1, 12, 1.6),
            "line-opacity": zoomed(3, 0.5, 6, 1),
            "line-dasharray": [3, 2]}, {"line-join": "round"}, (3, None))
        self.add("line", "border-country", self.get("border-country"), {
            "line-color": c["country"], "line-width": zoomed(1, 0.6, 5, 1.1, 12, 2.6)},
            {"line-join": "round"})
        self.add("line", "border-disputed", self.get("border-disputed"), {
            "line-color": c["country"], "line-width": zoomed(1, 0.6, 5, 1.1, 12, 2.6),
            "line-dasharray": [2.5, 2]}, {"line-join": "round"})

    def make(self):
        self.areas()
        if self.get("road-class"):
            self.roads()
        self.ferries()
        self.borders()
        self.labels()
        return self.style


def main():
    if sys.argv[1:] == ["check"]:
        sys.exit(0 if check() else 1)
    folder = pathlib.Path(__file__).resolve().parent.parent / "data" / "trailhead"
    folder.mkdir(parents=True, exist_ok=True)
    for schema in SCHEMAS:
        for theme in THEMES:
            style = Style(schema, theme).make()
            target = folder / f"{schema}-{theme}.json"
            target.write_text(json.dumps(style, separators=(",", ":"), ensure_ascii=False) + "\n")
            print(f"{target.name}: {len(style['layers'])} layers, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
