"""Steps for power cuts while the daemon's view changes: keep it busy, cut, see what it restores."""
import os
import random
import time

from values import Unmet

STEP = 0.01  # degrees of longitude from one view to the next, so that each is like no other
WRITE_EVERY = 1  # seconds; the scenario's [state] write_every
SLACK = 2  # seconds that a write may take in the guest


class StateSteps:
    """The state's steps of a `Performance`."""

    views = ()  # (when it was set, its number), since the last start
    oldest = 0  # seconds: the worst of all that was lost

    def do_state(self, what):
        {"start": self.start_state, "busy": self.be_busy, "check": self.check_state}[what]()

    def start_state(self):
        """Starts the daemon with its state on the disk."""
        self.mount()
        self.do_start()
        if not self.views:
            self.set_view(0)

    def set_view(self, number):
        self.daemon.call("view.set", {"lat": 20, "lon": round(number * STEP, 6), "zoom": 3})
        self.views = [*self.views, (time.monotonic(), number)]

    def be_busy(self):
        """Changes the view as fast as it goes, for a while that is never the same."""
        self.end = time.monotonic() + random.uniform(1, 4)
        while time.monotonic() < self.end:
            self.set_view(self.views[-1][1] + 1)

    def check_state(self):
        """After a cut: the daemon restores a view that was current at most `write_every` before."""
        now = self.cut_at
        self.start_state()
        view = self.daemon.call("view.get")
        number = round(view["lon"] / STEP)
        known = [each for _, each in self.views]
        if abs(view["lon"] - number * STEP) > STEP / 10 or number not in known:
            raise Unmet(f"it restored {view}, which is none of the views {known[:1]} to {known[-1:]}")
        after = known.index(number) + 1
        age = now - self.views[after][0] if after < len(self.views) else 0
        self.oldest = max(self.oldest, age)
        with open(os.path.join(self.folder, "cuts.log"), "a") as file:
            file.write(f"view {number} of {known[0]} to {known[-1]}, current until {age:.2f} s before\n")
        if age > WRITE_EVERY + SLACK:
            raise Unmet(f"the view it restored was current until {age:.1f} s before the cut")
        health = {entry["what"]: entry for entry in self.daemon.call("status")["health"]}
        if "state" in health:
            raise Unmet(f"the state: {health['state']}")
        self.views = [(time.monotonic(), number)]
