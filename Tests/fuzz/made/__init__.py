"""Inputs made by the rules of their formats: chance hardly brings the parts of a pack, a style or a
request together.

A maker is `make(random, known, words)`, which gives inputs without end. `known` has the target's inputs
so far, `words` those of its parser's code. The same random numbers give the same inputs.
"""

from . import archives, configurations, packs, pieces, styles, tables, trees, vectors

MAKERS = {
    "description": trees.documents,
    "geojson": trees.documents,
    "gpsd": trees.lines,
    "mbtiles": packs.packs,
    "mbtiles-values": packs.values,
    "pack-file": packs.files,
    "pmtiles": archives.archives,
    "pmtiles-directory": archives.directories,
    "rpc": tables.requests,
    "sprite": trees.documents,
    "state": tables.states,
    "style": styles.styles,
    "toml": configurations.configurations,
    "vector-paint": vectors.painted,
    "vector-tile": vectors.tiles,
}


def maker(target):
    """The maker of a target's inputs; of texts in general where it has none of its own."""
    return MAKERS.get(target, pieces.texts)
