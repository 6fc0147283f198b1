import CLinux
import Glibc
import Testing

@testable import EventLoop

/// What tells that memory is short, as systemd and the kernel document it.
@Suite struct MemoryPressureTests {
  private final class Count { var value = 0 }

  private func name() -> String {
    "/tmp/waypost-pressure-\(getpid())-\(UInt32.random(in: 0 ... .max))"
  }

  private func watch(
    _ loop: EventLoop, _ path: String?, write: String? = nil, system: String = "/nonexistent",
    _ count: Count, available: @escaping () -> Int? = { nil }
  ) -> MemoryPressure {
    MemoryPressure(
      MemoryPressure.Request(watch: path, write: write), loop: loop, system: system,
      available: available, onPressure: { count.value += 1 })
  }

  @Test func aFIFOTellsByWhatIsWrittenToIt() throws {
    let (path, count, loop) = (name(), Count(), try EventLoop())
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let pressure = watch(loop, path, count)
    #expect(pressure.means == .manager)
    for round in 1...2 {
      let fd = open(path, O_WRONLY | O_NONBLOCK)
      try #require(fd >= 0)
      #expect(write(fd, "xyz", 3) == 3)
      close(fd)
      loop.runOnce(timeout: 10_000_000_000)
      #expect(count.value == round)
      // The writer is gone, and that is no event.
      #expect(!loop.runOnce(timeout: 0))
    }
  }

  @Test func aSocketGetsWhatIsToBeWrittenAndItsEndIsNoPressure() throws {
    let (path, count, loop) = (name(), Count(), try EventLoop())
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try #require(waypost_unix_bind(listener, path, path.utf8.count) == 0)
    try #require(listen(listener, 1) == 0)
    defer {
      close(listener)
      unlink(path)
    }
    // "some 200000 2000000" and a zero byte.
    let pressure = watch(loop, path, write: "c29tZSAyMDAwMDAgMjAwMDAwMAA=", count)
    #expect(pressure.means == .manager)
    let fd = accept(listener, nil, nil)
    try #require(fd >= 0)
    var bytes = [UInt8](repeating: 0, count: 64)
    let size = read(fd, &bytes, bytes.count)
    #expect(Array(bytes.prefix(max(size, 0))) == Array("some 200000 2000000\0".utf8))
    #expect(write(fd, "!", 1) == 1)
    loop.runOnce(timeout: 10_000_000_000)
    #expect(count.value == 1)
    close(fd)
    loop.runOnce(timeout: 10_000_000_000)
    #expect(count.value == 1)
    #expect(pressure.means == .available)
    #expect(!loop.runOnce(timeout: 0))
  }

  @Test func theManagerCanTurnItOff() throws {
    let count = Count()
    let pressure = watch(try EventLoop(), "/dev/null", system: name(), count, available: { 0 })
    #expect(pressure.means == .off)
    #expect(pressure.loaded(at: 1) == nil)
    #expect(count.value == 0)
  }

  @Test func whatCannotBeWaitedForLeavesTheLookAtMemAvailable() throws {
    let (path, count) = (name(), Count())
    close(open(path, O_WRONLY | O_CREAT, 0o600))
    defer { unlink(path) }
    for named in [path, "relative", "/nonexistent", "/tmp", ""] {
      let pressure = watch(try EventLoop(), named, count)
      #expect(pressure.means == .available, "\(named)")
    }
  }

  @Test func memAvailableIsLookedAtOnceASecondWhenSomethingIsLoaded() throws {
    let count = Count()
    var free: Int? = MemoryPressure.least - 1
    var looks = 0
    let pressure = watch(
      try EventLoop(), nil, count,
      available: {
        looks += 1
        return free
      })
    #expect(pressure.means == .available)
    #expect(pressure.loaded(at: 5) == false)
    #expect(count.value == 1)
    #expect(pressure.loaded(at: 5 + MemoryPressure.pause - 1) == nil)
    #expect(looks == 1)
    free = 2 * MemoryPressure.least
    #expect(pressure.loaded(at: 5 + MemoryPressure.pause) == true)
    free = nil
    #expect(pressure.loaded(at: 5 + 2 * MemoryPressure.pause) == nil)
    #expect(count.value == 1)
  }

  @Test func theKernelsTriggerIsTakenWhereAnybodyMaySetOne() throws {
    // The kernel refuses a window that is no multiple of 2 s of a user without privileges.
    #expect(
      String(decoding: MemoryPressure.trigger.dropLast(), as: UTF8.self).hasSuffix(" 2000000"))
    let pressure = watch(try EventLoop(), nil, system: MemoryPressure.system, Count())
    let fd = open(MemoryPressure.system, O_RDWR)
    let hasPSI = fd >= 0
    if fd >= 0 { close(fd) }
    #expect(pressure.means == (hasPSI ? .psi : .available))
  }

  @Test(
    .enabled(if: access(MemoryPressure.system, R_OK | W_OK) == 0, "skipped: the kernel has no PSI"))
  func theKernelsFileIsWrittenToAsTheManagerAsks() throws {
    // "some 200000 2000000" and a zero byte, as systemd names it for a service's control group.
    let write = "c29tZSAyMDAwMDAgMjAwMDAwMAA="
    let pressure = watch(try EventLoop(), MemoryPressure.system, write: write, Count())
    #expect(pressure.means == .manager)
    // What is no trigger is refused.
    let other = watch(try EventLoop(), MemoryPressure.system, write: "bm8=", Count())
    #expect(other.means == .available)
  }

  @Test func theWholeSystemComesBeforeTheFileOfTheServicesOwnGroup() throws {
    let (system, loop) = (name(), try EventLoop())
    try #require(mkfifo(system, 0o600) == 0)
    defer { unlink(system) }
    // A file of the kernel that can be waited for, as a control group's is.
    let group = "/proc/self/mountinfo"
    #expect(watch(loop, group, Count()).means == .manager)
    #expect(watch(loop, group, system: system, Count()).means == .psi)
  }

  @Test func meminfoIsReadWhateverIsInIt() {
    func bytes(_ text: String) -> Int? { MemoryPressure.parse(Array(text.utf8)) }
    #expect(bytes("MemTotal: 9 kB\nMemAvailable:   123456 kB\nX: 1\n") == 123_456 << 10)
    #expect(bytes("MemTotal: 9 kB\n") == nil)
    #expect(bytes("MemAvailable: none\n") == nil)
    #expect(bytes("MemAvailable: 99999999999999999999999999 kB\n") == nil)
    #expect((MemoryPressure.memAvailable() ?? 0) > 0)
  }

  @Test func base64IsReadAsItIsWritten() {
    func bytes(_ text: String) -> [UInt8]? { MemoryPressure.Request.decode(text) }
    #expect(bytes("") == [])
    #expect(bytes("Zg==") == Array("f".utf8))
    #expect(bytes("Zm9vYmE=") == Array("fooba".utf8))
    #expect(bytes("+/+/") == [0xFB, 0xFF, 0xBF])
    #expect(bytes("Zg==Zg==") == nil)
    #expect(bytes("Z g=") == nil)
    #expect(bytes(String(repeating: "A", count: 5000)) == nil)
  }
}
