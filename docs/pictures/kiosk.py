# Copyright Waypost contributors. Licence: Apache-2.0.
"""A daemon that draws into memory, for pictures of its screen: waypostd and waypost of PATH."""
import contextlib
import pathlib
import subprocess
import tempfile
import time

COMMON = """
[display]
backend = "headless"
size = "{size}"
[control]
socket = "{socket}"
[state]
path = ""
[theme]
mode = "{theme}"
[hud]
toasts = false
size = "{hud}"
"""


class Refused(Exception):
    """What waypostd said when it ended, or waypost when it failed."""


@contextlib.contextmanager
def kiosk(size, theme, text, hud="normal"):
    """Runs the daemon, with this configuration after the common one, while the block lasts; `hud` is its `hud.size`.

    Gives a function that runs waypost with the given words. Raises Refused if one of the two does not do it.
    """
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        common, own, socket, log = (folder / name for name in ("common.toml", "own.toml", "socket", "log"))
        common.write_text(COMMON.format(size=size, theme=theme, socket=socket, hud=hud))
        own.write_text(text)
        with log.open("w") as said:
            daemon = subprocess.Popen(["waypostd", "--config", str(common), "--config", str(own)], stderr=said)

        def waypost(*words):
            try:
                done = subprocess.run(["waypost", "--socket", str(socket), *words], timeout=60, text=True,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            except subprocess.TimeoutExpired:
                raise Refused(f"{' '.join(words)}: no answer") from None
            if done.returncode:
                raise Refused(f"{' '.join(words)}: {done.stderr.strip() or done.returncode}")

        try:
            until = time.monotonic() + 30
            while not socket.exists():
                if daemon.poll() is not None or time.monotonic() > until:
                    raise Refused(log.read_text().strip().replace(f"{own}:", "line ") or "waypostd has no socket")
                time.sleep(0.05)
            yield waypost
        finally:
            daemon.terminate()
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
