import CLinux
import Glibc
import Platform

/// The kernel's watches on folders, by inotify(7).
final class WatchedFolders: Sendable {
  /// What is of interest in a watched folder, by the kernel's number of the watch: names in it, and
  /// for each the files that it is watched for. The empty name stands for all numbers: the levels
  /// of a folder of tiles.
  typealias Names = [Int32: [String: Set<String>]]

  /// The most folders of a medium that are watched. The next reload finds what changes in others.
  static let maxCount = 1024

  private static let events =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
    | UInt32(IN_CREATE) | UInt32(IN_ATTRIB) | UInt32(IN_ONLYDIR) | UInt32(IN_DELETE_SELF)
    | UInt32(IN_MOVE_SELF)

  /// Gives events; closed with its last user.
  let fd = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
  private let watched = Gate<Set<Int32>>([])

  deinit { if fd >= 0 { close(fd) } }

  /// Watches the folders of `files`, and no others; `FOLDER/` stands for the levels in the folder.
  func set(_ files: Set<String>, _ resolve: (String) -> String?) -> Names {
    var names: Names = [:]
    for file in files {
      add(file, for: file, to: &names)
      if file.hasSuffix("/") { continue }
      // If the path is a link, changes happen in the folder of its target.
      if let real = resolve(file), real != file { add(real, for: file, to: &names) }
    }
    let former = watched.locked { watched in
      defer { watched = Set(names.keys) }
      return watched
    }
    for number in former where names[number] == nil { inotify_rm_watch(fd, number) }
    return names
  }

  /// Watches the folder of `path`, or the nearest one above that is there.
  private func add(_ path: String, for file: String, to names: inout Names) {
    var path = Substring(path)
    while names.count < WatchedFolders.maxCount, let slash = path.lastIndex(of: "/") {
      let name = String(path[path.index(after: slash)...])
      path = path[..<slash]
      let number = inotify_add_watch(
        fd, path.isEmpty ? "/" : String(path), WatchedFolders.events)
      if number >= 0 {
        names[number, default: [:]][name, default: []].insert(file)
        return
      }
    }
  }
}
