import CLinux
import Glibc
import Platform

/// One event of the kernel's about a device: it came, went or changed.
public struct DeviceEvent: Sendable, Equatable {
  /// "add", "remove", "change", "bind" …
  public var action: String
  /// "drm", "input", "gpio", "graphics", "block" …
  public var subsystem: String
  /// The device's name below /dev ("dri/card0", "input/event3"); empty where it has no file.
  public var deviceName: String
  /// The device's folder below /sys.
  public var path: String

  /// Reads an event's text: `ACTION@PATH`, then `KEY=VALUE` lines, each ended by a zero byte
  /// (the kernel's `lib/kobject_uevent.c`). Nil for anything else.
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

/// The kernel's device events (NETLINK_KOBJECT_UEVENT), as they come. Needs no udev and no rights.
///
/// One of these for each listener: the kernel hands every socket all events.
public final class DeviceEvents {
  private var watch: Watch?
  private let file: OwnedDescriptor

  /// Subscribes to the kernel's device events.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - handler: called on the loop for each event; nil: some were lost (the kernel's queue was
  ///     full), so look at what there is.
  /// - Throws: `SystemError` where there is no netlink socket.
  public init(loop: EventLoop, _ handler: @escaping (DeviceEvent?) -> Void) throws(SystemError) {
    let fd = waypost_device_events_socket()
    if fd < 0 { throw SystemError("socket", on: "NETLINK_KOBJECT_UEVENT") }
    file = OwnedDescriptor(fd)
    watch = try loop.watch(fd, .readable) { _ in
      // The kernel's own limit is 2 KiB an event.
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
