"""Steps for power cuts while waypost-fetch writes its store: fill it, cut the power, look at it."""
import os
import random
import time

from machine import HERE, PATIENCE
from values import Unmet

FOLDER = "/run/board/disk"
BATCH = 128  # tiles that are written at once


class StoreSteps:
    """The store's steps of a `Performance`."""

    rounds = cuts = 0
    answered = written = 0  # tiles: sent to who asked, and known to be on the disk

    def script(self, *words):
        path = os.path.join(HERE, "guest/store")
        return ["/usr/bin/python3", "-E", path, *map(str, words)]

    def hear_store(self, message):
        for line in message["text"].splitlines():
            name, _, value = line.partition(" ")
            if name in ("answered", "written") and value.isdigit():
                setattr(self, name, int(value))
            elif line:
                self.heard.append(line)
                with open(os.path.join(self.folder, "store.log"), "a") as file:
                    file.write(line + "\n")

    def do_store(self, what, *words):
        {"fill": self.fill_store, "check": self.check_store}[what](*words)

    def mount(self):
        self.do_shell(
            f"mkdir -p {FOLDER} && (blkid /dev/vda >/dev/null || mkfs.ext4 -q /dev/vda)"
            f" && (mountpoint -q {FOLDER} || mount /dev/vda {FOLDER})")

    def fill_store(self, batches="2"):
        """Starts the service and has it store tiles, until so many batches more are on the disk; it
        goes on with it for a while that is never the same."""
        self.mount()
        self.heard = []
        before = self.stored = getattr(self, "stored", 0)
        self.answered, self.written = 0, before
        self.guest.on_event["output"] = self.hear_store
        program = os.path.join(os.path.dirname(self.program), "waypost-fetch")
        pid = self.guest.ask(
            "start", arguments=self.script("fill", FOLDER, program, self.rounds))
        self.rounds += 1
        wanted = before + int(batches) * BATCH

        def enough():
            if pid in self.guest.ended:
                raise Unmet("it has ended: " + " / ".join(self.heard[-5:]))
            return self.written >= wanted

        self.guest.wait(enough, PATIENCE * 3, f"{batches} batches on the disk")
        self.guest.rest(random.uniform(0, 2))

    def do_cut(self):
        """Cuts the power and boots again."""
        self.cut_at = time.monotonic()
        self.guest.cut()
        self.daemon = None
        self.write_configuration()

    def check_store(self):
        """The store opens, has what was known to be on the disk, and lost little of the rest."""
        self.mount()
        text = []
        status = self.guest.run(self.script("check", FOLDER), text.append, PATIENCE * 2)
        words = "".join(text).split()
        if status or len(words) != 1 or not words[0].isdigit():
            raise Unmet(f"the store is damaged: {''.join(text).strip()[-2000:]}")
        now = int(words[0])
        # One batch is being written, one waits for that, and tiles came meanwhile.
        lost = self.stored + self.answered - now
        with open(os.path.join(self.folder, "cuts.log"), "a") as file:
            file.write(f"{now} tiles, {self.written} known to be written, {lost} lost\n")
        if now < self.written:
            raise Unmet(f"{now} tiles are there, and {self.written} had been written")
        if lost > 3 * BATCH:
            raise Unmet(f"{lost} tiles are lost: more than three batches")
        self.stored = now
        self.cuts += 1
