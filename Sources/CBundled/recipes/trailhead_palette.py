# Copyright Waypost contributors. Licence: Apache-2.0.
"""The colours of trailhead by day, by night and in red nights, and how well its labels stand out from the ground."""

THEMES = ("day", "night", "red")
# Red nights show nothing but the red of each grey: only its lightness is seen, in the order of RED_ORDER.
PALETTE = {
    #                 day        night      red
    "earth":         ("#f5f1e4", "#1a1e1d", "#343434"),
    "residential":   ("#ede7da", "#212423", "#383838"),
    "industrial":    ("#e6e0d8", "#232425", "#383838"),
    "farmland":      ("#f1ecd2", "#1d211c", "#363636"),
    "grass":         ("#dfeac6", "#1c2821", "#3c3c3c"),
    "wood":          ("#c4dbb0", "#182c20", "#444444"),
    "scrub":         ("#d5e2bd", "#1b2a20", "#404040"),
    "wetland":       ("#d3e5d8", "#192a2a", "#3a3a3a"),
    "rock":          ("#ded9cf", "#282a2b", "#3e3e3e"),
    "sand":          ("#f5e8c2", "#2b2820", "#3c3c3c"),
    "glacier":       ("#e6f3f8", "#2b3a44", "#484848"),
    "park":          ("#d2e6bf", "#19301f", "#424242"),
    "park-edge":     ("#7fa860", "#3f6a45", "#606060"),
    "urban":         ("#e2dacb", "#3b3526", "#4c4c4c"),
    "water":         ("#a9d0e6", "#143a52", "#060606"),
    "waterway":      ("#79b1d3", "#2c6485", "#060606"),
    "graticule":     ("#9bc5de", "#1b4864", "#1a1a1a"),
    "shelf":         ("#bfdeee", "#1c4d6c", "#181818"),
    "shore":         ("#6f9fbd", "#40799a", "#c8c8c8"),
    "building":      ("#e2dacc", "#2b2d2d", "#4a4a4a"),
    "building-edge": ("#d0c6b5", "#3a3d3d", "#5c5c5c"),
    "pedestrian":    ("#efe9dd", "#262928", "#404040"),
    "pier":          ("#e4ddce", "#2b2e2d", "#404040"),
    "motorway":      ("#f0a463", "#87592f", "#989898"),
    "trunk":         ("#f5bf7d", "#79562f", "#909090"),
    "primary":       ("#fadb92", "#655232", "#848484"),
    "secondary":     ("#fcefbd", "#504733", "#787878"),
    "tertiary":      ("#fdf7dd", "#48443a", "#707070"),
    "minor":         ("#ffffff", "#414543", "#646464"),
    "motorway-edge": ("#c47f49", "#0f1212", "#101010"),
    "primary-edge":  ("#c4a566", "#0f1212", "#101010"),
    "minor-edge":    ("#c2b9a6", "#0f1212", "#101010"),
    "runway":        ("#d9d5d0", "#303332", "#585858"),
    "path":          ("#a33b1e", "#e0936b", "#a8a8a8"),
    "track":         ("#7d4e1f", "#c9a070", "#9c9c9c"),
    "footway":       ("#c48a6c", "#9a6b52", "#848484"),
    "cycleway":      ("#6a4a92", "#9f86c4", "#8c8c8c"),
    "path-halo":     ("#fffaf0", "#121514", "#101010"),
    "rail":          ("#77726c", "#5b5e60", "#707070"),
    "aerialway":     ("#3f3f46", "#a5a6ad", "#a0a0a0"),
    "ferry":         ("#3d749c", "#4f86a8", "#606060"),
    "country":       ("#8a5f8f", "#8f7396", "#c8c8c8"),
    "state":         ("#a98bab", "#5f5064", "#b0b0b0"),
    "text":          ("#26251f", "#e6e2d6", "#ffffff"),
    "text-soft":     ("#4d4a41", "#c2beb2", "#f2f2f2"),
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
             "building", "motorway", "trunk", "primary", "secondary", "tertiary", "minor", "halo"),
    "text-soft": ("earth", "residential", "grass", "wood", "park", "minor", "building", "halo"),
    "text-water": ("water", "halo-water", "earth"),
    "text-park": ("park", "grass", "wood", "earth", "halo"),
    "text-peak": ("earth", "wood", "rock", "grass", "glacier", "halo"),
    "text-path": ("earth", "wood", "grass", "park", "rock", "halo"),
    "text-country": ("earth", "grass", "wood", "sand", "glacier", "halo"),
    "text-poi": ("earth", "wood", "park", "building", "residential", "halo"),
}


RED_ORDER = (  # the darkest first
    ("water", "waterway"), ("graticule", "shelf"), ("earth",), ("park", "wood", "grass"),
    ("minor", "secondary", "primary", "motorway"), ("path",), ("country", "shore"), ("text-soft", "text"),
)


def red(grey):
    """What a red night shows of a grey."""
    return grey[:3] + "0000"


def check():
    """Prints the contrast of every kind of label; whether all reach 4.5, in red nights on their halo, and whether
    the reds are in their order."""
    good = True
    levels = [[int(PALETTE[name][2][1:3], 16) for name in names] for names in RED_ORDER]
    for low, high in zip(levels, levels[1:]):
        good &= max(low) < min(high)
    for line, ground in (("shore", "water"), ("shore", "earth"), ("country", "earth")):
        ratio = contrast(red(PALETTE[line][2]), red(PALETTE[ground][2]))
        good &= ratio >= 3
        print(f"red    {line:13} {ratio:5.1f} on {ground}")
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
    return good
