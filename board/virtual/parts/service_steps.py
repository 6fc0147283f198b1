"""Steps for the service under the guest's systemd: how soon its picture is there, and that it stays."""
import os
import time

from machine import PATIENCE
from maps import Mosaic
from values import Unmet

VIEW = (20, 30, 3)  # where the installed configuration begins


class ServiceSteps:
    """The service's steps of a `Performance`."""

    def note(self, line):
        """A figure that was measured, beside the scenario's line and in its results."""
        print(f"     {line}", flush=True)
        with open(os.path.join(self.folder, "measured.log"), "a") as file:
            file.write(line + "\n")

    def uptime(self):
        """The seconds since the guest's kernel began."""
        return float(self.guest.ask("read", path="/proc/uptime").split()[0])

    def take_within(self, seconds, block):
        """Takes steps that must not need longer; notes how long they took."""
        begun = time.monotonic()
        self.take(block)
        took = time.monotonic() - begun
        first = " ".join(block[0].words)
        self.note(f"{first}: {took:.1f} s until the picture, of {seconds:g}")
        if took > seconds:
            raise Unmet(f"it took {took:.1f} s")

    def do_boots(self, *words):
        """boots to a picture: photographs until the panel shows the map; notes when that was."""
        size = map(int, self.scenario.machine.resolution.split("x"))
        expected = Mosaic(self.places["PATTERN"]).view(*VIEW, *size)
        deadline = time.monotonic() + PATIENCE * 3
        first = before = self.uptime()
        while self.contradiction(self.taken(), expected, self.over):
            if time.monotonic() > deadline:
                raise Unmet("no map on the panel")
            self.guest.pump(0.05)
            before = self.uptime()
        self.note(f"the map is on the panel {self.uptime():.1f} s after the kernel's start "
                  f"(looked at from {first:.1f} s on, not there at {before:.1f} s)"
                  if before > first else f"the map was on the panel by {first:.1f} s")

    def do_steady(self, line):
        """A shell command, during which no photograph shows the console or a dark panel: it is like the
        first one, or the successor's map while its tiles are read."""
        first, text = self.taken(), []
        # A daemon that hangs is not asked anything.
        self.daemon.leave()
        self.daemon = None
        allowed = blacks(first) + 0.02
        self.guest.on_event["output"] = lambda message: text.append(message["text"])
        count = loading = 0
        begun = self.uptime()
        pid = self.guest.ask("start", arguments=["/bin/sh", "-c", line])
        deadline = time.monotonic() + PATIENCE * 4
        while pid not in self.guest.ended:
            picture = self.taken()
            count += 1
            if picture.rows != first.rows:
                loading += 1
                if blacks(picture) > allowed:
                    self.keep("steady", first)
                    self.keep("photograph", picture)
                    raise Unmet(f"photograph {count}: {blacks(picture):.0%} are black")
            if time.monotonic() > deadline:
                raise Unmet("it does not end")
            self.guest.pump(0.01)
        if self.guest.ended[pid]:
            raise Unmet(f"status {self.guest.ended[pid]}: {''.join(text).strip()[-2000:]}")
        self.note(f"no console in {count} photographs over {self.uptime() - begun:.1f} s of the guest's; "
                  f"{loading} while tiles were read; the rest alike")


def blacks(picture):
    """Which part of a picture is black, as a console and a dark panel are."""
    return sum(row[i : i + 3] == b"\0\0\0" for row in picture.rows[::8] for i in range(0, len(row), 24)) / (
        len(picture.rows[::8]) * ((picture.width + 7) // 8))
