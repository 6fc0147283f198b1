import MapGeometry
import TileFormats
import TileSources

/// Decodes every tile of a pack and compares what the pack says of itself with what it holds.
package struct PackVerifier {
  private var found: PackReport
  private var verification = PackReport.Verification()
  private var checksum = ContentChecksum()
  private var formats = FormatTally()
  private var stored = FormatTally()
  /// How tiles are packed.
  private var compressions: Set<PackCompression> = []
  private var holes: CoverageHoles?
  private let digests: RecordSorter
  private var bytes: UInt64 = 0

  /// Verifies the pack at `path`.
  ///
  /// - Parameters:
  ///   - path: the pack.
  ///   - scratch: the folder for temporary files; nil: the system's for those.
  ///   - cores: how many threads decode; nil: one for each core, at most eight.
  ///   - report: hears how far it is.
  /// - Returns: what was found, with `verification`.
  /// - Throws: `PackError` if it cannot be opened, or read any further.
  package static func run(
    _ path: String, scratch: String? = nil, cores: Int? = nil, report: @escaping WorkReport
  ) throws(PackError) -> PackReport {
    let scratch = scratch ?? PackReaders.temporaryFolder
    let reader = try PackReaders.open(path, scratch: scratch)
    var verifier = PackVerifier(reader, scratch: scratch)
    try verifier.readAll(reader, cores: cores, report)
    try verifier.conclude(reader)
    verifier.found.bytes =
      PackSurvey.size(of: path, reader.kind) ?? verifier.bytes
    return verifier.found
  }

  private init(_ reader: any PackReader, scratch: String) {
    found = PackReport(reader)
    digests = RecordSorter(folder: scratch)
    let description = reader.description
    if let bounds = description.bounds, let first = description.minZoom,
      let last = description.maxZoom, first <= last, first >= 0, last <= TileID.maxLevel
    {
      holes = CoverageHoles(bounds: bounds, zooms: first...last)
    }
  }

  private mutating func readAll(
    _ reader: any PackReader, cores: Int?, _ report: @escaping WorkReport
  ) throws(PackError) {
    var meter = WorkMeter(report)
    let pipeline = CheckPipeline(cores: cores)
    var buffer = TileBuffer()
    while let stretch = try reader.next(into: &buffer) {
      found.tally.add(first: stretch.first, count: stretch.count)
      holes?.add(first: stretch.first, count: stretch.count)
      let payload = stretch.fault == nil ? buffer.payload(format: .unknown) : nil
      bytes &+= UInt64(payload?.bytes.count ?? 0) &* (reader.kind == .folder ? stretch.count : 1)
      for item in pipeline.add(stretch, payload) { try take(item) }
      try meter.tell(
        WorkProgress(
          what: "verifying", done: found.tally.addressed, total: reader.expectedTiles,
          bytes: bytes))
    }
    while true {
      let items = pipeline.finish()
      if items.isEmpty { break }
      for item in items { try take(item) }
    }
    let all = found.tally.addressed
    try meter.tell(
      WorkProgress(what: "verifying", done: all, total: all, bytes: bytes), now: true)
  }

  /// Takes the verdict of a tile in.
  private mutating func take(_ item: CheckPipeline.Item) throws(PackError) {
    let stretch = item.stretch
    if let fault = stretch.fault ?? item.verdict?.fault {
      verification.broken += stretch.count
      if verification.brokenTiles.count < PackReport.namedTiles,
        let tile = HilbertID.tile(stretch.first)
      {
        verification.brokenTiles.append((tile, fault))
      }
    }
    guard let verdict = item.verdict else { return }
    checksum.add(first: stretch.first, count: stretch.count, digest: verdict.digest)
    let start = verdict.digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    try digests.add(RecordSorter.Record(key: start))
    formats.add(verdict.format)
    stored.add(verdict.stored)
    compressions.insert(verdict.compression)
    if verdict.pixels > 0 {
      if let known = found.tilePixels, known != verdict.pixels {
        verification.warnings.add(
          "tiles have other sizes than the first one's \(known) pixels",
          HilbertID.tile(stretch.first).map { "\($0): \(verdict.pixels)" }, count: stretch.count)
      }
      found.tilePixels = found.tilePixels ?? verdict.pixels
    }
  }

  private mutating func conclude(_ reader: any PackReader) throws(PackError) {
    verification.checksum = checksum.finish()
    found.distinct = try PackSurvey.different(digests)
    found.format = formats.most?.rawValue
    found.compression = PackCompression.named.first(where: compressions.contains)?.name ?? "none"
    if found.format == nil { found.compression = nil }
    verification.problems.add(reader.problems)
    let kinds = formats.formats.filter { $0.format.isMapTile }
    if kinds.count > 1 {
      let list = kinds.map { "\($0.count) \($0.format.rawValue)" }.joined(separator: ", ")
      verification.warnings.add("tiles are of several formats", list)
    }
    let truth = MetadataTruth(
      description: reader.description, tally: found.tally, formats: formats, stored: stored)
    truth.check(&verification)
    if let archive = reader as? PMTilesReader {
      truth.check(archive, distinct: found.distinct ?? 0, &verification)
    }
    if let file = reader as? MBTilesReader {
      for problem in try file.integrityProblems() {
        verification.problems.add("the database is damaged", problem)
      }
      if !file.isIndexed {
        verification.warnings.add(
          "the table 'tiles' has no index on zoom_level, tile_column and tile_row: each tile takes "
            + "reading all of it")
      }
    }
    holes?.finish()
    verification.holes = holes?.levels ?? []
    let missing = verification.holes.reduce(0) { $0 + $1.missing }
    if missing > 0 {
      verification.warnings.add(
        "tiles of the stated bounds and zooms are not there", count: missing)
    }
    let outside = verification.holes.reduce(0) { $0 + $1.outside }
    if outside > 0 {
      verification.warnings.add("tiles are outside the stated bounds", count: outside)
    }
    found.verification = verification
  }
}
