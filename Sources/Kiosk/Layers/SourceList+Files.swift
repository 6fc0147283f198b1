import EventLoop
import MapScene
import TileSources

/// Sources whose files change. The new file is opened under a number of its own. The old map
/// stays on the screen, without any of the new one's tiles, until all tiles that the view needs are
/// there.
extension SourceList {
  /// How long the old map stays while the new one is incomplete, in nanoseconds.
  static let replacementPatience: UInt64 = 10_000_000_000

  // MARK: Looking at files

  /// Looks at the files of all open sources. Those that were replaced are opened again.
  func checkFiles() {
    for i in entries.indices { check(i, for: .replacement) }
  }

  /// A reader found that the file of the source with the number `index` was replaced.
  func readerFoundReplacement(_ index: Int) {
    if let i = entries.firstIndex(where: { $0.index == index }) { check(i, for: .replacement) }
  }

  /// Looks at the source's files, if it is open and no replacement is under way.
  func check(_ i: Int, for interest: StampCheck.Interest, isAsked: Bool = false) {
    guard entries[i].info != nil, entries[i].reopening == nil,
      let before = entries[i].stamp.locked({ $0 })
    else { return }
    let files = entries[i].files
    if files.isEmpty { return }
    store.files.check([
      StampCheck(
        index: entries[i].index, paths: files, before: before, interest: interest,
        isAsked: isAsked)
    ])
  }

  func watchFiles() {
    var files: Set<String> = []
    for i in entries.indices where entries[i].info != nil { files.formUnion(entries[i].files) }
    store.files.setWatched(files, of: .sources)
  }

  // MARK: Opening changed files

  /// Opens a source's changed files beside the old ones. Does nothing if the change is not of a
  /// source.
  func filesChanged(_ change: LayerFiles.Change) {
    guard let i = entries.firstIndex(where: { $0.index == change.index }),
      entries[i].info != nil, entries[i].reopening == nil,
      let before = entries[i].stamp.locked({ $0 }), before != change.stamp,
      let next = store.takeIndex()
    else { return }
    entries[i].reopening = next
    register(i, as: next)
    store.loader.open(next)
  }

  /// The loader opened `index`. Returns whether that is a changed file.
  func openedAgain(
    _ index: Int, _ info: TileSources.SourceInfo, _ problems: [SourceError]
  ) -> Bool {
    guard let i = entries.firstIndex(where: { $0.reopening == index }) else { return false }
    let isFirst = !hasReplacement
    entries[i].reopened = SourceEntry.Reopened(info: info, problems: problems)
    if !isVisible(entries[i]) {
      replace(i)
    } else if isFirst {
      replacedBy = EventLoop.now() &+ SourceList.replacementPatience
      replacementTimer?.arm(at: replacedBy)
    }
    return true
  }

  /// The loader could not open `index`. Returns whether that is a changed file. The old source then
  /// stays until the file can be read.
  func openAgainFailed(_ index: Int, _ error: SourceError) -> Bool {
    guard let i = entries.firstIndex(where: { $0.reopening == index }) else { return false }
    store.dropReopening(of: &entries[i])
    note(i, error, .warning)
    // The file may have changed again meanwhile.
    check(i, for: .change)
    return true
  }

  // MARK: Replacing

  /// Whether a changed file is being opened or waits to be shown.
  var isReplacing: Bool { entries.contains { $0.reopening != nil } }

  /// Whether a changed file is open and waits to be shown.
  var hasReplacement: Bool { entries.contains { $0.reopened != nil } }

  /// Whether `index` is the number of a changed file that waits to be shown.
  func isReplacement(_ index: Int) -> Bool {
    entries.contains { $0.reopening == index && $0.reopened != nil }
  }

  /// Shows all changed files that are open.
  func replaceAll() {
    for i in entries.indices where entries[i].reopened != nil { replace(i) }
    replacementTimer?.cancel()
  }

  private func replace(_ i: Int) {
    guard let next = entries[i].reopening, let reopened = entries[i].reopened else { return }
    store.dropFormer(of: &entries[i])
    store.loader.removeSource(entries[i].index)
    store.giveBack(entries[i].index)
    entries[i].index = next
    (entries[i].reopening, entries[i].reopened) = (nil, nil)
    entries[i].state = .open(reopened.info)
    entries[i].error = nil
    entries[i].problem = reopened.problems.first?.description
    note(i, reopened.problems.first, .warning)
    store.outbox.tell(.source(name: entries[i].name, change: .changed))
    // The file may have changed again meanwhile.
    check(i, for: .change)
  }
}
