"""Scenario files: a head that says what machine it wants, the daemon's configuration, the steps."""
import collections
import os
import shlex

import machine

Step = collections.namedtuple("Step", "number words text block")


class ScenarioError(Exception):
    """A scenario file that cannot be read; says where and why."""


class Scenario:
    """`name`: the file's. `machine`: machine.Settings. The rest as the README tells it."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.title = ""
        self.quick = self.alone = self.bare = self.by_hand = self.keeps_descriptors = False
        self.terminal = "/dev/tty1"
        self.environment = {}
        self.arguments = []
        self.needs = []
        self.installed = None
        with open(path) as file:
            lines = file.read().split("\n")
        borders = [number for number, line in enumerate(lines) if line.strip() == "---"]
        if len(borders) != 2:
            raise ScenarioError(f"{path}: a head, a configuration and steps, with a line --- between")
        self.settings = {}
        for number, line in enumerate(lines[: borders[0]]):
            if line.startswith("#") and not self.title:
                self.title = line.lstrip("# ").rstrip(".")
            words = shlex.split(line, comments=True)
            if words:
                self.read_head(number + 1, words)
        self.machine = machine.Settings(**self.settings)
        self.configuration = "\n".join(lines[borders[0] + 1 : borders[1]]) + "\n"
        numbered = [(number + 1, line.strip()) for number, line in enumerate(lines)]
        self.steps = self.read_steps(iter(numbered[borders[1] + 1 :]), None)

    def read_head(self, number, words):
        key, values = words[0], words[1:]
        try:
            if key in ("quick", "alone", "bare", "by-hand", "keeps-descriptors"):
                setattr(self, key.replace("-", "_"), True)
            elif key in ("kernel", "resolution"):
                (self.settings[key],) = values
            elif key in ("memory", "lines", "disk"):
                self.settings[key] = int(*values)
            elif key == "gpu":
                self.settings["cards"] = tuple(value for value in values if value != "none")
            elif key in ("modules", "without"):
                self.settings[key] = tuple(values)
            elif key == "kernel-arguments":
                self.settings["arguments"] = " ".join(values)
            elif key == "usb":
                self.settings["usb"] = True
            elif key == "systemd":
                self.settings["init"] = "systemd"
            elif key == "installed":
                self.installed = tuple(values)
            elif key == "terminal":
                self.terminal = None if values == ["none"] else f"/dev/tty{int(*values)}"
            elif key == "environment":
                self.environment.update(value.split("=", 1) for value in values)
            elif key == "arguments":
                self.arguments += values
            elif key == "needs":
                self.needs += values
            else:
                raise ValueError("unknown")
        except (ValueError, TypeError):
            raise ScenarioError(f"{self.path}:{number}: not understood: {' '.join(words)}") from None

    def read_steps(self, lines, opened):
        """Steps up to the end of the file, or to the `end` of the block opened in a line."""
        steps = []
        for number, text in lines:
            try:
                words = shlex.split(text, comments=True)
            except ValueError as error:
                raise ScenarioError(f"{self.path}:{number}: {error}") from None
            if not words:
                continue
            if words == ["end"] and opened:
                return steps
            block = self.read_steps(lines, number) if words[0] in ("repeat", "within") else None
            steps.append(Step(number, words, text, block))
        if opened:
            raise ScenarioError(f"{self.path}:{opened}: this block has no end")
        return steps

    @property
    def is_plain(self):
        """Whether it may have things over the map: it puts none there itself, and it does not have to be
        bare."""
        own = ("overlay.add", "marker.set", "display.set {\"hud\"")
        return not self.bare and not any(word in step.text for step in self.steps for word in own)

    def verbs(self, steps=None):
        """The first words of all steps."""
        for step in self.steps if steps is None else steps:
            yield step.words[0]
            if step.block:
                yield from self.verbs(step.block)
