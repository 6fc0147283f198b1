#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Writes an invented mountain as OpenStreetMap XML, for docs/trailhead.md: no place on earth is like it.

usage: mountain.py mountain.osm && osmium sort -o mountain.osm.pbf mountain.osm
needs: pip install numpy contourpy

Heights are noise around a winding valley. Streams follow the slope, paths avoid it, and what grows where depends on
the height. The same seed gives the same mountain.
"""
import heapq
import math
import sys
from xml.sax.saxutils import quoteattr

import contourpy
import numpy as np

SIZE, CELL = (340, 440), 32.0  # rows and columns, metres
LAT, LON = 46.9, -35.2         # the south-west corner: in the middle of the Atlantic
MOST = 2000                    # nodes of a way, as in OpenStreetMap; tilemaker 3 refuses more
rng = np.random.default_rng(11)


def noise(scale):
    """Smooth noise of deviation 1, with features of `scale` cells."""
    rows, columns = SIZE
    frequency = np.hypot(np.fft.fftfreq(rows)[:, None], np.fft.rfftfreq(columns)[None, :])
    field = np.fft.irfft2(np.fft.rfft2(rng.normal(size=SIZE)) * np.exp(-(frequency * scale) ** 2), s=SIZE)
    return (field - field.mean()) / field.std()


def valley(x):
    """The row of the valley's middle, by column."""
    return 70 + 26 * np.sin(x / 62) + 9 * np.sin(x / 23 + 1)


ROW, COLUMN = np.mgrid[0:SIZE[0], 0:SIZE[1]].astype(float)
AWAY = np.abs(ROW - valley(COLUMN)) * CELL
RIDGES = 1 - np.abs(noise(52)) * 0.55 + 0.25 * (1 - np.abs(noise(22))) + 0.05 * noise(9)
SHAPE = 1 - np.exp(-(AWAY / 2300) ** 1.7)
HEIGHT = 1030 + 0.35 * COLUMN + SHAPE * (500 + 1350 * RIDGES) + 20 * noise(5) * SHAPE


def filled():
    """Heights without pits, and the cell that each cell's water flows to."""
    level, to, done = HEIGHT.tolist(), {}, np.zeros(SIZE, bool).tolist()
    heap = [(level[r][c], r, c) for r in range(SIZE[0]) for c in range(SIZE[1])
            if r in (0, SIZE[0] - 1) or c in (0, SIZE[1] - 1)]
    heapq.heapify(heap)
    for _, r, c in heap:
        done[r][c] = True
    order = []
    while heap:
        h, r, c = heapq.heappop(heap)
        order.append((r, c))
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                a, b = r + dr, c + dc
                if 0 <= a < SIZE[0] and 0 <= b < SIZE[1] and not done[a][b]:
                    done[a][b] = True
                    level[a][b], to[a, b] = max(level[a][b], h), (r, c)
                    heapq.heappush(heap, (level[a][b], a, b))
    return np.array(level), to, order


def carved(times=4):
    """Lets water cut its valleys: heights, how deep the pits that are left are, flow, and where it goes."""
    global HEIGHT
    for last in range(times, 0, -1):
        level, to, order = filled()
        flow = np.ones(SIZE)
        for cell in reversed(order):
            if cell in to:
                flow[to[cell]] += flow[cell]
        if last == 1:
            return level - HEIGHT, to, flow
        cut = 34 * np.log10(flow) ** 1.7
        blurred = sum(np.roll(np.roll(cut, a, 0), b, 1) * w for a, wa in zip((-2, -1, 0, 1, 2), (1, 4, 6, 4, 1))
                      for b, wb in zip((-2, -1, 0, 1, 2), (1, 4, 6, 4, 1)) for w in [wa * wb / 256])
        HEIGHT = level - blurred * SHAPE


def route(start, end, steep):
    """The cheapest way between cells, where a grade of `steep` doubles the cost."""
    best, before, heap, done = {start: 0.0}, {}, [(0.0, start)], set()
    high = HEIGHT.tolist()
    steps = [(a, b) for a in range(-2, 3) for b in range(-2, 3) if math.gcd(a, b) == 1]
    while heap:
        at = heapq.heappop(heap)[1]
        if at == end:
            break
        if at in done:
            continue
        done.add(at)
        cost = best[at]
        for dr, dc in steps:
            new = at[0] + dr, at[1] + dc
            if not (2 <= new[0] < SIZE[0] - 2 and 2 <= new[1] < SIZE[1] - 2):
                continue
            length = math.hypot(dr, dc) * CELL
            grade = abs(high[new[0]][new[1]] - high[at[0]][at[1]]) / length
            total = cost + length * (1 + (grade / steep) ** 2)
            if total < best.get(new, math.inf):
                best[new], before[new] = total, at
                rest = math.hypot(new[0] - end[0], new[1] - end[1]) * CELL
                heapq.heappush(heap, (total + rest, new))
    path = [end]
    while path[-1] != start:
        path.append(before[path[-1]])
    return smooth(path[::-1])


def smooth(points, times=3):
    points = [(float(r), float(c)) for r, c in points]
    for _ in range(times):
        cut = [points[0]]
        for (a, b), (c, d) in zip(points, points[1:]):
            cut += [(0.75 * a + 0.25 * c, 0.75 * b + 0.25 * d), (0.25 * a + 0.75 * c, 0.25 * b + 0.75 * d)]
        points = [*cut, points[-1]]
    return points


def place(point):
    """Latitude and longitude of a row and column."""
    r, c = point
    return LAT + r * CELL / 111_200, LON + c * CELL / (111_200 * math.cos(math.radians(LAT)))


class Map:
    def __init__(self):
        self.nodes, self.ways, self.relations = [], [], []

    def node(self, point, **tags):
        self.nodes.append((*place(point), tags))
        return len(self.nodes)

    def way(self, points, closed=False, **tags):
        """Adds a line, in as many ways as its points need; returns their ids."""
        ids = [self.node(p) for p in points]
        ids += ids[:1] if closed else []
        first = len(self.ways)
        self.ways += [(ids[i:i + MOST], tags) for i in range(0, len(ids) - 1, MOST - 1)]
        return range(first + 1, len(self.ways) + 1)

    def area(self, field, low, high, least=6, **tags):
        """Where `field` is between two levels, as multipolygons."""
        polygons, offsets = contourpy.contour_generator(z=field, fill_type="OuterOffset").filled(low, high)
        for points, ends in zip(polygons, offsets):
            rings = [points[a:b - 1] for a, b in zip(ends, ends[1:])]
            if np.ptp(rings[0][:, 0]) + np.ptp(rings[0][:, 1]) < least:
                continue
            members = [(way, "inner" if i else "outer") for i, ring in enumerate(rings) if len(ring) > 3
                       for way in self.way([(y, x) for x, y in ring], True)]
            self.relations.append((members, {"type": "multipolygon", **tags}))

    def write(self, path):
        def tagged(tags):
            return "".join(f"<tag k={quoteattr(k)} v={quoteattr(str(v))}/>" for k, v in tags.items())

        with open(path, "w", encoding="utf-8") as file:
            file.write('<osm version="0.6" generator="mountain.py">\n')
            # tilemaker reads shapefiles, and so its example's configuration, only for a box.
            north, east = place((SIZE[0], SIZE[1]))
            file.write(f'<bounds minlat="{LAT}" minlon="{LON}" maxlat="{north:.7f}" maxlon="{east:.7f}"/>\n')
            for i, (lat, lon, tags) in enumerate(self.nodes, 1):
                file.write(f'<node id="{i}" version="1" lat="{lat:.7f}" lon="{lon:.7f}">{tagged(tags)}</node>\n')
            for i, (ids, tags) in enumerate(self.ways, 1):
                file.write(f'<way id="{i}" version="1">' + "".join(f'<nd ref="{n}"/>' for n in ids)
                           + f"{tagged(tags)}</way>\n")
            for i, (members, tags) in enumerate(self.relations, 1):
                file.write(f'<relation id="{i}" version="1">' + "".join(
                    f'<member type="way" ref="{w}" role="{role}"/>' for w, role in members)
                    + f"{tagged(tags)}</relation>\n")
            file.write("</osm>\n")


def summits(count):
    """The highest places that are at least 1.2 km apart."""
    out, field = [], HEIGHT.copy()
    field[:14], field[-14:], field[:, :14], field[:, -14:] = 0, 0, 0, 0
    while len(out) < count:
        r, c = np.unravel_index(np.argmax(field), SIZE)
        out.append((int(r), int(c)))
        field[np.hypot(ROW - r, COLUMN - c) * CELL < 1200] = 0
    return out


def near(row, column, low, high):
    """The flattest cell of heights between `low` and `high` near a cell."""
    slope = np.hypot(*np.gradient(HEIGHT, CELL))
    cost = slope * 4000 + np.hypot(ROW - row, COLUMN - column) * CELL
    cost[(HEIGHT < low) | (HEIGHT > high)] = np.inf
    return tuple(int(v) for v in np.unravel_index(np.argmin(cost), SIZE))


def village(m, row, column, name, kind):
    m.node((row, column), place=kind, name=name)
    m.way([(row + 7 * math.cos(a) * 1.1, column + 11 * math.sin(a)) for a in np.linspace(0, 6.2, 24)[:-1]], True,
          landuse="residential")
    for i in (-5, -1.5, 2, 5.5):
        m.way([(row - 4, column + i), (row + 4, column + i + 0.8)], highway="residential")
        for k in range(-4, 5):
            for side in (-0.75, 0.75):
                if rng.random() < 0.8:
                    y, x, w, h = row + k, column + i + side + k * 0.1, *rng.uniform(0.17, 0.3, 2)
                    m.way([(y - h, x - w), (y - h, x + w), (y + h, x + w), (y + h, x - w)], True, building="yes")
    m.way([(row + 0.4, column - 8), (row, column + 8)], highway="residential", name=f"{name} Street")


def main():
    depth, to, flow = carved()
    m = Map()
    wavy = HEIGHT + 45 * noise(7)
    m.area(wavy, 1240, 1880, natural="wood")
    m.area(wavy, 1880, 2060, natural="scrub")
    m.area(wavy, 2060, 2330, natural="grassland")
    north = -np.gradient(HEIGHT, CELL, axis=0)
    m.area(wavy, 2480, 9000, natural="bare_rock")
    ice = HEIGHT - 2960 + 260 * north + 30 * noise(8)
    m.area(ice, 0, 9000, 14, natural="glacier", name="Grey Glacier")
    m.area(np.where(AWAY < 900, HEIGHT, 9000), 0, 1240, landuse="meadow")
    m.area(np.where((HEIGHT > 1700) & (depth > 14), depth, 0), 14, 9000, 5, natural="water", water="lake")
    middle = [(float(valley(c)), float(c)) for c in range(0, SIZE[1], 3)]
    m.way(middle, waterway="river", name="Ald")
    starts = [cell for cell in to if flow[cell] > 300 and AWAY[cell] > 60
              and all(to.get((cell[0] + a, cell[1] + b)) != cell or flow[cell[0] + a, cell[1] + b] <= 300
                      for a in (-1, 0, 1) for b in (-1, 0, 1))]
    used = set()
    for i, cell in enumerate(starts):
        line = [cell]
        while line[-1] in to and line[-1] not in used and AWAY[line[-1]] > 40:
            used.add(line[-1])
            line.append(to[line[-1]])
        if len(line) > 12:
            m.way(smooth(line, 1), waterway="stream", name=["Ash Burn", "Cold Burn", "Fell Burn", "Mill Burn"][i % 4])
    peaks = summits(9)
    for cell, name in zip(peaks, ("Grey Tooth", "High Fell", "Raven Crag", "White Horn", "Stone Man", "Long Ridge",
                                  "The Anvil", "Far Tooth", "Bare Head")):
        m.node(cell, natural="peak", name=name, ele=round(HEIGHT[cell]))
    towns = [(valley(120) + 5, 120), (valley(300) + 5, 300)]
    village(m, *towns[0], "Aldbridge", "village")
    village(m, *towns[1], "Overald", "hamlet")
    road = [(float(valley(c)) + 5, float(c)) for c in range(0, SIZE[1], 4)]
    m.way(road, highway="secondary", name="Ald Valley Road", ref="L 12")
    rail = [(float(valley(c)) - 6, float(c)) for c in range(0, 125, 3)]
    m.way(rail, railway="narrow_gauge")
    m.node((valley(118) - 6, 118), railway="station", name="Aldbridge")
    m.node((towns[0][0] - 2, towns[0][1] - 3), amenity="parking", name="Aldbridge")
    m.node((towns[0][0] + 1, towns[0][1] + 3), tourism="information", name="Visitor Centre")
    m.node((towns[0][0] + 2, towns[0][1] - 5), amenity="toilets")
    base = tuple(int(v) for v in towns[0])
    top = tuple(int(v) for v in towns[1])
    huts = [near(190, 150, 2050, 2350), near(200, 320, 2100, 2400), near(150, 240, 1900, 2150)]
    alps = [near(140, 90, 1500, 1750), near(130, 330, 1500, 1750)]
    for cell, name in zip(huts, ("Tarn Hut", "Raven Hut", "Saddle Hut")):
        m.node(cell, tourism="alpine_hut", name=name)
        m.node((cell[0] + 1.5, cell[1] + 2), amenity="drinking_water")
    m.node(alps[0], amenity="shelter", name="Lower Alp")
    m.node(near(120, 200, 1600, 1900), tourism="viewpoint", name="Ald View")
    m.node((base[0] - 8, base[1] + 22), tourism="camp_site", name="Ald Meadow")
    for a, b in ((base, alps[0]), (top, alps[1])):
        m.way(route(a, b, 0.2), highway="track", name="Alp Road")
    walk = [(alps[0], huts[0]), (alps[1], huts[1]), (base, huts[2]), (huts[0], huts[2]), (huts[2], huts[1])]
    names = ["Tarn Trail", "Raven Trail", "Saddle Trail", "High Route", "High Route"]
    for hut in huts:
        goals = sorted(peaks, key=lambda p: math.hypot(p[0] - hut[0], p[1] - hut[1]))[:2]
        walk += [(hut, goal) for goal in goals]
        names += [None, None]
    for (a, b), name in zip(walk, names):
        m.way(route(a, b, 0.45), highway="path", **({"name": name} if name else {}))
    lift = near(160, 60, 1900, 2200)
    m.way([(valley(70) - 4, 70), lift], aerialway="gondola", name="Ald Gondola")
    m.way([(10, 14), (SIZE[0] - 12, 14), (SIZE[0] - 12, SIZE[1] - 14), (110, SIZE[1] - 14), (150, 260), (120, 150)],
          True, boundary="national_park", name="Grey Tooth National Park", leisure="nature_reserve")
    m.write(sys.argv[1])
    print(f"{len(m.nodes)} nodes, {len(m.ways)} ways, heights {HEIGHT.min():.0f} to {HEIGHT.max():.0f} m")


main()
