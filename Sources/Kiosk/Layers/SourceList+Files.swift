import EventLoop
import MapScene
import TileSources

/// Sources whose files change. A file that took the place of another is opened beside it, under a
/// number of its own. The map that was there stays on the screen, with none of the new one's tiles,
/// until all of those that the view needs are there.
extension SourceList {
  /// How long the map that was there stays for the new one to be whole, in nanoseconds.
  static let replacementPatience: UInt64 = 10_000_000_000

  // MARK: Look

  /// Has the files of all open sources looked at: those that were replaced are opened anew.
  func checkFiles() {
    for i in entries.indices { check(i, for: .replacement) }
  }

  /// A reader found that the file of the source of number `index` was replaced.
  func readerFoundReplacement(_ index: Int) {
    if let i = entries.firstIndex(where: { $0.index == index }) { check(i, for: .replacement) }
  }

  /// Has the source's files looked at, where it is open and not about to be replaced.
  func check(_ i: Int, for interest: StampCheck.Interest, isAsked: Bool = false) {
    guard entries[i].info != nil, entries[i].reopening == nil,
      let before = entries[i].stamp.locked({ $0 })
    else { return }
    let files = entries[i].files
    if files.isEmpty { return }
    store.files.check([
      StampCheck(
        layer: entries[i].stamp, paths: files, before: before, interest: interest,
        isAsked: isAsked)
    ])
  }

  func watchFiles() {
    var files: Set<String> = []
    for i in entries.indices where entries[i].info != nil { files.formUnion(entries[i].files) }
    store.files.setWatched(files, of: .sources)
  }

  // MARK: Open

  /// The files of a layer changed: where it is a source it is opened again, beside itself.
  func filesChanged(_ change: LayerFiles.Change) {
    guard let i = entries.firstIndex(where: { $0.stamp === change.layer }),
      entries[i].info != nil, entries[i].reopening == nil,
      let before = entries[i].stamp.locked({ $0 }), before != change.stamp,
      let next = store.takeIndex()
    else { return }
    entries[i].reopening = next
    register(i, as: next)
    store.loader.open(next)
  }

  /// The loader opened `index`. True where that is a changed file.
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

  /// The loader could not open `index`. True where that is a changed file: what was read before
  /// stays until the file can be read again.
  func openAgainFailed(_ index: Int, _ error: SourceError) -> Bool {
    guard let i = entries.firstIndex(where: { $0.reopening == index }) else { return false }
    store.dropReopening(of: &entries[i])
    note(i, error, .warning)
    // It may have changed again meanwhile.
    check(i, for: .change)
    return true
  }

  // MARK: Replace

  /// A changed file is being opened, or waits to be shown.
  var isReplacing: Bool { entries.contains { $0.reopening != nil } }

  /// A changed file is open and waits to be shown.
  var hasReplacement: Bool { entries.contains { $0.reopened != nil } }

  /// Whether `index` is the number of a changed file that waits to be shown.
  func isReplacement(_ index: Int) -> Bool {
    entries.contains { $0.reopening == index && $0.reopened != nil }
  }

  /// Shows the changed files that are open.
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
    // It may have changed again meanwhile.
    check(i, for: .change)
  }
}
