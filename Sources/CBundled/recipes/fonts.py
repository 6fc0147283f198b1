#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Makes data/NotoSans-*.ttf: the letters of Latin, Greek and Cyrillic of Debian's Noto Sans.

usage: fonts.py [FOLDER OF NotoSans-*.ttf]
needs: apt install fonts-noto-core fonts-noto-extra; pip install fonttools

Hints are dropped: FreeType's light hinting makes its own. Kerning stays in GPOS, which libraqm reads,
and is written once more as a `kern` table for the common letters, which is the one FreeType reads.
"""
import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0

LETTERS = [
    (0x20, 0x7E), (0xA0, 0x24F), (0x259, 0x259), (0x2BB, 0x2BC), (0x2C6, 0x2CB), (0x2D8, 0x2DD),
    (0x300, 0x30C), (0x323, 0x323), (0x326, 0x328), (0x331, 0x331), (0x370, 0x3FF),
    (0x400, 0x45F), (0x462, 0x463), (0x472, 0x475), (0x490, 0x4FF), (0x1E02, 0x1E0D),
    (0x1E10, 0x1E2B), (0x1E32, 0x1E3B), (0x1E40, 0x1E4B), (0x1E56, 0x1E63), (0x1E6A, 0x1E6F),
    (0x1E80, 0x1E85), (0x1E8E, 0x1E97), (0x1E9E, 0x1E9E), (0x1EA0, 0x1EF9), (0x2010, 0x2015),
    (0x2018, 0x2022), (0x2026, 0x2026), (0x2030, 0x2030), (0x2032, 0x2033), (0x2039, 0x203A),
    (0x2044, 0x2044), (0x2070, 0x208E), (0x20AC, 0x20AC), (0x2116, 0x2116), (0x2122, 0x2122),
    (0x2190, 0x2193), (0x2212, 0x2212), (0x2248, 0x2248), (0x2260, 0x2260), (0x2264, 0x2265),
    (0xFFFD, 0xFFFD),
]
KERNED = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,-’ÄÁÀÂÖÓÜÚÉÈÊÇÑŠČŽÅÆØŁäáàâãåöóòôõøüúùûéèêëęęçñšçčžýøåłńí"
    "ΑΓΔΛΟΡΤΥαγδλορτυνθ" "АГДЛРТУФабвгдежзийклмнопрстуфхцчшщъыьэюя"
)
LEAST = 25  # in 1/1000 em: less is less than 0.4 pixels at 16 pixels


def pair_positions(font):
    """Yields, in order of precedence, functions that give the kerning of a pair or None."""
    table = font["GPOS"].table
    used = sorted({i for f in table.FeatureList.FeatureRecord if f.FeatureTag == "kern"
                   for i in f.Feature.LookupListIndex})
    for index in used:
        for part in table.LookupList.Lookup[index].SubTable:
            part = getattr(part, "ExtSubTable", part)
            if part.LookupType == 2:
                yield index, part


def kerning(parts, left, right):
    total, done = 0, set()
    for index, part in parts:
        if index in done or left not in part.Coverage.glyphs:
            continue
        value = None
        if part.Format == 1:
            records = part.PairSet[part.Coverage.glyphs.index(left)].PairValueRecord
            value = next((r.Value1 for r in records if r.SecondGlyph == right), None)
            if value is None:
                continue
        else:
            first = part.ClassDef1.classDefs.get(left, 0)
            second = part.ClassDef2.classDefs.get(right, 0)
            value = part.Class1Record[first].Class2Record[second].Value1
        done.add(index)  # the first subtable that has the pair decides
        total += getattr(value, "XAdvance", 0) or 0 if value else 0
    return total


def add_kern(font):
    names, parts = font.getBestCmap(), list(pair_positions(font))
    units = font["head"].unitsPerEm
    glyphs = sorted({names[ord(c)] for c in KERNED if ord(c) in names})
    pairs = {}
    for left in glyphs:
        for right in glyphs:
            value = kerning(parts, left, right)
            if abs(value) * 1000 >= LEAST * units:
                pairs[left, right] = value
    part = KernTable_format_0(apple=False)
    part.coverage, part.tupleIndex, part.kernTable = 1, None, pairs
    font["kern"] = newTable("kern")
    font["kern"].version, font["kern"].kernTables = 0, [part]
    return len(pairs)


def main():
    origin = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts/truetype/noto")
    data = pathlib.Path(__file__).resolve().parent.parent / "data"
    options = subset.Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl"]
    options.hinting, options.name_IDs, options.notdef_outline = False, ["*"], True
    options.recalc_timestamp = False
    wanted = [c for first, last in LETTERS for c in range(first, last + 1)]
    for face in ("Regular", "Italic", "SemiBold"):
        font = TTFont(origin / f"NotoSans-{face}.ttf", recalcTimestamp=False)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=wanted)
        subsetter.subset(font)
        pairs = add_kern(font)
        target = data / f"NotoSans-{face}.ttf"
        font.save(target)
        print(f"{target.name}: {target.stat().st_size} bytes, {len(font.getBestCmap())} characters, {pairs} pairs")


main()
