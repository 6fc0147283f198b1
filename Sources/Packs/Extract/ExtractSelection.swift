import MapGeometry
import TileSources

/// What is to be taken out of a pack.
package struct ExtractSelection: Sendable {
  /// The area; nil: all of the map.
  package var region: Region?
  /// The tile levels; nil: those of the pack.
  package var zooms: ClosedRange<Int>?
  /// The price of joining neighbours to one request, as a part of the bytes wanted.
  package var overfetch: Double
  /// Bytes of a request.
  package var requestLimit = ExtractPlan.requestLimit

  package init(region: Region?, zooms: ClosedRange<Int>? = nil, overfetch: Double = 0.05) {
    self.region = region
    self.zooms = zooms
    self.overfetch = overfetch
  }

  /// The tiles.
  ///
  /// - Parameter levels: the pack's.
  /// - Returns: those of `zooms`, else of `levels`.
  /// - Throws: `PackError` for a region that is too intricate.
  func tiles(levels: ClosedRange<Int>) throws(PackError) -> TileSet {
    do throws(TileSet.TooLarge) {
      return try (region ?? .world).tiles(zooms: zooms ?? levels)
    } catch {
      throw PackError(error)
    }
  }

  /// What an extract covers: the region, as far as the pack reaches.
  ///
  /// - Parameter whole: the pack's own bounds.
  /// - Returns: the box; west > east across the dateline.
  func bounds(within whole: GeoBounds?) -> GeoBounds {
    guard let bounds = region?.bounds else { return whole ?? .world }
    guard let whole else { return bounds }
    var result = bounds
    result.south = max(bounds.south, whole.south)
    result.north = min(bounds.north, whole.north)
    if bounds.west <= bounds.east, whole.west <= whole.east {
      result.west = max(bounds.west, whole.west)
      result.east = min(bounds.east, whole.east)
    }
    // A pack may say less than it has.
    return result.south < result.north && (result.west < result.east || bounds.west > bounds.east)
      ? result : bounds
  }
}

/// What an extract came to.
package struct ExtractResult: Equatable, Sendable {
  /// Tiles that can be asked for.
  package var tiles: UInt64
  /// Different contents.
  package var contents: Int
  /// Bytes of the new pack.
  package var bytes: UInt64
  /// What this run asked of the archive.
  package var traffic = RangeTraffic()
  /// Requests that an earlier run had completed.
  package var resumed = 0
  /// Tiles that could not be read, and what else the pack did not have right.
  package var broken: UInt64 = 0
  package var problems = ProblemList()
}

/// How far an extract is.
package struct ExtractProgress: Equatable, Sendable {
  /// Bytes of tiles that are there, of the total.
  package var done: UInt64
  package var total: UInt64
}

extension PackError {
  /// A region that is too intricate.
  init(_ error: TileSet.TooLarge) {
    self.init(file: "the region", reason: error.description, isMisuse: true)
  }
}
