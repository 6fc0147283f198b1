import MapGeometry
import Platform
import TileFormats
import TileLoading
import TileSources
import VectorPainting

/// A source of vector tiles as one of tiles that are painted.
///
/// A vector tile has 512 points. Waypost's tile of level z is a quarter of the vector tile of level
/// z − 1 above it, or a part of the deepest one; level 0 is the vector tile of level 0 as a whole.
/// Where a vector tile is missing, its nearest ancestor is painted enlarged, up to four levels
/// above it: further up there is no map of this place, only the colour of the land. The vector
/// tiles read last are kept, because several tiles are painted from each.
final class VectorMapSource: DrawnSource, TroubledSource {
  let info: SourceInfo
  let painter: any TilePainter
  /// What the styles ask for that is not drawn.
  let findings: [StyleFileFinding]
  /// Why nothing is drawn, or next to nothing, although the tiles can be read; nil: the style is
  /// for this map.
  let misfit: SourceError?
  /// How many levels above a missing vector tile another one is still painted in its place.
  static let maxEnlargement = 4

  private let source: any TileSource
  private let kept: KeptTiles
  private let keptPictures: KeptTiles
  private let pictures: PictureSources

  /// Paints the tiles of `source` with `painter`, as `drawing` says. `credit` is the attribution
  /// of a map that states none; those of `pictures` follow it.
  init(
    _ source: any TileSource, _ drawing: VectorDrawing, painter: any TilePainter,
    findings: [StyleFileFinding] = [], misfit: SourceError? = nil, kept: KeptTiles = .shared,
    keptPictures: KeptTiles = .pictures,
    pictures: PictureSources = PictureSources(), credit: String? = nil
  ) {
    self.misfit = misfit
    self.findings = findings + pictures.findings
    self.pictures = pictures
    (self.kept, self.keptPictures) = (kept, keptPictures)
    self.source = source
    self.painter = painter
    var info = source.info
    info.format = TileFormat.mvt.rawValue
    info.tilePixels = 256
    info.drawing = drawing
    if info.attribution.isEmpty, let credit { info.attribution = credit }
    let credits = [info.attribution] + pictures.credits
    info.attribution = credits.filter { !$0.isEmpty }.unique.joined(separator: " | ")
    self.info = info
  }

  deinit {
    kept.removeAll(of: ObjectIdentifier(self))
    for case let picture? in pictures.all { keptPictures.removeAll(of: ObjectIdentifier(picture)) }
  }

  var isReplaced: Bool {
    source.isReplaced || pictures.all.contains { $0?.source.isReplaced ?? false }
  }
  var missingLifetime: Int? { source.missingLifetime }
  var problems: [SourceError] {
    source.problems + [misfit].compactMap { $0 } + pictures.problems
  }

  /// The trouble of the map, or else of one of the sources of its pictures.
  func whenTroubled(_ action: @escaping @Sendable (SourceError?) -> Void) {
    let present = Lock<[Int: SourceError]>([:])
    let all = [source] + pictures.all.compactMap { $0?.source }
    for (i, one) in all.enumerated() {
      (one as? any TroubledSource)?.whenTroubled { trouble in
        present.withLock { present in
          present[i] = trouble
          action(present.min { $0.key < $1.key }?.value)
        }
      }
    }
  }

  func sampleTiles(upTo limit: Int) -> [TileID] {
    source.sampleTiles(upTo: limit).map { $0.child(0, 0) ?? $0 }
  }

  /// The vector tile from which `id` is painted, if it is there.
  private func own(_ id: TileID) -> TileID? {
    let level = min(max(id.z - 1, 0), info.maxZoom)
    return level >= info.minZoom ? id.ancestor(atLevel: level) : nil
  }

  func contains(_ id: TileID) throws(TileError) -> Bool {
    guard let own = own(id) else { return false }
    if kept.payload(of: own, from: ObjectIdentifier(self)) != nil { return true }
    return try source.contains(own)
  }

  /// Reads the vector tile from which `id` is painted: the payload's `origin` says which.
  ///
  /// - Throws: `TileError` if it exists but cannot be read.
  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    guard let own = own(id) else { return .nothing }
    var next: TileID? = own
    // No part of a tile above that can be painted.
    let highest = min(own.z, id.z - VectorTilePart.mostLevels)
    let least = max(info.minZoom, own.z - VectorMapSource.maxEnlargement, highest)
    while let tile = next, tile.z >= least {
      if var payload = kept.payload(of: tile, from: ObjectIdentifier(self)) {
        payload.origin = tile
        return try withPictures(payload, id)
      }
      let answer: TileRead
      do throws(TileError) {
        answer = try source.read(tile, into: &buffer)
      } catch {
        var fault = error
        fault.tile = id
        fault.reason = VectorMapSource.reason(error.reason, of: tile, id)
        throw fault
      }
      switch answer {
      case .payload(var payload):
        guard payload.format == .mvt else {
          throw TileError(
            file: file, tile: id,
            reason: VectorMapSource.reason(
              payload.format.isDrawn
                ? "a picture (\(payload.format.rawValue.uppercased())) on a map of vector tiles"
                : "not a vector tile: \(payload.format.rawValue)", of: tile, id))
        }
        payload.origin = tile
        kept.insert(payload, of: tile, from: ObjectIdentifier(self))
        return try withPictures(payload, id)
      case .later: return answer
      // This tile may exist later. Returning here makes the loader look for the stand-in itself,
      // and ask again.
      case .nothing where source.missingLifetime != nil: return .nothing
      case .nothing: next = tile.z > 0 ? tile.ancestor(1) : nil
      }
    }
    return .nothing
  }

  /// The vector tile with the pictures that lie in the painted tile `id`. Missing ones are left
  /// out, and so are broken ones, with the reason.
  ///
  /// - Throws: `TileError` if there is no memory for one, so that the tile is asked for again.
  private func withPictures(_ payload: TilePayload, _ id: TileID) throws(TileError) -> TileRead {
    var payload = payload
    for (number, picture) in pictures.all.enumerated() {
      guard let picture, let tile = picture.tile(for: id) else { continue }
      // One that several painted tiles have a part of is kept for the others.
      let owner = ObjectIdentifier(picture)
      var found = tile == id ? nil : keptPictures.payload(of: tile, from: owner)
      if found == nil {
        do throws(TileError) {
          switch try picture.read(tile) {
          case .payload(let read):
            found = read
            if tile != id, read.bytes.count <= PictureSource.keptLimit {
              keptPictures.insert(read, of: tile, from: owner)
            }
          case .nothing: continue
          case .later(let retry): return .later(retry)
          }
        } catch {
          if error.lacksMemory { throw error }
          payload.faults.append(error)
          continue
        }
      }
      guard let found else { continue }
      payload.pictures.append(
        TilePicture(source: number, file: picture.file, tile: tile, payload: found))
    }
    return .payload(payload)
  }

  private var file: String {
    (source as? any StoredTileSource)?.file ?? (source as? ProviderSource)?.file ?? info.title
  }

  /// `reason`, preceded by the vector tile's address if that is not the painted tile's own.
  static func reason(_ reason: String, of tile: TileID, _ id: TileID) -> String {
    tile == id ? reason : "the vector tile \(tile): \(reason)"
  }
}

extension [String] {
  /// The texts in their order, each once.
  fileprivate var unique: [String] {
    reduce(into: []) { all, text in if !all.contains(text) { all.append(text) } }
  }
}
