import CLinux
import Glibc
import Platform

/// The kernel's watches on the folders of one place, by inotify(7). Folders are watched on the
/// thread that searches, and notices are read on the loop.
final class MediaNotices: Sendable {
  /// One notice.
  struct Notice {
    /// The kernel's number of the watch.
    var number: Int32
    var mask: UInt32
    /// Empty where the watched folder itself is meant.
    var name: String

    func has(_ mask: Int32) -> Bool { self.mask & UInt32(bitPattern: mask) != 0 }
  }

  /// The most reads at once.
  private static let mostReads = 64

  private static let events =
    UInt32(IN_CREATE) | UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO)
    | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE) | UInt32(IN_ATTRIB) | UInt32(IN_ONLYDIR)
    | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

  /// Gives notices; closed with its last user.
  let fd = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
  private let watched = Gate<Set<Int32>>([])

  deinit { if fd >= 0 { close(fd) } }

  /// Watches the folder `path`. Gives the number of the watch; negative: it cannot be watched.
  func watch(_ path: String) -> Int32 { inotify_add_watch(fd, path, MediaNotices.events) }

  /// Ends all watches but these.
  func keep(_ numbers: Set<Int32>) {
    let former = watched.locked { watched in
      defer { watched = numbers }
      return watched
    }
    for number in former.subtracting(numbers) { inotify_rm_watch(fd, number) }
  }

  /// Ends one watch that `keep` does not know.
  func end(_ number: Int32) { inotify_rm_watch(fd, number) }

  /// Reads what there is, and calls `body` with each notice. Returns false if there may be more.
  func read(_ body: (Notice) -> Void) -> Bool {
    Inotify.read(fd, mostReads: MediaNotices.mostReads) { number, mask, name in
      body(Notice(number: number, mask: mask, name: name))
    }
  }
}
