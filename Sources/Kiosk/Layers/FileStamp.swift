import Glibc
import Platform

/// Identifies the state of a layer's files, by device, inode, size, modification time and
/// permissions of each, to detect changes and replacements.
struct FileStamp: Equatable, Sendable {
  private struct File: Equatable, Sendable {
    var device: dev_t
    var node: ino_t
    var size: off_t
    var seconds: Int
    var nanoseconds: Int
    var mode: mode_t
    var user: uid_t
    var group: gid_t
  }

  /// nil: the file is not there.
  private var files: [File?] = []

  /// Looks at the files, which takes as long as their media need.
  init(_ paths: [String]) {
    for path in paths {
      var info = stat()
      guard stat(path, &info) == 0 else {
        files.append(nil)
        continue
      }
      files.append(
        File(
          device: info.st_dev, node: info.st_ino, size: info.st_size,
          seconds: info.st_mtim.tv_sec, nanoseconds: info.st_mtim.tv_nsec,
          mode: info.st_mode, user: info.st_uid, group: info.st_gid))
    }
  }

  /// The files of both, in this order.
  static func + (a: FileStamp, b: FileStamp) -> FileStamp {
    var both = a
    both.files += b.files
    return both
  }

  /// Whether one of the files was replaced since `before`, or is new. A file that is merely gone,
  /// or was written to, does not count.
  func isReplaced(since before: FileStamp) -> Bool {
    zip(files, before.files).contains { now, before in
      guard let now else { return false }
      return now.node != before?.node || now.device != before?.device
    }
  }
}

/// The stamp of a layer's files, taken on the thread that opens them; nil: not taken yet.
typealias StampBox = Gate<FileStamp?>

/// A request to compare the files of a layer with an earlier stamp.
struct StampCheck: Sendable {
  /// Which differences count.
  enum Interest: Sendable {
    /// Any change of the files.
    case change
    /// Only another file in place of one. What a program writes into a pack is read anyway.
    case replacement
  }

  /// The layer's own stamp, which tells it from all others.
  var layer: StampBox
  var paths: [String]
  var before: FileStamp?
  var interest = Interest.change
  /// Whether a command or a reload requested it. Calls that wait for the complete picture then wait
  /// for this too.
  var isAsked = false

  /// The change that the stamp `now` shows; nil: none that counts.
  func outcome(_ now: FileStamp) -> LayerFiles.Change? {
    if now == before { return nil }
    if interest == .replacement, let before, !now.isReplaced(since: before) { return nil }
    return LayerFiles.Change(layer: layer, stamp: now, isAsked: isAsked)
  }
}
