import EventLoop
import Glibc
import Platform

/// Reports when files may have changed: written, replaced, removed or restored, also by a mount.
/// While nothing happens in their folders, nothing runs.
///
/// Use it on the loop's thread. Each medium has a `MediumWatch` of its own, so that one that hangs
/// delays no news of the others. A report is only a hint: compare `FileStamp`s.
final class FileWatch {
  /// Nanoseconds from an event to its report. Events in between are reported with it.
  static let pause: UInt64 = 150_000_000
  /// The most media that are watched on their own. The files of others share the watch of "/".
  static let mostMedia = 8

  private let loop: EventLoop
  private let changed: () -> Void
  private let resolve: @Sendable (String) -> String?
  private let mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
  private var mountWatch: Watch?
  private var mountTimer: LoopTimer?
  private var files: Set<String> = []
  private var media: [String: MediumWatch] = [:]
  /// Files written on media that are no longer watched.
  private var written: Set<String> = []

  /// Creates a watch without files. `changed` is called on the loop. `resolve` returns a file's
  /// path with links resolved, and is called on another thread.
  init(
    loop: EventLoop, resolve: @escaping @Sendable (String) -> String?,
    changed: @escaping () -> Void
  ) {
    self.loop = loop
    self.changed = changed
    self.resolve = resolve
    guard mounts >= 0 else { return }
    mountTimer = loop.timer { [weak self] in self?.mountsChanged() }
    // The kernel reports an error there when something was mounted or unmounted (proc(5)).
    mountWatch = try? loop.watch(mounts, []) { [weak self] _ in
      if let self, mountTimer?.isArmed != true { mountTimer?.arm(after: FileWatch.pause) }
    }
  }

  deinit {
    mountWatch?.cancel()
    mountTimer?.cancel()
    if mounts >= 0 { close(mounts) }
  }

  /// Whether something happened that was not reported yet.
  var isPending: Bool { mountTimer?.isArmed == true || media.values.contains(where: \.isPending) }

  /// When the first of that will be reported, in nanoseconds on the loop's clock.
  var due: UInt64 {
    var due = mountTimer?.isArmed == true ? mountTimer?.deadline : nil
    for medium in media.values where medium.isPending { due = min(due ?? .max, medium.due) }
    return due ?? 0
  }

  /// Whether the watches of all files are set.
  var isArmed: Bool { media.values.allSatisfy(\.isArmed) }

  /// The files that a program wrote and closed since the last call, and those that may have changed
  /// before they were watched. `FOLDER/` means that zoom levels of a tile folder appeared or
  /// vanished.
  func takeWritten() -> Set<String> {
    defer { written = [] }
    return media.values.reduce(into: written) { $0.formUnion($1.takeWritten()) }
  }

  /// Watches these files and no others. `FOLDER/` stands for the zoom levels in a tile folder,
  /// which have numbers for names.
  func setFiles(_ new: Set<String>) {
    if new == files { return }
    files = new
    assign()
  }

  private func mountsChanged() {
    assign()
    for medium in media.values { medium.mountsChanged() }
  }

  /// Gives each medium its files.
  private func assign() {
    let mounts = Mounts()
    var groups: [String: Set<String>] = [:]
    // Media that already have a watch keep it, even if there are too many.
    for file in files.sorted(by: { a, b in
      let (isA, isB) = (media[mounts.point(of: a)] != nil, media[mounts.point(of: b)] != nil)
      return isA == isB ? a < b : isA
    }) {
      let medium = mounts.point(of: file)
      let isWatched = groups[medium] != nil || groups.count < FileWatch.mostMedia
      groups[isWatched ? medium : "/", default: []].insert(file)
    }
    for (name, medium) in media where groups[name] == nil {
      written.formUnion(medium.takeWritten())
      media[name] = nil
    }
    for (name, files) in groups {
      let medium = media[name] ?? MediumWatch(loop: loop, resolve: resolve, changed: changed)
      media[name] = medium
      medium.setFiles(files)
    }
  }
}
