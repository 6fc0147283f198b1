import CMemoryCheck
import Displays
import Glibc
import MapGeometry
import Pixels

/// A display whose memory the memory checker watches: every load from it and every store to it is
/// reported. It hands out what every display does, a `ScanoutBuffer`.
final class WatchedDisplay: Display {
  let kind = "watched"
  let width: Int
  let height: Int
  let format: PixelFormat
  let rotation: MountingRotation
  let refreshRate = 60.0
  let isReady = true
  var onReady: (() -> Void)?
  private(set) var frame = 0
  let bufferCount: Int
  let bytes: Int

  private let memory: UnsafeMutableRawPointer
  private let rowBytes: Int

  /// - Parameter memories: how many are shown in turn; a frame finds what was drawn that long ago.
  init(width: Int, height: Int, format: PixelFormat, rotation: MountingRotation, memories: Int) {
    (self.width, self.height, self.format) = (width, height, format)
    (self.rotation, bufferCount) = (rotation, memories)
    // Some bytes after each row that belong to no pixel, as many drivers have it.
    rowBytes = (width * format.bytes + 64 + 63) & ~63
    bytes = rowBytes * height * memories
    let map = mmap(
      nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let map, map != MAP_FAILED else { stop("no memory for a frame") }
    memory = map
    waypost_memcheck_forbid(memory, bytes)
  }

  deinit { munmap(memory, bytes) }

  func begin() -> (target: ScanoutBuffer, age: Int) {
    let target = ScanoutBuffer(
      base: memory + frame % bufferCount * rowBytes * height, rowBytes: rowBytes, width: width,
      height: height, format: format)
    return (target, frame < bufferCount ? 0 : bufferCount)
  }

  func present(damage: [PixelRect]) { frame += 1 }

  /// Not to be read, not even for a screenshot.
  func readFrame(_ row: (_ y: Int, _ pixels: UnsafePointer<UInt32>) -> Void) -> Bool { false }

  /// Breaks the rule, once.
  func readOne() -> UInt16 {
    (memory + rowBytes * (height / 2)).load(as: UInt16.self)
  }
}
