import CDRM
import Glibc

/// The page-flip events of a card's descriptor (drm.h's `drm_event_vblank`).
///
/// Not read by drmHandleEvent, which would call the token as a pointer: a descriptor that was
/// passed on may still have events of the previous process.
enum FlipEvents {
  /// Reads all waiting events, and calls `body` with the token and the time (nanoseconds of
  /// CLOCK_MONOTONIC) of each flip.
  ///
  /// - Returns: false if the device was removed.
  static func read(
    _ device: any DRMDevice, _ body: (_ token: UInt32, _ time: UInt64) -> Void
  ) -> Bool {
    // The kernel returns whole events only, so none is split.
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { bytes in
      while true {
        let count = device.readEvents(into: bytes)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return count == 0 || errno == EAGAIN }
        parse(UnsafeRawBufferPointer(rebasing: bytes[0..<count]), body)
      }
    }
  }

  static func parse(
    _ bytes: UnsafeRawBufferPointer, _ body: (_ token: UInt32, _ time: UInt64) -> Void
  ) {
    var offset = 0
    while bytes.count - offset >= MemoryLayout<drm_event>.size {
      let head = bytes.loadUnaligned(fromByteOffset: offset, as: drm_event.self)
      let length = Int(head.length)
      guard length >= MemoryLayout<drm_event>.size, length <= bytes.count - offset else { return }
      if head.type == UInt32(DRM_EVENT_FLIP_COMPLETE),
        length >= MemoryLayout<drm_event_vblank>.size
      {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: drm_event_vblank.self)
        let time = UInt64(event.tv_sec) * 1_000_000_000 + UInt64(event.tv_usec) * 1000
        body(UInt32(truncatingIfNeeded: event.user_data), time)
      }
      offset += length
    }
  }
}
