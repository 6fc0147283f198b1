"""Tests/fuzz/reached: how long each parser was quiet."""

import datetime
import fcntl
import pathlib

LEDGER = pathlib.Path(__file__).with_name("reached")
HEADER = """\
# How long no parser reached anything new: written by `make fuzz STILL=...`, which goes on from here.
# Seconds are of processor time; `quiet` are those since the last new edge of the project. Edges and
# features are those of the last run's build, the compiler's own ones among them. `code` tells whether
# the parser, or its entry point, changed since.
# target quiet seconds inputs edges features date code
"""


class Ledger:
    """Tests/fuzz/reached. Several runs may write to it at once."""

    def __init__(self, scratch):
        self.lock = scratch / "lock"

    def read(self):
        lines = LEDGER.read_text().splitlines() if LEDGER.exists() else []
        entries = (line.split() for line in lines if line and not line.startswith("#"))
        return {name: rest for name, *rest in entries}

    def of(self, target, stamp):
        """Quiet seconds, seconds, inputs; nothing of what another parser did."""
        entry = self.read().get(target.name)
        return [int(n) for n in entry[:3]] if entry and entry[-1] == stamp else [0, 0, 0]

    def add(self, target, stamp, run):
        with open(self.lock, "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            quiet, seconds, inputs = self.of(target, stamp)
            quiet = run.quiet + (0 if run.grew else quiet)
            entries = self.read()
            entries[target.name] = [
                quiet, seconds + run.seconds, inputs + run.inputs, run.edges, run.features,
                datetime.date.today().isoformat(), stamp]
            lines = (" ".join(map(str, [name, *entries[name]])) for name in sorted(entries))
            new = LEDGER.with_name("reached.new")
            new.write_text(HEADER + "\n".join(lines) + "\n")
            new.replace(LEDGER)
        return quiet
