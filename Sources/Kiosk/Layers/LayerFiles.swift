import EventLoop
import Glibc
import Platform

/// How to look at files. A look takes as long as the medium needs, so never call these on the loop.
struct FileLooks: Sendable {
  var stamp: @Sendable ([String]) -> FileStamp = { FileStamp($0) }
  /// The path with links resolved; nil if the file is not there.
  var resolve: @Sendable (String) -> String? = { FileIO.resolved($0) }
  /// How overlays are read.
  var features = FeatureReads()
}

/// Watches and looks at the files of layers, on separate threads: a medium that hangs delays only
/// the looks at its own files. A part of the layer book.
///
/// Use it on the loop's thread.
final class LayerFiles {
  /// A difference between a layer's files and their earlier stamp.
  struct Change: Sendable {
    /// The stamp of the layer as it was opened.
    var layer: StampBox
    var stamp: FileStamp
    /// Somebody asked for the look.
    var isAsked: Bool
  }

  /// The owner of watched files.
  enum Owner: Hashable {
    case sources
    case overlays
  }

  /// How to look at files; tests replace it.
  var looks = FileLooks()
  /// Reports changes of the files; nil before there are any files.
  private(set) var watch: FileWatch?
  private let loop: EventLoop
  private let outbox: Outbox
  private var watched: [Owner: Set<String>] = [:]
  private var workers: MediaWorkers?
  /// Called with each change that a look finds.
  private var onChange: ((Change) -> Void)?
  /// Checks that wait for the present check of their medium. Keyed by the layer's stamp, because
  /// the number of its tiles changes with their colours.
  private var waiting: [ObjectIdentifier: StampCheck] = [:]
  /// The media whose files are being looked at, and whether a command or a reload requested it.
  private var looking: [String: Bool] = [:]

  init(loop: EventLoop, outbox: Outbox) {
    self.loop = loop
    self.outbox = outbox
  }

  /// Calls `change` with each change that a look finds.
  func follow(_ change: @escaping (Change) -> Void) { onChange = change }

  /// Whether a requested look is under way or waiting.
  var isAsked: Bool {
    looking.values.contains(true) || waiting.values.contains(where: \.isAsked)
  }

  /// Whether every file is watched, and no look is under way or waiting.
  var isQuiet: Bool {
    looking.isEmpty && waiting.isEmpty && watch?.isArmed != false && watch?.isPending != true
  }

  /// Runs each check, once a present look at its medium is over.
  func check(_ checks: [StampCheck]) {
    for check in checks {
      // A weaker check must not replace a waiting one that looks for any change.
      let layer = ObjectIdentifier(check.layer)
      let earlier = waiting[layer]
      var check = check
      if earlier?.interest == .change { check.interest = .change }
      check.isAsked = check.isAsked || earlier?.isAsked == true
      waiting[layer] = check
    }
    look()
  }

  private func look() {
    guard !waiting.isEmpty else { return }
    let workers = workers ?? MediaWorkers("files", loop: loop, capacity: 1)
    self.workers = workers
    let (mounts, stamp) = (Mounts(), looks.stamp)
    let groups = Dictionary(grouping: waiting.values) { mounts.media(of: $0.paths) }
    for (medium, checks) in groups where looking[medium] == nil {
      let isTaken = workers.post(
        on: medium, { checks.compactMap { $0.outcome(stamp($0.paths)) } },
        then: { [weak self] in self?.looked($0, on: medium) })
      guard isTaken else { continue }
      looking[medium] = checks.contains(where: \.isAsked)
      for check in checks { waiting[ObjectIdentifier(check.layer)] = nil }
    }
  }

  private func looked(_ changes: [Change], on medium: String) {
    looking[medium] = nil
    for change in changes { onChange?(change) }
    look()
  }

  /// The watched files that may differ although no other file took their place; see `FileWatch`.
  func takeWritten() -> Set<String> { watch?.takeWritten() ?? [] }

  /// From now on these files of `owner` are watched, and none of its others.
  func setWatched(_ files: Set<String>, of owner: Owner) {
    if watched[owner, default: []] == files { return }
    watched[owner] = files
    let all = watched.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    if watch == nil, !all.isEmpty {
      watch = FileWatch(
        loop: loop, resolve: { [looks] in looks.resolve($0) },
        changed: { [outbox] in outbox.add(.files) })
    }
    watch?.setFiles(all)
  }
}
