import CLinux
import EventLoop
import Glibc
import Platform

/// Watches the folders of one medium's files with inotify(7). A part of `FileWatch`.
///
/// Use it on the loop's thread. Watches are set on a separate thread, because the medium may hang.
final class MediumWatch {
  /// The most reads per wake-up. The loop wakes again for the rest.
  private static let mostReads = 16

  private struct Armed {
    var files: Set<String>
    var names: WatchedFolders.Names
  }

  private let changed: () -> Void
  private let resolve: @Sendable (String) -> String?
  private let folders = WatchedFolders()
  private var worker: Worker?
  private var watch: Watch?
  private var timer: LoopTimer?
  private var names: WatchedFolders.Names = [:]
  private var files: Set<String> = []
  /// The files whose watches are set.
  private var armedFiles: Set<String> = []
  private var written: Set<String> = []
  /// How many times the watches are being set.
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
    // A folder that came or went is watched in another place now.
    timer = loop.timer { [weak self] in self?.arm() }
    worker = Worker("watch", loop: loop, capacity: 1)
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

  /// The files that a program wrote and closed since the last call, and those that may have changed
  /// before they were watched. `FOLDER/` means that zoom levels of a tile folder appeared or
  /// vanished.
  func takeWritten() -> Set<String> {
    defer { written = [] }
    return written
  }

  /// Watches these files and no others. `FOLDER/` stands for the zoom levels in a tile folder,
  /// which have numbers for names.
  func setFiles(_ new: Set<String>) {
    if new == files { return }
    files = new
    arm()
  }

  /// Sets the watches again: something was mounted or unmounted.
  func mountsChanged() { arm() }

  private func arm() {
    let (folders, files, resolve) = (folders, files, resolve)
    let isTaken = worker?.post(
      { Armed(files: files, names: folders.set(files, resolve)) },
      then: { [weak self] in self?.armed($0) })
    if isTaken == true {
      settings += 1
      isOutdated = false
    } else {
      isOutdated = worker != nil
    }
  }

  /// The watches are set. Changes made before that are found by checking the files.
  private func armed(_ new: Armed) {
    settings -= 1
    names = new.names
    written.formUnion(new.files.subtracting(armedFiles))
    armedFiles = new.files
    if isOutdated { arm() }
    changed()
  }

  private func read() {
    // Unread notices wake the loop again.
    _ = Inotify.read(folders.fd, mostReads: MediumWatch.mostReads) { heard($0, $1, $2) }
  }

  /// An event of the watch `number`; `name` is empty where the folder itself is meant.
  private func heard(_ number: Int32, _ mask: UInt32, _ name: String) {
    if mask & UInt32(IN_Q_OVERFLOW) != 0 {
      written = files
      return note()
    }
    // Not of a folder that is no longer watched.
    guard let names = names[number] else { return }
    if name.isEmpty { return note() }
    let isLevel = name.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let folders = isLevel ? names["", default: []] : []
    let files = names[name, default: []]
    if folders.isEmpty, files.isEmpty { return }
    written.formUnion(folders)
    if mask & UInt32(IN_CLOSE_WRITE) != 0 { written.formUnion(files) }
    note()
  }

  /// Something happened. It is reported a while after the first event, so that a file that is
  /// written again and again is reported too.
  private func note() {
    if !isPending { timer?.arm(after: FileWatch.pause) }
  }
}
