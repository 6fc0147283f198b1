import EventLoop
import Glibc
import Platform

/// One place that is searched for packs: a watched folder, or a medium that is mounted below it. It
/// has a thread of its own, so that a medium that hangs delays no other. A part of `MediaFinder`.
///
/// Use it on the loop's thread.
final class MediaArea {
  /// Nanoseconds from a notice to the search. Notices in between are read then, so that a copy that
  /// is under way does not wake the loop with each write.
  static let pause: UInt64 = 100_000_000
  /// The most files being written that are remembered.
  private static let mostWritten = 1024

  private let search: MediaSearch
  private let changed: () -> Void
  private let notices = MediaNotices()
  private let worker: Worker
  private var watch: Watch?
  private var timer: LoopTimer?
  private var isSearching = false
  /// Something changed during the search.
  private var isOutdated = false
  /// Notices wait for the end of the search, which tells what folders they are of.
  private var isReadDue = false
  private var written: Set<String> = []
  private var created: Set<String> = []
  private(set) var outcome = MediaSearch.Outcome()

  /// The watched folder that it lies in.
  var root: String { search.root }

  /// Begins the first search. `changed` is called on the loop after each one.
  init(_ search: MediaSearch, loop: EventLoop, changed: @escaping () -> Void) {
    self.search = search
    self.changed = changed
    worker = Worker("media", loop: loop, capacity: 1)
    timer = loop.timer { [weak self] in self?.readNotices() }
    if notices.fd >= 0 {
      watch = try? loop.watch(notices.fd, .readable) { [weak self] _ in self?.noticed() }
    }
    look()
  }

  deinit {
    watch?.cancel()
    timer?.cancel()
  }

  /// Whether a search is under way or due.
  var isBusy: Bool { isSearching || isOutdated || isReadDue || timer?.isArmed == true }

  /// Searches again, once a present search is over.
  func look() {
    guard !isSearching else {
      isOutdated = true
      return
    }
    let (search, notices) = (search, notices)
    let (known, written, created) = (outcome.findings, written, created)
    isSearching = worker.post(
      { search.run(known: known, written: written, created: created, notices: notices) },
      then: { [weak self] in self?.found($0) })
    // Without a thread, the next change of the mounts tries again.
    isOutdated = false
  }

  /// The pack at `path`, which is whole, cannot be opened: it is refused until it changes.
  func refuse(_ path: String, _ reason: String) {
    outcome.findings[path]?.verdict = .refused(reason)
  }

  private func found(_ new: MediaSearch.Outcome) {
    isSearching = false
    outcome = new
    // Forget files that vanished with their folder.
    written = written.filter { new.findings[$0] != nil }
    created = created.filter { new.findings[$0] != nil }
    if isReadDue { readNotices() }
    if isOutdated { look() }
    changed()
  }

  /// There are notices, which are read a while later.
  private func noticed() {
    watch?.interest = []
    timer?.arm(after: MediaArea.pause)
  }

  private func readNotices() {
    isReadDue = isSearching
    if isReadDue { return }
    var isNews = false
    let isAll = notices.read { isNews = heard($0) || isNews }
    if isAll { watch?.interest = .readable } else { timer?.arm(after: MediaArea.pause) }
    if isNews { look() }
  }

  /// Takes a notice. Returns whether it calls for a search.
  private func heard(_ notice: MediaNotices.Notice) -> Bool {
    if notice.has(IN_Q_OVERFLOW) {
      // The lost notices may include the closing of a file. Files still being written are reported
      // again.
      (written, created) = ([], [])
      return true
    }
    // Ignore notices of folders that are no longer watched.
    guard let folder = outcome.folders[notice.number] else { return false }
    if notice.name.isEmpty || notice.has(IN_ISDIR) || outcome.real == nil {
      return !notice.has(IN_MODIFY)
    }
    let name =
      notice.name.hasSuffix("-journal") ? String(notice.name.dropLast(8)) : notice.name
    guard MediaSearch.isPack(name) else { return false }
    if name != notice.name { return !notice.has(IN_MODIFY) }
    return heard(notice, of: folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)")
  }

  /// Takes a notice of the file `path`, which is called like a pack.
  private func heard(_ notice: MediaNotices.Notice, of path: String) -> Bool {
    if notice.has(IN_MODIFY) {
      guard written.count < MediaArea.mostWritten, written.insert(path).inserted else {
        return false
      }
      // The refusal did not take into account that the file was being written.
      if case .refused? = outcome.findings[path]?.verdict { return true }
      return false
    }
    if notice.has(IN_CREATE) {
      if created.count < MediaArea.mostWritten { created.insert(path) }
      return true
    }
    if !notice.has(IN_ATTRIB) {
      // Closed, moved or removed.
      written.remove(path)
      created.remove(path)
    }
    return true
  }
}
