"""waypost-fetch as a process, and a server of tiles on the loopback for it, for `faults` and `soak`."""

import contextlib
import glob
import http.server
import os
import random
import socket
import sqlite3
import subprocess
import threading
import time

from waypost import FIXTURES, Measured


class TileServer:
    """Serves one of some tiles for each address, or what `mood` says: "ok"; "gone" (404); "busy" (503
    with Retry-After); "cut" (half of a tile, and the connection closes); "mixed" (now this, now that)."""

    def __init__(self):
        self.mood = "ok"
        self.random = random.Random(1)
        tiles = sorted(glob.glob(os.path.join(FIXTURES, "tiles/osm/**/*.png"), recursive=True))
        self.tiles = [open(path, "rb").read() for path in tiles]
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            do_GET = lambda self: owner.answer(self)
            log_message = lambda *_: None

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # A client that was killed.
        self.server.handle_error = lambda *_: None
        self.url = f"http://127.0.0.1:{self.server.server_port}/{{z}}/{{x}}/{{y}}.png"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, request):
        mood = self.mood
        if mood == "mixed":
            mood = self.random.choice(["ok"] * 7 + ["gone", "busy", "cut"])
        number = sum(map(ord, request.path)) % len(self.tiles)
        tile, etag = self.tiles[number], f'"{number}"'
        if mood == "gone":
            return self.send(request, 404)
        if mood == "busy":
            return self.send(request, 503, {"Retry-After": "1"})
        # So short that what is shown for longer is asked for again.
        fresh = {"ETag": etag, "Cache-Control": "max-age=5", "Content-Type": "image/png"}
        if request.headers.get("If-None-Match") == etag:
            return self.send(request, 304, fresh)
        if mood == "cut":
            request.close_connection = True
            return self.send(request, 200, fresh, tile[:len(tile) // 2], len(tile))
        self.send(request, 200, fresh, tile)

    @staticmethod
    def send(request, status, headers={}, body=b"", length=None):
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(body) if length is None else length))
        request.end_headers()
        request.wfile.write(body)


class Fetch(Measured):
    """waypost-fetch for the source "served" of a `Daemon`, in the daemon's folder."""

    def __init__(self, daemon):
        self.daemon, self.server, self.process = daemon, TileServer(), None
        self.program = os.path.join(os.path.dirname(os.path.abspath(daemon.program)), "waypost-fetch")
        if not os.path.exists(self.program):
            raise SystemExit(f"{self.program} is missing; build it beside {daemon.program}")
        self.sockets = os.path.join(daemon.folder, "fetch")
        self.store = os.path.join(daemon.folder, "served.mbtiles")
        self.log = os.path.join(daemon.folder, "fetch.log")
        os.environ["WAYPOST_FETCH_SOCKETS"] = self.sockets
        daemon.served = (f'[[source]]\nname = "served"\nurl = "{self.server.url}"\n'
                         f'store = "{self.store}"\nmin_zoom = 0\nmax_zoom = 18\n')
        daemon.configure("")

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "serve", "--config", self.daemon.configuration, "--sockets", self.sockets],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(self.log, "ab"))
        end = time.monotonic() + 60
        while not self.serves():
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("waypost-fetch does not serve:\n" + self.tail())
            time.sleep(0.01)

    def stored(self):
        """How many tiles the store has."""
        with contextlib.suppress(sqlite3.Error):
            with contextlib.closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as store:
                return store.execute("SELECT count(*) FROM tiles").fetchone()[0]
        return 0

    def serves(self):
        # After SIGKILL the socket's file is still there.
        for path in glob.glob(os.path.join(self.sockets, "*")):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
                if client.connect_ex(path) == 0:
                    return True
        return False
