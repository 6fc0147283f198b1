"""The virtual machine: QEMU with one of Debian's kernels, and the agent in it."""
import collections
import contextlib
import json
import os
import platform
import select
import shutil
import socket
import subprocess
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CHECKOUT = os.path.dirname(os.path.dirname(HERE))
PATIENCE = 60  # seconds; everything in the guest is 20 to 50 times slower than outside


class Unavailable(Exception):
    """The virtual board cannot be had here; says what is missing."""


class GuestError(Exception):
    """The guest failed, or refused what it was asked for."""


class Card(collections.namedtuple("Card", "device modules")):
    """A graphics card: what QEMU calls it, and the driver's module under its names."""


CARDS = {
    # Without EDID the mode asked for is the preferred one, at 60 Hz.
    "virtio": Card("virtio-gpu-pci,edid=off,xres={0},yres={1}", ["virtio_gpu"]),
    "bochs": Card("bochs-display,edid=on,xres={0},yres={1}", ["bochs"]),
    # Sizes of its own: 640x480, 800x600, 1024x768.
    "cirrus": Card("cirrus-vga", ["cirrus", "cirrus_qemu"]),
}


class Settings(
    collections.namedtuple(
        "Settings",
        "kernel cards resolution memory arguments modules without lines init usb disk installed",
        defaults=("gpio", ("virtio",), "800x480", 1024, "", (), (), 32, "", False, 0, None),
    )
):
    """What kind of machine: machines of equal settings are alike.

    `without`: cards whose driver is not loaded at boot. `lines`: how many GPIO lines. `usb`: whether
    there is a USB controller. `disk`: MB of an empty disk, /dev/vda, which a cut of the power leaves
    as it is. `installed`: what is installed before the guest's systemd starts, an Installation.
    """


class Installation(collections.namedtuple("Installation", "programs pattern files units")):
    """Waypost as its package installs it. `programs`, `pattern`: folders of the programs and of the
    pattern map. `files`: pairs of a name in the guest's /run/board and its text. `units`: which are
    enabled."""


def kernel_folder(role):
    store = os.environ.get("WAYPOST_VIRTUAL") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "waypost/virtual")
    return os.path.join(store, role)


def have_kernel(role):
    """Makes the kernel for a role if it is not there."""
    done = subprocess.run([os.path.join(HERE, "kernel"), role], stdin=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["unknown"]
        raise Unavailable(f"no kernel for \"{role}\": {last[0]}")


@contextlib.contextmanager
def output_folder(path):
    """The absolute path of the folder, or of one that is removed afterwards."""
    if path:
        yield os.path.abspath(path)
        return
    with tempfile.TemporaryDirectory(prefix="waypost-board-out-") as folder:
        yield folder


def check():
    """Raises Unavailable where the machine lacks what a virtual board is made of."""
    if platform.machine() != "x86_64":
        raise Unavailable(f"it needs an amd64 machine, this one is {platform.machine()}")
    if not shutil.which("qemu-system-x86_64"):
        raise Unavailable("qemu-system-x86_64 is missing; board/install-packages virtual")
    if not os.path.exists("/bin/busybox"):
        raise Unavailable("busybox-static is missing; board/install-packages virtual")


def archive(files):
    """A cpio archive ("newc") of files: (name, bytes)."""
    def entry(name, data, mode):
        name = name.encode() + b"\0"
        fields = (0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name), 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name
        head += b"\0" * (-len(head) % 4)
        return head + data + b"\0" * (-len(data) % 4)

    return b"".join(entry(name, data, 0o100755) for name, data in files) + entry("TRAILER!!!", b"", 0)


class Machine:
    """A running guest. `out` is a folder that both sides see; in the guest, /run/board/out.

    It ends with the `with` block, with this process, and after `limit` seconds in any case.
    """

    OUT = "/run/board/out"

    def __init__(self, settings, out, limit=600, boot_limit=180):
        self.settings = settings
        self.out = out
        self.limit = limit
        self.on_event = {}  # event name: handler
        self.number = 0
        have_kernel(settings.kernel)
        self.folder = tempfile.mkdtemp(prefix="waypost-board-")
        os.makedirs(out, exist_ok=True)
        self.console = os.path.join(out, "console.log")
        self.process = self.watchdog = None
        try:
            if settings.disk:
                with open(self.disk, "wb") as disk:
                    disk.truncate(settings.disk << 20)
            self.boot(boot_limit)
        except BaseException:
            self.close()
            raise

    def boot(self, boot_limit=180):
        self.ended = {}  # process: exit status
        self.replies = {}
        self.text = b""
        self.ready = None
        with open(os.path.join(self.out, "qemu.log"), "w") as log:
            self.process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.watchdog = threading.Timer(self.limit, self.process.kill)
        self.watchdog.daemon = True
        self.watchdog.start()
        self.monitor = Monitor(self.connect("monitor"))
        self.agent = self.connect("agent")
        self.wait(lambda: self.ready, boot_limit, "the guest to boot")

    def cut(self):
        """Cuts the power at once: what the guest had not written to its disk is lost. Boots again."""
        self.process.kill()
        self.process.wait()
        self.watchdog.cancel()
        self.agent.close()
        self.monitor.close()
        for name in ("monitor", "agent"):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(self.folder, name))
        self.boot()

    @property
    def disk(self):
        return os.path.join(self.folder, "disk.img")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def command(self):
        s = self.settings
        kernel = kernel_folder(s.kernel)
        first = os.path.join(self.folder, "first.cpio")
        files = [("init", "guest/init"), ("agent", "guest/agent"), ("install", "guest/install"),
                 ("agent.service", "guest/agent.service"),
                 ("board.target", "guest/board.target"),
                 ("network-stage.service", "guest/network-stage.service")]
        with open(first, "wb") as whole, open(os.path.join(kernel, "modules.cpio"), "rb") as base:
            shutil.copyfileobj(base, whole)
            whole.write(b"\0" * (-whole.tell() % 512))
            contents = []
            for name, path in files:
                with open(os.path.join(HERE, path), "rb") as file:
                    contents.append((name, file.read()))
            for name, text in s.installed.files if s.installed else ():
                contents.append((name, text.encode()))
            whole.write(archive(contents))
        width, height = s.resolution.split("x")
        modules = list(s.modules)
        devices = []
        for number, name in enumerate(s.cards):
            card = CARDS[name]
            device = card.device.format(width, height)
            devices += ["-device", f"{device},id=card{number}"]
            if name not in s.without:
                modules += card.modules
        if s.usb:
            devices += ["-device", "qemu-xhci,id=usb"]
            modules += ["xhci_pci", "usb_storage", "sd_mod"]
        if s.disk:
            # What the guest has written is in the file, or in this machine's memory, which stays.
            devices += ["-drive", f"file={self.disk},format=raw,if=none,id=disk,cache=writeback",
                        "-device", "virtio-blk-pci,drive=disk"]
            modules += ["virtio_blk", "ext4"]
        words = ["console=ttyS0", "quiet", "loglevel=4", "panic=-1", "tsc=reliable",
                 "no_timer_check", "mitigations=off", "random.trust_cpu=on",
                 "board_modules=" + ",".join(modules)]
        if s.lines:
            words.append(f"board_lines={s.lines}")
        if s.init:
            words += [f"board_init={s.init}", "systemd.show_status=no",
                      # It is slow here, and all the slower beside other work.
                      "systemd.default_timeout_start_sec=300"]
        if s.installed:
            words += [f"board_programs={s.installed.programs}", f"board_checkout={CHECKOUT}",
                      f"board_pattern={s.installed.pattern}",
                      "board_enabled=" + ",".join(s.installed.units)]
        words.append(s.arguments)
        return [
            "setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64",
            "-machine", "pc", "-cpu", "max,la57=off", "-smp", "1", "-m", str(s.memory),
            "-accel", os.environ.get("WAYPOST_ACCEL") or "tcg,thread=multi,tb-size=256",
            "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-vga", "none",
            "-kernel", os.path.join(kernel, "linux"), "-initrd", first, "-append", " ".join(words),
            "-serial", f"file:{self.console}",
            "-qmp", f"unix:{self.folder}/monitor,server=on,wait=off",
            "-device", "virtio-rng-pci", "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=agent,path={self.folder}/agent,server=on,wait=off",
            "-device", "virtserialport,chardev=agent,name=agent",
            "-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap",
            "-virtfs", f"local,path={self.out},mount_tag=out,security_model=none,multidevs=remap",
            *devices,
        ]

    def connect(self, name):
        deadline = time.monotonic() + 20
        while True:
            try:
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(os.path.join(self.folder, name))
                return connection
            except OSError:
                connection.close()
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise GuestError(f"QEMU does not start: {self.tail('qemu.log')}")
                time.sleep(0.02)

    def tail(self, name, count=15):
        try:
            with open(os.path.join(self.out, name), errors="replace") as file:
                return "\n".join(file.read().splitlines()[-count:])
        except OSError:
            return ""

    # Talking to the agent

    def pump(self, seconds):
        """Takes what the agent says within that time at most, and returns after the first of it."""
        if not select.select([self.agent], [], [], max(seconds, 0))[0]:
            return
        data = self.agent.recv(1 << 20)
        if not data:
            raise GuestError("the guest has ended: " + self.tail("console.log"))
        *lines, self.text = (self.text + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "id" in message:
                self.replies[message["id"]] = message
            elif message["event"] == "ready":
                self.ready = message["kernel"]
            elif message["event"] == "exit":
                self.ended[message["pid"]] = message["status"]
            elif message["event"] in self.on_event:
                self.on_event[message["event"]](message)

    def wait(self, condition, seconds, what):
        """Waits until `condition` gives something, and gives that."""
        deadline = time.monotonic() + seconds
        while not (result := condition()):
            left = deadline - time.monotonic()
            if left <= 0:
                raise GuestError(f"waited {seconds:g} s for {what}")
            self.pump(min(left, 1))
        return result

    def rest(self, seconds):
        """Lets so much time pass."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.pump(left)

    def ask(self, what, seconds=120, **request):
        """Has the agent do something; gives its result."""
        self.number += 1
        number = self.number
        line = json.dumps({"id": number, "do": what, **request}) + "\n"
        self.agent.sendall(line.encode())
        message = self.wait(lambda: self.replies.pop(number, None), seconds, f"the guest's {what}")
        if "error" in message:
            raise GuestError(message["error"])
        return message["result"]

    def run(self, arguments, on_output, seconds, **options):
        """Runs a command in the guest; gives its exit status."""
        self.on_event["output"] = lambda message: on_output(message["text"])
        pid = self.ask("start", arguments=arguments, **options)
        self.wait(lambda: pid in self.ended, seconds, " ".join(arguments))
        return self.ended[pid]

    # What is outside the guest

    def photograph(self, path, card=0):
        """What the emulated monitor shows, as a PPM file."""
        self.monitor.call("screendump", filename=path, device=f"card{card}", head=0)

    def close(self):
        """Ends the guest at once."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        if self.watchdog:
            self.watchdog.cancel()
        shutil.rmtree(self.folder, ignore_errors=True)


class Monitor:
    """QEMU's machine protocol (QMP)."""

    def __init__(self, connection):
        self.connection = connection
        self.file = connection.makefile("rwb")
        self.file.readline()
        self.call("qmp_capabilities")

    def close(self):
        self.file.close()
        self.connection.close()

    def call(self, command, **arguments):
        self.file.write(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        self.file.flush()
        while True:
            line = self.file.readline()
            if not line:
                raise GuestError("QEMU has ended")
            answer = json.loads(line)
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise GuestError(f"{command}: {answer['error']['desc']}")
