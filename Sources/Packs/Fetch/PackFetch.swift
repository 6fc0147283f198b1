import Glibc
import MapGeometry
import Platform
import TileSources

/// Fetches the tiles of a region from a server into a pack.
package final class PackFetch {
  private let job: FetchJob
  private let template: URLTemplate
  private let tiles: TileSet
  private let output: String
  private let kind: PackKind
  private let mayReplace: Bool
  private let onNote: (String) -> Void

  /// Looks at the job and at where the pack is to lie, and asks nobody.
  ///
  /// - Parameters:
  ///   - job: what is to be fetched.
  ///   - output: the new pack: MBTiles or PMTiles by its name.
  ///   - mayReplace: a pack of that name may be replaced.
  ///   - onNote: hears what people should know meanwhile.
  /// - Throws: `PackError` where it cannot be done, or may not.
  package init(
    _ job: FetchJob, output: String, mayReplace: Bool,
    onNote: @escaping (String) -> Void = { _ in }
  ) throws(PackError) {
    self.job = job
    self.output = output
    self.mayReplace = mayReplace
    self.onNote = onNote
    template = try job.template()
    try job.checkHeaders()
    kind = try PackTarget.kind(of: output)
    guard kind != .folder else {
      throw PackError(
        file: output,
        reason: "a fetch makes one file: end its name with .mbtiles or .pmtiles, and unpack it "
          + "with \"waypost pack export\"", isMisuse: true)
    }
    tiles = try job.tiles()
    guard !tiles.isEmpty else {
      throw PackError(file: "the region", reason: "has no tile", isMisuse: true)
    }
  }

  /// How many tiles there are, and about how many bytes they take.
  package var plan: PackPlan { PackPlan(tiles, zooms: job.zooms, sizes: TileSizes()) }

  /// Fetches, or goes on where an earlier run was cut, and makes the pack.
  ///
  /// - Parameters:
  ///   - program: waypost-fetch: a path, or a name that `PATH` leads to.
  ///   - report: hears how far it is; gives false to stop.
  /// - Returns: what came of it.
  /// - Throws: `PackError`; what was fetched stays for the next run.
  package func run(
    program: String, report: @escaping WorkReport
  ) throws(PackError) -> FetchResult {
    let last = Last(WorkProgress(what: "fetch", done: 0, total: tiles.count))
    let link = try FetchedTileLink(job, program: program) { report(last.progress) }
    return try run(link, last, now: { UInt64(max(time(nil), 0)) }, report: report)
  }

  /// The same over any link.
  ///
  /// - Parameters:
  ///   - link: the way to the servers.
  ///   - now: seconds since 1970.
  ///   - boot: tells boots apart; nil: the kernel's.
  ///   - report: hears how far it is; gives false to stop.
  /// - Returns: what came of it.
  /// - Throws: `PackError`; what was fetched stays for the next run.
  package func run(
    _ link: any TileLink, now: @escaping () -> UInt64, boot: String? = nil,
    report: @escaping WorkReport = { _ in true }
  ) throws(PackError) -> FetchResult {
    let last = Last(WorkProgress(what: "fetch", done: 0, total: tiles.count))
    return try run(link, last, now: now, boot: boot, report: report)
  }

  /// What was reported last: how far it is stays what it was while a server is waited for.
  private final class Last {
    var progress: WorkProgress
    init(_ progress: WorkProgress) { self.progress = progress }
  }

  /// Free space is checked each time this many tiles were fetched.
  private static let roomEvery: UInt64 = 64
  /// Space to leave free on the medium.
  private static let spareBytes: UInt64 = 8 << 20

  private func run(
    _ link: any TileLink, _ last: Last, now: () -> UInt64, boot: String? = nil,
    report: @escaping WorkReport
  ) throws(PackError) -> FetchResult {
    try DraftFile.check(output, mayReplace)
    let draft = try FetchDraft(
      target: output, tiles: tiles, terms: job.terms(tiles), now: now(), boot: boot)
    var result = FetchResult()
    result.resumed = draft.marks.count
    let fetcher = TileFetcher(
      link, template, hasAnswered: draft.marks.count > 0, allowsMissing: job.allowsMissing,
      onNote: onNote)
    let stale = draft.stale.sorted { $0.key < $1.key }
    var (nextTile, nextStale): (UInt64, Int) = (0, 0)
    last.progress.done = draft.marks.count
    do throws(PackError) {
      try fetcher.run {
        if let number = draft.marks.firstUnmarked(from: nextTile) {
          nextTile = number + 1
          return (number, nil)
        }
        guard nextStale < stale.count else { return nil }
        defer { nextStale += 1 }
        return (stale[nextStale].key, stale[nextStale].value.etag)
      } onWait: { () throws(PackError) in
        try draft.sync()
      } take: { (number, content) throws(PackError) in
        try self.take(number, content, into: draft, now(), &result)
        last.progress.done = draft.marks.count
        last.progress.bytes = draft.size
        if result.resumed == 0, draft.absent == PackFetch.suspicious,
          draft.marks.count == draft.absent
        {
          fetcher.end(because: self.noneOfTheFirst)
        }
        guard report(last.progress) else { throw PackError.stopped }
      }
    } catch {
      // What went wrong first is told.
      try? PackFetch.leave(draft)
      throw error
    }
    try PackFetch.leave(draft)
    result.absent = draft.absent
    result.repeated = fetcher.repeated
    result.problems = fetcher.problems
    result.stop = fetcher.stop
    result.missing = tiles.count - draft.marks.count
    if result.missing > 0, !job.allowsMissing || result.stop != nil { return result }
    result.totals = try finish(draft) { _ in report(last.progress) }
    return result
  }

  /// If the server has none of this many tiles at the beginning, the template is probably wrong.
  private static let suspicious: UInt64 = 200

  private var noneOfTheFirst: String {
    "\(job.shownURL): the server has none of the first \(PackFetch.suspicious) tiles. Is the "
      + "template right? If not, remove \(FetchDraft.contents(of: output)) and "
      + "\(FetchDraft.journal(of: output)) and give the right one"
  }

  /// Leaves what is there for the next run, if it is anything.
  private static func leave(_ draft: FetchDraft) throws(PackError) {
    if draft.marks.count > 0 { try draft.sync() } else { draft.remove() }
  }

  private func take(
    _ number: UInt64, _ content: TileAnswer.Content, into draft: FetchDraft, _ now: UInt64,
    _ result: inout FetchResult
  ) throws(PackError) {
    func expiry(_ fresh: Int?) -> UInt64 { fresh.map { now + UInt64(max($0, 0)) } ?? 0 }
    switch content {
    case .tile(let bytes, let fresh, let etag):
      if result.fetched % PackFetch.roomEvery == 0 { try checkRoom(draft) }
      try draft.add(number, bytes, expiry: expiry(fresh), etag: etag, now: now)
      result.fetched += 1
      result.bytes += UInt64(bytes.count)
    case .same(let fresh): try draft.renew(number, expiry: expiry(fresh), now: now)
    case .absent: try draft.addAbsent(number)
    case .fault: break
    }
  }

  /// The pack is written beside the draft, so the medium must hold both.
  private func checkRoom(_ draft: FetchDraft) throws(PackError) {
    guard let free = FreeSpace.bytes(at: output), free < draft.size + PackFetch.spareBytes else {
      return
    }
    throw PackError(
      file: output,
      reason: "the medium is full: \(ByteCount.text(Int(clamping: free))) are free, and the pack "
        + "of what is there needs \(ByteCount.text(Int(clamping: draft.size))) beside it; make "
        + "room, and the same command goes on from here", isMisuse: true)
  }

  private func finish(
    _ draft: FetchDraft, report: @escaping WorkReport
  ) throws(PackError) -> PackTotals {
    guard draft.marks.count > draft.absent else {
      draft.remove()
      throw PackError(
        file: job.shownURL, reason: "the server has none of these \(tiles.count) tiles")
    }
    var description = PackDescription()
    description["name"] = job.name.map { .text($0) }
    description["attribution"] = job.attribution.map { .text($0) }
    if let bounds = job.region.bounds {
      // The formats' boxes do not cross the dateline.
      description.bounds =
        bounds.west > bounds.east
        ? GeoBounds(west: -180, south: bounds.south, east: 180, north: bounds.north) : bounds
    }
    let reader = try FetchedReader(draft, name: output, description)
    let copy = try PackCopy([reader], to: kind)
    let writer = try PackTarget.writer(output, kind: kind, mayReplace: mayReplace)
    let copied = try copy.run(into: writer, what: "write", report: report)
    // All tiles were whole when they arrived, so the medium has damaged them.
    guard copied.broken == 0 else {
      throw PackError(
        file: output,
        reason: "\(copied.broken) tiles cannot be read back from \(draft.path), and the pack was "
          + "made without them: is the medium failing?")
    }
    draft.remove()
    return copied.totals
  }
}
