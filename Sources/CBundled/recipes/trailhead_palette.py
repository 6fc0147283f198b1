# Copyright Waypost contributors. Licence: Apache-2.0.
"""The colours of trailhead by day and by night, and how well its labels stand out from the ground."""

PALETTE = {
    #                 day        night
    "earth":         ("#f5f1e4", "#1a1e1d"),
    "residential":   ("#ede7da", "#212423"),
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
    "urban":         ("#e2dacb", "#3b3526"),
    "water":         ("#a9d0e6", "#143a52"),
    "waterway":      ("#79b1d3", "#2c6485"),
    "graticule":     ("#9bc5de", "#1b4864"),
    "shelf":         ("#bfdeee", "#1c4d6c"),
    "shore":         ("#6f9fbd", "#40799a"),
    "building":      ("#e2dacc", "#2b2d2d"),
    "building-edge": ("#d0c6b5", "#3a3d3d"),
    "pedestrian":    ("#efe9dd", "#262928"),
    "pier":          ("#e4ddce", "#2b2e2d"),
    "motorway":      ("#f0a463", "#87592f"),
    "trunk":         ("#f5bf7d", "#79562f"),
    "primary":       ("#fadb92", "#655232"),
    "secondary":     ("#fcefbd", "#504733"),
    "tertiary":      ("#fdf7dd", "#48443a"),
    "minor":         ("#ffffff", "#414543"),
    "motorway-edge": ("#c47f49", "#0f1212"),
    "primary-edge":  ("#c4a566", "#0f1212"),
    "minor-edge":    ("#c2b9a6", "#0f1212"),
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


def check():
    """Prints the contrast of every kind of label; whether all reach 4.5."""
    good = True
    for i, theme in enumerate(("day", "night")):
        for text, grounds in GROUNDS.items():
            ratios = {g: contrast(PALETTE[text][i], PALETTE[g][i]) for g in grounds}
            least = min(ratios, key=ratios.get)
            halo = ratios.get("halo") or ratios["halo-water"]
            good &= ratios[least] >= 4.5
            print(f"{theme:6} {text:13} {halo:5.1f} on its halo, least {ratios[least]:4.1f} on {least}")
    return good
