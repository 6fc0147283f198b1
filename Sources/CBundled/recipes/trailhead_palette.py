# Copyright Waypost contributors. Licence: Apache-2.0.
"""The colours of trailhead by day, by night and in red nights, how well its labels stand out from the ground, and how
well its areas are told apart."""
import itertools
import math

THEMES = ("day", "night", "red")
# Red nights show nothing but the red of each grey: only its lightness is seen, in the order of RED_ORDER.
PALETTE = {
    #                 day        night      red
    "earth":         ("#f5f1e4", "#1a1e1d", "#343434"),
    "residential":   ("#eadcd2", "#2b2623", "#383838"),
    "industrial":    ("#dfd8de", "#2a262e", "#383838"),
    "farmland":      ("#f1ecc6", "#23271a", "#363636"),
    "grass":         ("#dfebbf", "#263b22", "#3c3c3c"),
    "wood":          ("#bbd6a5", "#10291d", "#444444"),
    "scrub":         ("#cde0b2", "#1b321f", "#404040"),
    "wetland":       ("#cfe6dc", "#17363a", "#3a3a3a"),
    "rock":          ("#d2d3d3", "#32373e", "#3e3e3e"),
    "sand":          ("#f5e0ae", "#3d3620", "#3c3c3c"),
    "glacier":       ("#e6f3f8", "#2e3c56", "#484848"),
    "park":          ("#d2e6bf", "#1a3028", "#424242"),
    "park-edge":     ("#7fa860", "#3f6a45", "#606060"),
    "urban":         ("#e4d1c4", "#46332a", "#4c4c4c"),
    "water":         ("#a9d0e6", "#143a52", "#060606"),
    "waterway":      ("#79b1d3", "#2c6485", "#060606"),
    "graticule":     ("#9bc5de", "#1b4864", "#1a1a1a"),
    "shelf":         ("#bfdeee", "#1c4d6c", "#181818"),
    "shore":         ("#6f9fbd", "#40799a", "#c8c8c8"),
    "building":      ("#d6c6b4", "#40352f", "#4a4a4a"),
    "building-edge": ("#c2b09b", "#51463f", "#5c5c5c"),
    "pedestrian":    ("#f1e7e0", "#352f2b", "#404040"),
    "pier":          ("#e4ddce", "#2b2e2d", "#404040"),
    "motorway":      ("#ee9158", "#a05029", "#808080"),
    "trunk":         ("#f8c87a", "#835d23", "#7c7c7c"),
    "primary":       ("#fadf94", "#745f28", "#747474"),
    "secondary":     ("#fcefbd", "#67603c", "#6c6c6c"),
    "tertiary":      ("#fdf7dd", "#5f5d49", "#666666"),
    "minor":         ("#ffffff", "#595d5b", "#5e5e5e"),
    "motorway-edge": ("#bd683a", "#0f1212", "#101010"),
    "primary-edge":  ("#c4a566", "#0f1212", "#101010"),
    "minor-edge":    ("#c2b9a6", "#0f1212", "#101010"),
    "runway":        ("#d9d5d0", "#303332", "#585858"),
    "path":          ("#a33b1e", "#e0936b", "#a8a8a8"),
    "track":         ("#7d4e1f", "#c9a070", "#9c9c9c"),
    "footway":       ("#c48a6c", "#a8734f", "#848484"),
    "cycleway":      ("#6a4a92", "#9f86c4", "#8c8c8c"),
    "path-halo":     ("#fffaf0", "#121514", "#101010"),
    "rail":          ("#77726c", "#888d91", "#808080"),
    "aerialway":     ("#3f3f46", "#a5a6ad", "#a0a0a0"),
    "ferry":         ("#3d749c", "#4f86a8", "#606060"),
    "country":       ("#8a5f8f", "#8f7396", "#c8c8c8"),
    "state":         ("#a98bab", "#5f5064", "#b0b0b0"),
    "text":          ("#26251f", "#eae6da", "#ffffff"),
    "text-soft":     ("#4d4a41", "#d8d4c8", "#f2f2f2"),
    "text-water":    ("#174f7a", "#8cc1e2", "#f2f2f2"),
    "text-park":     ("#2c5a22", "#9ccf90", "#f2f2f2"),
    "text-peak":     ("#5c3414", "#e3b98e", "#ffffff"),
    "text-path":     ("#842c12", "#f0ab86", "#ffffff"),
    "text-country":  ("#5b3a60", "#cfb3d4", "#ffffff"),
    "text-poi":      ("#3b3f6b", "#b9bdea", "#ffffff"),
    "halo":          ("#fffdf6", "#101413", "#060606"),
    "halo-water":    ("#d6eaf5", "#0a1d29", "#060606"),
}


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
             "glacier", "building", "motorway", "trunk", "primary", "secondary", "tertiary", "minor", "halo"),
    "text-soft": ("earth", "residential", "industrial", "farmland", "grass", "wood", "rock", "sand", "park",
                  "wetland", "glacier", "minor", "building", "halo"),
    "text-water": ("water", "halo-water", "earth"),
    "text-park": ("park", "grass", "wood", "wetland", "rock", "sand", "glacier", "earth", "halo"),
    "text-peak": ("earth", "wood", "rock", "grass", "glacier", "halo"),
    "text-path": ("earth", "wood", "grass", "park", "rock", "sand", "glacier", "halo"),
    "text-country": ("earth", "grass", "wood", "sand", "glacier", "halo"),
    "text-poi": ("earth", "wood", "rock", "sand", "park", "building", "residential", "glacier", "halo"),
}

# The areas of the map, and the least difference of any two of them; less where a pair is one thing to the reader,
# where one has an edge that tells it apart, or where both never meet.
AREAS = ("earth", "residential", "industrial", "urban", "farmland", "grass", "scrub", "wood", "wetland", "rock", "sand",
         "glacier", "park", "water", "shelf", "pedestrian", "building")
LEAST_DIFFERENCE = 6
LIGHT = ("glacier", "shelf", "urban", "building")  # lighter than water at night; lines of overlays stand out from water
LESS = {
    ("grass", "scrub"): 3, ("scrub", "wood"): 3,  # from meadow to forest
    ("residential", "urban"): 3, ("urban", "building"): 3,  # at different zooms
    ("residential", "pedestrian"): 2.5, ("pedestrian", "building"): 2.5, ("urban", "pedestrian"): 4,
    ("earth", "pedestrian"): 5, ("industrial", "rock"): 5.5,
    **{(name, "park"): 5 for name in AREAS}, **{("park", name): 5 for name in AREAS},  # it has an edge
    ("water", "shelf"): 0,  # a shade of it
}


# The least difference of two kinds of roads that have words of their own in the key: motorways, main roads (trunk and
# primary roads), secondary roads (secondary and tertiary roads) and streets.
ROADS = {
    ("motorway", "trunk"): 12, ("primary", "secondary"): 6, ("tertiary", "minor"): 5.5,
}

RED_ORDER = (  # the darkest first
    ("water", "waterway"), ("graticule", "shelf"), ("earth",), ("park", "wood", "grass"),
    ("minor", "secondary", "primary", "motorway"), ("path",), ("country", "shore"), ("text-soft", "text"),
)


def lab(color):
    """CIELAB under D65 of a colour of sRGB."""
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4
               for p in (int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)))
    white = ((0.4124564, 0.3575761, 0.1804375, 0.95047), (0.2126729, 0.7151522, 0.0721750, 1),
             (0.0193339, 0.1191920, 0.9503041, 1.08883))
    x, y, z = ((m * r + n * g + o * b) / w for m, n, o, w in white)
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one, other):
    """CIEDE2000 (ISO/CIE 11664-6) of two colours in CIELAB, as written down by Sharma, Wu and Dalal (2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    grey = 1 + 0.5 * (1 - math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)))
    c1, c2 = math.hypot(a1 * grey, b1), math.hypot(a2 * grey, b2)
    h1, h2 = (math.degrees(math.atan2(b, a * grey)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn, total = h2 - h1, h1 + h2
    if c1 * c2 == 0:
        turn, hue = 0, total
    else:
        hue = total / 2 if abs(turn) <= 180 else (total + (360 if total < 360 else -360)) / 2
        turn -= 360 if turn > 180 else -360 if turn < -180 else 0
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2

    def cos(degrees):
        return math.cos(math.radians(degrees))

    t = (1 - 0.17 * cos(hue - 30) + 0.24 * cos(2 * hue) + 0.32 * cos(3 * hue + 6) - 0.2 * cos(4 * hue - 63))
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    blue = math.sin(math.radians(60 * math.exp(-((hue - 275) / 25) ** 2)))
    blue *= 2 * math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7))
    return math.sqrt(max(dl * dl + dc * dc + dh * dh - blue * dc * dh, 0))


def area(name, theme):
    """What is seen of an area; half of the ground shows through a protected one."""
    if name != "park":
        return PALETTE[name][theme]
    pair = (PALETTE["park"][theme], PALETTE["earth"][theme])
    return "#" + "".join(f"{sum(int(c[i:i + 2], 16) for c in pair) // 2:02x}" for i in (1, 3, 5))


def check_areas():
    """Prints the pairs of areas that are told apart least; whether all differ enough."""
    good = True
    for i, theme in enumerate(THEMES[:2]):
        pairs = []
        for a, b in itertools.combinations(AREAS, 2):
            apart = difference(lab(area(a, i)), lab(area(b, i)))
            least = LESS.get((a, b), LEAST_DIFFERENCE)
            good &= apart >= least
            pairs.append((apart - least, apart, least, a, b))
        for _, apart, least, a, b in sorted(pairs)[:8]:
            print(f"{theme:6} {a:13} {apart:5.1f} from {b}, at least {least}")
    light = max(AREAS, key=lambda name: luminance(area(name, 1)) if name not in LIGHT else 0)
    print(f"night  {light:13} is the lightest large ground")
    return good and luminance(area(light, 1)) <= luminance(PALETTE["water"][1])


def check_roads():
    """Prints how far kinds of roads are told apart; whether all differ enough."""
    good = True
    for i, theme in enumerate(THEMES[:2]):
        for (a, b), least in ROADS.items():
            apart = difference(lab(PALETTE[a][i]), lab(PALETTE[b][i]))
            good &= apart >= least
            print(f"{theme:6} {a:13} {apart:5.1f} from {b}, at least {least}")
    return good


def red(grey):
    """What a red night shows of a grey."""
    return grey[:3] + "0000"


def check():
    """Prints the contrast of every kind of label, and the areas and roads that are told apart least; whether all reach
    4.5, in red nights on their halo, whether the reds are in their order, and whether areas and roads differ enough."""
    good = True
    levels = [[int(PALETTE[name][2][1:3], 16) for name in names] for names in RED_ORDER]
    for low, high in zip(levels, levels[1:]):
        good &= max(low) < min(high)
    for line, ground in (("shore", "water"), ("shore", "earth"), ("country", "earth")):
        ratio = contrast(red(PALETTE[line][2]), red(PALETTE[ground][2]))
        good &= ratio >= 3
        print(f"red    {line:13} {ratio:5.1f} on {ground}")
    for text, road in (("text", "motorway"), ("text-soft", "minor")):
        ratio = contrast(red(PALETTE[text][2]), red(PALETTE[road][2]))
        good &= ratio >= 2.7
        print(f"red    {text:13} {ratio:5.1f} on {road}")
    for text, grounds in GROUNDS.items():
        halo = "halo" if "halo" in grounds else "halo-water"
        ratio = contrast(red(PALETTE[text][2]), red(PALETTE[halo][2]))
        good &= ratio >= 4.5
        print(f"red    {text:13} {ratio:5.1f} on its halo")
    for i, theme in enumerate(THEMES[:2]):
        for text, grounds in GROUNDS.items():
            ratios = {g: contrast(PALETTE[text][i], PALETTE[g][i]) for g in grounds}
            least = min(ratios, key=ratios.get)
            halo = ratios.get("halo") or ratios["halo-water"]
            good &= ratios[least] >= 4.5
            print(f"{theme:6} {text:13} {halo:5.1f} on its halo, least {ratios[least]:4.1f} on {least}")
    return check_areas() and check_roads() and good
