import CLinux
import EventLoop
import Glibc

/// Reports when files may have changed: written, replaced, removed or restored. It uses inotify(7)
/// on their folders; while nothing happens there, nothing runs.
///
/// Belongs to the loop's thread. A report is a hint: its receiver compares `FileStamp`s.
final class FileWatch {
  /// Events close together are reported as one, after this many nanoseconds.
  static let pause: UInt64 = 150_000_000

  /// The most reads in one wake-up: the loop wakes again for the rest.
  private static let mostReads = 16

  private let loop: EventLoop
  private let changed: () -> Void
  private let fd: Int32
  private var watch: Watch?
  private var timer: LoopTimer?
  /// What is of interest in a watched folder, by the kernel's number of the watch.
  private var names: [Int32: Set<String>] = [:]
  private var files: Set<String> = []

  /// Calls `changed` on the loop.
  init(loop: EventLoop, changed: @escaping () -> Void) {
    self.loop = loop
    self.changed = changed
    fd = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard fd >= 0 else { return }
    watch = try? loop.watch(fd, .readable) { [unowned self] _ in read() }
    timer = loop.timer { [unowned self] in
      // A folder that came or went is watched in another place now.
      arm()
      self.changed()
    }
  }

  deinit {
    watch?.cancel()
    timer?.cancel()
    if fd >= 0 { close(fd) }
  }

  /// Whether something happened that was not reported yet.
  var isPending: Bool { timer?.isArmed == true }

  /// When it will be reported, on the loop's clock.
  var due: UInt64 { timer?.deadline ?? 0 }

  /// Watches these files and no others.
  func setFiles(_ new: Set<String>) {
    if new == files { return }
    files = new
    arm()
  }

  private func arm() {
    guard fd >= 0 else { return }
    let old = names
    names = [:]
    for file in files {
      add(file)
      // Behind a link it is the file's own folder that hears of its changes.
      if let raw = realpath(file, nil) {
        let real = String(cString: raw)
        free(raw)
        if real != file { add(real) }
      }
    }
    for number in old.keys where names[number] == nil { inotify_rm_watch(fd, number) }
  }

  /// Watches the file's folder, or the nearest one above that is there.
  private func add(_ file: String) {
    let mask =
      UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
      | UInt32(IN_CREATE) | UInt32(IN_ONLYDIR) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
    var path = Substring(file)
    while let slash = path.lastIndex(of: "/") {
      let name = String(path[path.index(after: slash)...])
      path = path[..<slash]
      let number = inotify_add_watch(fd, path.isEmpty ? "/" : String(path), mask)
      if number >= 0 {
        names[number, default: []].insert(name)
        return
      }
    }
  }

  private func read() {
    var isOfInterest = false
    let size = 4096
    withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
      guard let base = buffer.baseAddress else { return }
      for _ in 0..<FileWatch.mostReads {
        let count = Glibc.read(fd, base, size)
        if count <= 0 { break }
        var at = 0
        // struct inotify_event: wd, mask, cookie, len, then len bytes of a name that ends with
        // zeros.
        while at + 16 <= count {
          let number = buffer.load(fromByteOffset: at, as: Int32.self)
          let mask = buffer.load(fromByteOffset: at + 4, as: UInt32.self)
          let length = Int(buffer.load(fromByteOffset: at + 12, as: UInt32.self))
          guard at + 16 + length <= count else { break }
          if mask & UInt32(IN_Q_OVERFLOW) != 0 {
            isOfInterest = true
          } else if length == 0 {
            // The folder itself; not one that is no longer watched.
            if names[number] != nil { isOfInterest = true }
          } else {
            let bytes = buffer[at + 16..<at + 16 + length].prefix { $0 != 0 }
            let name = String(decoding: bytes, as: UTF8.self)
            if names[number]?.contains(name) == true { isOfInterest = true }
          }
          at += 16 + length
        }
      }
    }
    // From the first event on: a file that is written again and again is told of all the same.
    if isOfInterest, !isPending { timer?.arm(after: FileWatch.pause) }
  }
}
