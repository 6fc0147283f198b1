"""USB sticks with a file system of their own, and on it a pack of a folder of tiles."""
import glob
import hashlib
import os
import shutil
import sqlite3
import struct
import subprocess
import tempfile

from machine import GuestError

LABEL = "STICK"
PACK = "maps/stick.mbtiles"
LEVELS = 4
SIZE = 64 << 20


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


def run(*command):
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def make_ext4(image, contents):
    run("/sbin/mke2fs", "-q", "-t", "ext4", "-L", LABEL, "-d", contents, image, f"{SIZE >> 20}M")


def make_vfat(image, contents):
    """FAT32 that says of itself that it was not unmounted, as after a computer's crash."""
    run("mformat", "-C", "-F", "-T", str(SIZE // 512), "-v", LABEL, "-i", image, "::")
    run("mcopy", "-s", "-i", image, *glob.glob(os.path.join(contents, "*")), "::")
    with open(image, "r+b") as file:
        # The state in the boot sector: FAT_STATE_DIRTY of Linux's fs/fat/inode.c.
        file.seek(65)
        file.write(b"\1")
        # mformat says here that there is a partition as well.
        file.seek(446)
        file.write(bytes(64))


def make_ntfs(image, contents):
    """As much of NTFS as libblkid looks at: the boot sector, and the records 0 and 3 of the file table."""
    boot = struct.pack("<3s8sHB26xQQQb3xb3xQ", b"\xeb\x52\x90", b"NTFS    ", 512, 8, SIZE // 512 - 1,
                       4, 8, -10, 1, 0x1234567812345678)
    record = struct.pack("<4s16xH34xL", b"FILE", 56, 0xFFFFFFFF)
    with open(image, "wb") as file:
        file.truncate(SIZE)
        for offset, data in (
                (0, boot.ljust(510, b"\0") + b"\x55\xaa"), (4 * 4096, record), (4 * 4096 + 3 * 1024, record)):
            file.seek(offset)
            file.write(data)


KINDS = {"ext4": make_ext4, "vfat": make_vfat, "ntfs": make_ntfs}


class Stick:
    """Plugged in and pulled out over QEMU's monitor. Pulled without a warning, as by a hand."""

    def __init__(self, guest, tiles, kind):
        self.guest = guest
        self.name = f"stick-{kind}"  # what QEMU calls it
        self.folder = tempfile.mkdtemp(prefix="waypost-stick-")
        self.image = os.path.join(self.folder, "image")
        contents = os.path.join(self.folder, "contents")
        os.makedirs(os.path.join(contents, os.path.dirname(PACK)))
        write_pack(tiles, os.path.join(contents, PACK))
        KINDS[kind](self.image, contents)
        shutil.rmtree(contents)
        self.digest = self.digested()

    def digested(self):
        with open(self.image, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def plug(self):
        monitor = self.guest.monitor
        monitor.call("blockdev-add", **{
            "driver": "raw", "node-name": self.name, "file": {"driver": "file", "filename": self.image}})
        monitor.call("device_add", driver="usb-storage", id=self.name, bus="usb.0", drive=self.name,
                     removable=True)

    def pull(self):
        self.guest.monitor.call("device_del", id=self.name)

        def released():
            try:
                self.guest.monitor.call("blockdev-del", **{"node-name": self.name})
            except GuestError:  # requests are still being cancelled
                return False
            return True

        self.guest.wait(released, 20, "the stick to be pulled out")

    def is_unchanged(self):
        return self.digested() == self.digest

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)
