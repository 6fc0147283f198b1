import Glibc
import Platform

/// Tells files from others that took their place: device, inode, size and time of change of each.
struct FileStamp: Equatable, Sendable {
  private struct File: Equatable, Sendable {
    var device: dev_t
    var node: ino_t
    var size: off_t
    var seconds: Int
    var nanoseconds: Int
  }

  /// nil: it is not there.
  private var files: [File?] = []

  /// Looks at the files, which takes as long as their media like.
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
          seconds: info.st_mtim.tv_sec, nanoseconds: info.st_mtim.tv_nsec))
    }
  }

  /// Whether one of the files is another one than `before`, or was not there then. One that is
  /// merely gone, or was written to, is not.
  func isReplaced(since before: FileStamp) -> Bool {
    zip(files, before.files).contains { now, before in
      guard let now else { return false }
      return now.node != before?.node || now.device != before?.device
    }
  }
}

/// The stamp of a layer's files, taken on the thread that opens them; nil until then.
typealias StampBox = Gate<FileStamp?>

/// Compares the files of a layer with their stamp.
struct StampCheck: Sendable {
  /// What of the files is of interest.
  enum Interest: Sendable {
    /// Whatever makes the stamp differ.
    case change
    /// Another file in their place. What a program writes into a pack is read as it comes.
    case replacement
  }

  /// The layer's own stamp, which tells it from all others.
  var layer: StampBox
  var paths: [String]
  var before: FileStamp?
  var interest = Interest.change
  /// Somebody asked for it, as by a reload: who waits for the whole picture waits for it, too.
  var isAsked = false

  /// What `now` tells of the files; nil: nothing of interest.
  func outcome(_ now: FileStamp) -> LayerFiles.Change? {
    if now == before { return nil }
    if interest == .replacement, let before, !now.isReplaced(since: before) { return nil }
    return LayerFiles.Change(layer: layer, stamp: now)
  }
}
