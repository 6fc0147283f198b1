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

  /// Has the files of all sources looked at that were opened or could not be. `written`: see
  /// `FileWatch.takeWritten`.
  func checkFiles(_ written: Set<String>) {
    for i in entries.indices {
      let interest = interest(in: entries[i], written)
      look(at: i, for: interest)
    }
  }

  /// Which changes of the files of `entry` matter. While a program writes to the file of an open
  /// source, only a replacement does.
  private func interest(
    in entry: SourceEntry, _ written: Set<String>
  ) -> StampCheck.Interest {
    let isWritten = entry.files.contains { written.contains($0) || written.contains($0 + "/") }
    return isWritten || entry.isLookDue || entry.hasFailed ? .change : .replacement
  }

  /// A reader found that the file of the source of number `index` was replaced.
  func readerFoundReplacement(_ index: Int) {
    guard let i = entries.firstIndex(where: { $0.index == index }) else { return }
    look(at: i, for: .replacement)
  }

  /// Watches the files of every source that was opened or could not be.
  func watchFiles() {
    var files: Set<String> = []
    for entry in entries {
      if case .closed = entry.state { continue }
      files.formUnion(entry.files)
      // Levels come to a folder one by one.
      if entry.hasFailed || entry.info?.kind == "directory" {
        files.formUnion(entry.files.map { $0 + "/" })
      }
    }
    store.files.setWatched(files, of: .sources)
  }

  // MARK: Opening changed files

  func mayReopen(_ i: Int, _ change: LayerFiles.Change, since before: FileStamp) -> Bool {
    change.isAsked || change.stamp.isReplaced(since: before) || mayRewrite(i)
  }

  /// Whether the file of `i`, which was written to, may be opened again now. If not, schedules a
  /// check for when it may.
  private func mayRewrite(_ i: Int) -> Bool {
    let now = EventLoop.now()
    if let last = entries[i].rewrittenAt, now < last &+ rewritePause {
      entries[i].isLookDue = true
      if rewriteTimer?.isArmed == false { rewriteTimer?.arm(at: last &+ rewritePause) }
      return false
    }
    entries[i].rewrittenAt = now
    return true
  }

  /// The changed file of the source at `i` is open.
  func openedAgain(_ i: Int, _ info: SourceInfo, _ problems: [SourceError]) {
    guard let next = entries[i].reopening else { return }
    let isFirst = !hasReplacement
    reopenings[next] = LayerReopening(info: info, problems: problems)
    if !shown.contains(entries[i].name) {
      replace(i)
    } else if isFirst {
      replacedBy = EventLoop.now() &+ SourceList.replacementPatience
      replacementTimer?.arm(at: replacedBy)
    }
  }

  // MARK: Replacing

  /// Whether a changed file is being opened or waits to be shown.
  var isReplacing: Bool { !reopenings.isEmpty }

  /// Whether a changed file is open and waits to be shown.
  var hasReplacement: Bool { reopenings.values.contains { $0.info != nil } }

  /// Whether `index` is the number of a changed file that waits to be shown.
  func isReplacement(_ index: Int) -> Bool { reopenings[index]?.info != nil }

  /// Shows all changed files that are open.
  func replaceAll() {
    for i in entries.indices { replace(i) }
    replacementTimer?.cancel()
  }

  /// Shows the changed file of the source at `i`, if it has one that is open.
  private func replace(_ i: Int) {
    guard let next = entries[i].reopening, let info = reopenings[next]?.info else { return }
    let problems = reopenings.removeValue(forKey: next)?.problems ?? []
    dropFormer(i)
    store.dropSource(entries[i].index)
    entries[i].index = next
    entries[i].reopening = nil
    didOpen(i, info, problems)
    tell(entries[i].name, .changed)
  }
}
