import MapGeometry
import TileFormats
import TileSources

/// Compares what a pack states with what its tiles are.
struct MetadataTruth {
  let description: PackDescription
  let tally: TileTally
  /// Tiles by what they are unpacked, and as they are stored.
  let formats, stored: FormatTally

  /// Checks what all containers state.
  func check(_ found: inout PackReport.Verification) {
    guard let zooms = tally.zooms else {
      found.warnings.add("the pack holds no tiles")
      return
    }
    if let first = description.minZoom, first != zooms.lowerBound {
      found.problems.add(
        "the metadata's first zoom is wrong",
        "it says \(first), the first tiles are on \(zooms.lowerBound)")
    }
    if let last = description.maxZoom, last != zooms.upperBound {
      found.problems.add(
        "the metadata's last zoom is wrong",
        "it says \(last), the last tiles are on \(zooms.upperBound)")
    }
    if description.minZoom == nil || description.maxZoom == nil {
      found.warnings.add("the metadata state no zooms (minzoom, maxzoom)")
    }
    if description.bounds == nil { found.warnings.add("the metadata state no bounds") }
    if description.text("attribution").isEmpty {
      found.warnings.add("the metadata state no attribution, which most maps require")
    }
    checkFormat(&found)
  }

  private func checkFormat(_ found: inout PackReport.Verification) {
    guard let format = formats.most else { return }
    guard let stated = description.format?.lowercased(), !stated.isEmpty else {
      found.warnings.add("the metadata state no format")
      return
    }
    let names: Set<String> =
      switch format {
      case .mvt: ["pbf", "mvt", "application/vnd.mapbox-vector-tile", "application/x-protobuf"]
      case .jpeg: ["jpg", "jpeg", "image/jpeg", "image/jpg"]
      default: [format.rawValue, "image/\(format.rawValue)"]
      }
    // "png8", "png256" and their like, as renderers write them.
    guard !names.contains(stated), !(format == .png && stated.hasPrefix("png")) else { return }
    found.problems.add(
      "the metadata's format is wrong", "it says \(stated), the tiles are \(format.rawValue)")
  }

  /// Checks what the header of an archive states.
  func check(
    _ archive: PMTilesReader, distinct: UInt64, _ found: inout PackReport.Verification
  ) {
    let header = archive.header
    func count(_ what: String, _ stated: UInt64, _ real: UInt64) {
      // 0: not known to the writer.
      guard stated > 0, stated != real else { return }
      found.problems.add(
        "the header's number of \(what) is wrong", "it says \(stated), there are \(real)")
    }
    count("tiles", header.addressedTiles, tally.addressed)
    count("entries", header.tileEntries, archive.entries)
    // Contents are counted as stored: an archive may store one twice.
    if header.tileContents > 0, header.tileContents < distinct {
      count("contents", header.tileContents, distinct)
    }
    if header.isClustered, !archive.isClustered {
      found.problems.add(
        "the header says that the tiles are in order (clustered), and they are not")
    }
    guard formats.most == .mvt else { return }
    let packed = stored.formats.filter { $0.format == .gzip || $0.format == .zstd }
      .reduce(0) { $0 + $1.count }
    let plain = stored.formats.first { $0.format == .mvt }?.count ?? 0
    if header.tileCompression == .none, packed > 0 {
      found.problems.add(
        "the header says that tiles are not compressed, and some are", count: UInt64(packed))
    }
    if header.tileCompression == .gzip, plain > 0 {
      found.problems.add(
        "the header says that tiles are gzip data, and some are not", count: UInt64(plain))
    }
    if header.tileCompression == .unknown {
      found.warnings.add("the header does not say how tiles are compressed")
    }
  }
}
