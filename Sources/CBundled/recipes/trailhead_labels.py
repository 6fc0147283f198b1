# Copyright Waypost contributors. Licence: Apache-2.0.
"""The labels and icons of trailhead, the least important first: the last layer is placed first."""

REGULAR, ITALIC, BOLD = ["Noto Sans Regular"], ["Noto Sans Italic"], ["Noto Sans SemiBold"]
HIGH_PEAK = 600  # metres: lower peaks appear later
# How far from each other equal words are, in points: lines and areas are often in many parts.
FAR, NEAR = 220, 90
SHIELDS = 160


def zoomed(*stops, base=None):
    """An interpolation over the zoom: zoom, value, zoom, value…"""
    return ["interpolate", ["exponential", base] if base else ["linear"], ["zoom"], *stops]


def around(ems):
    """A name below its sign, else above it or at a side: as far from the sign's middle as this."""
    return {"text-variable-anchor": ["top", "bottom", "left", "right"], "text-radial-offset": ems}


class Labels:
    """The part of a style that writes; `self` is a Style."""

    def text(self, color, halo="halo", width=1.5):
        """The colours of a label. In red nights lines come near to the brightness of names, so halos are wider."""
        return {"text-color": self.color[color], "text-halo-color": self.color[halo],
                "text-halo-width": round(width * (1.5 if self.theme == "red" else 1), 2)}

    def label(self, name, where, text, size, color, font=REGULAR, halo="halo", width=1.5, zoom=(None, None),
              repeat=None, **layout):
        self.add("symbol", name, where, self.text(color, halo, width), {
            "text-field": text, "text-font": font, "text-size": size, "text-padding": 3, "text-max-width": 8,
            "waypost:repeat": repeat, **{k.replace("_", "-"): v for k, v in layout.items()}}, zoom)

    def labels(self):
        name = self.schema["name"]
        line = {"symbol_placement": "line", "text_max_angle": 28, "text_max_width": None}
        for way, turn in (("oneway", 0), ("oneway-back", 180)):
            self.add("symbol", way, self.get(way), {"icon-opacity": 0.8}, {
                "symbol-placement": "line", "symbol-spacing": 140, "icon-image": "oneway", "icon-padding": 2,
                "icon-rotate": turn or None, "icon-size": zoomed(15, 0.8, 18, 1.2)}, (15, None))
        # So near, most are ponds: streets come first.
        self.label("water-name-near", self.get("water-name"), name, 13, "text-water", ITALIC, "halo-water",
                   zoom=(14, None), repeat=FAR, text_max_width=6, text_letter_spacing=0.05)
        self.label("path-name", self.get("trail-name"), name, zoomed(13, 11.5, 17, 14), "text-path", ITALIC,
                   zoom=(14, None), repeat=FAR, symbol_spacing=280, **line)
        self.label("road-name-minor", self.get("minor-name"), name, zoomed(14, 11.5, 18, 15), "text-soft",
                   zoom=(14, None), repeat=FAR, symbol_spacing=300, **line)
        self.label("road-name", self.get("major-name"), name, zoomed(12, 12, 18, 16), "text",
                   zoom=(12, None), repeat=FAR, symbol_spacing=300, **line)
        self.label("waterway-name", self.get("waterway-name"), name, zoomed(9, 12, 17, 15), "text-water", ITALIC,
                   "halo-water", zoom=(9, None), repeat=FAR, symbol_spacing=350, text_letter_spacing=0.05, **line)
        if self.get("ref"):
            self.add("symbol", "shield", self.get("shield"), {"text-color": self.color["text"]}, {
                "text-field": self.schema["ref"], "text-font": BOLD, "text-size": 11,
                "icon-image": "shield", "icon-text-fit": "both", "icon-text-fit-padding": [1, 3, 1, 3],
                "symbol-placement": "line", "symbol-spacing": 400, "text-rotation-alignment": "viewport",
                "icon-rotation-alignment": "viewport", "text-padding": 12, "waypost:repeat": SHIELDS}, (8, None))
        self.pois(name)
        self.label("park-name", self.get("park-name"), name, zoomed(8, 12, 16, 15), "text-park", ITALIC,
                   zoom=(8, None), repeat=FAR, text_max_width=7, text_padding=6)
        self.label("water-name", self.get("water-name"), name, zoomed(6, 12, 14, 14), "text-water", ITALIC,
                   "halo-water", zoom=(None, 14), repeat=FAR, text_max_width=6, text_letter_spacing=0.05)
        self.peaks(name)
        self.places(name)

    def pois(self, name):
        icons = self.get("poi-icons")
        if not icons:
            return
        field = self.schema["poi-field"]
        for layer, wanted, zoom, text in (
                ("parking", ("parking",), 16, None),
                ("poi", ("water", "toilets", "picnic"), 15, None),
                ("poi-near", ("information", "hospital"), 15, name),
                ("poi-view", ("viewpoint",), 14, name),
                ("poi-far", ("hut", "shelter", "camp", "station"), 13, name)):
            values = [v for icon in wanted for v in icons[icon]]
            image = ["match", field]
            for icon in wanted:
                image += [icons[icon], icon]
            self.poi(layer, (self.schema["poi-layer"], ["in", field, ["literal", values]]), image + [""], zoom, text)
        self.poi("station", self.get("station"), "station", 13, name)

    def poi(self, layer, where, image, zoom, text):
        label = {"text-field": text, "text-font": REGULAR, "text-size": zoomed(14, 11.5, 18, 14),
                 **around(0.85), "text-optional": True,
                 "text-max-width": 8, "waypost:repeat": NEAR} if text else {}
        self.add("symbol", layer, where, self.text("text-poi") if text else {}, {
            "icon-image": image, "icon-size": zoomed(13, 0.8, 16, 1), "icon-padding": 3, **label}, (zoom, None))

    def peaks(self, name):
        where, height = self.get("peak"), self.get("elevation")
        if not where:
            return
        metres = ["to-number", ["get", height], 0]
        written = ["case", ["==", "{waypost:units}", "imperial"],
                   ["concat", ["to-string", ["round", ["/", metres, 0.3048]]], " ft"],
                   ["concat", ["to-string", ["get", height]], " m"]]
        text = ["case", ["has", height], ["concat", name, "\n", written], name] if height else None
        high = [">=", metres, HIGH_PEAK]
        for layer, rule, zoom in (("peak-low", ["!", high], 12), ("peak", high, 9)):
            self.add("symbol", layer, (where[0], ["all", where[1], rule]), self.text("text-peak"), {
                "symbol-sort-key": ["-", 0, metres],
                "icon-image": "peak", "icon-size": zoomed(9, 0.75, 13, 1), "text-field": text, "text-font": BOLD,
                "text-size": zoomed(10, 11.5, 16, 14), **around(0.6), "text-max-width": 7,
                "text-optional": True, "waypost:repeat": FAR}, (zoom, None))

    def places(self, name):
        low = {"text_max_width": 7}
        rank = self.get("place-rank")
        self.label("suburb", self.get("suburb"), name, zoomed(12, 10.5, 16, 13), "text-soft", zoom=(12, 17),
                   symbol_sort_key=rank, text_padding=12, text_transform="uppercase", text_letter_spacing=0.1, **low)
        self.label("hamlet", self.get("hamlet"), name, zoomed(12, 12, 17, 16), "text-soft",
                   zoom=(12, None), symbol_sort_key=rank, **low)
        self.label("village", self.get("village"), name, zoomed(10, 12, 16, 17), "text",
                   zoom=(10, None), symbol_sort_key=rank, **low)
        self.label("state", self.get("state"), name, zoomed(3, 10.5, 7, 15), "text-country", ITALIC,
                   zoom=(3, 8), text_letter_spacing=0.08, **low)
        self.label("town", self.get("town"), name, zoomed(7, 12, 15, 20), "text", zoom=(7, None),
                   symbol_sort_key=rank, **low)
        # Near enough, the names of countries give way to capitals, and step aside for them.
        country = {"symbol_sort_key": self.get("country-rank"), "text_max_width": 6, "text_letter_spacing": 0.04,
                   "text_padding": 4}
        size = self.sized("country-small", (1, 10, 11), (3, 12, 14.5), (6, 14.5, 21))
        aside = {"text_variable_anchor": ["center", "bottom", "top", "left", "right"], "text_radial_offset": 0.7}
        sea = self.get("sea-name"), name, self.sized("sea-large", (0, 11, 10), (3, 17, 13), (6, 24, 17))
        dot = {"text_variable_anchor": ["bottom", "top", "left", "right"], "text_radial_offset": 0.5,
               "text_justify": "auto"}

        def city(layer, zoom, icon=None):
            self.label(layer, self.get(layer.partition("-")[0]), name, zoomed(3, 11.5, 6, 14, 10, 19, 14, 24), "text",
                       BOLD, width=1.8, zoom=zoom, symbol_sort_key=rank, **low,
                       **({"icon_image": icon, **dot} if icon else {}))

        capital = self.get("is-capital")
        city("city", (3, 8), "town")
        city("city-near", (8, 14))
        self.label("country-near", self.get("country"), name, size, "text-country", BOLD, width=1.8, zoom=(3, 8),
                   **country, **aside)
        icon = ["case", capital, "capital", "town"] if capital else "capital"
        first = 4 if self.get("capital-first") else 2
        city("capital", (first, 8), icon)
        if first > 2:  # where all capitals would leave no room for countries
            self.label("capital-first", self.get("capital-first"), name, zoomed(3, 11.5, 6, 14), "text", BOLD, width=1.8,
                       zoom=(2, first), symbol_sort_key=rank, **low, icon_image=icon, **dot)
        city("capital-near", (8, 14))
        self.label("sea", *sea, "text-water", ITALIC, "halo-water", 1.2, text_letter_spacing=0.12, text_max_width=6,
                   text_padding=4)
        self.label("country", self.get("country"), name, size, "text-country", BOLD, width=1.8, zoom=(1, 3), **country)
        # The whole world has room for the largest only.
        self.label("country-far", self.get("country-large"), name, 9.5, "text-country", BOLD, width=1.5, zoom=(None, 1),
                   **{**country, "text_padding": 0})

    def sized(self, name, *stops):
        """Sizes by zoom: of features for which the schema's rule `name` holds, and of all others."""
        rule = self.get(name)
        return zoomed(*[v for z, one, other in stops for v in (z, ["case", rule, one, other] if rule else other)])
