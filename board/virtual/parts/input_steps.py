"""Steps that press, turn and touch."""
import inputs
from values import Unmet


class InputSteps:
    """The input devices of a `Performance`: GPIO lines, keyboard, dial and touch screen."""

    def do_press(self, *lines):
        self.lines.press(lines)

    def do_hold(self, *lines):
        self.lines.hold(lines)

    def do_release(self, *lines):
        self.lines.release(lines)

    def do_bounce(self, line):
        """A guest that is held up amid the rattle makes several presses of it: then once more."""
        for _ in range(20):
            if self.lines.bounce(line) < 0.015:
                return
            self.guest.rest(1)
            self.do_forget("events")
        raise Unmet("the machine is too busy for a rattle")

    def do_chord(self, *lines):
        self.lines.chord(lines)

    def do_turn(self, first, second, detents):
        self.lines.turn(first, second, int(detents))

    def do_occupy(self, line):
        """Another program takes a line."""
        self.guest.ask("occupy", line=int(line))

    def do_free(self, line):
        self.guest.ask("close", path=f"line {int(line)}")

    def do_plug(self, name, *kind):
        if name == "stick":
            return self.plug_stick(*kind)
        width, height = map(int, self.scenario.machine.resolution.split("x"))
        make = {"keyboard": lambda: inputs.Keyboard(self.guest),
                "touch": lambda: inputs.Touch(self.guest, width, height),
                "dial": lambda: inputs.Dial(self.guest)}
        self.devices[name] = make[name]()

    def do_pull_out(self, name, kind="ext4"):
        if name == "stick":
            return self.sticks[kind].pull()
        del self.devices[name]
        names = {"keyboard": inputs.KEYBOARD, "touch": inputs.TOUCH, "dial": inputs.DIAL}
        self.guest.ask("remove_device", name=names[name])

    def do_key(self, *names):
        for name in names:
            self.devices["keyboard"].press(inputs.KEYS[name])

    def do_key_down(self, name):
        self.devices["keyboard"].set(inputs.KEYS[name], True)

    def do_key_up(self, name):
        self.devices["keyboard"].set(inputs.KEYS[name], False)

    def do_dial(self, clicks):
        self.devices["dial"].turn(int(clicks))

    def do_tap(self, x, y, times="1"):
        self.devices["touch"].tap(float(x), float(y), int(times))

    def do_drag(self, *places):
        self.devices["touch"].drag(*map(float, places), rest=0.5, pause=0.03)

    def do_flick(self, *places):
        self.devices["touch"].drag(*map(float, places), rest=0.01, pause=0.01)

    def do_pinch(self, x, y, start, end):
        self.devices["touch"].pinch(*map(float, (x, y, start, end)))

    def do_finger(self, how, *place):
        """finger down X Y, finger to X Y, finger up"""
        touch = self.devices["touch"]
        if how == "up":
            touch.emit([(touch.lifted(), 0)])
        else:
            touch.emit([(touch.fingers(tuple(map(float, place)), new=how == "down"), 0)])
