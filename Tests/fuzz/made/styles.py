"""Styles of the MapLibre Style Specification: layers of all kinds, with expressions, functions and filters
that mostly have the right types."""

import copy
import json

from . import odd, trees

COLORS = [
    "red", "#f00", "#FF00aa", "#abcd", "#12345678", "rgb(1,2,3)", "rgb(10%, 20%, 30%)", "rgba(1,2,3,0.5)",
    "rgba(1 2 3 / 50%)", "hsl(10,20%,30%)", "hsla(370,20%,30%,.5)", "hsl(10deg 20% 30%)", "transparent",
    "nocolor", "#12", "rgb(1,2)", "hsl(10,20,30)", "RGB(300,-1,2)", "", "hsl(0.5turn,1%,2%)", "  white "]
PROPERTIES = ["class", "name", "rank", "tunnel", "height", "x"]
# What a value is: a number, a text, true or false, a colour, a list, an object, anything.
TYPES = "nsbcaov"
LITERALS = {
    "n": [0, 1, -1, 0.5, 2, 10, 1e9, -3.5, 0.001],
    "s": ["", "a", "primary", "Weiße Straße", "LineString", "{name} {ref}", "{", "round", "3", "#f00", "point",
          "line-center", "map", "top-left", "both"],
    "b": [True, False], "c": COLORS, "v": [None, 1, "a", True],
    "a": [["literal", value] for value in ([], [1], [1, 2, 3], ["a", "b"], [[1]], [None], [0] * 4)],
    "o": [["literal", {}], ["literal", {"a": 1}], ["literal", {"class": "x"}]]}
# Operators: what they give, and what they take. "?" is the same as what is given, "*" any number more.
OPERATORS = [
    *[(name, "n", "nn*") for name in ("+", "*", "min", "max")],
    *[(name, "n", "nn") for name in ("-", "/", "%", "^")],
    *[(name, "n", "n") for name in (
        "sqrt", "ln", "log10", "log2", "sin", "cos", "tan", "asin", "acos", "atan", "abs", "round", "floor",
        "ceil", "-")],
    *[(name, "n", "") for name in ("pi", "e", "ln2", "zoom", "heatmap-density", "line-progress")],
    ("length", "n", "s"), ("length", "n", "a"), ("index-of", "n", "ss"), ("index-of", "n", "van"),
    ("to-number", "n", "s"), ("number", "n", "v*"), ("concat", "s", "v*"), ("upcase", "s", "s"),
    ("downcase", "s", "s"), ("typeof", "s", "v"), ("geometry-type", "s", ""), ("slice", "s", "snn"),
    ("to-string", "s", "v"), ("string", "s", "v*"), ("join", "s", "as"), ("image", "s", "s"),
    ("==", "b", "vv"), ("==", "b", "ss"), ("!=", "b", "nn"), ("<", "b", "nn"), ("<=", "b", "ss"),
    (">", "b", "nn"), (">=", "b", "nn"), ("!", "b", "b"), ("all", "b", "b*"), ("any", "b", "b*"),
    ("in", "b", "ss"), ("in", "b", "va"), ("is-supported-script", "b", "s"), ("to-boolean", "b", "v"),
    ("boolean", "b", "v*"), ("rgb", "c", "nnn"), ("rgba", "c", "nnnn"), ("to-color", "c", "s*"),
    ("slice", "a", "an"), ("split", "a", "ss"), ("to-rgba", "a", "c"), ("array", "a", "a"),
    ("object", "o", "o"), ("properties", "o", ""), ("id", "v", ""), ("at", "v", "na"),
    ("feature-state", "v", "s"), ("global-state", "v", "s"), ("coalesce", "v", "??*"), ("coalesce", "?", "?*"),
    ("case", "?", "b??"), ("case", "?", "b?b??")]
CURVES = [
    ["linear"], ["exponential", 1], ["exponential", 0.5], ["exponential", 0], ["exponential", -1],
    ["cubic-bezier", 0.1, 0.2, 0.3, 0.4], ["cubic-bezier", 0.1, 2, 0.3, 2], ["exponential"], ["x"], "linear", []]
LABELS = ["primary", "a", ["a", "b"], 1, [1, 2], [], 1.5, True, None, [1, "a"]]
# The options of those operators that have an object of them, by the types of their values.
OPTIONS = {
    "collator": "case-sensitive:b diacritic-sensitive:b locale:s",
    "number-format": "locale:s currency:s unit:s min-fraction-digits:n max-fraction-digits:n",
    "format": "font-scale:n text-font:a text-color:c vertical-align:s"}

# The properties of each kind of layer, by the types of their values; "!" marks those of the layout.
LAYERS = {
    "background": "background-color:c background-opacity:n background-pattern:s",
    "fill": "fill-color:c fill-opacity:n fill-outline-color:c fill-pattern:s fill-translate:a"
            " fill-translate-anchor:s fill-antialias:b !fill-sort-key:n",
    "fill-extrusion": "fill-extrusion-color:c fill-extrusion-opacity:n fill-extrusion-height:n"
                      " fill-extrusion-base:n fill-extrusion-pattern:s",
    "line": "line-color:c line-opacity:n line-width:n line-gap-width:n line-offset:n line-blur:n"
            " line-dasharray:a line-pattern:s line-translate:a line-gradient:c !line-cap:s !line-join:s"
            " !line-miter-limit:n !line-round-limit:n !line-sort-key:n",
    "circle": "circle-radius:n circle-color:c circle-blur:n circle-opacity:n circle-translate:a"
              " circle-stroke-width:n circle-stroke-color:c circle-stroke-opacity:n !circle-sort-key:n",
    "raster": "raster-opacity:n raster-saturation:n raster-contrast:n raster-brightness-min:n"
              " raster-brightness-max:n raster-hue-rotate:n raster-resampling:s",
    "symbol": "text-color:c text-halo-color:c text-halo-width:n text-halo-blur:n text-opacity:n icon-opacity:n"
              " icon-color:c icon-halo-color:c text-translate:a icon-translate:a !text-field:s !text-size:n"
              " !text-font:a !text-anchor:s !text-offset:a !text-justify:s !text-transform:s !text-max-width:n"
              " !text-letter-spacing:n !text-line-height:n !text-padding:n !text-rotate:n !text-allow-overlap:b"
              " !text-ignore-placement:b !text-optional:b !text-variable-anchor:a"
              " !text-variable-anchor-offset:a !text-radial-offset:n !text-max-angle:n !text-keep-upright:b"
              " !text-rotation-alignment:s !text-writing-mode:a !text-overlap:s !icon-image:s !icon-size:n"
              " !icon-anchor:s !icon-offset:a !icon-rotate:n !icon-padding:n !icon-allow-overlap:b"
              " !icon-overlap:s !icon-text-fit:s !icon-text-fit-padding:a !icon-optional:b"
              " !icon-keep-upright:b !icon-rotation-alignment:s !symbol-placement:s !symbol-spacing:n"
              " !symbol-sort-key:n !symbol-z-order:s !symbol-avoid-edges:b",
    "heatmap": "", "hillshade": "", "sky": ""}
SOURCES = [
    {"type": "vector"}, {"type": "raster", "url": "pmtiles://b"}, {"type": "geojson", "data": {}}, {}, 1,
    {"type": "raster", "tiles": ["a"], "tileSize": 256}, {"type": "raster-dem"},
    {"type": "vector", "tiles": ["https://a/{z}"]}, {"type": "vector", "url": 1}, {"type": "image"}]


def styles(random, known, words):
    """Styles by the grammar, and variants of the known ones."""
    style, variants = Style(random), trees.documents(random, known, words)
    others = trees.Trees(random, [style.made() for _ in range(50)], words)
    while True:
        if random.random() < 0.3:
            yield next(variants)
            continue
        made = copy.deepcopy(style.made())
        for _ in range(random.choice([0, 0, 0, 1, 2])):
            made = others.changed(made)
        text = json.dumps(made, separators=(",", ":"), ensure_ascii=False)
        yield text.encode("utf-8", "surrogatepass")


class Style:
    def __init__(self, random):
        self.random, self.choice = random, random.choice
        # Chosen for each style: how much has a wrong type or count, and what it is made of.
        self.faults, self.operators = 0.05, OPERATORS

    def rarely(self, chance):
        return self.random.random() < chance

    def value(self, kind, depth=0):
        """A literal or an expression of the type, now and then of another one."""
        if self.rarely(self.faults):
            kind = self.choice(TYPES)
        if depth > 4 or self.rarely(0.25):
            return self.color() if kind == "c" and self.rarely(0.5) else self.choice(LITERALS[kind])
        way = self.random.random()
        if way < 0.15:
            return self.curve(kind, depth + 1)
        if way < 0.25:
            return self.named(kind, depth + 1)
        if way < 0.35:
            key = self.choice(PROPERTIES)
            return ["has" if kind == "b" else "get", key if self.rarely(0.8) else self.value("s", depth + 1)]
        if way < 0.42 and kind in "sb":
            return self.text(kind, depth + 1)
        fitting = [o for o in self.operators if o[1] in (kind, "?", "v")]
        if not fitting:
            return self.choice(LITERALS[kind])
        name, _, taken = self.choice(fitting)
        return [name] + self.arguments(taken, kind, depth + 1)

    def color(self):
        """A colour's text, mostly one that means something."""
        name = self.choice(["rgb", "rgba", "hsl", "hsla", "HSL", "hwb", ""])
        units = self.choice([["", "", "", ""], ["", "%", "%", ""], ["%", "%", "%", "%"], ["deg", "%", "%", "%"]])
        numbers = ["0", "1", "50", "100", "255", "360", "-30", "0.5", ".5", "1e2", "+7", "5.", "400", "", "a"]
        fields = [self.choice(numbers[:-5]) + unit for unit in units[:self.choice([3, 3, 4])]]
        if self.rarely(0.3):
            fields[self.random.randrange(len(fields))] = self.choice(numbers) + self.choice(["", "%", "deg", "turn", "x"])
        last = "" if len(fields) < 4 else self.choice([" / ", "/", ","]) + fields.pop()
        text = self.choice(["", " "]) + self.choice([",", " ", ", ", " , ", "  "]).join(fields) + last
        return name + "(" + text + self.choice([")", ")", ")", " )", "", ")x"])

    def arguments(self, taken, kind, depth):
        types = taken.rstrip("*").replace("?", kind)
        if taken.endswith("*"):
            types = types[:-1] + types[-1] * self.choice([0, 1, 2, 3])
        values = [self.value(one, depth) for one in types]
        if self.rarely(self.faults):
            values = values[1:] if self.rarely(0.5) else values + [self.value("v", depth)]
        return values

    def curve(self, kind, depth):
        """A step, an interpolation or a match."""
        way, count = self.random.random(), self.choice([0, 1, 2, 3])
        if way < 0.3:
            pairs = [part for _ in range(count) for part in (self.choice(LABELS), self.value(kind, depth))]
            return ["match", self.value(self.choice("sn"), depth), *pairs, self.value(kind, depth)]
        stops, stop = [], self.choice([-1, 0, 3])
        for _ in range(count):
            stops += [stop, self.value(kind, depth)]
            stop += self.choice([1, 4, 4, 0, -1])
        source = ["zoom"] if self.rarely(0.6) else self.value("n", depth)
        if way < 0.6:
            return ["step", source, self.value(kind, depth), *stops]
        name = self.choice(["interpolate", "interpolate", "interpolate-hcl", "interpolate-lab"])
        return [name, self.choice(CURVES), source, *stops]

    def named(self, kind, depth):
        """A value with a name, or what a name stands for."""
        name = self.choice(["a", "b", "a-b", "", 1])
        if self.rarely(0.4):
            return ["var", name]
        return ["let", name, self.value(self.choice(TYPES), depth), self.value(kind, depth)]

    def text(self, kind, depth):
        """What takes an object of options."""
        if kind == "b":
            values = [self.value("s", depth), self.value("s", depth)]
            return [self.choice(["==", "<", "!=", ">="]), *values, ["collator", self.options("collator", depth)]]
        if self.rarely(0.4):
            return ["number-format", self.value("n", depth), self.options("number-format", depth)]
        if self.rarely(0.1):
            return ["resolved-locale", ["collator", self.options("collator", depth)]]
        count = self.choice([0, 1, 2])
        return ["format"] + [
            part for _ in range(count)
            for part in (self.value("s", depth) if self.rarely(0.8) else ["image", self.value("s", depth)],
                         self.options("format", depth))]

    def long(self):
        """An expression near a limit: of a text's length, of depth, or of what is evaluated."""
        if self.rarely(0.2):
            value = self.choice([["zoom"], True, "a"])
            for _ in range(self.choice([60, 62, 63, 64, 65, 90, 199, 200, 201])):
                value = [self.choice(["!", "to-string", "-", "all", "coalesce", "at"]), value]
            return value
        times = self.choice([1, 2, 8, 9, 10])
        last = ["var", self.choice("abc")]
        value = self.choice([
            last, ["concat", *[last] * times], ["split", last, self.choice(["", "x", "xx", last])],
            ["join", ["split", last, self.choice(["", "x"])], self.choice(["", "y", last, ["var", "a"]])],
            ["to-string", ["split", last, ""]], ["format", *[last, {}] * times], ["upcase", last],
            ["slice", last, -5], ["index-of", "y", last], ["length", last], ["in", "y", last], ["to-number", last],
            ["to-color", last], ["image", last], ["==", last, ["downcase", last]], ["string", last],
            ["to-string", ["literal", {"a": "x" * 500}]], [self.choice(["case", "coalesce"]), last, last, last]])
        for name, before in (("c", "b"), ("b", "a")):
            value = ["let", name, ["concat", *[["var", before]] * self.choice([1, 3, 8, 9, 16])], value]
        text = self.choice("xé\n") * self.choice([1, 100, 500, 1000])
        # What is constant is evaluated while it is read.
        return ["let", "a", text if self.rarely(0.5) else ["concat", ["get", "name"], text], value]

    def options(self, operator, depth):
        if self.rarely(self.faults):
            return self.choice([1, "a", None, [], ["get", "a"], {"x": 1}])
        names = OPTIONS[operator].split()
        made = {}
        for one in self.random.sample(names, self.choice([0, 1, 1, 2])):
            name, kind = one.split(":")
            made[name] = self.value(kind, depth)
        return made

    def function(self, kind):
        """A function of styles before expressions."""
        stops = []
        for place in range(self.choice([0, 1, 2, 3])):
            at = self.choice(["a", True, {"zoom": 5, "value": "a"}, {"zoom": 0, "value": 1}])
            stops.append([at if self.rarely(0.4) else 4 * place, self.choice(LITERALS[kind])])
        function = {"stops": stops}
        for key, values in (
                ("type", ["exponential", "interval", "categorical", "identity", "x"]), ("property", PROPERTIES),
                ("base", [1, 2, 0.5, 0, -1, "a"]), ("default", LITERALS[kind]), ("colorSpace", ["lab", "hcl", "x"])):
            if self.rarely(0.45):
                function[key] = self.choice(values)
        return function

    def filter(self, depth=0):
        """A filter of styles before expressions."""
        if depth < 3 and self.rarely(0.35):
            parts = [self.filter(depth + 1) for _ in range(self.choice([0, 1, 2, 3]))]
            return [self.choice(["all", "any", "none"]), *parts]
        name = self.choice(["==", "!=", "<", "<=", ">", ">=", "in", "!in", "has", "!has", "x", 1, None, "within"])
        count = 0 if name in ("has", "!has") else self.choice([0, 1, 1, 1, 2, 3])
        values = [self.choice(["a", "Point", "LineString", "Polygon", 1, True, None, [1]]) for _ in range(count)]
        return [name, self.choice(PROPERTIES + ["$type", "$id", "$x", 1]), *values]

    def layer(self, number):
        kind = self.choice(list(LAYERS) * 3 + ["symbol"] * 8 + ["line"] * 4 + ["x", 1, None])
        layer = {"id": f"l{number}", "type": kind, "source": "m", "source-layer": "roads", "paint": {}, "layout": {}}
        names = LAYERS.get(kind, "").split()
        for one in self.random.sample(names, min(len(names), self.choice([1, 1, 2, 3, 6]))):
            name, type_ = one.lstrip("!").split(":")
            way = self.random.random()
            value = self.function(type_) if way < 0.15 else self.value(type_)
            if self.rarely(0.03):
                value = self.long()
            if way > 0.97:
                value = self.choice([None, [], {}, 1, "a"])
            layer["layout" if one.startswith("!") else "paint"][name] = value
        if self.rarely(0.5):
            layer["filter"] = self.filter() if self.rarely(0.5) else self.value("b")
        for key in ("minzoom", "maxzoom"):
            if self.rarely(0.15):
                layer[key] = self.choice([0, 5, 22, 25, -1, "a"])
        if self.rarely(0.07):
            layer["layout"]["visibility"] = self.choice(["none", "visible", 1, ["literal", "none"]])
        if self.rarely(0.05):
            layer["source"] = self.choice(["x", 1, "n", None])
        if self.rarely(0.05):
            layer.pop(self.choice(list(layer)))
        return layer

    def made(self):
        self.faults = self.choice([0, 0.02, 0.05, 0.05, 0.2])
        self.operators = self.random.sample(OPERATORS, self.choice([len(OPERATORS), len(OPERATORS), 20, 8]))
        layers = [self.layer(number) for number in range(self.choice([1, 1, 1, 2, 4]))]
        style = {"version": 8, "sources": {"m": {"type": "vector", "url": "pmtiles://a"}}, "sprite": "a/sprite",
                 "layers": layers}
        if self.rarely(0.12):
            style["sources"][self.choice("mn")] = self.choice(SOURCES)
        if self.rarely(0.06):
            style["sprite"] = self.choice([[{"id": "x", "url": "b/c"}], [{"id": "default", "url": "a"}], 1, "", ["a"]])
        if self.rarely(0.05):
            style[self.choice(["version", "glyphs", "name", "metadata", "state"])] = self.choice(odd.NUMBERS)
        if self.rarely(0.02):
            style.pop(self.choice(list(style)))
        return style
