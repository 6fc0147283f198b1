#!/usr/bin/env python3
"""provider.py SOCKET FOLDER: a tile provider for Waypost (docs/providers.md).

Serves the files FOLDER/Z/X/Y.png. Each connection has a thread, which answers in order."""
import os
import socketserver
import sys

socket, folder = sys.argv[1:]


class Provider(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"waypost-tiles 1\nmax_zoom 19\nname Files\n\n")
        for line in self.rfile:
            command, *words = line.split()
            if command != b"get":
                continue  # a command of a later version
            number, z, x, y, scale = words
            try:
                with open(f"{folder}/{int(z)}/{int(x)}/{int(y)}.png", "rb") as file:
                    tile = file.read()
                self.wfile.write(b"tile %s %d\n%s" % (number, len(tile), tile))
            except FileNotFoundError:
                self.wfile.write(b"none %s\n" % number)
            except OSError as error:
                self.wfile.write(b"error %s %s\n" % (number, error.strerror.encode()))


if os.path.exists(socket):
    os.unlink(socket)
socketserver.ThreadingUnixStreamServer(socket, Provider).serve_forever()
