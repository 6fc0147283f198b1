import EventLoop
import Glibc

/// How files are looked at. A look takes as long as the medium likes, so none is on the loop.
struct FileLooks: Sendable {
  var stamp: @Sendable ([String]) -> FileStamp = { FileStamp($0) }
  /// The file with links resolved; nil where it is not there.
  var resolve: @Sendable (String) -> String? = { path in
    guard let raw = realpath(path, nil) else { return nil }
    defer { free(raw) }
    return String(cString: raw)
  }
  /// How overlays are read.
  var features = FeatureReads()
}

/// Watches the files of layers and looks at them, on threads of its own: a medium that hangs holds
/// up the next look and nothing else. A part of the layer book.
///
/// Belongs to the loop's thread.
final class LayerFiles {
  /// The files of a layer that are not what they were.
  struct Change: Sendable {
    /// The stamp of the layer as it was opened.
    var layer: StampBox
    var stamp: FileStamp
  }

  /// Whose files are watched.
  enum Owner: Hashable {
    case sources
    case overlays
  }

  /// How files are looked at; tests have other ways.
  var looks = FileLooks()
  /// Tells when files change; nil before there are any.
  private(set) var watch: FileWatch?
  private let loop: EventLoop
  private let outbox: Outbox
  private var watched: [Owner: Set<String>] = [:]
  private var worker: FileWorker<[Change]>?
  /// Called with what a look found.
  private var onChange: ((Change) -> Void)?
  /// What is to be looked at once the present look is over. By the layer's stamp: the number of its
  /// tiles changes with their colours.
  private var waiting: [ObjectIdentifier: StampCheck] = [:]
  /// A look is under way.
  private var isLooking = false
  /// One that somebody asked for.
  private var isAskedLook = false

  init(loop: EventLoop, outbox: Outbox) {
    self.loop = loop
    self.outbox = outbox
  }

  /// Calls `change` with what looks find.
  func follow(_ change: @escaping (Change) -> Void) { onChange = change }

  /// Whether a look that somebody asked for is under way or to come.
  var isAsked: Bool { isLooking && isAskedLook || waiting.values.contains(where: \.isAsked) }

  /// Whether every file is watched, and none is looked at or to be looked at.
  var isQuiet: Bool {
    !isLooking && waiting.isEmpty && watch?.isArmed != false && watch?.isPending != true
  }

  /// Looks at the files of layers.
  func check(_ checks: [StampCheck]) {
    for check in checks {
      // Who asks for any change is not put off by who does not.
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
    guard !isLooking, !waiting.isEmpty else { return }
    if worker == nil {
      worker = FileWorker("files", loop: loop, capacity: 1) { [weak self] in self?.looked($0) }
    }
    let (checks, stamp) = (Array(waiting.values), looks.stamp)
    waiting = [:]
    isAskedLook = checks.contains(where: \.isAsked)
    isLooking =
      worker?.post { checks.compactMap { $0.outcome(stamp($0.paths)) } } == true
  }

  private func looked(_ changes: [Change]) {
    isLooking = false
    for change in changes { onChange?(change) }
    look()
  }

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
