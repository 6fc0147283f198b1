import EventLoop
import Glibc
import Platform

/// Why media are not mounted: what `mount-medium` leaves in a folder, a line in a file NAME.reason
/// for each. The folder is in memory, so it is read on the loop. A part of `MediaFinder`.
///
/// Use it on the loop's thread. While nothing changes there, nothing runs.
final class MediaReasons {
  /// Where `mount-medium` leaves them; `waypost.tmpfiles` makes the folder, or else the service of
  /// the first medium does.
  static let folder = "/run/waypost-media"
  private static let ending = ".reason"
  /// The most reasons that are read, and the most bytes of each.
  static let most = (files: 8, bytes: 512)
  /// Nanoseconds from a change to the look, in which more may come.
  private static let pause: UInt64 = 100_000_000

  private let folder: String
  private let changed: () -> Void
  private let notices = MediaNotices()
  private var watch: Watch?
  /// The folder that `folder` is to appear in; nil: it is there, and watched.
  private var parent: Int32?
  private var timer: LoopTimer?
  /// "sda1 is not mounted: " and the reason, sorted by the media's names.
  private(set) var all: [String] = []

  /// Begins to watch `folder`, now or once it is there. `changed` is called on the loop when `all`
  /// changed.
  init(_ folder: String = MediaReasons.folder, loop: EventLoop, changed: @escaping () -> Void) {
    self.folder = folder
    self.changed = changed
    timer = loop.timer { [weak self] in self?.look() }
    guard notices.fd >= 0 else { return }
    find()
    watch = try? loop.watch(notices.fd, .readable) { [weak self] _ in
      self?.watch?.interest = []
      self?.timer?.arm(after: MediaReasons.pause)
    }
    timer?.arm(after: 0)
  }

  deinit {
    watch?.cancel()
    timer?.cancel()
  }

  /// Watches `folder`, or until it is there the one that it is to be in.
  private func find() {
    if notices.watch(folder) < 0 {
      guard parent == nil else { return }
      let number = notices.watch(Paths.directory(of: folder))
      if number >= 0 { parent = number }
      // It may have come in between.
      guard notices.watch(folder) >= 0 else { return }
    }
    if let parent { notices.end(parent) }
    parent = nil
  }

  private func look() {
    if parent != nil { find() }
    if notices.read({ _ in }) {
      watch?.interest = .readable
    } else {
      timer?.arm(after: MediaReasons.pause)
    }
    let before = all
    all = read()
    if all != before { changed() }
  }

  private func read() -> [String] {
    let names = try? Directory.names(in: folder, upTo: MediaReasons.most.files) {
      $0.hasSuffix(MediaReasons.ending) && !$0.hasPrefix(".")
    }
    return (names ?? []).sorted().compactMap { name in
      guard let bytes = try? FileIO.read("\(folder)/\(name)", limit: MediaReasons.most.bytes),
        let line = bytes.split(separator: UInt8(ascii: "\n")).first
      else { return nil }
      let medium = name.dropLast(MediaReasons.ending.count)
      return "\(medium) is not mounted: \(String(decoding: line, as: UTF8.self))"
    }
  }
}
