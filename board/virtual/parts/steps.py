"""What the words of a scenario do. A step `press 17` calls `do_press("17")`."""
import json
import os
import re

import inputs
from daemon import SOCKET, Daemon, Refused
from machine import CARDS, GuestError
from maps import Mosaic
from picture import Picture
from values import Mistake, Unmet, expression, holds, matches, member

PATIENCE = 60  # seconds; everything in the guest is 20 to 50 times slower than outside

BASE = """\
[control]
socket = "{socket}"
[state]
path = ""
[view]
center = [20, 30]
zoom = 3
[hud]
attribution = false
scale_bar = false
north = false
toasts = false
"""
PATTERN = """\
[[source]]
name = "pattern"
path = "{pattern}"
"""


class Performance:
    """One scenario in one guest. `folder`: where its log and pictures go, as this side sees it."""

    def __init__(self, guest, scenario, program, folder, places):
        self.guest, self.scenario, self.program = guest, scenario, program
        self.folder = folder
        self.record = os.path.join(folder, "events.log")
        self.places = places  # what $PATTERN and the like stand for
        self.remembered = {}
        self.pictures = {}
        self.daemon = None
        self.last_status = None
        self.rotation = 0  # of the last display
        self.cursor = 0
        self.lines = inputs.Lines(guest)
        self.devices = {}
        self.mosaics = {}

    def substituted(self, text):
        """With the known places in it: $PATTERN, $FIXTURES, $DATA, $OUT."""
        return re.sub(
            r"\$([A-Z]+)\b", lambda found: self.places.get(found.group(1), found.group(0)), text)

    # From the beginning to the end

    def perform(self):
        self.guest.ask("reset")
        inside = f"{self.guest.OUT}/{os.path.basename(self.folder)}"
        self.places = {**self.places, "OUT": inside}
        configuration = self.substituted(self.scenario.configuration)
        base = BASE.format(socket=SOCKET)
        if "[[source]]" not in configuration:
            base += PATTERN.format(pattern=self.places["PATTERN"])
        for name, text in (("base", base), ("scenario", configuration)):
            self.guest.ask("write", path=f"/run/board/waypost/{name}.toml", text=text)
        verbs = set(self.scenario.verbs())
        # What is used is plugged in before the daemon starts, unless a step does it.
        if not verbs & {"plug"}:
            if verbs & {"key", "key-down", "key-up"}:
                self.do_plug("keyboard")
            if verbs & {"tap", "drag", "flick", "finger", "pinch"}:
                self.do_plug("touch")
            if "dial" in verbs:
                self.do_plug("dial")
        if not self.scenario.by_hand:
            self.do_start()
        self.take(self.scenario.steps)
        if self.daemon and self.daemon.ours and self.daemon.ended is None:
            self.do_stop()

    def take(self, steps):
        for step in steps:
            words = [self.substituted(word) for word in step.words]
            action = getattr(self, "do_" + words[0].replace("-", "_"), None)
            try:
                if step.words[0] == "repeat":
                    for _ in range(int(words[1])):
                        self.take(step.block)
                elif step.words[0] == "shell":
                    self.do_shell(self.substituted(step.text.partition(" ")[2]))
                elif step.words[0] == "call":
                    self.do_call(self.substituted(step.text.partition(" ")[2]))
                elif action is None:
                    raise Mistake("no such step")
                else:
                    action(*words[1:])
            except (Unmet, Mistake, Refused, GuestError, LookupError, TypeError, ValueError) as error:
                if not hasattr(error, "step"):
                    error.step = step
                raise

    def clean_up(self):
        """Ends what still runs; the guest can be used again unless this fails."""
        if self.daemon and self.daemon.ours and self.daemon.ended is None:
            self.daemon.kill()
        self.guest.ask("reset")

    # The daemon

    def do_launch(self):
        """Starts the daemon and does not wait until it serves."""
        log = f"{self.places['OUT']}/daemon.log"
        files = [f"/run/board/waypost/{name}.toml" for name in ("base", "scenario")]
        self.daemon = Daemon(self.guest, self.record)
        self.daemon.launch(self.program, files, log, self.scenario)
        self.cursor = 0

    def do_serves(self):
        self.daemon.serve(PATIENCE * 2)

    def do_start(self):
        self.do_launch()
        self.do_serves()

    def do_attach(self, socket="/run/waypost/control.sock"):
        """Takes the daemon that serves there, started by a step or by the guest's systemd; once more
        after it was started again."""
        if self.daemon:
            self.daemon.leave()
        self.daemon = Daemon(self.guest, self.record, socket)
        self.do_serves()
        self.cursor = 0

    def do_stop(self):
        status = self.last_status = self.daemon.stop()
        if status != 0:
            raise Unmet(f"waypostd ended with status {status} at SIGTERM")

    def do_kill(self):
        self.last_status = self.daemon.kill()

    def do_restart(self):
        self.do_stop()
        self.do_start()

    def do_ends(self, *words):
        """ends with STATUS"""
        if words[:1] != ("with",):
            raise Mistake("ends with STATUS")
        self.guest.wait(lambda: self.daemon.ended is not None, PATIENCE * 2, "waypostd to end")
        self.last_status = self.daemon.ended
        if self.last_status != int(words[1]):
            raise Unmet(f"it ended with status {self.last_status}")

    def do_call(self, text):
        method, _, params = text.partition(" ")
        self.daemon.call(method, json.loads(params) if params.strip() else None)

    def do_refused(self, method, params, code):
        """refused METHOD 'JSON' CODE"""
        try:
            self.daemon.call(method, json.loads(params))
        except Refused as error:
            if f"({code})" not in str(error):
                raise Unmet(str(error)) from None
            return
        raise Unmet(f"{method} was not refused")

    def do_settle(self):
        result = self.daemon.call("settle", {"timeout": PATIENCE * 2}, seconds=PATIENCE * 3)
        if not result["complete"]:
            raise Unmet("the view was not complete in time")

    # Conditions

    def ask(self, method):
        """What a condition asks: a method of the daemon, or one of the machine's own matters."""
        if method == "process":
            return self.guest.ask("process", pid=self.daemon.pid)
        if method == "terminal":
            return self.guest.ask("terminal")
        if method == "manager":
            return {"messages": self.guest.ask("messages")}
        if method == "graphics":
            text = self.guest.ask("read", path="/sys/kernel/debug/dri/0/framebuffer")
            return {"framebuffers": text.count("framebuffer[")}
        return self.daemon.call(method)

    def condition(self, words):
        """METHOD MEMBER COMPARISON VALUE: whether it holds; if not, what was found, in words."""
        if len(words) < 4:
            raise Mistake("METHOD MEMBER COMPARISON VALUE")
        found = member(self.ask(words[0]), words[1])
        wanted = expression(words[3:], self.remembered)
        return holds(found, words[2], wanted), f"{json.dumps(found)}, not {words[2]} {json.dumps(wanted)}"

    def do_wait(self, *words):
        """wait METHOD MEMBER COMPARISON VALUE, wait event TYPE CONDITION..."""
        if words[:1] == ("event",):
            return self.wait_for_event(*words[1:])
        found = None

        def met():
            nonlocal found
            holding, found = self.condition(words)
            if not holding:
                self.guest.pump(0.1)
            return holding

        try:
            self.guest.wait(met, PATIENCE, " ".join(words))
        except GuestError as error:
            raise Unmet(f"{error}; it is {found}") from None

    def wait_for_event(self, kind, *conditions):
        def come():
            while self.cursor < len(self.daemon.events):
                event = self.daemon.events[self.cursor]
                self.cursor += 1
                if event["type"] == kind and matches(event, conditions, self.remembered):
                    return True
            return False

        try:
            self.guest.wait(come, PATIENCE, f"event {kind} {' '.join(conditions)}")
        except GuestError as error:
            seen = [event for event in self.daemon.events if event["type"] == kind]
            raise Unmet(f"{error}; the last of {len(seen)} such events: {seen[-3:]}") from None

    def do_expect(self, *words):
        """expect screen..., expect picture..., expect events..., expect METHOD MEMBER..."""
        if words[:1] == ("screen",):
            return self.expect_screen(*words[1:])
        if words[:1] == ("picture",):
            return self.expect_picture(*words[1:])
        if words[:1] == ("events",):
            return self.expect_events(*words[1:])
        holding, found = self.condition(words)
        if not holding:
            raise Unmet(f"it is {found}")

    def expect_events(self, kind, *words):
        """expect events TYPE CONDITION... COMPARISON COUNT: since the start or `forget events`."""
        *conditions, comparison, count = words
        found = [event for event in self.daemon.events
                 if event["type"] == kind and matches(event, conditions, self.remembered)]
        if not holds(len(found), comparison, expression([count], self.remembered)):
            raise Unmet(f"there were {len(found)}: {found[:6]}")

    def do_forget(self, what):
        if what != "events":
            raise Mistake("forget events")
        # What is under way comes before this answer.
        self.daemon.call("version", connection=self.daemon.listening)
        self.daemon.events.clear()
        self.cursor = 0

    def do_remember(self, name, *words):
        """remember NAME = METHOD MEMBER"""
        if len(words) != 3 or words[0] != "=":
            raise Mistake("remember NAME = METHOD MEMBER")
        self.remembered[name] = member(self.ask(words[1]), words[2])

    # Pictures

    def keep(self, name, picture):
        self.pictures[name] = picture
        picture.write_png(os.path.join(self.folder, f"{name}.png"))

    def taken(self, card=0):
        """A photograph of the panel, turned back as the mounting turns it."""
        path = os.path.join(self.folder, "panel.ppm")
        self.guest.photograph(path, card)
        panel = Picture.of_ppm(path)
        os.remove(path)
        if self.daemon and self.daemon.ended is None and self.daemon.calls:
            try:
                self.rotation = (self.daemon.call("status")["display"] or {}).get("rotation", 0)
            except GuestError:  # it is on its way out
                pass
        return panel.turned_back(self.rotation)

    def do_photograph(self, name, card="0"):
        self.keep(name, self.taken(int(card)))

    def do_screenshot(self, name):
        self.keep(name, self.daemon.screenshot())

    def do_mosaic(self, name, folder=None):
        """The tiles of a folder as the present view shows them; $PATTERN's without one."""
        folder = folder or self.places["PATTERN"]
        view = self.daemon.call("view.get")
        if view["bearing"] or view["zoom"] != int(view["zoom"]):
            raise Mistake("a mosaic needs a whole zoom, north up")
        mosaic = self.mosaics.setdefault(folder, Mosaic(folder))
        self.keep(name, mosaic.view(
            view["lat"], view["lon"], int(view["zoom"]), view["width"], view["height"]))

    def expect_screen(self, *words):
        """expect screen [= screenshot] [= mosaic [FOLDER]] [on CARD]: settled, the photograph is
        equal to those, or to both where none is named."""
        card = 0
        if words[-2:-1] == ("on",):
            card, words = int(words[-1]), words[:-2]
        wanted = " ".join(words).split("=")[1:] or ["screenshot", "mosaic"]
        self.do_settle()
        for name, *folder in (text.split() for text in wanted):
            if name == "screenshot":
                self.do_screenshot(name)
            elif name == "mosaic":
                self.do_mosaic(name, *folder)
            else:
                raise Mistake("expect screen = screenshot, or = mosaic")
        # The emulated card may take a moment to show what it was given.
        for attempt in range(4):
            if attempt:
                self.guest.pump(0.5)
            photograph = self.taken(card)
            if all(not photograph.difference(self.pictures[text.split()[0]]) for text in wanted):
                break
        self.keep("photograph", photograph)
        for text in wanted:
            self.expect_picture("photograph", "=", text.split()[0])

    def expect_picture(self, first, comparison, second):
        a, b = self.pictures[first], self.pictures[second]
        difference = a.difference(b)
        if comparison == "!=" and not difference:
            raise Unmet(f"{first} and {second} are alike")
        if comparison == "=" and difference:
            a.marked(b).write_png(os.path.join(self.folder, "difference.png"))
            raise Unmet(f"{first} and {second} differ: {difference}")

    # Hands

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

    def do_plug(self, name):
        width, height = map(int, self.scenario.machine.resolution.split("x"))
        make = {"keyboard": lambda: inputs.Keyboard(self.guest),
                "touch": lambda: inputs.Touch(self.guest, width, height),
                "dial": lambda: inputs.Dial(self.guest)}
        self.devices[name] = make[name]()

    def do_pull_out(self, name):
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

    # The machine

    def connectors(self, state, card="0"):
        paths = self.guest.ask("paths", pattern=f"/sys/class/drm/card{card}-*/status")
        if not paths:
            raise Unmet(f"card {card} has no connector")
        for path in paths:
            self.guest.ask("write", path=path, text=state)
        # The emulated cards have no interrupt for it: the kernel is told to announce it.
        self.guest.ask("write", path=f"/sys/class/drm/card{card}/uevent", text="change")

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
