import MapGeometry
import Platform
import TileSources

/// Takes a region out of a PMTiles archive into a new one, reading nothing else of it.
///
/// The new archive's directories are known before the first tile is read. So it is laid out at once
/// as `OUT.partial`, filled request by request in any order, and renamed when it is complete:
/// nothing is copied, and an interrupted extract keeps what it has.
package final class PMTilesExtract {
  private let reader: any RangeReader
  private let selection: ExtractSelection
  private let pause: ((Double) -> Void)?
  private let onRetry: (String) -> Void
  private let boot: String?
  private let mayReplace: Bool

  /// Bytes that are written before they are synced.
  private static let syncBytes: UInt64 = 32 << 20
  /// A compressed leaf nearly always takes less than this per entry.
  private static let entryBytes = 12

  /// - Parameters:
  ///   - reader: the archive.
  ///   - selection: what of it.
  ///   - onRetry: hears why a request is repeated, and when, and what else people should know.
  ///   - pause: waits so many seconds before a request is repeated; nil: sleeps.
  ///   - boot: tells boots apart; nil: the kernel's.
  ///   - mayReplace: an archive that is there may be replaced.
  package init(
    _ reader: any RangeReader, _ selection: ExtractSelection,
    onRetry: @escaping (String) -> Void = { _ in }, pause: ((Double) -> Void)? = nil,
    boot: String? = nil, mayReplace: Bool = false
  ) {
    self.reader = reader
    self.selection = selection
    self.onRetry = onRetry
    self.pause = pause
    self.boot = boot
    self.mayReplace = mayReplace
  }

  /// What an extract would read, and become.
  package struct Preview: Sendable {
    /// Tiles, requests and bytes.
    package var plan: ExtractPlan
    /// Bytes of the new archive.
    package var bytes: UInt64
    /// What reading the index took.
    package var traffic: RangeTraffic
  }

  /// Plans, exactly; reads no tile.
  ///
  /// - Throws: `PackError` if the archive cannot be read, or has nothing of the region.
  package func preview() throws(PackError) -> Preview {
    let fetcher = self.fetcher()
    let (plan, layout) = try prepare(fetcher, journal: nil)
    return Preview(plan: plan, bytes: layout.size, traffic: fetcher.traffic)
  }

  /// Extracts into `path`, or goes on where an earlier run was cut.
  ///
  /// - Parameters:
  ///   - path: the new archive.
  ///   - progress: is called after each request; what it throws stops the work.
  /// - Returns: what came of it.
  /// - Throws: `PackError`; what was fetched stays for the next run, except where the archive is
  ///   another by now.
  package func run(
    to path: String, progress: (ExtractProgress) throws(PackError) -> Void = { _ in }
  ) throws(PackError) -> ExtractResult {
    var journal: ExtractJournal? = try self.journal(of: path)
    let fetcher = self.fetcher()
    do {
      // Each run reads the archive's first bytes again, to see whether it is still the same.
      let start = try fetcher.fetch(ByteSpan(offset: 0, count: ArchiveIndex.firstRead))
      if let archive = fetcher.archive, journal?.holds(start, of: archive) != true {
        if journal?.archive != nil {
          // What was fetched may be of another archive.
          journal?.remove()
          journal = nil
          journal = try self.journal(of: path)
        }
        try journal?.keep(start, at: 0, of: archive)
        if archive.identity.isEmpty {
          onRetry(
            "sends neither ETag nor Last-Modified: changes of the archive are not noticed while it "
              + "is read, and an interrupted extract starts again")
        }
      }
      return try run(fetcher, to: path, journal, progress)
    } catch {
      // Nothing worth keeping was fetched, or it belongs to another version of the archive.
      if journal?.archive == nil || fetcher.isReplaced { journal?.remove() }
      throw error
    }
  }

  private func journal(of path: String) throws(PackError) -> ExtractJournal {
    try ExtractJournal(path: ExtractPaths.journal(of: path), source: reader.name, boot: boot)
  }

  private func fetcher() -> RangeFetcher {
    if let pause { return RangeFetcher(reader, onRetry: onRetry, pause: pause) }
    return RangeFetcher(reader, onRetry: onRetry)
  }

  /// What stands before the tiles.
  private struct Layout {
    /// Header, root and metadata.
    var head: [UInt8]
    var leaves: [UInt8]
    /// Where the tiles begin, and where they end.
    var tiles: UInt64
    var size: UInt64
  }

  private func prepare(
    _ fetcher: RangeFetcher, journal: ExtractJournal?
  ) throws(PackError) -> (ExtractPlan, Layout) {
    let index = try ArchiveIndex(
      IndexFetcher(fetcher, journal: journal), selection)
    let (header, metadata) = (index.header, index.metadata)
    guard !index.entries.isEmpty else {
      // Another region will be asked for, if any.
      journal?.remove()
      throw PackError(
        file: reader.name,
        reason: "has no tile of this region at these zooms: \(PMTilesExtract.reach(of: header))")
    }
    var plan = try ExtractPlan(
      index, size: fetcher.archive?.size ?? 0, overfetch: selection.overfetch, name: reader.name,
      requestLimit: selection.requestLimit)
    var fields = ExtractHeader.fields(header, plan, selection)
    let json = Gzip.compress(ExtractHeader.metadata(metadata, fields))
    var leaves: [UInt8] = []
    // Address space, of which only what is used takes memory.
    leaves.reserveCapacity(plan.entryCount * PMTilesExtract.entryBytes)
    let directories = PMTilesDirectories.encode(
      count: plan.entryCount, part: { plan.directoryEntries($0) },
      restart: { leaves.removeAll(keepingCapacity: true) }, write: { leaves += $0 })
    plan.dropEntries()
    var end = UInt64(PMTilesHeader.length)
    func section(_ count: UInt64) -> PMTilesHeaderFields.Section {
      defer { end += count }
      return PMTilesHeaderFields.Section(offset: end, length: count)
    }
    fields.root = section(UInt64(directories.root.count))
    fields.metadata = section(UInt64(json.count))
    fields.leaves = section(UInt64(leaves.count))
    fields.tiles = section(plan.tileBytes)
    let head = fields.encoded() + directories.root + json
    return (
      plan, Layout(head: head, leaves: leaves, tiles: end - plan.tileBytes, size: end)
    )
  }

  /// What the archive says that it has.
  private static func reach(of header: PMTilesHeader) -> String {
    var text = "it has zooms \(header.minZoom) to \(header.maxZoom)"
    if let bounds = header.bounds {
      text += " of the box \(bounds.array.map { "\($0)" }.joined(separator: ","))"
    }
    return text
  }

  private func run(
    _ fetcher: RangeFetcher, to path: String, _ journal: ExtractJournal?,
    _ progress: (ExtractProgress) throws(PackError) -> Void
  ) throws(PackError) -> ExtractResult {
    let (plan, prepared) = try prepare(fetcher, journal: journal)
    var layout = prepared
    // Do not touch the draft before the journal says what it is for.
    let file = try PartialFile(path: ExtractPaths.partial(of: path), size: layout.size)
    let isDone =
      try journal?.begin(
        plan: plan.signature, count: plan.requests.spans.count, isDraftThere: file.wasThere)
      ?? [Bool](repeating: false, count: plan.requests.spans.count)
    try journal?.sync()
    try file.begin()
    try file.write(layout.head[...], at: 0)
    try file.write(layout.leaves[...], at: UInt64(layout.head.count))
    layout.leaves = []

    let missing = isDone.indices.filter { !isDone[$0] }
    var state = ExtractProgress(done: 0, total: plan.tileBytes)
    func wanted(_ request: Int) -> UInt64 {
      plan.contents[plan.requests.spans[request].pieces].reduce(0) { $0 + UInt64($1.length) }
    }
    for index in isDone.indices where isDone[index] { state.done += wanted(index) }
    try progress(state)
    var unsynced: UInt64 = 0
    let spans = missing.lazy.map { plan.requests.spans[$0].span }
    try fetcher.fetch(spans) { (index, bytes) throws(PackError) in
      let request = missing[index]
      let wanted = plan.requests.spans[request]
      guard bytes.count == wanted.span.count else {
        throw PackError(
          file: reader.name, reason: "ends before byte \(wanted.span.end): is it cut off?")
      }
      try PMTilesExtract.write(bytes, of: wanted, plan, to: file, at: layout.tiles)
      for content in plan.contents[wanted.pieces] { state.done += UInt64(content.length) }
      unsynced += UInt64(bytes.count)
      try journal?.finish(request)
      if unsynced >= PMTilesExtract.syncBytes {
        unsynced = 0
        try file.sync()
        try journal?.markSynced()
      }
      try progress(state)
    }
    try file.finish(as: path, mayReplace: mayReplace)
    journal?.remove()
    return ExtractResult(
      tiles: plan.tiles, contents: plan.contents.count, bytes: layout.size,
      traffic: fetcher.traffic, resumed: isDone.count - missing.count)
  }

  /// Puts the contents of one answer where they belong; neighbours in one go.
  private static func write(
    _ bytes: [UInt8], of request: JoinedSpans.Joined, _ plan: ExtractPlan, to file: PartialFile,
    at tiles: UInt64
  ) throws(PackError) {
    var from = 0
    var end = 0
    var target: UInt64 = 0
    for content in plan.contents[request.pieces] {
      let start = Int(content.source - request.span.offset)
      if start != end || content.target != target + UInt64(end - from) || from == end {
        if end > from { try file.write(bytes[from..<end], at: tiles + target) }
        (from, target) = (start, content.target)
      }
      end = start + Int(content.length)
    }
    if end > from { try file.write(bytes[from..<end], at: tiles + target) }
  }
}

/// The files of an extract while it is not complete: beside what a link leads to.
package enum ExtractPaths {
  /// What is there so far.
  package static func partial(of path: String) -> String { FileIO.target(of: path) + ".partial" }
  /// What of it is complete.
  package static func journal(of path: String) -> String { partial(of: path) + ".journal" }
}
