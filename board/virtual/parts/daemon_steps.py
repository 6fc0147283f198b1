"""Steps that start, ask and end the daemon."""
import json

from daemon import Daemon, Refused
from machine import PATIENCE
from values import Mistake, Unmet


class DaemonSteps:
    """The daemon's steps of a `Performance`."""

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
