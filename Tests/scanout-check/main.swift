// Copyright Waypost contributors. Licence: Apache-2.0.
//
// scanout-check OVERLAY [--read-one]
//
// Draws 1,000 frames under valgrind's memcheck into scanout memory that memcheck is told to watch,
// and leaves it to whoever runs it to count memcheck's "Invalid read"s (none may be) and "Invalid
// write"s. OVERLAY is a folder of translucent tiles. With `--read-one` a few frames will do, and
// one pixel is read on purpose: so one sees that a read is found.

import CMemoryCheck
import Glibc
import Kiosk
import MapGeometry
import Pixels

func stop(_ reason: String) -> Never {
  let line = Array("scanout-check: \(reason)\n".utf8)
  _ = write(2, line, line.count)
  exit(1)
}

var arguments = Array(CommandLine.arguments.dropFirst())
let readsOne = arguments.last == "--read-one"
if readsOne { arguments.removeLast() }
guard arguments.count == 1 else { stop("usage: scanout-check OVERLAY [--read-one]") }
switch waypost_memcheck_is_on() {
case 1: break
case 0: stop("not run under valgrind: nothing would be seen")
default: stop("built without valgrind/memcheck.h (Debian's valgrind): nothing would be seen")
}

/// Wider than a block of the picture, so that parts of it are drawn alone; higher than what the HUD
/// covers and a chunk that is sampled straight to the display.
let (width, height) = (272, 112)
var frames = 0
var round = 0
for rotation in [MountingRotation.none, .right, .half, .left] {
  for format in [PixelFormat.xrgb8888, .rgb565] {
    for memories in [1, 2] {
      for overlay in [nil, arguments[0]] {
        if readsOne, round > 0 { continue }
        let display = WatchedDisplay(
          width: width, height: height, format: format, rotation: rotation, memories: memories)
        do {
          let map = Bundled.sources[round / 2 % 2]
          try Walk(display, map: map, overlay: overlay)
            .draw(readsOne ? 4 : 32, first: round)
        } catch {
          stop("\(error)")
        }
        // What a display may do itself.
        display.begin().target.fill(
          PixelRect(x: 3, y: 3, width: 30, height: 3), color: 0x12_3456)
        if readsOne { print("read", display.readOne()) }
        frames += display.frame
        round += 1
      }
    }
  }
}
print("frames", frames)
