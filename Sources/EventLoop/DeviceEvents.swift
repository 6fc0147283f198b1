import CLinux
import Glibc
import Platform

/// A kernel event about a device that came, went or changed.
public struct DeviceEvent: Sendable, Equatable {
  /// The action: "add", "remove", "change", "bind" …
  public var action: String
  /// The subsystem: "drm", "input", "gpio", "graphics", "block" …
  public var subsystem: String
  /// The device's name below /dev ("dri/card0", "input/event3"); empty if it has no file.
  public var deviceName: String
  /// The device's path below /sys, as the kernel gives it (DEVPATH).
  public var path: String

  /// Parses an event: `ACTION@PATH`, then `KEY=VALUE` fields, each ended by a zero byte (the
  /// kernel's `lib/kobject_uevent.c`). Nil for anything else.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    var fields = bytes.split(separator: 0).makeIterator()
    guard let head = fields.next(), head.contains(UInt8(ascii: "@")) else { return nil }
    var (action, subsystem, deviceName, path) = ("", "", "", "")
    while let field = fields.next() {
      let parts = field.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let value = String(decoding: parts[1], as: UTF8.self)
      switch String(decoding: parts[0], as: UTF8.self) {
      case "ACTION": action = value
      case "SUBSYSTEM": subsystem = value
      case "DEVNAME": deviceName = value
      case "DEVPATH": path = value
      default: break
      }
    }
    guard !action.isEmpty, !subsystem.isEmpty else { return nil }
    (self.action, self.subsystem) = (action, subsystem)
    (self.deviceName, self.path) = (deviceName, path)
  }
}

/// Delivers the kernel's device events (NETLINK_KOBJECT_UEVENT). Needs neither udev nor privileges.
///
/// Create one for each listener; each receives all events.
public final class DeviceEvents {
  private var watch: Watch?
  private let file: OwnedDescriptor

  /// Subscribes to the kernel's device events.
  ///
  /// - Parameters:
  ///   - loop: The loop of this thread.
  ///   - handler: Called on the loop with each event; nil: the kernel's queue was full and events
  ///     were lost, so scan the devices again.
  /// - Throws: `SystemError` if there is no netlink socket.
  public init(loop: EventLoop, _ handler: @escaping (DeviceEvent?) -> Void) throws(SystemError) {
    let fd = waypost_device_events_socket()
    if fd < 0 { throw SystemError("socket", on: "NETLINK_KOBJECT_UEVENT") }
    file = OwnedDescriptor(fd)
    watch = try loop.watch(fd, .readable) { _ in
      // The kernel limits an event to 2 KiB.
      withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 16) { bytes in
        while true {
          let count = waypost_device_events_receive(fd, bytes.baseAddress, bytes.count)
          if count < 0 {
            if errno == EINTR { continue }
            if errno == ENOBUFS {
              handler(nil)
              continue
            }
            return
          }
          if let event = DeviceEvent(UnsafeRawBufferPointer(rebasing: bytes[0..<count])) {
            handler(event)
          }
        }
      }
    }
  }

  deinit { watch?.cancel() }
}
