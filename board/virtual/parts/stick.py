"""A USB stick with a file system of its own, and on it a pack of a folder of tiles."""
import glob
import hashlib
import os
import shutil
import sqlite3
import subprocess
import tempfile

from machine import GuestError

LABEL = "STICK"
PACK = "maps/stick.mbtiles"
LEVELS = 4


def write_pack(folder, path):
    """The first levels of a folder {z}/{x}/{y}.png as MBTiles 1.3."""
    pack = sqlite3.connect(path)
    pack.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
    pack.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, "
                 "tile_data BLOB, PRIMARY KEY (zoom_level, tile_column, tile_row))")
    pack.executemany("INSERT INTO metadata VALUES (?, ?)", [
        ("name", "stick"), ("format", "png"), ("minzoom", "0"), ("maxzoom", str(LEVELS - 1))])
    for level in range(LEVELS):
        for file in glob.glob(os.path.join(folder, str(level), "*", "*.png")):
            x, y = int(file.split("/")[-2]), int(file.split("/")[-1].removesuffix(".png"))
            with open(file, "rb") as tile:
                pack.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)",
                             (level, x, (1 << level) - 1 - y, tile.read()))
    pack.commit()
    pack.close()


class Stick:
    """Plugged in and pulled out over QEMU's monitor. Pulled without a warning, as by a hand."""

    def __init__(self, guest, tiles):
        self.guest = guest
        self.folder = tempfile.mkdtemp(prefix="waypost-stick-")
        self.image = os.path.join(self.folder, "image")
        contents = os.path.join(self.folder, "contents")
        os.makedirs(os.path.join(contents, os.path.dirname(PACK)))
        write_pack(tiles, os.path.join(contents, PACK))
        subprocess.run(
            ["/sbin/mke2fs", "-q", "-t", "ext4", "-L", LABEL, "-d", contents, self.image, "64M"],
            check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        shutil.rmtree(contents)
        self.digest = self.digested()

    def digested(self):
        with open(self.image, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def plug(self):
        monitor = self.guest.monitor
        monitor.call("blockdev-add", **{
            "driver": "raw", "node-name": "stick", "file": {"driver": "file", "filename": self.image}})
        monitor.call("device_add", driver="usb-storage", id="stick", bus="usb.0", drive="stick",
                     removable=True)

    def pull(self):
        self.guest.monitor.call("device_del", id="stick")

        def released():
            try:
                self.guest.monitor.call("blockdev-del", **{"node-name": "stick"})
            except GuestError:  # requests are still being cancelled
                return False
            return True

        self.guest.wait(released, 20, "the stick to be pulled out")

    def is_unchanged(self):
        return self.digested() == self.digest

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)
