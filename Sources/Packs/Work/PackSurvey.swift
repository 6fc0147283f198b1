import Glibc
import TileSources

/// Looks a pack's index through without reading its tiles.
package enum PackSurvey {
  /// Looks at the pack at `path`.
  ///
  /// - Parameters:
  ///   - path: the pack.
  ///   - scratch: the folder for temporary files; nil: the system's for those.
  ///   - visit: gets each stretch of tiles, in ascending order.
  ///   - report: hears how far it is.
  /// - Returns: what it is, without `verification`.
  /// - Throws: `PackError` if it cannot be opened or read.
  package static func run(
    _ path: String, scratch: String? = nil, visit: (PackStretch) -> Void = { _ in },
    report: @escaping WorkReport
  ) throws(PackError) -> PackReport {
    let scratch = scratch ?? PackReaders.temporaryFolder
    let reader = try PackReaders.open(path, scratch: scratch)
    var found = PackReport(reader)
    // The first tile tells the format: it is read, and the listing begins anew.
    let sample = try TileStream(PackReaders.open(path, scratch: scratch))
    found.format = sample.format?.rawValue
    found.tilePixels = sample.pixels
    if sample.current != nil { found.compression = sample.compression.name }
    reader.readsContents = false
    var meter = WorkMeter(report)
    var buffer = TileBuffer()
    let places = RecordSorter(folder: scratch)
    while let stretch = try reader.next(into: &buffer) {
      found.tally.add(first: stretch.first, count: stretch.count)
      visit(stretch)
      if let place = stretch.place { try places.add(RecordSorter.Record(key: place)) }
      try meter.tell(
        WorkProgress(
          what: "listing", done: found.tally.addressed, total: reader.expectedTiles))
    }
    if reader.kind == .pmtiles { found.distinct = try different(places) }
    found.bytes = size(of: path, reader.kind)
    return found
  }

  /// How many different keys there are.
  static func different(_ sorter: RecordSorter) throws(PackError) -> UInt64 {
    var count: UInt64 = 0
    var last: UInt64?
    while let record = try sorter.next() {
      if record.key != last { count += 1 }
      last = record.key
    }
    return count
  }

  /// Bytes of a file; nil for a folder.
  static func size(of path: String, _ kind: PackKind) -> UInt64? {
    var status = stat()
    guard kind != .folder, stat(path, &status) == 0 else { return nil }
    return UInt64(max(status.st_size, 0))
  }
}

extension PackCompression {
  /// Those that have a name.
  static let named: [PackCompression] = [.gzip, .brotli, .zstd]

  /// What reports call it.
  var name: String {
    switch self {
    case .gzip: "gzip"
    case .brotli: "brotli"
    case .zstd: "zstd"
    case .unknown, .none: "none"
    }
  }
}
