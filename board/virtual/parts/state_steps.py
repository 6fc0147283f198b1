"""Steps for power cuts while the daemon's state changes: keep it busy, cut, see what it restores."""
import os
import random
import statistics
import time

from machine import PATIENCE, GuestError
from values import Unmet

STEP = 0.01  # degrees of longitude from one view to the next, so that each is like no other
WRITE_EVERY = 1  # seconds; the scenario's [state] write_every
# Seconds that a write may take in the guest: it synchronises the file and its folder, behind the
# batches of tiles that are synchronised on the same disk meanwhile, and each is a synchronisation of
# the emulator's file, on a machine that is busy emulating. `state figures` notes what it was.
SLACK = 2


class StateSteps:
    """The state's steps of a `Performance`."""

    states = ()  # (when it was set, the state), since the last start
    number = 0  # of the last change
    ages = ()  # seconds from the change of the restored state to the cut
    pictures_after = ()  # seconds from the kernel's start, and the daemon's, to the first picture

    def do_state(self, what):
        {"start": self.start_state, "busy": self.be_busy, "check": self.check_state,
         "figures": self.note_figures}[what]()

    def start_state(self):
        """Starts the daemon with its state on the disk."""
        self.mount()
        begun = self.uptime()
        self.do_start()
        try:
            self.guest.wait(lambda: self.daemon.call("stats")["frames"]["presented"] > 0, PATIENCE * 2,
                            "the first picture")
        except GuestError as error:
            raise Unmet(str(error)) from None
        if not self.states:
            self.states = [(time.monotonic(), self.present_state())]
        else:
            now = self.uptime()
            self.pictures_after = [*self.pictures_after, (now, now - begun)]

    def present_state(self):
        """What the daemon says of all that outlasts a cut."""
        view = self.daemon.call("view.get")
        return {
            "lon": view["lon"], "lat": view["lat"], "zoom": view["zoom"],
            "source": next(s["name"] for s in self.daemon.call("source.list") if s["active"]),
            "theme": self.daemon.call("display.get")["theme"],
            "grid": next(o["shown"] for o in self.daemon.call("overlay.list") if o["name"] == "grid"),
        }

    def change(self):
        """One change; four in turn, so that no state is like another."""
        self.number += 1
        state = dict(self.states[-1][1])
        which = self.number % 4
        if which == 0:
            state["lon"] = round(self.number * STEP, 6)
            self.daemon.call("view.set", {"lon": state["lon"]})
        elif which == 1:
            state["source"] = "osm" if state["source"] == "pattern" else "pattern"
            self.daemon.call("source.use", {"name": state["source"]})
        elif which == 2:
            state["theme"] = "day" if state["theme"] == "night" else "night"
            self.daemon.call("display.set", {"theme": state["theme"]})
        else:
            state["grid"] = not state["grid"]
            self.daemon.call("overlay.show" if state["grid"] else "overlay.hide", {"name": "grid"})
        self.states = [*self.states, (time.monotonic(), state)]

    def be_busy(self):
        """Changes the state as fast as it goes, for a while that is never the same."""
        end = time.monotonic() + random.uniform(1, 4)
        while time.monotonic() < end:
            self.change()

    def check_state(self):
        """After a cut: the daemon restores a state that was current at most `write_every` before."""
        now = self.cut_at
        self.start_state()
        restored = self.present_state()
        found = [index for index, (_, state) in enumerate(self.states) if is_same(state, restored)]
        if not found:
            raise Unmet(f"it restored {restored}, which none was of {len(self.states)}, "
                        f"the last {self.states[-1][1]}")
        after = found[-1] + 1
        age = now - self.states[after][0] if after < len(self.states) else 0
        self.ages = [*self.ages, age]
        with open(os.path.join(self.folder, "cuts.log"), "a") as file:
            file.write(f"state {after} of {len(self.states)}, current until {age:.2f} s before; picture "
                       f"{self.pictures_after[-1][0]:.1f} s after the kernel's start\n")
        if age > WRITE_EVERY + SLACK:
            raise Unmet(f"the state it restored was current until {age:.1f} s before the cut")
        health = {entry["what"]: entry for entry in self.daemon.call("status")["health"]}
        if "state" in health:
            raise Unmet(f"the state: {health['state']}")
        self.states = [(time.monotonic(), restored)]

    def note_figures(self):
        """Notes how old the restored states were, and when the first pictures came."""
        self.note(f"restored states were current until {statistics.median(self.ages):.2f} s before the "
                  f"cut (median), {max(self.ages):.2f} s at most")
        for index, since in enumerate(("the kernel's start", "the daemon's")):
            times = [each[index] for each in self.pictures_after]
            self.note(f"first picture {statistics.median(times):.1f} s after {since} (median), "
                      f"{max(times):.1f} s at most")


def is_same(a, b):
    return all(abs(a[key] - b[key]) < 1e-6 if isinstance(a[key], float) else a[key] == b[key]
               for key in a)
