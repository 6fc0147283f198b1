import CDRM
import Glibc
import Pixels
import Platform

/// A dumb buffer: a frame's memory that the display can scan out, mapped for writing.
final class DRMBuffer {
  let framebuffer: UInt32
  let target: ScanoutBuffer
  /// The number of the frame that was presented from it last; 0: its contents are unknown.
  var presentedAt = 0

  private let card: DRMCard
  private let memory: DRMDumbBuffer
  private let map: UnsafeMutableRawPointer
  private var isRemoved = false

  var rowBytes: Int { memory.rowBytes }
  /// The size in bytes.
  var size: Int { memory.size }

  /// The format's code in drm_fourcc.h: four letters, the first in the lowest byte.
  static func fourcc(_ format: PixelFormat) -> UInt32 {
    format == .xrgb8888 ? 0x3432_5258 : 0x3631_4752  // "XR24", "RG16"
  }

  /// - Throws: `DRMError` `noMemory`, or why the driver refuses; nothing is left behind.
  init(card: DRMCard, width: Int, height: Int, format: PixelFormat) throws(DRMError) {
    let device = card.device
    let size = "\(width)x\(height)"
    let memory: DRMDumbBuffer
    do throws(SystemError) {
      memory = try device.createDumb(
        width: width, height: height, bitsPerPixel: format.bytes * 8)
    } catch {
      throw DRMError("memory for a frame of \(size) on", code: error.code, on: card.path)
    }
    var framebuffer: UInt32?
    do throws(SystemError) {
      let id = try device.addFramebuffer(
        memory, width: width, height: height, fourcc: DRMBuffer.fourcc(format))
      framebuffer = id
      guard memory.rowBytes >= width * format.bytes, memory.rowBytes * height <= memory.size else {
        throw SystemError("a frame's size from the driver", code: EINVAL)
      }
      // Mapped for writing only: see ScanoutBuffer for the cost of a read.
      map = try device.mapDumb(memory, protection: PROT_WRITE)
      self.framebuffer = id
    } catch {
      if let framebuffer { device.removeFramebuffer(framebuffer) }
      device.destroyDumb(memory.handle)
      throw DRMError("\(error.call) \(size) on", code: error.code, on: card.path)
    }
    (self.card, self.memory) = (card, memory)
    target = ScanoutBuffer(
      base: map, rowBytes: memory.rowBytes, width: width, height: height, format: format)
  }

  /// Frees the memory. If the buffer is on the screen, the kernel turns its plane off.
  func remove() {
    if isRemoved { return }
    isRemoved = true
    guard card.isOpen else { return }
    card.device.removeFramebuffer(framebuffer)
    card.device.destroyDumb(memory.handle)
  }

  /// Leaves the frame on the screen for a successor that has the card's descriptor.
  func abandon() { isRemoved = true }

  deinit {
    remove()
    munmap(map, memory.size)
  }

  /// Calls `body` with the buffer's memory for reading; only for screenshots, never on a frame's
  /// path. Returns false if it cannot be mapped. It is mapped each time, so that the mapping for
  /// drawing stays write-only.
  func withPixels(_ body: (UnsafeRawPointer) -> Void) -> Bool {
    guard !isRemoved, card.isOpen,
      let pixels = try? card.device.mapDumb(memory, protection: PROT_READ)
    else { return false }
    body(pixels)
    munmap(pixels, memory.size)
    return true
  }
}
