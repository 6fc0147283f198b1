"""Performs a scenario. A step `press 17` calls `do_press("17")`, a method of one of the mixins."""
import os
import re

import inputs
from condition_steps import ConditionSteps
from daemon import SOCKET, Refused
from daemon_steps import DaemonSteps
from input_steps import InputSteps
from machine import GuestError
from machine_steps import MachineSteps
from picture_steps import PictureSteps
from service_steps import ServiceSteps
from state_steps import StateSteps
from store_steps import StoreSteps
from values import Mistake, Unmet

BASE = """\
[control]
socket = "{socket}"
[state]
path = ""
"""
VIEW = """\
[view]
center = [20, 30]
zoom = 3
[hud]
toasts = false
"""
BARE = """\
attribution = false
scale_bar = false
north = false
"""
OVER = """\
attribution = true
scale_bar = true
north = true
zoom = true
coordinates = true
buttons = true
[[overlay]]
name = "board-area"
path = "/run/board/waypost/area.geojson"
level = "above-roads"
label = "name"
fill = "#c0392b80"
[[overlay]]
name = "board-way"
path = "/run/board/waypost/way.geojson"
label = "name"
stroke = "#2c3e50"
[[marker]]
id = "board-hut"
lat = 38
lon = 10
icon = "hut"
label = "Hut"
[[marker]]
id = "board-here"
lat = 40
lon = 50
label = "You are here"
"""
# Away from the middle, where scenarios tap.
OVER_FILES = {
    "area.geojson": """{"type": "Feature", "properties": {"name": "Area"}, "geometry": {
        "type": "Polygon", "coordinates": [[[55, 5], [80, 8], [76, 30], [60, 27], [55, 5]]]}}""",
    "way.geojson": """{"type": "Feature", "properties": {"name": "Way"}, "geometry": {
        "type": "LineString", "coordinates": [[-30, -8], [0, 2], [20, -5], [50, -2]]}}""",
}
PATTERN = """\
[[source]]
name = "pattern"
path = "{pattern}"
"""


def below(configuration, pattern, over=BARE):
    """What lies below a scenario's configuration: the view, what is over the map, and the pattern map
    if it names no other source."""
    return VIEW + over + ("" if "[[source]]" in configuration else PATTERN.format(pattern=pattern))


class Performance(
        DaemonSteps, ConditionSteps, PictureSteps, InputSteps, MachineSteps, ServiceSteps,
        StateSteps, StoreSteps):
    """One scenario in one guest. `folder`: where its log and pictures go, as this side sees it.
    `over`: with overlays, markers and HUD if the scenario is plain."""

    def __init__(self, guest, scenario, program, folder, places, over=False):
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
        self.sticks = {}  # by their kind
        self.mosaics = {}
        self.over = over and scenario.is_plain
        self.bare = set()  # the names of mosaics, with nothing over the map

    def substituted(self, text):
        """With the known places in it: $PATTERN, $FIXTURES, $DATA, $OUT."""
        return re.sub(
            r"\$([A-Z]+)\b", lambda found: self.places.get(found.group(1), found.group(0)), text)

    def perform(self):
        self.guest.ask("reset")
        inside = f"{self.guest.OUT}/{os.path.basename(self.folder)}"
        self.places = {**self.places, "OUT": inside}
        self.write_configuration()
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

    def write_configuration(self):
        configuration = self.substituted(self.scenario.configuration)
        over = OVER if self.over else BARE
        base = BASE.format(socket=SOCKET) + below(configuration, self.places["PATTERN"], over)
        files = {"base.toml": base, "scenario.toml": configuration}
        # Where Waypost is installed, they are there from the start.
        files.update(OVER_FILES if self.over and self.scenario.installed is None else {})
        for name, text in files.items():
            self.guest.ask("write", path=f"/run/board/waypost/{name}", text=text)

    def take(self, steps):
        for step in steps:
            words = [self.substituted(word) for word in step.words]
            action = getattr(self, "do_" + words[0].replace("-", "_"), None)
            try:
                if step.words[0] == "repeat":
                    for _ in range(int(words[1])):
                        self.take(step.block)
                elif step.words[0] == "within":
                    self.take_within(float(words[1]), step.block)
                elif step.words[0] == "shell":
                    self.do_shell(self.substituted(step.text.partition(" ")[2]))
                elif step.words[0] == "steady":
                    self.do_steady(self.substituted(step.text.partition(" ")[2]))
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
        for stick in self.sticks.values():
            stick.close()
        self.guest.ask("reset")
