"""waypostd in the guest: its process, and its control socket."""
import base64
import json
import signal

from machine import GuestError
from picture import Picture

SOCKET = "/run/board/waypost/control.sock"


class Refused(Exception):
    """The daemon answered with an error."""


class Daemon:
    """One run of the daemon. `events`: all that it told so far; also in the file `record`."""

    def __init__(self, guest, record, socket=SOCKET):
        self.record = record
        self.guest = guest
        self.socket = socket
        self.pid = None
        self.ours = False
        self.events = []
        self.answers = {}
        self.number = 0
        self.calls = self.listening = None
        guest.on_event["line"] = self.hear_line
        guest.on_event["closed"] = lambda message: None

    def launch(self, program, files, log, scenario):
        """Starts it as a process of the agent's."""
        arguments = [program, "--log-level", "debug"]
        for file in files:
            arguments += ["--config", file]
        self.ours = True
        self.pid = self.guest.ask(
            "start", arguments=arguments + scenario.arguments, environment=scenario.environment,
            output=log, terminal=scenario.terminal, store=scenario.keeps_descriptors)

    @property
    def ended(self):
        """Its exit status, negative for a signal; None while it runs."""
        return self.guest.ended.get(self.pid)

    def hear_line(self, message):
        content = json.loads(message["line"])
        if content.get("method") == "event":
            self.events.append(content["params"])
            with open(self.record, "a") as file:
                file.write(json.dumps(content["params"]) + "\n")
        elif "id" in content:
            self.answers[content["id"]] = content

    def serve(self, seconds):
        """Waits until it serves, and listens to its events. One that the guest's systemd started is
        taken as it is."""
        def connected():
            if self.ended is not None:
                raise GuestError(f"waypostd has ended with status {self.ended}")
            try:
                return self.guest.ask("connect", path=self.socket)
            except GuestError:
                self.guest.pump(0.1)
                return None

        self.calls = self.guest.wait(connected, seconds, "waypostd to serve")
        self.listening = self.guest.ask("connect", path=self.socket)
        kinds = ["view", "source", "overlay", "marker", "button", "display", "position",
                 "tile-error", "health"]
        self.call("subscribe", {"events": kinds}, connection=self.listening)
        if not self.ours:
            self.pid = self.call("status")["pid"]

    def call(self, method, params=None, seconds=120, connection=None):
        """The result of a method."""
        self.number += 1
        number = self.number
        request = {"jsonrpc": "2.0", "id": number, "method": method}
        if params is not None:
            request["params"] = params
        self.guest.ask("send", connection=connection or self.calls, line=json.dumps(request))

        def answered():
            if self.ended is not None:
                raise GuestError(f"waypostd has ended with status {self.ended}")
            return self.answers.pop(number, None)

        answer = self.guest.wait(answered, seconds, f"an answer to {method}")
        if "error" in answer:
            raise Refused(f"{method}: {answer['error']['message']} ({answer['error']['code']})")
        return answer["result"]

    def screenshot(self):
        return Picture.of_png(base64.b64decode(self.call("screenshot")["png"]))

    def signal(self, number, seconds=60):
        """Sends a signal and waits for the end."""
        if self.ended is None:
            self.guest.ask("signal", pid=self.pid, number=number)
        self.guest.wait(lambda: self.ended is not None, seconds, "waypostd to end")
        self.leave()
        return self.ended

    def leave(self):
        for connection in (self.calls, self.listening):
            if connection is not None:
                self.guest.ask("disconnect", connection=connection)
        self.calls = self.listening = None

    def stop(self):
        return self.signal(signal.SIGTERM)

    def kill(self):
        return self.signal(signal.SIGKILL)
