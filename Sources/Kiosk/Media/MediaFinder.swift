import EventLoop
import Glibc
import Platform

/// Owns the search for packs below the folders of `media.watch`: what there is at present, what is
/// refused and why, and which pack was on the screen until its medium went.
///
/// Use it on the loop's thread. It searches each watched folder, and each medium that is mounted
/// below one, on a thread of its own, when inotify or the kernel's list of mounts tells of a
/// change.
/// While nothing changes, nothing runs.
final class MediaFinder {
  /// The most places that are searched at once: watched folders, and media mounted below them.
  static let mostPlaces = 16
  /// The most packs whose names are remembered.
  private static let mostNames = 256
  /// The most refused files that the health names.
  private static let mostTold = 3
  /// The most others that the log names; the health has their number.
  static let mostLogged = 32
  private static let matter = "media"

  /// What a place is searched as; another mount at the same path is another place.
  private struct Place: Hashable {
    var path: String
    var mount: Mounts.Mount
  }

  /// See `MediaSearch.touch`.
  var touch: @Sendable (String) -> Void = { _ in }
  private let loop: EventLoop
  private let outbox: Outbox
  private var roots: [String] = []
  private var areas: [Place: MediaArea] = [:]
  private let reasonFolder: String
  /// Why media are not mounted; nil: no folder is watched.
  private var reasons: MediaReasons?
  /// Places that are not searched because there are too many.
  private var leftOut = 0
  private var mounts: Int32 = -1
  private var mountWatch: Watch?
  private var mountTimer: LoopTimer?
  /// The names that packs were given, by path: a medium that returns has the same.
  private var names: [String: String] = [:]
  /// Packs whose sources were removed by hand: they are not taken until they are gone and back.
  private var dismissed: Set<String> = []
  /// The refused files that the log was told of.
  private var told: Set<String> = []
  /// The packs that are there, sorted by path.
  private(set) var packs: [MediaPack] = []
  /// The pack that is shown again when it returns; nil: there is none, or another source was
  /// chosen.
  private(set) var missed: MissedPack?
  /// Whether every place was searched since the folders were set.
  private(set) var hasSearched = false

  /// `reasonFolder`: where it is told why media are not mounted.
  init(loop: EventLoop, outbox: Outbox, reasonFolder: String = MediaReasons.folder) {
    self.loop = loop
    self.outbox = outbox
    self.reasonFolder = reasonFolder
  }

  deinit {
    mountWatch?.cancel()
    mountTimer?.cancel()
    if mounts >= 0 { close(mounts) }
  }

  /// From now on `folders` are searched, and no others.
  func configure(_ folders: [String]) {
    if folders == roots { return }
    (roots, hasSearched) = (folders, false)
    if mounts < 0, !roots.isEmpty { watchMounts() }
    reasons =
      roots.isEmpty
      ? nil : reasons ?? MediaReasons(reasonFolder, loop: loop) { [weak self] in self?.update() }
    assign()
  }

  /// Whether every place was searched since its last change.
  var isQuiet: Bool { mountTimer?.isArmed != true && !areas.values.contains(where: \.isBusy) }

  // MARK: Places

  private func watchMounts() {
    mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard mounts >= 0 else { return }
    mountTimer = loop.timer { [weak self] in self?.assign() }
    // The kernel reports an error there when something was mounted or unmounted (proc(5)).
    mountWatch = try? loop.watch(mounts, []) { [weak self] _ in
      if let self, mountTimer?.isArmed != true { mountTimer?.arm(after: MediaArea.pause) }
    }
  }

  /// Searches each watched folder, and each medium mounted below one.
  private func assign() {
    let mounts = Mounts()
    var wanted: [Place: MediaSearch] = [:]
    var paths: Set<String> = []
    leftOut = 0
    func want(_ path: String, in root: String, _ mount: Mounts.Mount) {
      guard paths.insert(path).inserted else { return }
      if wanted.count >= MediaFinder.mostPlaces {
        leftOut += 1
      } else {
        wanted[Place(path: path, mount: mount)] = MediaSearch(place: path, root: root, touch: touch)
      }
    }
    for root in roots {
      let mount = mounts.mount(of: root)
      want(root, in: root, mount)
      let real = areas[Place(path: root, mount: mount)]?.outcome.real ?? root
      for medium in mounts.mounts(below: real) { want(medium.point, in: root, medium) }
    }
    areas = areas.filter { wanted[$0.key] != nil }
    for (place, search) in wanted {
      if let area = areas[place] {
        // What was mounted in it hides a folder of it, or no longer does.
        if roots.contains(place.path) { area.look() }
      } else {
        areas[place] = MediaArea(search, loop: loop) { [weak self] in self?.searched(place.path) }
      }
    }
    update()
  }

  /// The place at `path` was searched.
  private func searched(_ path: String) {
    if roots.contains(path), hasUnsearchedMedia(path) { assign() } else { update() }
  }

  /// Whether media are mounted below the folder that `root`, which may be a link, leads to, and are
  /// not searched yet.
  private func hasUnsearchedMedia(_ root: String) -> Bool {
    let area = areas.first { $0.key.path == root }?.value
    guard leftOut == 0, let real = area?.outcome.real, real != root else { return false }
    return Mounts().mounts(below: real).contains { mount in
      areas[Place(path: mount.point, mount: mount)] == nil
    }
  }

  // MARK: Packs

  /// Brings the list up to date, and leaves `.media` if it changed.
  private func update() {
    // Watched folders may lie in each other, and a medium may be mounted during a search.
    var whole: [String: MediaPack] = [:]
    var refused: Set<String> = []
    var isLimited = leftOut > 0
    for area in areas.values {
      isLimited = isLimited || area.outcome.isLimited
      for (path, finding) in area.outcome.findings {
        switch finding.verdict {
        case .whole: whole[path] = whole[path] ?? MediaPack(path: path, root: area.root)
        case .refused(let reason): refused.insert("\(path): \(reason)")
        case .unfinished: break
        }
      }
    }
    var found = whole.values.sorted { $0.path < $1.path }
    if found.count > MediaSearch.mostPacks {
      // Packs that already are sources stay.
      let before = Set(packs.map(\.path))
      let kept = found.filter { before.contains($0.path) }
      let new = found.filter { !before.contains($0.path) }
      found = Array((kept + new).prefix(MediaSearch.mostPacks)).sorted { $0.path < $1.path }
      isLimited = true
    }
    report(refused.sorted(), isLimited)
    dismissed.formIntersection(found.map(\.path))
    let isFirst = !hasSearched && isQuiet
    if isFirst { hasSearched = true }
    guard found != packs || isFirst else { return }
    packs = found
    outbox.add(.media)
  }

  /// Tells the health of media that are not mounted and of the first refused files, and the log
  /// once of each of some others.
  private func report(_ refused: [String], _ isLimited: Bool) {
    let unmounted = reasons?.all ?? []
    var texts = Array(refused.prefix(MediaFinder.mostTold))
    if refused.count > texts.count { texts.append("and \(refused.count - texts.count) more") }
    let limits =
      "there is more than is looked at: \(MediaSearch.mostPacks) packs on "
      + "\(MediaFinder.mostPlaces) media, \(MediaSearch.mostFolders) folders and "
      + "\(MediaSearch.mostNames) names each"
    if isLimited { texts.append(limits) }
    texts = Array(unmounted.prefix(MediaFinder.mostTold)) + texts
    let others = refused.dropFirst(MediaFinder.mostTold).prefix(MediaFinder.mostLogged)
    // A medium that comes and goes has the same files each time.
    if told.count + others.count > MediaFinder.mostNames { told.formIntersection(others) }
    for text in others where told.insert(text).inserted { outbox.log(.warning, "media: \(text)") }
    outbox.note(
      MediaFinder.matter, .warning, texts.isEmpty ? nil : texts.joined(separator: "; "))
  }

  /// The pack at `path` cannot be opened: it is refused until it changes.
  func refuse(_ path: String, _ reason: String) {
    for area in areas.values { area.refuse(path, reason) }
    update()
  }

  /// The source of the pack at `path` was removed by hand.
  func dismiss(_ path: String) {
    if dismissed.count < MediaFinder.mostNames { dismissed.insert(path) }
  }

  /// Whether the pack may become a source.
  func isWanted(_ pack: MediaPack) -> Bool { !dismissed.contains(pack.path) }

  /// The name that the source of `pack` gets where other sources have `taken` names.
  func name(of pack: MediaPack, taken: Set<String>) -> String {
    if let name = names[pack.path], !taken.contains(name) { return name }
    let name = pack.name(taken: taken)
    if names.count >= MediaFinder.mostNames {
      let present = Set(packs.map(\.path))
      names = names.filter { present.contains($0.key) }
    }
    names[pack.path] = name
    return name
  }

  // MARK: What was on the screen

  /// The medium of this pack went while it was on the screen; nil: another source was chosen.
  func miss(_ pack: MissedPack?) { missed = pack }

  /// Whether the pack that was on the screen is back: as the same file, or under the same name.
  func isMissed(name: String, path: String) -> Bool {
    missed?.path == path || missed?.name == name
  }
}
