import CLinux
import EventLoop
import Glibc
import Platform

/// Reports when files may have changed: written, replaced, removed or restored. It watches their
/// folders with inotify(7); while nothing happens there, nothing runs.
///
/// Use it on the loop's thread. Watches are set on a separate thread, because a medium may hang. A
/// report is only a hint: compare `FileStamp`s.
final class FileWatch {
  /// Nanoseconds from an event to its report. Events in between are reported with it.
  static let pause: UInt64 = 150_000_000

  /// The most reads per wake-up. The loop wakes again for the rest.
  private static let mostReads = 16

  private let changed: () -> Void
  private let resolve: @Sendable (String) -> String?
  private let folders = WatchedFolders()
  private var worker: FileWorker<WatchedFolders.Names>?
  private var watch: Watch?
  private var timer: LoopTimer?
  private var names: WatchedFolders.Names = [:]
  private var files: Set<String> = []
  /// How many requests to set the watches are under way.
  private var settings = 0
  /// Whether the files changed while an earlier request was still waiting.
  private var isOutdated = false

  /// Creates a watch without files. `changed` is called on the loop. `resolve` returns a file's
  /// path with links resolved, and is called on another thread.
  init(
    loop: EventLoop, resolve: @escaping @Sendable (String) -> String?,
    changed: @escaping () -> Void
  ) {
    self.changed = changed
    self.resolve = resolve
    guard folders.fd >= 0 else { return }
    watch = try? loop.watch(folders.fd, .readable) { [weak self] _ in self?.read() }
    // A folder that came or went must now be watched elsewhere.
    timer = loop.timer { [weak self] in self?.arm() }
    worker = FileWorker("watch", loop: loop, capacity: 1) { [weak self] in self?.armed($0) }
  }

  deinit {
    watch?.cancel()
    timer?.cancel()
  }

  /// Whether something happened that was not reported yet.
  var isPending: Bool { timer?.isArmed == true }

  /// When that will be reported, in nanoseconds on the loop's clock.
  var due: UInt64 { timer?.deadline ?? 0 }

  /// Whether the watches of all files are set.
  var isArmed: Bool { settings == 0 && !isOutdated }

  /// Sets the files to watch, in place of the earlier ones.
  func setFiles(_ new: Set<String>) {
    if new == files { return }
    files = new
    arm()
  }

  private func arm() {
    let (folders, files, resolve) = (folders, files, resolve)
    if worker?.post({ folders.set(files, resolve) }) == true {
      settings += 1
      isOutdated = false
    } else {
      isOutdated = worker != nil
    }
  }

  /// The watches are set. Report a change, since files may have changed before that.
  private func armed(_ new: WatchedFolders.Names) {
    settings -= 1
    names = new
    if isOutdated { arm() }
    changed()
  }

  private func read() {
    var isOfInterest = false
    let size = 4096
    withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
      guard let base = buffer.baseAddress else { return }
      for _ in 0..<FileWatch.mostReads {
        let count = Glibc.read(folders.fd, base, size)
        if count <= 0 { break }
        var at = 0
        // struct inotify_event: wd, mask, cookie, len, then len bytes of a name padded with zeros.
        while at + 16 <= count {
          let number = buffer.load(fromByteOffset: at, as: Int32.self)
          let mask = buffer.load(fromByteOffset: at + 4, as: UInt32.self)
          let length = Int(buffer.load(fromByteOffset: at + 12, as: UInt32.self))
          guard at + 16 + length <= count else { break }
          if mask & UInt32(IN_Q_OVERFLOW) != 0 {
            isOfInterest = true
          } else if length == 0 {
            // An event of the folder itself, unless it is no longer watched.
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
    // Delay from the first event, so that a file written continually is still reported.
    if isOfInterest, !isPending { timer?.arm(after: FileWatch.pause) }
  }
}

/// The kernel's watches on folders.
final class WatchedFolders: Sendable {
  /// The names to watch for in each folder, by the number of the kernel's watch.
  typealias Names = [Int32: Set<String>]

  private static let events =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
    | UInt32(IN_CREATE) | UInt32(IN_ONLYDIR) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

  /// Readable when there are events; closed with the last reference.
  let fd = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
  private let watched = Gate<Set<Int32>>([])

  deinit { if fd >= 0 { close(fd) } }

  /// Watches the folders of `files`, and no others. Returns the names to watch for.
  func set(_ files: Set<String>, _ resolve: (String) -> String?) -> Names {
    var names: Names = [:]
    for file in files {
      add(file, to: &names)
      // The folder of a link's target reports changes of the target.
      if let real = resolve(file), real != file { add(real, to: &names) }
    }
    let former = watched.locked { watched in
      defer { watched = Set(names.keys) }
      return watched
    }
    for number in former where names[number] == nil { inotify_rm_watch(fd, number) }
    return names
  }

  /// Watches the file's folder, or the nearest existing one above it.
  private func add(_ file: String, to names: inout Names) {
    var path = Substring(file)
    while let slash = path.lastIndex(of: "/") {
      let name = String(path[path.index(after: slash)...])
      path = path[..<slash]
      let number = inotify_add_watch(
        fd, path.isEmpty ? "/" : String(path), WatchedFolders.events)
      if number >= 0 {
        names[number, default: []].insert(name)
        return
      }
    }
  }
}
