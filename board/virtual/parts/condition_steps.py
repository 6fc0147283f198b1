"""Steps that wait for values and events, or expect them."""
import json

from machine import PATIENCE, GuestError
from values import Mistake, Unmet, expression, holds, matches, member


class ConditionSteps:
    """The steps of a `Performance` with conditions: what methods return, and which events came."""

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
        if words[:1] == ("stick",):
            return self.expect_stick(*words[1:])
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
