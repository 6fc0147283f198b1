"""A waypostd upon which faults are forced, and what must hold during one and after it, for `faults`."""

import os
import shutil
import sys
import time

from pacing import look, others_rest
from packed import PACKINGS, archive
from served import Fetch
from waypost import FIXTURES, GPSD, Connection, Daemon

PACK = os.path.join(FIXTURES, "packs/world_l1.mbtiles")
VECTOR = os.path.join(FIXTURES, "vector/natural-earth-z0-1.mbtiles")


class Failed(Exception):
    pass


class Bench:
    """A daemon with packs of its own and a folder, and a fault that can be switched."""

    def __init__(self, program, library, any_pace=False):
        self.any_pace = any_pace
        self.gpsd = GPSD(43.7, 7.4)
        self.daemon = Daemon(program, size="400x240", gpsd=self.gpsd.port, sources=[
            ("folder", os.path.join(FIXTURES, "tiles/osm"))])
        # In memory: a line of the log is no write to a disk (`at_rest`).
        self.daemon.log = f"/proc/{os.getpid()}/fd/{os.memfd_create('log')}"
        folder = self.daemon.folder
        self.fault_file = os.path.join(folder, "fault")
        self.set_fault("")
        os.environ["LD_PRELOAD"], os.environ["WAYPOST_FAULT"] = library, self.fault_file
        self.packs = {"raster": os.path.join(folder, "raster.mbtiles"),
                      "vector": os.path.join(folder, "vector.mbtiles")}
        shutil.copy(PACK, self.packs["raster"])
        shutil.copy(VECTOR, self.packs["vector"])
        for packing in PACKINGS:
            self.packs[packing] = os.path.join(folder, packing + ".pmtiles")
            archive(self.packs[packing], packing)
        self.daemon.packs += list(self.packs.items())
        self.fetch = Fetch(self.daemon)
        try:
            self.client = self.daemon.start()
        finally:
            del os.environ["LD_PRELOAD"], os.environ["WAYPOST_FAULT"]
        try:
            self.fetch.start()
        except BaseException:
            self.daemon.remove()
            raise
        self.other = Connection(self.daemon.socket, timeout=20)
        self.usual, self.looks = None, []
        self.show("folder")

    def set_fault(self, word):
        if word == "nomalloc":
            self.wait_for_quiet()
        data = word.encode().ljust(4096, b"\0")
        with open(self.fault_file, "r+b" if os.path.exists(self.fault_file) else "wb") as file:
            file.write(data)

    def told(self):
        """What faults.c wrote since the fault was set: how often a client was not let in, and notes."""
        with open(self.fault_file, "rb") as file:
            data = file.read()
        notes = data[128:].split(b"\0")[0].decode().splitlines()
        return int.from_bytes(data[64:68], sys.byteorder), notes

    def remove(self):
        try:
            self.fetch.kill()
        finally:
            self.daemon.remove()

    def wait_for_quiet(self):
        """Until no thread but the first one runs: one that has just looked whether there is memory for
        an array, and found some, must not find none when it makes the array."""
        end, before = time.monotonic() + 60, None
        while not (now := others_rest(self.daemon.process.pid)) or now != before:
            if time.monotonic() > end:
                raise Failed(f"threads still run after a minute: {before} {now}")
            before = now
            time.sleep(0.1)

    def show(self, name, zoom=2):
        self.client.call("source.use", {"name": name})
        self.client.call("view.set", {"lat": 20, "lon": 10, "zoom": zoom})

    def health(self):
        items = self.client.call("status")["health"]
        return {h["what"]: h.get("detail") or h["state"] for h in items if h["what"] != "display"}

    def until(self, what, condition, patience=60):
        end = time.monotonic() + patience
        while not condition():
            if time.monotonic() > end:
                raise Failed(f"not within {patience} s: {what}; health {self.health()}")
            time.sleep(0.01)

    def look(self, seconds=0.5):
        return look(self.other, self.daemon.process.pid, seconds)

    def begin(self):
        """How fast others are answered and the map moves without a fault."""
        self.well()
        self.usual, self.looks = self.look(), []

    def others_go_on(self, seconds=0.5):
        """Another client's requests are all answered, and the picture moves, in time."""
        found = self.look(seconds)
        if self.any_pace:
            end = time.monotonic() + 60
            while not found.frames and time.monotonic() < end:
                found = self.look(seconds)
            if not found.frames:
                raise Failed("no frame within a minute")
            return
        self.looks.append(found)
        if problem := found.worse(self.usual):
            raise Failed(f"{problem}; {found}")

    def well(self):
        """No fault any more: complete, and nothing is wrong."""
        self.set_fault("")
        self.show("raster", 1)
        def is_well():
            settled = self.client.call("settle", {"timeout": 1})
            # The cache gets its memory back a minute later.
            health = {k: v for k, v in self.health().items()
                      if k != "gpsd" and not v.startswith("memory is short; the tile cache")}
            return settled["complete"] and not settled["missing"] and not health
        self.until("complete and well", is_well)
