import MapGeometry
import TileSources

/// Takes a region out of a pack of any kind into one of any kind.
package final class PackExtraction {
  private let input: String
  private let output: String
  private let selection: ExtractSelection
  private let kind: PackKind
  private let mayReplace: Bool

  /// - Parameters:
  ///   - input: a pack or a folder of tiles.
  ///   - output: the new pack.
  ///   - selection: what of it.
  ///   - mayReplace: a pack of that name may be replaced.
  /// - Throws: `PackError` where `input` is no pack.
  package init(
    input: String, output: String, selection: ExtractSelection, mayReplace: Bool
  ) throws(PackError) {
    self.input = input
    self.output = output
    self.selection = selection
    self.mayReplace = mayReplace
    do throws(PackFault) {
      kind = try PackKind(path: input)
    } catch {
      throw PackError(error, file: input)
    }
  }

  /// Whether the extract is between archives, range by range; else it is tile by tile.
  package var isByRange: Bool { kind == .pmtiles && output.lowercased().hasSuffix(".pmtiles") }

  /// What would be extracted.
  package struct Preview: Sendable {
    package var tiles: UInt64
    package var tilesOfZoom: [UInt64]
    /// What is known of an archive's bytes; nil for other packs, whose tiles would have to be read.
    package var archive: Archive?

    /// Bytes, exactly.
    package struct Archive: Sendable {
      /// The tiles as stored, each content once.
      package var tiles: UInt64
      /// All that is read, the index included, and with how many requests.
      package var read: UInt64
      package var requests: Int
      /// The new archive.
      package var written: UInt64
    }
  }

  /// Says exactly what would be extracted; reads no tile.
  ///
  /// - Throws: `PackError` where the pack cannot be read, or has nothing of the region.
  package func preview() throws(PackError) -> Preview {
    if kind == .pmtiles {
      let preview = try PMTilesExtract(FileRangeReader(path: input), selection).preview()
      let requests = preview.plan.requests
      return Preview(
        tiles: preview.plan.tiles, tilesOfZoom: preview.plan.tilesOfZoom,
        archive: Preview.Archive(
          tiles: preview.plan.tileBytes, read: preview.traffic.bytes + requests.bytes,
          requests: preview.traffic.requests + requests.spans.count, written: preview.bytes))
    }
    let reader = try SelectedReader(path: input, selection)
    reader.readsContents = false
    var preview = Preview(
      tiles: 0, tilesOfZoom: Array(repeating: 0, count: TileID.maxLevel + 1))
    var buffer = TileBuffer()
    while let stretch = try reader.next(into: &buffer) {
      preview.tiles += stretch.count
      if let level = HilbertID.level(of: stretch.first) {
        preview.tilesOfZoom[level] += stretch.count
      }
    }
    guard preview.tiles > 0 else { throw nothing }
    return preview
  }

  /// Extracts.
  ///
  /// - Parameter report: hears how far it is: tiles, or of archives bytes. It gives false to stop.
  /// - Returns: what came of it.
  /// - Throws: `PackError`; nothing has the new pack's name then that had it not before.
  package func run(report: @escaping WorkReport) throws(PackError) -> ExtractResult {
    let target = try PackTarget.kind(of: output)
    if target != .folder { try DraftFile.check(output, mayReplace) }
    if kind == .pmtiles, target == .pmtiles {
      return try PMTilesExtract(FileRangeReader(path: input), selection)
        .run(to: output) { (progress) throws(PackError) in
          let isWanted = report(
            WorkProgress(
              what: "extract", done: progress.done, total: progress.total, bytes: progress.done))
          if !isWanted { throw PackError.stopped }
        }
    }
    // What is there is looked at before anything is written.
    let expected = try preview().tiles
    let copy = try PackCopy([SelectedReader(path: input, selection)], to: target)
    let writer = try PackTarget.writer(output, kind: target, mayReplace: mayReplace)
    let copied = try copy.run(into: writer, what: "extract") { progress in
      var progress = progress
      progress.total = expected
      return report(progress)
    }
    return ExtractResult(
      tiles: copied.totals.addressed, contents: Int(clamping: copied.totals.contents),
      bytes: copied.totals.bytes, broken: copied.broken, problems: copied.problems)
  }

  private var nothing: PackError {
    PackError(file: input, reason: "has no tile of this region at these zooms")
  }
}
