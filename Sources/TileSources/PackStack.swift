import MapGeometry

/// Several packs as one map. A tile comes from the first pack that has it. If none has it, the
/// deepest ancestor in any pack stands in (`nearestAncestor`).
///
/// A pack that cannot be opened, or a tile that cannot be read, does not stop the others from
/// serving.
public final class PackStack: TileSource {
  /// The packs' info, combined.
  public internal(set) var info: SourceInfo
  private let packs: [any TileSource]
  private let failures: [SourceError]

  /// The problems of all packs, beginning with those that did not open.
  public var problems: [SourceError] { failures + packs.flatMap(\.problems) }

  /// Opens the packs and folders at `paths`.
  ///
  /// - Throws: The first pack's error if none opens.
  init(
    _ paths: [String], scheme: SourceSpec.Scheme?, scale: Int, settings: SourceSpec
  ) throws(SourceError) {
    var packs: [any TileSource] = []
    var failures: [SourceError] = []
    // Settings that override a pack's info apply to the whole stack, below.
    var plain = SourceSpec(name: settings.name, location: settings.location)
    plain.trust = settings.trust
    for path in paths {
      do {
        packs.append(try SourceSpec.open(path, scheme, scale, settings: plain))
      } catch {
        failures.append(error)
      }
    }
    guard !packs.isEmpty else {
      throw failures.first(where: \.isTransient) ?? failures.first
        ?? SourceError(file: settings.name, reason: "paths is empty: name at least one pack")
    }
    self.packs = packs
    self.failures = failures
    info = PackStack.combined(packs.map(\.info))
    if let minZoom = settings.minZoom { info.minZoom = minZoom }
    if let maxZoom = settings.maxZoom { info.maxZoom = maxZoom }
    if let attribution = settings.attribution {
      info.attribution = PlainText.stripping(html: attribution)
    }
  }

  /// Reads a tile from the first pack that has it.
  ///
  /// - Throws: The `TileError` of the first pack that cannot read it, if no other has it.
  public func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    var failure: TileError?
    for pack in packs {
      do throws(TileError) {
        let answer = try pack.read(id, into: &buffer)
        if case .nothing = answer { continue }
        return answer
      } catch {
        failure = PackStack.telling(failure, error)
      }
    }
    if let failure { throw failure }
    return .nothing
  }

  /// Whether a pack has the tile `id`.
  ///
  /// - Throws: `TileError` if this cannot be determined.
  public func contains(_ id: TileID) throws(TileError) -> Bool {
    var failure: TileError?
    for pack in packs {
      do throws(TileError) {
        if try pack.contains(id) { return true }
      } catch {
        failure = PackStack.telling(failure, error)
      }
    }
    if let failure { throw failure }
    return false
  }

  /// The one of two errors to report: a transient one, so that the tile is requested again.
  private static func telling(_ first: TileError?, _ second: TileError) -> TileError {
    guard let first else { return second }
    return second.isTransient && !first.isTransient ? second : first
  }

  /// Whether one of the packs was replaced by another file.
  public var isReplaced: Bool { packs.contains(where: \.isReplaced) }

  /// Tiles of the packs, an equal share of `limit` from each, whichever are cheapest to find.
  public func sampleTiles(upTo limit: Int) -> [TileID] {
    packs.flatMap { $0.sampleTiles(upTo: max(1, limit / max(1, packs.count))) }
  }

  /// Combines the info of several packs.
  private static func combined(_ infos: [SourceInfo]) -> SourceInfo {
    var info = SourceInfo(
      kind: "packs", minZoom: infos.map(\.minZoom).min() ?? 0,
      maxZoom: infos.map(\.maxZoom).max() ?? 0)
    if infos.allSatisfy({ $0.format == infos[0].format }) { info.format = infos[0].format }
    if infos.allSatisfy({ $0.tilePixels == infos[0].tilePixels }) {
      info.tilePixels = infos[0].tilePixels
    }
    let centered = infos.first { $0.center != nil }
    info.center = centered?.center
    info.centerZoom = centered?.centerZoom
    var attributions: [String] = []
    for text in infos.map(\.attribution) where !text.isEmpty && !attributions.contains(text) {
      attributions.append(text)
    }
    info.attribution = attributions.joined(separator: " | ")
    // A pack without bounds could be anywhere.
    let boxes = infos.compactMap(\.bounds)
    if boxes.count == infos.count, let firstBox = boxes.first {
      info.bounds = boxes.dropFirst().reduce(firstBox, union)
    }
    return info
  }

  /// The smallest box around two, which may cross the antimeridian.
  package static func union(_ one: GeoBounds, _ other: GeoBounds) -> GeoBounds {
    let south = min(one.south, other.south)
    let north = max(one.north, other.north)
    /// The width in degrees of the box that begins at the western edge of `west` and covers both.
    func span(from west: GeoBounds, _ second: GeoBounds) -> Double {
      var offset = second.west - west.west
      if offset < 0 { offset += 360 }
      return max(west.longitudeSpan, offset + second.longitudeSpan)
    }
    let (fromOne, fromOther) = (span(from: one, other), span(from: other, one))
    let west = fromOne <= fromOther ? one.west : other.west
    let width = min(fromOne, fromOther)
    guard width < 360 else {
      return GeoBounds(west: -180, south: south, east: 180, north: north)
    }
    let east = west + width > 180 ? west + width - 360 : west + width
    return GeoBounds(west: west, south: south, east: east, north: north)
  }
}
