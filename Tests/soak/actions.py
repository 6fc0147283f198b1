"""What a kiosk's users and programs ask for, for `soak`."""

from waypost import Connection, encode, folders, packs

# How many requests are made once and then sent again and again, in another order each round.
POOL = 2000


def requests(random, daemon):
    """What a kiosk's users and programs ask for."""
    r = random

    def view():
        return "view.set", {"lat": r.uniform(43.70, 43.77), "lon": r.uniform(7.38, 7.46),
                            "zoom": r.uniform(1, 17), "bearing": r.choice([0, 0, 0, 30, 222]),
                            "animate": r.random() < 0.5}

    def pan():
        return "view.pan", {"direction": r.choice(["left", "right", "up", "down"]),
                            "animate": r.random() < 0.5}

    def press():
        return "press", {"action": r.choice([
            "pan-left", "pan-right", "pan-up", "pan-down", "zoom-in", "zoom-out", "home",
            "source-next", "source-previous", "overlay-toggle:grid", "theme-toggle", "follow",
            "rotate-left", "rotate-right", "north-up", "select", "select-next", "back", "map-key",
            "language-next", "sleep", "none"])}

    def marker():
        name = f"m{r.randrange(40)}"
        if r.random() < 0.4:
            return "marker.remove", {"id": name}
        return "marker.set", {"id": name, "lat": r.uniform(43.70, 43.77),
                              "lon": r.uniform(7.38, 7.46), "label": name, "text": "Words " * 5}

    def notice():
        name = f"n{r.randrange(5)}"
        if r.random() < 0.5:
            return "notice.remove", {"id": name}
        return "notice.set", {"id": name, "text": "Bridge closed",
                              "severity": r.choice(["info", "warning", "danger"])}

    def overlay():
        name = f"o{r.randrange(4)}"
        kind = r.randrange(6)
        if kind == 0:
            line = [[r.uniform(7.3, 7.5), r.uniform(43.6, 43.8)] for _ in range(20)]
            return "overlay.add", {"name": name, "geojson": {
                "type": "FeatureCollection", "features": [{
                    "type": "Feature", "properties": {"name": name},
                    "geometry": {"type": "LineString", "coordinates": line}}]}}
        if kind == 1:
            return "overlay.remove", {"name": name}
        if kind == 2:
            return "overlay.select", {"name": name, "feature": 0}
        if kind == 3:
            return "overlay.move", {"name": name,
                                    r.choice(["above", "below"]): f"o{r.randrange(4)}"}
        return r.choice(["overlay.show", "overlay.hide"]), {"name": r.choice(["grid", "overlay0"])}

    def source():
        if r.random() < 0.2:
            name = f"s{r.randrange(3)}"
            if r.random() < 0.5:
                return "source.remove", {"name": name}
            return "source.add", {"name": name, "path": r.choice(packs() + folders())[1]}
        return "source.use", {"name": r.choice(daemon.sources)}

    def other():
        return r.choice([
            ("view.get", None), ("source.list", None), ("overlay.list", None), ("status", None),
            ("stats", None), ("cache.stats", None), ("position.get", None), ("methods", None),
            ("display.set", {"theme": r.choice(["day", "night", "auto"])}),
            # The next press turns it on again.
            ("display.set", {"power": r.choice(["off", "on"])}),
            ("display.set", {"hud": {r.choice(["zoom", "map_key", "buttons", "coordinates"]):
                                     r.random() < 0.5}}),
            ("position.set", {"lat": r.uniform(43.7, 43.77), "lon": 7.42, "heading": 30,
                              "speed": 3, "accuracy": 5}),
            ("view.zoom", {"delta": r.choice([-1, 1]), "x": 100, "y": 80}),
            ("view.fit", {"bounds": [7.3, 43.6, 7.5, 43.8]}), ("view.home", None),
            ("selection.get", None), ("selection.clear", None),
            ("cache.resize", {"bytes": r.choice([12, 18, 24]) << 20}),
            ("cache.clear", None) if r.random() < 0.1 else ("cache.stats", None),
            ("unsubscribe", {"events": ["view", "overlay"]})])

    kinds = [view, pan, press, press, press, marker, notice, overlay, source, other, other]
    return [encode(*r.choice(kinds)(), n + 1) for n in range(POOL)]


def bad_clients(path):
    """Clients that no one should write."""
    deaf = Connection(path)
    deaf.send("subscribe", {"events": ["view", "position", "overlay", "marker", "source"]})
    half = Connection(path)
    half.socket.sendall(b'{"jsonrpc":"2.0","id":1,"method":"view.se')
    flood = Connection(path)
    try:
        flood.socket.sendall(b"x" * 70000)
    except OSError:
        pass
    nonsense = Connection(path)
    nonsense.socket.sendall(b'\x00\xff{]\n[]\n{"id":1}\n[{"jsonrpc":"2.0"}]\n' + b"[" * 5000 + b"\n")
    greedy = Connection(path)
    greedy.socket.sendall(b"".join(encode("screenshot", None, n) for n in range(20)))
    return [deaf, half, flood, nonsense, greedy]
