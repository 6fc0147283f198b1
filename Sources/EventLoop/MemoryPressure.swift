import CLinux
import Glibc
import Platform

/// Reports that memory is short, from the kernel's pressure stall information (PSI) of the whole
/// system, or from a FIFO or socket that the service manager names (systemd.io/MEMORY_PRESSURE).
///
/// systemd names the file of the service's control group by default. There only the waits of this
/// program itself count, but the memory that it can give back is what others wait for. So that file
/// is used only if the system's cannot be.
///
/// Without such a trigger it checks MemAvailable (proc(5)) when something is loaded, at most once a
/// second. It needs no timer.
public final class MemoryPressure {
  /// Where reports of pressure come from.
  public enum Means: String, Sendable {
    /// A PSI trigger that this process set.
    case psi
    /// The file, FIFO or socket that the service manager named.
    case manager
    /// MemAvailable, checked when something is loaded.
    case available
    /// Nothing: the service manager turned it off.
    case off
  }

  /// What the process's environment asks for.
  public struct Request: Sendable, Equatable {
    /// $MEMORY_PRESSURE_WATCH: a file, a FIFO or a socket; /dev/null turns it off; nil: not set.
    public var watch: String?
    /// $MEMORY_PRESSURE_WRITE, base64-decoded: what to write to it first.
    public var write: [UInt8]

    /// Creates a request; `write` is base64.
    public init(watch: String?, write: String? = nil) {
      self.watch = watch
      self.write = write.map { Request.decode($0) ?? [] } ?? []
    }

    /// Reads the variables and removes them. Call it before any thread starts.
    public static func fromEnvironment() -> Request {
      func take(_ name: String) -> String? {
        defer { unsetenv(name) }
        return getenv(name).map { String(cString: $0) }
      }
      return Request(watch: take("MEMORY_PRESSURE_WATCH"), write: take("MEMORY_PRESSURE_WRITE"))
    }
  }

  /// The kernel's file for pressure in the whole system.
  public static let system = "/proc/pressure/memory"
  /// Some task waited for memory for 150 ms within 2 s. Without privileges the window must be a
  /// multiple of 2 s, on kernel 6.4 and later.
  static let trigger = Array("some 150000 2000000\0".utf8)
  /// Without a trigger, memory is short below this many bytes.
  public static let least = 24 << 20
  /// How often MemAvailable is looked at at most, in nanoseconds.
  static let pause: UInt64 = 1_000_000_000

  /// Where reports of pressure come from.
  public private(set) var means: Means
  private var fd: Int32 = -1
  private var watch: Watch?
  private let onPressure: () -> Void
  private let available: () -> Int?
  private var lookedAt: UInt64?

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - request: What the service manager asked for.
  ///   - loop: Calls `onPressure` on its thread.
  ///   - system: The kernel's file for the whole system.
  ///   - available: Gives the bytes that programs can still take; nil: unknown.
  ///   - onPressure: Called each time memory is short; the kernel does so once per window at most.
  public init(
    _ request: Request, loop: EventLoop, system: String = MemoryPressure.system,
    available: @escaping () -> Int? = { MemoryPressure.memAvailable() },
    onPressure: @escaping () -> Void
  ) {
    self.onPressure = onPressure
    self.available = available
    means = .available
    if request.watch == "/dev/null" {
      means = .off
    } else if request.namesFile, open(system, MemoryPressure.trigger, loop) {
      means = .psi
    } else if let path = request.watch, path.hasPrefix("/"), open(path, request.write, loop) {
      means = .manager
    } else if open(system, MemoryPressure.trigger, loop) {
      means = .psi
    }
  }

  deinit { stop() }

  private func stop() {
    watch?.cancel()
    watch = nil
    if fd >= 0 { close(fd) }
    fd = -1
  }

  private func open(_ path: String, _ first: [UInt8], _ loop: EventLoop) -> Bool {
    var info = stat()
    guard stat(path, &info) == 0 else { return false }
    let kind = info.st_mode & S_IFMT
    if kind == S_IFSOCK {
      fd = waypost_unix_socket(Int32(SOCK_NONBLOCK.rawValue))
      if fd >= 0, waypost_unix_connect(fd, path, path.utf8.count) != 0 { return fail() }
    } else if kind == S_IFREG || kind == S_IFIFO {
      // A FIFO that is also open for writing never hangs up.
      let mode = first.isEmpty && kind == S_IFREG ? O_RDONLY : O_RDWR
      fd = Glibc.open(path, mode | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    }
    guard fd >= 0 else { return false }
    // A FIFO would return what is written to it.
    if !first.isEmpty, kind != S_IFIFO {
      let written = first.withUnsafeBytes { write(fd, $0.baseAddress, $0.count) }
      guard written == first.count else { return fail() }
    }
    let isTrigger = kind == S_IFREG
    do throws(SystemError) {
      watch = try loop.watch(fd, isTrigger ? .priority : .readable) { [unowned self] ready in
        self.happened(ready, isTrigger: isTrigger)
      }
      return true
    } catch {
      // epoll cannot wait for an ordinary file.
      return fail()
    }
  }

  private func fail() -> Bool {
    stop()
    return false
  }

  private func happened(_ ready: Interest, isTrigger: Bool) {
    var isPressure = isTrigger && ready.contains(.priority)
    var isOver = !ready.isDisjoint(with: [.hangup, .error])
    if !isTrigger, ready.contains(.readable) {
      // Only its arrival counts, not its contents.
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(fd, &bytes, bytes.count)
      isPressure = count > 0
      isOver = isOver || count == 0
    }
    if isOver {
      stop()
      means = .available
    }
    if isPressure && !(isTrigger && isOver) { onPressure() }
  }

  /// Call it when something was loaded, with the time in nanoseconds of CLOCK_MONOTONIC. Without a
  /// trigger, it reports pressure if memory is short. Returns whether memory is plentiful again;
  /// nil: unknown.
  public func loaded(at now: UInt64) -> Bool? {
    guard means == .available else { return nil }
    if let lookedAt, now &- lookedAt < MemoryPressure.pause { return nil }
    lookedAt = now
    guard let bytes = available() else { return nil }
    if bytes < MemoryPressure.least { onPressure() }
    return bytes >= 2 * MemoryPressure.least
  }

  /// MemAvailable of /proc/meminfo in bytes; nil if there is none.
  public static func memAvailable() -> Int? {
    let file = Glibc.open("/proc/meminfo", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
      let count = read(file, room.baseAddress, room.count)
      return count > 0 ? parse(UnsafeRawBufferPointer(rebasing: room[..<count])) : nil
    }
  }

  /// The line "MemAvailable:  123456 kB" of a text, in bytes.
  static func parse(_ text: some Collection<UInt8>) -> Int? {
    for line in text.split(separator: 10) where line.starts(with: "MemAvailable:".utf8) {
      var kibibytes: Int?
      for byte in line where (48...57).contains(byte) {
        let (tens, isLarge) = (kibibytes ?? 0).multipliedReportingOverflow(by: 10)
        if isLarge || tens > 1 << 50 { return nil }
        kibibytes = tens + Int(byte - 48)
      }
      return kibibytes.map { $0 << 10 }
    }
    return nil
  }
}

extension MemoryPressure.Request {
  /// Whether what is to be watched is an ordinary file, as the kernel's are.
  fileprivate var namesFile: Bool {
    var info = stat()
    guard let watch, stat(watch, &info) == 0 else { return false }
    return info.st_mode & S_IFMT == S_IFREG
  }

  /// The bytes that a text in base64 stands for (RFC 4648, section 4); nil if it is not base64, or
  /// has more than 4096 characters.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var word: UInt32 = 0
    var bits = 0
    guard text.utf8.count <= 4096 else { return nil }
    var padding = 0
    for byte in text.utf8 {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte + 4
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="):
        padding += 1
        continue
      default: return nil
      }
      if padding > 0 { return nil }
      word = word << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    return padding <= 2 ? bytes : nil
  }
}
