"""Fingers on buttons, keys and glass, as the guest's kernel sees them."""

# linux/input-event-codes.h
KEYS = {
    "KEY_ESC": 1, "KEY_MINUS": 12, "KEY_EQUAL": 13, "KEY_TAB": 15, "KEY_ENTER": 28,
    "KEY_LEFTCTRL": 29, "KEY_A": 30, "KEY_LEFTALT": 56, "KEY_SPACE": 57, "KEY_F2": 60,
    "KEY_KPMINUS": 74, "KEY_KPPLUS": 78, "KEY_HOME": 102, "KEY_UP": 103, "KEY_LEFT": 105,
    "KEY_RIGHT": 106, "KEY_DOWN": 108, "KEY_VOLUMEDOWN": 114, "KEY_VOLUMEUP": 115,
}
EV_KEY, EV_REL, EV_ABS = 1, 2, 3
BTN_TOUCH = 330
ABS_X, ABS_Y, MT_SLOT, MT_X, MT_Y, MT_TRACKING_ID = 0, 1, 47, 53, 54, 57
REL_DIAL = 7
PROPERTY_DIRECT = 1

KEYBOARD, TOUCH, DIAL = "board-keyboard", "board-touch", "board-dial"
DOWN, UP = "pull-down", "pull-up"


class Lines:
    """Buttons and encoders between a line and ground."""

    PAUSE = 0.06  # pulls that are closer may become one edge

    def __init__(self, guest):
        self.guest = guest

    def pull(self, steps):
        """Gives how many seconds late the slowest step was."""
        return self.guest.ask("pull", steps=steps)

    def press(self, lines):
        for line in lines:
            self.pull([(line, DOWN, self.PAUSE), (line, UP, self.PAUSE)])

    def hold(self, lines):
        self.pull([(line, DOWN, 0.005) for line in lines])

    def release(self, lines):
        self.pull([(line, UP, 0.005) for line in lines])

    def bounce(self, line):
        """A press of a worn contact: it rattles for 5 ms at either edge. Gives how late it was."""
        burst = [(line, pull, 0.0006) for _ in range(4) for pull in (DOWN, UP)]
        return self.pull([*burst, (line, DOWN, 0.2), *burst, (line, UP, 0.1)])

    def chord(self, lines):
        self.pull([*[(line, DOWN, 0.01) for line in lines], (lines[-1], DOWN, 0.15),
                   *[(line, UP, 0.01) for line in lines]])

    def turn(self, first, second, detents):
        """An encoder's detents of four edges; clockwise the first line leads."""
        if detents < 0:
            first, second = second, first
        for _ in range(abs(detents)):
            self.pull([(first, DOWN, 0.03), (second, DOWN, 0.03), (first, UP, 0.03),
                       (second, UP, 0.03)])


class Keyboard:
    def __init__(self, guest):
        self.guest = guest
        guest.ask("device", name=KEYBOARD, keys=list(KEYS.values()))

    def emit(self, *reports):
        self.guest.ask("emit", name=KEYBOARD, reports=reports)

    def press(self, code):
        self.emit(([(EV_KEY, code, 1)], 0.08), ([(EV_KEY, code, 0)], 0.02))

    def set(self, code, down):
        self.emit(([(EV_KEY, code, int(down))], 0))


class Dial:
    def __init__(self, guest):
        self.guest = guest
        guest.ask("device", name=DIAL, keys=[KEYS["KEY_ENTER"]], relative=[REL_DIAL])

    def turn(self, clicks):
        step = 1 if clicks > 0 else -1
        reports = [([(EV_REL, REL_DIAL, step)], 0.03)] * abs(clicks)
        self.guest.ask("emit", name=DIAL, reports=reports)


class Touch:
    """A touch screen as large as the panel, in its pixels."""

    def __init__(self, guest, width, height):
        self.guest = guest
        self.identity = 0
        axes = [(ABS_X, 0, width - 1, 0), (ABS_Y, 0, height - 1, 0), (MT_SLOT, 0, 9, 0),
                (MT_X, 0, width - 1, 0), (MT_Y, 0, height - 1, 0), (MT_TRACKING_ID, 0, 65535, 0)]
        guest.ask("device", name=TOUCH, keys=[BTN_TOUCH], axes=axes, properties=[PROPERTY_DIRECT])

    def emit(self, reports):
        self.guest.ask("emit", name=TOUCH, reports=reports)

    def fingers(self, *places, new=False):
        """A report of where the fingers are; `new`: they come down."""
        events = []
        for slot, (x, y) in enumerate(places):
            x, y = round(x), round(y)
            events.append((EV_ABS, MT_SLOT, slot))
            if new:
                self.identity += 1
                events.append((EV_ABS, MT_TRACKING_ID, self.identity))
            events += [(EV_ABS, MT_X, x), (EV_ABS, MT_Y, y)]
            if slot == 0:
                events += [(EV_ABS, ABS_X, x), (EV_ABS, ABS_Y, y)]
        return events + ([(EV_KEY, BTN_TOUCH, 1)] if new else [])

    def lifted(self, count=1):
        events = []
        for slot in range(count):
            events += [(EV_ABS, MT_SLOT, slot), (EV_ABS, MT_TRACKING_ID, -1)]
        return events + [(EV_KEY, BTN_TOUCH, 0)]

    def tap(self, x, y, times=1):
        once = [(self.fingers((x, y), new=True), 0.05), (self.lifted(), 0.08)]
        for _ in range(times - 1):
            once += [(self.fingers((x, y), new=True), 0.05), (self.lifted(), 0.08)]
        self.emit(once)

    def drag(self, x1, y1, x2, y2, rest, pause):
        """Along a line; then the finger rests so many seconds before it is lifted."""
        steps = 12
        reports = [(self.fingers((x1, y1), new=True), 0.03)]
        for step in range(1, steps + 1):
            x, y = x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps
            reports.append((self.fingers((x, y)), pause))
        reports[-1] = (reports[-1][0], rest)
        self.emit([*reports, (self.lifted(), 0)])

    def pinch(self, x, y, start, end):
        """Two fingers left and right of a place, from one distance to another."""
        def places(distance):
            return (x - distance / 2, y), (x + distance / 2, y)

        steps = 12
        reports = [(self.fingers(*places(start), new=True), 0.03)]
        for step in range(1, steps + 1):
            distance = start + (end - start) * step / steps
            reports.append((self.fingers(*places(distance)), 0.03))
        reports[-1] = (reports[-1][0], 0.3)
        self.emit([*reports, (self.lifted(2), 0)])
