import MapGeometry
import MapStyle
import TileSources

/// An open source of pictures that a vector map's styles draw. Used by the map's reader only.
final class PictureSource {
  /// The largest picture in bytes, as it is stored.
  static let sizeLimit = 1 << 20
  /// The largest picture in bytes that is kept for other painted tiles.
  static let keptLimit = 256 << 10

  let source: any TileSource
  /// The file that errors name.
  let file: String
  private let levels: ClosedRange<Int>
  private let tileSize: Int
  private let zooms: Range<Double>

  /// - Parameters:
  ///   - source: The source.
  ///   - wanted: What the styles draw of it.
  init(_ source: any TileSource, _ wanted: StylePictures.Source) {
    self.source = source
    (tileSize, zooms) = (wanted.spec.tileSize, wanted.zooms)
    let (least, most) = (source.info.minZoom, source.info.maxZoom)
    levels = least...max(least, most)
    file =
      (source as? any StoredTileSource)?.file ?? wanted.spec.places.first ?? wanted.spec.name
  }

  /// The tile whose picture lies in the painted tile `id`: its own, or an ancestor beyond the
  /// deepest level. Nil: nothing is drawn there.
  func tile(for id: TileID) -> TileID? {
    // A painted tile has 256 points, and is painted for zooms around its level. Styles' zooms are
    // one less.
    let zoom = Double(id.z - 1)
    guard zoom + 1 >= zooms.lowerBound, zoom - 1 < zooms.upperBound else { return nil }
    let level = min(tileSize == 512 ? max(id.z - 1, 0) : id.z, levels.upperBound)
    return level >= levels.lowerBound ? id.ancestor(atLevel: level) : nil
  }

  /// Reads the picture of `tile`.
  ///
  /// - Throws: `TileError` if it exists but cannot be read, or is none.
  func read(_ tile: TileID) throws(TileError) -> TileRead {
    var buffer = TileBuffer()
    let answer = try source.read(tile, into: &buffer)
    guard case .payload(let payload) = answer else { return answer }
    guard payload.format.isDrawn else {
      throw TileError(
        file: file, tile: tile,
        reason: "a style draws its pictures, but this is none: \(payload.format.rawValue)")
    }
    guard payload.bytes.count <= PictureSource.sizeLimit else {
      throw TileError(
        file: file, tile: tile,
        reason: "\(payload.bytes.count) bytes; a picture in a style has at most "
          + "\(PictureSource.sizeLimit >> 20) MiB")
    }
    return answer
  }
}

/// The open sources of a map's pictures.
struct PictureSources {
  /// By their numbers; nil: could not be opened.
  private(set) var all: [PictureSource?] = []
  /// Why sources could not be opened.
  private(set) var problems: [SourceError] = []
  /// The sources that could not be opened, or not fully, for a reason that may pass.
  private(set) var missing: [SourceSpec] = []
  /// What is not drawn.
  private(set) var findings: [StyleFileFinding] = []
  /// The attributions of the pictures.
  private(set) var credits: [String] = []

  /// None.
  init() {}

  /// Opens the sources that styles draw.
  init(_ pictures: StylePictures, scale: Int) {
    for wanted in pictures.sources {
      do throws(SourceError) {
        // Not as a vector map: a picture has no pictures of its own.
        let source = try wanted.spec.open(scale: scale)
        guard source.info.format != "mvt" else {
          let reason =
            "is not drawn: its source \"\(wanted.spec.name)\" has vector tiles, not pictures"
          findings.append(
            StyleFileFinding(
              file: wanted.style, finding: StyleFinding(.layer, layer: wanted.layer, reason: reason)
            ))
          all.append(nil)
          continue
        }
        all.append(PictureSource(source, wanted))
        problems += source.problems
        if source.problems.contains(where: \.isTransient) { missing.append(wanted.spec) }
        let credit = source.info.attribution
        if !credit.isEmpty, !credits.contains(credit) { credits.append(credit) }
      } catch {
        all.append(nil)
        problems.append(error)
        if error.isTransient { missing.append(wanted.spec) }
      }
    }
  }
}
