"""Faults of memory, for `faults`."""

import json
import os

from bench import Failed
from packed import PACKINGS


def enomem(b):
    b.client.call("cache.clear")
    b.client.call("cache.resize", {"bytes": 64 << 20})
    b.set_fault("enomem")
    missed = 0
    for zoom in (1, 1.3, 1.6, 2.2, 3):
        b.show("raster", zoom)
        missed += not b.client.call("settle", {"timeout": 0.5})["complete"]
    b.others_go_on()
    if not missed:
        raise Failed("no tile lacked memory: nothing was forced")
    return f"{missed} of 5 views not complete; {b.health() or 'no entry'}"


def no_large_memory(b):
    """No memory for what tiles are unpacked to, for their tables, what is drawn of them and for a
    picture's rows: the daemon goes on, and the tiles come once there is memory."""
    texts = []
    for name in [*PACKINGS, "vector", "raster"]:
        b.show(name, 1)
        b.client.call("settle", {"timeout": 30})
        b.set_fault("nomalloc")
        b.client.call("cache.clear")
        b.client.call("view.set", {"zoom": 1.2})
        b.client.call("settle", {"timeout": 0.5})
        if name in PACKINGS:
            b.until(f"health names the memory ({name})", lambda: "memory" in b.health())
            texts.append(b.health()["memory"])
        b.others_go_on()
        b.set_fault("")
        b.until(f"tiles have memory again ({name})", lambda: "no memory" not in str(b.health()))
    names_without_memory(b)
    return texts[-1]


def names_without_memory(b):
    """No memory for the lists of thousands of names: the daemon goes on, and the names come once
    there is memory."""
    path = os.path.join(b.daemon.folder, "trails.geojson")
    with open(path, "w") as file:
        json.dump({"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"name": f"Trail {n}"}, "geometry": {
                "type": "LineString", "coordinates": [[x, y], [x + 0.2, y + 0.05]]}}
            for n in range(4000) for x, y in [(9.5 + n % 80 / 80, 19.7 + n // 80 * 0.012)]]}, file)
    b.client.call("overlay.add", {"name": "trails", "path": path, "label": "name"})
    b.show("raster", 9)
    b.client.call("settle", {"timeout": 30})
    names = lambda: b.client.call("stats")["memory"]["labels"]
    usual = names()
    b.client.call("view.set", {"lat": -60})
    b.client.call("settle", {"timeout": 30})
    b.set_fault("nomalloc")
    b.client.call("cache.clear")
    for zoom in (9.3, 9.8, 9):
        b.client.call("view.set", {"lat": 20, "zoom": zoom})
        b.client.call("settle", {"timeout": 1})
    b.others_go_on()
    few = names()
    b.set_fault("")
    b.until("more names are there", lambda: names() > max(few, usual / 4))
    b.client.call("overlay.remove", {"name": "trails"})
