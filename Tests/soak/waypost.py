"""A headless waypostd as a process with a folder of its own, its clients, and what they need.

Used by `kills` and `soak`. Python's standard library only.
"""

import glob
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.environ.get("WAYPOST_TEST_DATA") or os.path.join(ROOT, "..", "shared", "data")
FIXTURES = os.path.join(ROOT, "Tests", "Fixtures")

# Packs of the large test data, and where there is something to be seen; otherwise the fixtures.
REAL = [
    ("vector", "vector/packs/monaco-openmaptiles.mbtiles"),
    ("shortbread", "vector/packs/monaco-shortbread.pmtiles"),
    ("world", "mbtiles/pyramids/bluemarble-labeled-z0-5.mbtiles"),
    ("toner", "pmtiles/protomaps/stamen_toner(raster)CC-BY+ODbL_z3.pmtiles"),
]
SMALL = [
    ("osm", "tiles/osm"),
    ("earth", "vector/natural-earth-z0-1.mbtiles"),
    ("byte", "packs/byte_webp.pmtiles"),
    ("level", "packs/world_l1.mbtiles"),
]


def packs():
    """Names and paths of the sources; the real ones if they are all there."""
    real = [(name, os.path.abspath(os.path.join(DATA, path))) for name, path in REAL]
    if all(os.path.exists(path) for _, path in real):
        return real
    return [(name, os.path.join(FIXTURES, path)) for name, path in SMALL]


def folders():
    """Names and paths of sources that are no packs."""
    return [("folder-" + name, os.path.join(FIXTURES, "tiles", name)) for name in ("osm", "osm-2x")]


def overlays():
    found = sorted(glob.glob(os.path.join(FIXTURES, "overlays/gpx/**/*.gpx"), recursive=True))
    return [os.path.join(FIXTURES, "overlays/geojson/natural-earth-four.geojson")] + found[:1]


class Connection:
    """A client of the control socket. Requests may be pipelined: `send` many, then `answer` each."""

    def __init__(self, path, timeout=60):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # Waits where the listener's queue is full; with a time limit it would fail instead.
        self.socket.connect(path)
        self.socket.settimeout(timeout)
        self.input = b""
        self.number = 0
        self.events = 0

    def send(self, method, params=None):
        self.number += 1
        self.socket.sendall(encode(method, params, self.number))
        return self.number

    def line(self):
        while b"\n" not in self.input:
            data = self.socket.recv(1 << 18)
            if not data:
                raise ConnectionError("waypostd closed the connection")
            self.input += data
        line, self.input = self.input.split(b"\n", 1)
        return json.loads(line)

    def answer(self):
        """The next answer; events before it are counted."""
        while True:
            message = self.line()
            if "id" in message:
                return message
            self.events += 1

    def call(self, method, params=None):
        self.send(method, params)
        message = self.answer()
        if "error" in message:
            raise RuntimeError(f"{method} {params}: {message['error']}")
        return message["result"]

    def close(self):
        self.socket.close()


def encode(method, params, number):
    request = {"jsonrpc": "2.0", "id": number, "method": method}
    if params is not None:
        request["params"] = params
    return json.dumps(request, separators=(",", ":")).encode() + b"\n"


class GPSD:
    """Stands in for gpsd: serves fixes along a circle to whoever connects, `rate` a second; or while it
    `is_still`, fixes that scatter by some metres."""

    def __init__(self, lat, lon, rate=10):
        self.port, self.connected = 0, 0
        self.place, self.rate, self.clients = (lat, lon), rate, []
        self.is_still, self.listener = False, None
        self.lock = threading.Lock()
        self.listen()
        threading.Thread(target=self.speak, daemon=True).start()

    def listen(self):
        """Begins to serve, on the same port as before."""
        if self.listener:
            self.listener.listen()
        else:
            self.listener = socket.create_server(("127.0.0.1", 0))
            self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            client.setblocking(False)
            hello = {"class": "VERSION", "release": "3.25", "rev": "3.25", "proto_major": 3,
                     "proto_minor": 15}
            try:
                client.send(json.dumps(hello).encode() + b"\r\n")
            except OSError:
                continue
            with self.lock:
                self.clients.append(client)
                self.connected += 1

    def speak(self):
        step = 0
        while True:
            time.sleep(1 / self.rate)
            step += 1
            part = 1e-6 if self.is_still else 1e-4
            lat, lon = self.place[0] + part * (step % 40), self.place[1] + part * (step % 60)
            report = {"class": "TPV", "device": "/dev/ttyS0", "mode": 3, "lat": lat, "lon": lon,
                      "speed": 5.0, "track": step * 7 % 360, "eph": 4.0,
                      "time": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())}
            with self.lock:
                self.clients = [c for c in self.clients if self.tell(c, report)]

    @staticmethod
    def tell(client, report):
        try:
            client.send(json.dumps(report).encode() + b"\r\n")
            return True
        except BlockingIOError:
            return True
        except OSError:
            client.close()
            return False

    def drop(self):
        """What SIGKILL of gpsd does: its clients are cut off, and nobody listens until `listen`."""
        # Wakes the thread that accepts; closing alone would leave the port open until it returns.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        # Keeps the port from others. Without `listen` it refuses connections.
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", self.port))
        with self.lock:
            for client in self.clients:
                client.close()
            self.clients = []


class Measured:
    """A `process` with a `log`, and what it takes."""

    def kill(self, signal_number=signal.SIGKILL):
        self.process.send_signal(signal_number)
        return self.process.wait(timeout=60)

    def tail(self, lines=20):
        with open(self.log, errors="replace") as file:
            return "".join(file.readlines()[-lines:])

    def memory(self):
        """The bytes that it alone has written: what the kernel cannot take back (proc_pid_smaps(5)).
        Its unwritten pages of files are left out. Whether those count as private depends on which
        other programs use the files at the moment, and the kernel drops them as it likes."""
        total = 0
        with open(f"/proc/{self.process.pid}/smaps_rollup") as file:
            for line in file:
                if line.startswith(("Private_Dirty:", "Swap:")):
                    total += int(line.split()[1]) << 10
        return total

    def resident(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def written(self):
        """Bytes that it had written to disks (proc_pid_io(5))."""
        with open(f"/proc/{self.process.pid}/io") as file:
            return int(next(line for line in file if line.startswith("write_bytes")).split()[1])


class Daemon(Measured):
    """waypostd, headless, in a folder that goes with it."""

    def __init__(self, program, size="800x480", write_every="100ms", more="", gpsd=None,
                 sources=None):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix="waypost-soak-")
        self.socket = os.path.join(self.folder, "s")
        self.state = os.path.join(self.folder, "state.json")
        self.media = os.path.join(self.folder, "media")
        self.configuration = os.path.join(self.folder, "waypost.toml")
        self.log = os.path.join(self.folder, "log")
        os.mkdir(self.media)
        self.packs = sources or packs()
        self.sources = [name for name, _ in self.packs]
        self.head = f"""
[display]
backend = "headless"
size = "{size}"
[view]
center = [43.735, 7.42]
zoom = 5
[control]
socket = "{self.socket}"
roots = ["{self.folder}"]
[state]
path = "{self.state}"
write_every = "{write_every}"
[media]
watch = ["{self.media}"]
[hud]
buttons = true
zoom = true
[position]
follow = false
track = true
{f'gpsd = "127.0.0.1:{gpsd}"' if gpsd else ''}
{more}
"""
        # More sources, as text.
        self.served = ""
        self.configure("")
        self.process = None

    def configure(self, more):
        """Writes the configuration with `more` at its end."""
        text = self.head
        for name, path in self.packs:
            text += f'[[source]]\nname = "{name}"\npath = "{path}"\n'
        for number, path in enumerate(overlays()):
            text += f'[[overlay]]\nname = "overlay{number}"\npath = "{path}"\n'
        text += '[[overlay]]\nname = "grid"\nkind = "grid"\n'
        # Whole at once: waypost-fetch may be reading it, and an empty file has no sources.
        new = self.configuration + ".new"
        with open(new, "w") as file:
            file.write(text + self.served + more)
        os.replace(new, self.configuration)

    def start(self, wait=True):
        # Whether memory is short on this machine is no matter of a test.
        self.process = subprocess.Popen(
            [self.program, "--config", self.configuration], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=open(self.log, "ab"),
            env={"MEMORY_PRESSURE_WATCH": "/dev/null"} | os.environ)
        return self.connect() if wait else None

    def connect(self, patience=60):
        """A connection, as soon as waypostd serves."""
        end = time.monotonic() + patience
        while True:
            try:
                return Connection(self.socket)
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError("waypostd does not serve:\n" + self.tail())
                time.sleep(0.001)

    def has_ended(self):
        """Whether it has; one that closed its connections gets a moment for the rest."""
        try:
            return self.process.wait(timeout=1) is not None
        except subprocess.TimeoutExpired:
            return False

    def remove(self):
        if self.process and self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def checksum(data):
    """FNV-1a in 64 bits, as the state's file has it."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def seeded(seed):
    return random.Random(seed)
