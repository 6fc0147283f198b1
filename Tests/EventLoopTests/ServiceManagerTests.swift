import CLinux
import Glibc
import Testing

@testable import EventLoop

/// A socket such as the service manager listens on; what was sent to it is read back.
private final class Manager {
  let path: String
  let fd: Int32

  init() {
    path = "/tmp/waypost-notify-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
    fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    precondition(bound == 0)
  }

  deinit {
    close(fd)
    unlink(path)
  }

  /// The next message, and the descriptor that came with it.
  func next() -> (text: String, descriptor: Int32?) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var control = [UInt8](repeating: 0, count: 64)
    return bytes.withUnsafeMutableBytes { data in
      control.withUnsafeMutableBytes { control in
        var part = iovec(iov_base: data.baseAddress, iov_len: data.count)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          message.msg_iov = part
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          let count = recvmsg(fd, &message, Int32(MSG_DONTWAIT))
          let text = String(decoding: data.prefix(max(count, 0)), as: UTF8.self)
          // cmsg(3): a header of length, level and type, then the descriptor.
          guard message.msg_controllen >= 20 else { return (text, nil) }
          return (text, control.loadUnaligned(fromByteOffset: 16, as: Int32.self))
        }
      }
    }
  }
}

@Test func aServiceManagerThatDoesNotReadNeverStopsTheLoopAndIsFedOnceThereIsRoom() throws {
  let manager = Manager()
  while waypost_send_datagram(manager.path, manager.path.utf8.count, "x", 1, -1) == 0 {}
  let loop = try EventLoop()
  let services = ServiceManager(socket: manager.path, watchdog: 8_000_000_000)
  services.feedWatchdog(on: loop)
  #expect(manager.next().text == "x")
  while manager.next().text == "x" {}
  // After an eighth of the interval, not half of it.
  loop.runOnce(timeout: 3_000_000_000)
  #expect(manager.next().text == "WATCHDOG=1")
}

@Test func aServiceManagerThatDoesNotReadHoldsNothingUpAndIsToldOnceThereIsRoom() throws {
  let manager = Manager()
  while waypost_send_datagram(manager.path, manager.path.utf8.count, "x", 1, -1) == 0 {}
  let loop = try EventLoop()
  let services = ServiceManager(socket: manager.path)
  var ends: [Int32] = [0, 0]
  #expect(pipe(&ends) == 0)
  defer { for end in ends { close(end) } }
  #expect(services.store(ends[0], name: "other"))
  #expect(services.store(ends[1], name: "drm"))
  #expect(services.ready())
  #expect(services.stored.isEmpty && services.holds("drm"))
  services.feedWatchdog(on: loop)
  // Its descriptor may be another file by the time that there is room.
  #expect(services.remove("other"))
  #expect(!services.holds("other"))
  while manager.next().text == "x" {}
  loop.runOnce(timeout: 3_000_000_000)
  let (text, copy) = manager.next()
  #expect(text == "FDSTORE=1\nFDNAME=drm")
  close(try #require(copy))
  #expect(manager.next().text == "READY=1")
  #expect(manager.next().text == "FDSTOREREMOVE=1\nFDNAME=other")
  #expect(manager.next().text == "")
  #expect(services.stored == ["drm"])
  // Nothing is left to be sent.
  #expect(!loop.runOnce(timeout: 5_000_000))
}

@Test func onlySoManyMessagesWaitForTheServiceManager() {
  let manager = Manager()
  while waypost_send_datagram(manager.path, manager.path.utf8.count, "x", 1, -1) == 0 {}
  let services = ServiceManager(socket: manager.path)
  for _ in 0..<ServiceManager.mostUnsent { #expect(services.ready()) }
  #expect(!services.ready())
}

@Test func theServiceManagerIsToldInItsOwnWords() {
  let manager = Manager()
  let services = ServiceManager(socket: manager.path)
  #expect(services.ready())
  #expect(manager.next().text == "READY=1")
  #expect(services.stopping())
  #expect(manager.next().text == "STOPPING=1")
}

@Test func aStoredDescriptorIsTheSameOpenFile() throws {
  let manager = Manager()
  let services = ServiceManager(socket: manager.path)
  var ends: [Int32] = [0, 0]
  #expect(pipe(&ends) == 0)
  defer { for end in ends { close(end) } }
  #expect(services.store(ends[1], name: "drm"))
  #expect(services.stored == ["drm"])
  let (text, copy) = manager.next()
  #expect(text == "FDSTORE=1\nFDNAME=drm")
  let descriptor = try #require(copy)
  #expect(write(descriptor, "x", 1) == 1)
  var byte: UInt8 = 0
  #expect(read(ends[0], &byte, 1) == 1 && byte == UInt8(ascii: "x"))
  close(descriptor)
  #expect(services.remove("drm"))
  #expect(manager.next().text == "FDSTOREREMOVE=1\nFDNAME=drm")
  #expect(services.stored.isEmpty)
}

@Test func theWatchdogIsFedTwiceInTheTimeThatItAsksFor() throws {
  let loop = try EventLoop()
  let manager = Manager()
  let services = ServiceManager(socket: manager.path, watchdog: 20_000_000)
  let began = EventLoop.now()
  services.feedWatchdog(on: loop)
  #expect(manager.next().text == "WATCHDOG=1")
  for _ in 0..<3 {
    loop.runOnce()
    #expect(manager.next().text == "WATCHDOG=1")
  }
  let took = EventLoop.now() - began
  // While the loop does nothing, nobody else feeds it.
  usleep(40_000)
  var byte: UInt8 = 0
  #expect(recv(manager.fd, &byte, 1, Int32(MSG_DONTWAIT)) == -1)
  // Never sooner, and nothing besides.
  #expect(took >= 30_000_000)
  #expect(loop.wakeups == 3)
}

@Test func withoutAWatchdogNothingWakesTheLoop() throws {
  let loop = try EventLoop()
  let manager = Manager()
  ServiceManager(socket: manager.path).feedWatchdog(on: loop)
  ServiceManager(socket: nil, watchdog: 1_000_000).feedWatchdog(on: loop)
  #expect(!loop.runOnce(timeout: 5_000_000))
  #expect(manager.next().text == "")
}

@Test func theWatchdogsTimeIsForThisProcessAlone() {
  let own = "\(getpid())"
  #expect(ServiceManager.watchdog(microseconds: "30000000", pid: nil) == 30_000_000_000)
  #expect(ServiceManager.watchdog(microseconds: "5", pid: own) == 5000)
  #expect(ServiceManager.watchdog(microseconds: "5", pid: "1") == nil)
  for wrong in [nil, "", "0", "-1", "x", "18446744073709551615"] {
    #expect(ServiceManager.watchdog(microseconds: wrong, pid: nil) == nil)
  }
}

@Test func withoutAServiceManagerNothingIsSent() {
  for socket in [
    nil, "", "relative", "@", "/nowhere/at/all", "/" + String(repeating: "x", count: 200),
  ] {
    let services = ServiceManager(socket: socket)
    #expect(!services.ready())
    #expect(!services.store(0, name: "drm"))
    #expect(services.stored.isEmpty)
  }
}

struct PassedCase: Sendable {
  var pid: String?
  var count: String?
  var names: String?
  var found: [String]

  static let all: [PassedCase] = [
    PassedCase(
      pid: "\(getpid())", count: "2", names: "control.socket:drm", found: ["control.socket", "drm"]),
    PassedCase(pid: "\(getpid())", count: "1", names: "drm", found: ["drm"]),
    PassedCase(pid: "\(getpid())", count: "3", names: "drm", found: ["drm", "unknown", "unknown"]),
    PassedCase(pid: "\(getpid())", count: "1", names: "drm:more", found: ["drm"]),
    PassedCase(pid: "\(getpid())", count: "2", names: nil, found: ["unknown", "unknown"]),
    PassedCase(pid: "1", count: "1", names: "drm", found: []),
    PassedCase(pid: nil, count: "1", names: "drm", found: []),
    PassedCase(pid: "\(getpid())", count: "-1", names: "drm", found: []),
    PassedCase(pid: "\(getpid())", count: "x", names: "drm", found: []),
  ]
}

@Test(arguments: PassedCase.all)
func descriptorsPassedToThisProcessAreFoundByName(_ c: PassedCase) {
  #expect(
    PassedDescriptors(pid: c.pid, count: c.count, names: c.names, first: 900).names == c.found)
}
