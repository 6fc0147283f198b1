import MapGeometry
import TileFormats
import TileSources

/// Puts the tiles of one or several packs into a new one.
///
/// Where several packs have a tile, the one named first gives it. The tiles keep their bytes.
package struct PackCopy {
  /// What came of it.
  package struct Result: Equatable, Sendable {
    package var totals = PackTotals()
    /// Tiles that were left out, and what else the packs did not have right.
    package var problems = ProblemList()
    /// Tiles that could not be read; a part of an index that could not counts as one.
    package var broken: UInt64 = 0
  }

  let streams: [TileStream]
  let kind: PackKind
  /// Whether a pack of nothing but files that are no tiles, such as Git LFS pointers, is refused,
  /// and some of them are told.
  package var wantsTiles = false

  /// How many tiles of a stretch are written between two reports, if each takes a row or a file.
  private static let part: UInt64 = 65_536

  /// The most packs that are merged.
  package static let mostInputs = 64

  /// Opens the packs.
  ///
  /// - Parameters:
  ///   - inputs: their paths, at least one.
  ///   - target: the kind of the new pack.
  ///   - scratch: the folder for temporary files; nil: the system's for those.
  /// - Throws: `PackError` if one cannot be opened, or they do not fit together.
  package init(
    _ inputs: [String], to target: PackKind, scratch: String? = nil
  ) throws(PackError) {
    guard inputs.count <= PackCopy.mostInputs else {
      throw PackError(
        file: inputs[0],
        reason:
          "\(inputs.count) packs are too many at once: merge \(PackCopy.mostInputs) at a time",
        isMisuse: true)
    }
    var readers: [any PackReader] = []
    for input in inputs { readers.append(try PackReaders.open(input, scratch: scratch)) }
    try self.init(readers, to: target)
  }

  /// Takes up packs that are open.
  ///
  /// - Parameters:
  ///   - readers: at least one.
  ///   - target: the kind of the new pack.
  /// - Throws: `PackError` if they do not fit together.
  package init(_ readers: [any PackReader], to target: PackKind) throws(PackError) {
    var streams: [TileStream] = []
    for reader in readers { streams.append(try TileStream(reader)) }
    self.streams = streams
    kind = target
    try checkFormats()
  }

  /// Copies all tiles into `writer` and completes the pack.
  ///
  /// - Parameters:
  ///   - writer: of the new pack; given up where this throws.
  ///   - what: what is being done, for `report`.
  ///   - report: hears how far it is.
  /// - Returns: what was written and what was left out.
  /// - Throws: `PackError`.
  package func run(
    into writer: any PackWriter, what: String, report: @escaping WorkReport
  ) throws(PackError) -> Result {
    do throws(PackError) {
      return try copy(into: writer, what, report)
    } catch {
      writer.abandon()
      throw error
    }
  }

  private func copy(
    into writer: any PackWriter, _ what: String, _ report: @escaping WorkReport
  ) throws(PackError) -> Result {
    var result = Result()
    var meter = WorkMeter(report)
    let kept = keptCompression
    var compressor = TileCompressor(keeping: kept)
    var (done, written, bytes): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var strangers = Strangers()
    let known = streams.compactMap(\.reader.expectedTiles)
    // Those that several packs have count several times: an estimate.
    let total = known.count == streams.count ? known.reduce(0, &+) : nil
    while let (index, next) = nextStretch() {
      var stretch = next
      let isPart = kind != .pmtiles && stretch.count >= PackCopy.part
      if isPart {
        // Do not begin a stretch that will not fit as a whole.
        try writer.checkRoom(for: stretch.count)
        stretch.count = PackCopy.part
      }
      if let size = try add(stretch, of: streams[index], &compressor, to: writer, &result) {
        written &+= stretch.count
        bytes &+= UInt64(size)
      } else {
        strangers.isAny = true
      }
      if wantsTiles { strangers.look(stretch, compressor.format) }
      done &+= stretch.count
      for other in streams { try other.skip(to: stretch.first + stretch.count) }
      try meter.tell(
        WorkProgress(what: what, done: done, total: total, bytes: bytes), now: isPart)
    }
    try noteProblems(&result, written: written, strangers, changed: compressor.changed)
    try meter.tell(WorkProgress(what: what, done: done, total: done, bytes: bytes), now: true)
    var description = PackCopy.description(streams.map(\.reader))
    description.compression = kept ?? .unknown
    result.totals = try writer.finish(description)
    return result
  }

  /// Adds the tile of a stretch to the new pack. Returns its size there in bytes; nil if it cannot
  /// be read, which is noted.
  private func add(
    _ stretch: PackStretch, of stream: TileStream, _ compressor: inout TileCompressor,
    to writer: any PackWriter, _ result: inout Result
  ) throws(PackError) -> Int? {
    switch compressor.stored(stream.buffer.bytes, stretch.encoding) {
    case .asItIs:
      try writer.add(first: stretch.first, count: stretch.count, stream.buffer.bytes)
      return stream.buffer.count
    case .changed(let tile):
      let failure: PackError? = tile.withUnsafeBytes { raw in
        do throws(PackError) {
          try writer.add(first: stretch.first, count: stretch.count, raw)
        } catch { return error }
        return nil
      }
      if let failure { throw failure }
      return tile.count
    case .fault(let error):
      result.broken += stretch.count
      result.problems.add(
        "tiles cannot be read and are skipped",
        "\(HilbertID.tile(stretch.first).map { "\($0)" } ?? "?"): \(error.reason)",
        count: stretch.count)
      return nil
    }
  }

  /// Adds what the packs did not have right. Throws if the new one would have nothing that it
  /// should.
  private func noteProblems(
    _ result: inout Result, written: UInt64, _ strangers: Strangers, changed: UInt64
  ) throws(PackError) {
    for stream in streams {
      result.problems.add(stream.reader.problems)
      result.problems.add(stream.broken)
      result.broken += stream.brokenCount + stream.reader.lostParts
    }
    // An empty result must not replace a pack that has tiles.
    guard written > 0 || result.broken == 0 else {
      throw PackError(file: streams[0].reader.file, reason: PackCopy.nothingReadable(result))
    }
    if let first = strangers.first {
      guard strangers.isAny else {
        throw PackError(
          file: streams[0].reader.file,
          reason: "none of its \(strangers.count) tiles is a picture or a vector tile; the first, "
            + first)
      }
      result.problems.add(
        "tiles are neither pictures nor vector tiles and were copied as they are", first,
        count: strangers.count)
    }
    if changed > 0 {
      result.problems.add(
        "vector tiles were compressed as the others, as a pack states it once for all",
        count: changed)
    }
  }

  /// Counts what lies in place of tiles.
  private struct Strangers {
    var count: UInt64 = 0
    /// The first of them: "5/16/10: not an image: plain text".
    var first: String?
    /// Whether there is anything else.
    var isAny = false

    mutating func look(_ stretch: PackStretch, _ format: TileFormat) {
      switch format {
      case .json, .html, .gitLFSPointer, .text:
        count &+= stretch.count
        if first != nil { return }
        let name = HilbertID.tile(stretch.first).map { "\($0)" } ?? "?"
        first = "\(name): \(format.refusal ?? format.rawValue)"
      default: isAny = true
      }
    }
  }

  private static func nothingReadable(_ result: Result) -> String {
    let reason = "has no tile that can be read, and \(result.broken) that cannot"
    return result.problems.kinds.lazy.flatMap(\.examples).first.map { "\(reason): \($0)" } ?? reason
  }

  /// The stretch with the lowest number, from the first pack that has it, cut off where an earlier
  /// pack has tiles again.
  private func nextStretch() -> (Int, PackStretch)? {
    var found: (index: Int, stretch: PackStretch)?
    for (index, stream) in streams.enumerated() {
      guard let stretch = stream.current else { continue }
      if stretch.first < found?.stretch.first ?? .max { found = (index, stretch) }
    }
    guard let index = found?.index, var stretch = found?.stretch else { return nil }
    for earlier in streams[..<index] {
      if let next = earlier.current, next.first < stretch.first + stretch.count {
        stretch.count = next.first - stretch.first
      }
    }
    return (index, stretch)
  }
}
