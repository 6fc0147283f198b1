import CDRM
import Glibc
import Pixels

/// A dumb buffer: a frame's memory that the display can read, mapped to be written.
final class DRMBuffer {
  let framebuffer: UInt32
  let rowBytes: Int
  let size: Int
  let target: ScanoutBuffer
  /// The number of the frame that was presented from it last; 0: what it holds is not known.
  var presentedAt = 0

  private let card: DRMCard
  private let handle: UInt32
  private let map: UnsafeMutableRawPointer
  private var isRemoved = false

  /// drm_fourcc.h's codes: four letters, the first lowest.
  static func fourcc(_ format: PixelFormat) -> UInt32 {
    format == .xrgb8888 ? 0x3432_5258 : 0x3631_4752  // "XR24", "RG16"
  }

  init(card: DRMCard, width: Int, height: Int, format: PixelFormat) throws(DRMError) {
    let fd = card.fd
    var (handle, pitch, size): (UInt32, UInt32, UInt64) = (0, 0, 0)
    let code = drmModeCreateDumbBuffer(
      fd, UInt32(width), UInt32(height), UInt32(format.bytes * 8), 0, &handle, &pitch, &size)
    if code != 0 {
      throw DRMError(
        "memory for a frame of \(width)x\(height) on", code: -code, on: card.path)
    }
    var id: UInt32 = 0
    var offset: UInt64 = 0
    let added = drmModeAddFB2(
      fd, UInt32(width), UInt32(height), DRMBuffer.fourcc(format), [handle, 0, 0, 0],
      [pitch, 0, 0, 0], [0, 0, 0, 0], &id, 0)
    if added != 0 {
      _ = drmModeDestroyDumbBuffer(fd, handle)
      throw DRMError("drmModeAddFB2 \(width)x\(height)", code: -added, on: card.path)
    }
    let mapped = drmModeMapDumbBuffer(fd, handle, &offset)
    // Only to be written: what a read of it would cost is said at ScanoutBuffer.
    let map =
      mapped == 0
      ? mmap(nil, Int(size), PROT_WRITE, MAP_SHARED, fd, off_t(bitPattern: offset)) : MAP_FAILED
    guard let map, map != MAP_FAILED, Int(pitch) * height <= Int(size) else {
      let code = mapped == 0 ? errno : -mapped
      _ = drmModeRmFB(fd, id)
      _ = drmModeDestroyDumbBuffer(fd, handle)
      throw DRMError("mmap of a frame on", code: code, on: card.path)
    }
    (self.card, self.handle, framebuffer, self.map) = (card, handle, id, map)
    rowBytes = Int(pitch)
    self.size = Int(size)
    target = ScanoutBuffer(
      base: map, rowBytes: Int(pitch), width: width, height: height, format: format)
  }

  /// Gives the memory back. If the buffer is being shown, the kernel turns its plane off.
  func remove() {
    if isRemoved { return }
    isRemoved = true
    guard card.isOpen else { return }
    _ = drmModeRmFB(card.fd, framebuffer)
    _ = drmModeDestroyDumbBuffer(card.fd, handle)
  }

  /// Leaves the frame on the screen, for a successor that has the card's descriptor.
  func abandon() { isRemoved = true }

  deinit {
    remove()
    munmap(map, size)
  }

  /// Calls `body` with the buffer's memory to be read: for screenshots alone, never on a frame's
  /// path. It is mapped anew each time, so that the map that is drawn into stays write-only.
  func withPixels(_ body: (UnsafeRawPointer) -> Void) -> Bool {
    var offset: UInt64 = 0
    guard !isRemoved, card.isOpen, drmModeMapDumbBuffer(card.fd, handle, &offset) == 0,
      let pixels = mmap(nil, size, PROT_READ, MAP_SHARED, card.fd, off_t(bitPattern: offset)),
      pixels != MAP_FAILED
    else { return false }
    body(pixels)
    munmap(pixels, size)
    return true
  }
}

extension off_t {
  /// mmap's offset is a token here, not a number.
  init(bitPattern offset: UInt64) { self = off_t(truncatingIfNeeded: offset) }
}
