import Glibc
import MapGeometry
import TileSources

/// Takes a region out of a pack of any kind into one of any kind.
package final class PackExtraction {
  private let input: String
  private let output: String
  private let selection: ExtractSelection
  private let kind: PackKind
  private let mayReplace: Bool
  private let program: FetchedRangeReader.Program?
  private let onRetry: (String) -> Void

  /// - Parameters:
  ///   - input: a pack or a folder of tiles; with `program`, an archive's address.
  ///   - output: the new pack.
  ///   - selection: what of it.
  ///   - mayReplace: a pack of that name may be replaced.
  ///   - program: what fetches `input`; nil: it is on this computer.
  ///   - onRetry: hears why a request to a server is repeated, and when.
  /// - Throws: `PackError` if `input` is not a pack.
  package init(
    input: String, output: String, selection: ExtractSelection, mayReplace: Bool,
    program: FetchedRangeReader.Program? = nil, onRetry: @escaping (String) -> Void = { _ in }
  ) throws(PackError) {
    self.input = input
    self.output = output
    self.selection = selection
    self.mayReplace = mayReplace
    self.program = program
    self.onRetry = onRetry
    if program != nil {
      kind = .pmtiles
      guard output.lowercased().hasSuffix(".pmtiles") else {
        throw PackError(
          file: output,
          reason: "an archive on a server is extracted into a PMTiles file: end the name with "
            + ".pmtiles, and convert it then", isMisuse: true)
      }
      return
    }
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
  /// - Throws: `PackError` if the pack cannot be read, or has nothing of the region.
  package func preview() throws(PackError) -> Preview {
    if kind == .pmtiles {
      let preview = try PMTilesExtract(reader { true }, selection, onRetry: onRetry).preview()
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
  /// - Throws: `PackError`; a file that had the new pack's name is then unchanged.
  package func run(report: @escaping WorkReport) throws(PackError) -> ExtractResult {
    let target = try PackTarget.kind(of: output)
    if target != .folder { try DraftFile.check(output, mayReplace) }
    if kind == .pmtiles, target == .pmtiles { return try runByRange(report) }
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

  private func runByRange(_ report: @escaping WorkReport) throws(PackError) -> ExtractResult {
    // While waiting for a server, the last progress is reported again.
    let last = Last()
    let reader = try reader { report(last.progress) }
    func pause(_ seconds: Double) {
      var left = seconds
      while left > 0, report(last.progress) {
        usleep(UInt32(min(left, PackExtraction.look) * 1e6))
        left -= PackExtraction.look
      }
    }
    do throws(PackError) {
      return try PMTilesExtract(
        reader, selection, onRetry: onRetry, pause: pause, mayReplace: mayReplace
      )
      .run(to: output) { (progress) throws(PackError) in
        last.progress = WorkProgress(
          what: "extract", done: progress.done, total: progress.total, bytes: progress.done)
        if !report(last.progress) { throw PackError.stopped }
      }
    } catch {
      throw (reader as? FetchedRangeReader)?.wasStopped == true ? PackError.stopped : error
    }
  }

  /// Seconds between two looks whether the work is still wanted, in a pause.
  private static let look = 0.2

  /// What was reported last.
  private final class Last {
    var progress = WorkProgress(what: "extract", done: 0)
  }

  private func reader(_ isWanted: @escaping () -> Bool) throws(PackError) -> any RangeReader {
    guard let program else { return try FileRangeReader(path: input) }
    return try FetchedRangeReader(address: input, program: program, isWanted: isWanted)
  }

  private var nothing: PackError {
    PackError(file: input, reason: "has no tile of this region at these zooms")
  }
}
