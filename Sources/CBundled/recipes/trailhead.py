#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Writes data/trailhead/SCHEMA-THEME.json, Waypost's own map style, from the tables below.

usage: trailhead.py          writes the styles
       trailhead.py check    measures the contrast of labels, and fails below 4.5

docs/trailhead.md explains the design. Zooms are the style's: one less than Waypost's. "{language}" and
"{script}" in names of fields are replaced when the style is loaded. trailhead_schemas.py says how the
layers of each schema are called.
"""
import json
import pathlib
import sys

from trailhead_schemas import SCHEMAS

PALETTE = {
    #                 day        night
    "earth":         ("#f5f1e4", "#1a1e1d"),
    "residential":   ("#ebe5d7", "#212423"),
    "industrial":    ("#e6e0d8", "#232425"),
    "farmland":      ("#f1ecd2", "#1d211c"),
    "grass":         ("#dfeac6", "#1c2821"),
    "wood":          ("#c4dbb0", "#182c20"),
    "scrub":         ("#d5e2bd", "#1b2a20"),
    "wetland":       ("#d3e5d8", "#192a2a"),
    "rock":          ("#ded9cf", "#282a2b"),
    "sand":          ("#f5e8c2", "#2b2820"),
    "glacier":       ("#e6f3f8", "#2b3a44"),
    "park":          ("#d2e6bf", "#19301f"),
    "park-edge":     ("#7fa860", "#3f6a45"),
    "urban":         ("#e2dacb", "#2b2c2b"),
    "water":         ("#a9d0e6", "#0e2939"),
    "waterway":      ("#79b1d3", "#1f4a63"),
    "building":      ("#dfd6c8", "#2b2d2d"),
    "building-edge": ("#cdc2b0", "#3a3d3d"),
    "pedestrian":    ("#efe9dd", "#262928"),
    "pier":          ("#e4ddce", "#2b2e2d"),
    "motorway":      ("#ee9c57", "#87592f"),
    "trunk":         ("#f3b873", "#79562f"),
    "primary":       ("#f9d98d", "#655232"),
    "secondary":     ("#fcefbd", "#504733"),
    "minor":         ("#ffffff", "#3c3f3d"),
    "motorway-edge": ("#b4703c", "#0f1212"),
    "primary-edge":  ("#bb9a5a", "#0f1212"),
    "minor-edge":    ("#b9b09d", "#0f1212"),
    "tunnel":        ("#ece6da", "#232726"),
    "runway":        ("#d9d5d0", "#303332"),
    "path":          ("#a33b1e", "#e0936b"),
    "track":         ("#7d4e1f", "#c9a070"),
    "footway":       ("#c48a6c", "#9a6b52"),
    "cycleway":      ("#6a4a92", "#9f86c4"),
    "path-halo":     ("#fffaf0", "#121514"),
    "rail":          ("#77726c", "#5b5e60"),
    "aerialway":     ("#3f3f46", "#a5a6ad"),
    "ferry":         ("#3d749c", "#4f86a8"),
    "country":       ("#8a5f8f", "#8f7396"),
    "state":         ("#a98bab", "#5f5064"),
    "text":          ("#26251f", "#e6e2d6"),
    "text-soft":     ("#4d4a41", "#c2beb2"),
    "text-water":    ("#174f7a", "#8cc1e2"),
    "text-park":     ("#2c5a22", "#9ccf90"),
    "text-peak":     ("#5c3414", "#e3b98e"),
    "text-path":     ("#842c12", "#f0ab86"),
    "text-country":  ("#5b3a60", "#cfb3d4"),
    "text-poi":      ("#3b3f6b", "#b9bdea"),
    "halo":          ("#fffdf6", "#101413"),
    "halo-water":    ("#d6eaf5", "#0a1d29"),
}

REGULAR, ITALIC, BOLD = ["Noto Sans Regular"], ["Noto Sans Italic"], ["Noto Sans SemiBold"]

# Widths in pixels at style zooms, growing by 1.6 a zoom between them.
WIDTH_ZOOMS = (5, 8, 11, 13, 15, 18)
WIDTHS = {
    "motorway":  (0.9, 1.8, 3.2, 4.8, 8.5, 28),
    "trunk":     (0.7, 1.4, 2.8, 4.2, 8.0, 26),
    "primary":   (0.0, 1.1, 2.3, 3.8, 7.2, 24),
    "secondary": (0.0, 0.5, 1.5, 3.0, 6.2, 21),
    "minor":     (0.0, 0.0, 0.5, 1.6, 4.6, 17),
    "service":   (0.0, 0.0, 0.0, 0.7, 2.6, 9),
}
CASING = (0.8, 1.0, 1.2, 1.6, 2.0, 3.0)
CLASSES = list(WIDTHS)
LINK = 0.65  # a ramp is this much as wide as its road


def zoomed(*stops, base=None):
    """An interpolation over the zoom: zoom, value, zoom, value…"""
    return ["interpolate", ["exponential", base] if base else ["linear"], ["zoom"], *stops]


def number(value):
    return int(value) if value == int(value) else round(value, 2)


class Style:
    """The layers of one schema in one theme."""

    def __init__(self, schema, theme):
        self.schema, self.theme, self.layers = SCHEMAS[schema], theme, []
        self.color = {k: v[theme == "night"] for k, v in PALETTE.items()}
        self.style = {
            "version": 8, "name": f"Trailhead {theme}",
            "metadata": {"waypost:schema": schema, "waypost:theme": theme},
            "sprite": f"bundled://trailhead/sprite-{theme}",
            "sources": {"map": {"type": "vector"}},
            "layers": self.layers,
        }

    def add(self, kind, name, where, paint, layout=None, zoom=(None, None)):
        """Adds a layer; `where` is a source layer and a filter, or a list of them, or None."""
        if where is None:
            return
        if isinstance(where, list):
            for i, one in enumerate(where):
                self.add(kind, name + (f"-{i + 1}" if i else ""), one, paint, layout, zoom)
            return
        source_layer, rule = where[:2]
        first = max([z for z in (zoom[0], where[2] if len(where) > 2 else None) if z] or [0])
        layer = {"id": name, "type": kind, "source": "map", "source-layer": source_layer}
        if first:
            layer["minzoom"] = first
        if zoom[1]:
            layer["maxzoom"] = zoom[1]
        if rule:
            layer["filter"] = rule
        if layout:
            layer["layout"] = {k: v for k, v in layout.items() if v is not None}
        layer["paint"] = paint
        self.layers.append(layer)

    def get(self, name):
        return self.schema.get(name)

    # Areas

    def areas(self):
        c = self.color
        ground = c["water"] if self.get("land") else c["earth"]
        self.layers.append({"id": "background", "type": "background", "paint": {"background-color": ground}})
        if self.get("land"):
            self.add("fill", "land", self.get("land"), {"fill-color": c["earth"]})
        for name in ("farmland", "residential", "industrial", "urban", "sand", "grass", "scrub", "wood",
                     "wetland", "rock", "glacier"):
            self.add("fill", name, self.get(name), {"fill-color": c[name]})
        self.add("fill", "park", self.get("park"), {
            "fill-color": c["park"], "fill-opacity": zoomed(6, 0.7, 12, 0.45)})
        self.add("line", "park-edge", self.get("park"), {
            "line-color": c["park-edge"], "line-width": zoomed(10, 0.6, 14, 1.8), "line-opacity": 0.8},
            {"line-join": "round"}, (10, None))
        self.add("fill", "water", self.get("water"), {"fill-color": c["water"]})
        self.add("line", "waterway", self.get("waterway"), {
            "line-color": c["waterway"],
            "line-width": zoomed(5, 0.6, 10, 1.1, 14, 2.2, 18, 7, base=1.4)},
            {"line-cap": "round", "line-join": "round"})
        self.add("line", "stream", self.get("stream"), {
            "line-color": c["waterway"], "line-width": zoomed(12, 0.6, 15, 1.4, 18, 4, base=1.4)},
            {"line-cap": "round", "line-join": "round"}, (12, None))
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
            "fill-outline-color": c["building-edge"],
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
            width = {k: number(w[i] + (CASING[i] if add and w[i] else 0)) for k, w in WIDTHS.items()}
            value = self.by_class(width, width["service"])
            if link and z >= 11:
                ramp = {k: number(w[i] * LINK + (CASING[i] if add and w[i] else 0)) for k, w in WIDTHS.items()}
                value = ["case", link, self.by_class(ramp, ramp["service"]), value]
            stops += [z, value]
        return zoomed(*stops, base=1.6)

    def roads(self):
        c = self.color
        edge = {k: c["motorway-edge" if k in ("motorway", "trunk") else
                     "primary-edge" if k in ("primary", "secondary") else "minor-edge"] for k in CLASSES}
        fill = {k: c["minor" if k == "service" else k] for k in CLASSES}
        order = {k: len(CLASSES) - i for i, k in enumerate(CLASSES)}
        round_ = {"line-cap": "round", "line-join": "round"}
        sort = {"line-sort-key": self.by_class(order, 1)}

        self.add("line", "tunnel-casing", self.get("road-tunnel"), {
            "line-color": self.by_class(edge, edge["service"]), "line-width": self.widths(True),
            "line-dasharray": [2, 1.2], "line-opacity": 0.6}, {"line-join": "round", **sort}, (12, None))
        self.add("line", "tunnel", self.get("road-tunnel"), {
            "line-color": c["tunnel"], "line-width": self.widths(False)}, {**round_, **sort}, (11, None))
        self.add("line", "road-casing", self.get("road"), {
            "line-color": self.by_class(edge, edge["service"]), "line-width": self.widths(True),
            "line-opacity": zoomed(8, 0.4, 11, 1)}, {**round_, **sort}, (8, None))
        self.trails(c)
        self.add("line", "road", self.get("road"), {
            "line-color": self.by_class(fill, fill["service"]), "line-width": self.widths(False)},
            {**round_, **sort})
        self.rails(c)
        self.add("line", "bridge-casing", self.get("road-bridge"), {
            "line-color": self.by_class(edge, edge["service"]), "line-width": self.widths(True)},
            {"line-join": "round", **sort}, (11, None))
        self.add("line", "bridge", self.get("road-bridge"), {
            "line-color": self.by_class(fill, fill["service"]), "line-width": self.widths(False)},
            {**round_, **sort}, (11, None))
        self.add("line", "aerialway", self.get("aerialway"), {
            "line-color": c["aerialway"], "line-width": zoomed(12, 0.8, 16, 1.8)}, None, (12, None))
        self.add("line", "aerialway-ticks", self.get("aerialway"), {
            "line-color": c["aerialway"], "line-width": zoomed(12, 3, 16, 7),
            "line-dasharray": [0.3, 4]}, None, (12, None))
    def ferries(self):
        c = self.color
        self.add("line", "road", self.get("road-line"), {
            "line-color": ["match", ["get", "class"], "freeway", c["motorway"], c["primary-edge"]],
            "line-width": zoomed(5, 0.7, 9, 2), "line-opacity": zoomed(5, 0.6, 7, 1)}, {"line-join": "round"})
        self.add("line", "ferry", self.get("ferry"), {
            "line-color": c["ferry"], "line-width": zoomed(6, 0.8, 14, 1.8),
            "line-dasharray": [4, 3]}, None, (6, None))

    def trails(self, c):
        """Paths and tracks: dashed, over a pale band that keeps them apart from the ground."""
        butt = {"line-join": "round"}
        self.add("line", "trail-halo", self.get("trail"), {
            "line-color": c["path-halo"], "line-opacity": 0.75,
            "line-width": zoomed(12, 2, 14, 3.2, 16, 5.2, 18, 8, base=1.3)},
            {"line-cap": "round", "line-join": "round"}, (13, None))
        self.add("line", "footway", self.get("footway"), {
            "line-color": c["footway"], "line-width": zoomed(13, 0.5, 15, 1.1, 18, 2.6, base=1.3),
            "line-dasharray": [3, 1.5]}, butt, (14, None))
        self.add("line", "cycleway", self.get("cycleway"), {
            "line-color": c["cycleway"], "line-width": zoomed(12, 0.8, 15, 1.6, 18, 3.4, base=1.3),
            "line-dasharray": [4, 1.5]}, butt, (13, None))
        self.add("line", "track", self.get("track"), {
            "line-color": c["track"], "line-width": zoomed(11, 0.9, 14, 1.9, 16, 2.8, 18, 4.2, base=1.3),
            "line-dasharray": [5, 1.6]}, butt, (11, None))
        self.add("line", "path", self.get("path"), {
            "line-color": c["path"], "line-width": zoomed(11, 0.8, 14, 1.7, 16, 2.5, 18, 3.8, base=1.3),
            "line-dasharray": [2.4, 1.4]}, butt, (11, None))
        self.add("line", "steps", self.get("steps"), {
            "line-color": c["path"], "line-width": zoomed(14, 1.2, 16, 3.2, 18, 6, base=1.3),
            "line-dasharray": [0.45, 0.35]}, butt, (14, None))

    def rails(self, c):
        self.add("line", "rail", self.get("rail"), {
            "line-color": c["rail"], "line-width": zoomed(8, 0.5, 12, 0.9, 16, 1.8, base=1.3)}, None, (8, None))
        self.add("line", "rail-ticks", self.get("rail"), {
            "line-color": c["rail"], "line-width": zoomed(13, 2.6, 15, 4, 17, 7, base=1.3),
            "line-dasharray": [0.3, 3]}, None, (13, None))

    def borders(self):
        c = self.color
        self.add("line", "border-state", self.get("border-state"), {
            "line-color": c["state"], "line-width": zoomed(3, 0.5, 8, 1, 12, 1.6),
            "line-dasharray": [3, 2]}, {"line-join": "round"}, (3, None))
        self.add("line", "border-country", self.get("border-country"), {
            "line-color": c["country"], "line-width": zoomed(1, 0.6, 5, 1.1, 12, 2.6)},
            {"line-join": "round"})
        self.add("line", "border-disputed", self.get("border-disputed"), {
            "line-color": c["country"], "line-width": zoomed(1, 0.6, 5, 1.1, 12, 2.6),
            "line-dasharray": [2.5, 2]}, {"line-join": "round"})

    # Labels, the least important first: the last layer is placed first.

    def label(self, name, where, text, size, color, font=REGULAR, halo="halo", width=1.5, zoom=(None, None),
              **layout):
        self.add("symbol", name, where, {
            "text-color": self.color[color], "text-halo-color": self.color[halo], "text-halo-width": width},
            {"text-field": text, "text-font": font, "text-size": size, "text-padding": 3,
             "text-max-width": 8, **{k.replace("_", "-"): v for k, v in layout.items()}}, zoom)

    def labels(self):
        name = self.schema["name"]
        line = {"symbol_placement": "line", "text_max_angle": 35, "text_max_width": None}
        self.label("path-name", self.get("trail-name"), name, zoomed(13, 11.5, 17, 14), "text-path", ITALIC,
                   zoom=(14, None), symbol_spacing=280, text_offset=[0, -0.8], **line)
        self.label("road-name-minor", self.get("minor-name"), name, zoomed(14, 11.5, 18, 15), "text-soft",
                   zoom=(14, None), symbol_spacing=300, **line)
        self.label("road-name", self.get("major-name"), name, zoomed(12, 12, 18, 16), "text",
                   zoom=(12, None), symbol_spacing=300, **line)
        self.label("waterway-name", self.get("waterway-name"), name, zoomed(9, 12, 17, 15), "text-water", ITALIC,
                   "halo-water", zoom=(9, None), symbol_spacing=350, text_letter_spacing=0.05, **line)
        if self.get("ref"):
            self.add("symbol", "shield", self.get("shield"), {"text-color": self.color["text"]}, {
                "text-field": self.schema["ref"], "text-font": BOLD, "text-size": 10.5,
                "icon-image": "shield", "icon-text-fit": "both", "icon-text-fit-padding": [1, 3, 1, 3],
                "symbol-placement": "line", "symbol-spacing": 400, "text-rotation-alignment": "viewport",
                "icon-rotation-alignment": "viewport", "text-padding": 12}, (8, None))
        self.pois(name)
        self.label("park-name", self.get("park-name"), name, zoomed(8, 12, 16, 15), "text-park", ITALIC,
                   zoom=(8, None), text_max_width=7)
        self.label("water-name", self.get("water-name"), name, zoomed(6, 12, 16, 16), "text-water", ITALIC,
                   "halo-water", text_max_width=6, text_letter_spacing=0.05)
        self.peaks(name)
        self.places(name)

    def pois(self, name):
        icons = self.get("poi-icons")
        if not icons:
            return
        field = self.schema["poi-field"]
        for layer, wanted, zoom, text in (
                ("poi", ("parking", "water", "toilets", "picnic"), 15, None),
                ("poi-near", ("information", "hospital"), 15, name),
                ("poi-far", ("hut", "shelter", "camp", "viewpoint", "station"), 13, name)):
            values = [v for icon in wanted for v in icons[icon]]
            image = ["match", field]
            for icon in wanted:
                image += [icons[icon], icon]
            image.append("")
            label = {"text-field": text, "text-font": REGULAR, "text-size": zoomed(14, 11.5, 18, 14),
                     "text-anchor": "top", "text-offset": [0, 0.85], "text-optional": True,
                     "text-max-width": 8} if text else {}
            self.add("symbol", layer, (self.schema["poi-layer"], ["in", field, ["literal", values]]), {
                "text-color": self.color["text-poi"], "text-halo-color": self.color["halo"],
                "text-halo-width": 1.5} if text else {}, {
                "icon-image": image, "icon-size": zoomed(13, 0.8, 16, 1), "icon-padding": 3, **label},
                (zoom, None))

    def peaks(self, name):
        where, height = self.get("peak"), self.get("elevation")
        text = ["case", ["has", height], ["concat", name, "\n", ["to-string", ["get", height]], " m"], name] \
            if height else None
        if where:
            self.add("symbol", "peak", where, {
                "text-color": self.color["text-peak"], "text-halo-color": self.color["halo"],
                "text-halo-width": 1.5}, {
                "icon-image": "peak", "text-field": text, "text-font": BOLD,
                "text-size": zoomed(10, 11.5, 16, 14), "text-anchor": "top", "text-offset": [0, 0.6],
                "text-max-width": 7, "text-optional": True}, (9, None))

    def places(self, name):
        low = {"text_max_width": 7}
        rank = self.get("place-rank")
        self.label("hamlet", self.get("hamlet"), name, zoomed(12, 12, 17, 16), "text-soft",
                   zoom=(12, None), symbol_sort_key=rank, **low)
        self.label("village", self.get("village"), name, zoomed(10, 12, 16, 17), "text",
                   zoom=(10, None), symbol_sort_key=rank, **low)
        self.label("state", self.get("state"), name, zoomed(3, 10.5, 7, 15), "text-country", ITALIC,
                   zoom=(3, 8), text_letter_spacing=0.08, **low)
        self.label("town", self.get("town"), name, zoomed(7, 12, 15, 20), "text", zoom=(7, None),
                   symbol_sort_key=rank, **low)
        dot = {"icon-image": "town", "text-variable-anchor": ["bottom", "top", "left", "right"],
               "text-radial-offset": 0.35, "text-justify": "auto"}
        for layer, where, zoom, icon in (
                ("city", self.get("city"), (3, 8), dot), ("city-near", self.get("city"), (8, 15), {}),
                ("capital", self.get("capital"), (2, 8), {**dot, "icon-image": "capital"}),
                ("capital-near", self.get("capital"), (8, 15), {})):
            self.label(layer, where, name, zoomed(3, 11.5, 6, 14, 10, 19, 14, 24), "text", BOLD, width=1.8,
                       zoom=zoom, symbol_sort_key=rank,
                       **{k.replace("-", "_"): v for k, v in icon.items()}, **low)
        self.label("sea", self.get("sea-name"), name, zoomed(0, 10.5, 4, 14, 8, 18), "text-water", ITALIC,
                   "halo-water", 1.2, text_letter_spacing=0.12, text_max_width=6)
        self.label("country", self.get("country"), name, zoomed(1, 10.5, 3, 13, 6, 19), "text-country", BOLD,
                   width=1.8, zoom=(1, 9), symbol_sort_key=self.get("country-rank"), text_max_width=6)

    def make(self):
        self.areas()
        if self.get("road-class"):
            self.roads()
        self.ferries()
        self.borders()
        self.labels()
        return self.style


def luminance(color):
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    """WCAG 2, success criterion 1.4.3: the ratio of luminances, 1 to 21."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


GROUNDS = {  # what a label may lie on; roads only for their names and shields
    "text": ("earth", "residential", "industrial", "farmland", "grass", "wood", "rock", "sand", "park", "urban",
             "building", "motorway", "trunk", "primary", "secondary", "minor", "halo"),
    "text-soft": ("earth", "residential", "grass", "wood", "park", "minor", "building", "halo"),
    "text-water": ("water", "halo-water", "earth"),
    "text-park": ("park", "grass", "wood", "earth", "halo"),
    "text-peak": ("earth", "wood", "rock", "grass", "glacier", "halo"),
    "text-path": ("earth", "wood", "grass", "park", "rock", "halo"),
    "text-country": ("earth", "grass", "wood", "sand", "glacier", "halo"),
    "text-poi": ("earth", "wood", "park", "building", "residential", "halo"),
}


def check():
    good = True
    for i, theme in enumerate(("day", "night")):
        for text, grounds in GROUNDS.items():
            ratios = {g: contrast(PALETTE[text][i], PALETTE[g][i]) for g in grounds}
            least = min(ratios, key=ratios.get)
            halo = ratios.get("halo") or ratios["halo-water"]
            good &= ratios[least] >= 4.5
            print(f"{theme:6} {text:13} {halo:5.1f} on its halo, least {ratios[least]:4.1f} on {least}")
    sys.exit(0 if good else 1)


def main():
    if sys.argv[1:] == ["check"]:
        check()
    folder = pathlib.Path(__file__).resolve().parent.parent / "data" / "trailhead"
    folder.mkdir(parents=True, exist_ok=True)
    for schema in SCHEMAS:
        for theme in ("day", "night"):
            style = Style(schema, theme).make()
            target = folder / f"{schema}-{theme}.json"
            target.write_text(json.dumps(style, separators=(",", ":"), ensure_ascii=False) + "\n")
            print(f"{target.name}: {len(style['layers'])} layers, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
