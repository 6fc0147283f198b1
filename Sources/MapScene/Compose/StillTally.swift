import MapGeometry
import TileLoading

/// What became of the map's tiles that a picture shows, each counted once.
public struct StillTally: Sendable, Equatable {
  /// Tiles that the picture asks for: at the view's level, or at the map's deepest one above it.
  public var tiles: Int { asked.count }
  /// Those of which something is drawn, if only a part of a tile above them.
  public var drawn: Int { shown.count }
  /// Those that the map does not have.
  public var missing: Int { absent.count }
  /// Those that the map has, but that could not be read or decoded as a whole.
  public var broken: Int { failed.count }

  private var asked: Set<TileID> = []
  private var shown: Set<TileID> = []
  private var absent: Set<TileID> = []
  private var failed: Set<TileID> = []

  /// What is known of one tile after it was looked for.
  enum Outcome { case there, missing, broken }

  /// Counts `tile`; `isShown`: something is drawn in its place.
  mutating func count(_ tile: TileID, _ outcome: Outcome, isShown: Bool) {
    asked.insert(tile)
    if isShown { shown.insert(tile) }
    switch outcome {
    case .there: break
    case .missing: absent.insert(tile)
    case .broken: failed.insert(tile)
    }
  }
}
