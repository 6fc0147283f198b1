"""Steps that change the machine itself: connectors, drivers, terminals, time, shell commands."""
from machine import CARDS, PATIENCE
from stick import KINDS, Stick
from values import Mistake, Unmet


class MachineSteps:
    """The machine's steps of a `Performance`."""

    def connectors(self, state, card="0"):
        paths = self.guest.ask("paths", pattern=f"/sys/class/drm/card{card}-*/status")
        if not paths:
            raise Unmet(f"card {card} has no connector")
        for path in paths:
            self.guest.ask("write", path=path, text=state)
        # The emulated cards have no interrupt for it: the kernel is told to announce it.
        self.guest.ask("write", path=f"/sys/class/drm/card{card}/uevent", text="change")

    def plug_stick(self, kind="ext4"):
        """The same stick of a kind each time, with the pattern map on it."""
        if kind not in KINDS:
            raise Mistake(f"a stick is one of {', '.join(KINDS)}")
        if kind not in self.sticks:
            self.sticks[kind] = Stick(self.guest, self.places["PATTERN"], kind)
        self.sticks[kind].plug()

    def expect_stick(self, *words):
        """expect stick unchanged: nothing was written to any."""
        if words != ("unchanged",):
            raise Mistake("expect stick unchanged")
        for kind, stick in self.sticks.items():
            if not stick.is_unchanged():
                raise Unmet(f"the stick with {kind} was written to")

    def do_unplug(self, card="0"):
        self.connectors("off", card)

    def do_replug(self, card="0"):
        self.connectors("detect", card)

    def do_load(self, name):
        """Loads a graphics card's driver, or a module."""
        modules = CARDS[name].modules if name in CARDS else [name]
        self.do_shell(" || ".join(f"modprobe -q {module}" for module in modules))

    def do_master(self, how, card="0"):
        """master hold, master drop: another process is the card's master."""
        self.guest.ask({"hold": "open", "drop": "close"}[how], path=f"/dev/dri/card{card}")

    def do_terminal(self, number):
        self.guest.ask("terminal", number=int(number))

    def do_pause(self, seconds):
        """For what has no event: the time that something takes in the story."""
        self.guest.rest(float(seconds))

    def do_shell(self, line):
        text = []
        status = self.guest.run(["/bin/sh", "-c", line], text.append, PATIENCE * 2)
        if status:
            raise Unmet(f"status {status}: {''.join(text).strip()[-2000:]}")
