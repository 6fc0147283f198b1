/// The address of one tile in the XYZ scheme: level `z`, column `x` from the west, row `y` from the
/// north (OSGeo "Slippy map tilenames").
///
/// A `TileID` always names a tile that exists on the map: 0 ≤ z ≤ 24 and 0 ≤ x, y < 2^z.
public struct TileID: Hashable, Sendable {
  /// The deepest level that Waypost addresses.
  public static let maxLevel = 24

  /// Level, 0 (the whole world in one tile) to 24.
  public let z: Int
  /// Column, from 0 at longitude −180° eastwards to 2^z − 1.
  public let x: Int
  /// Row, from 0 at latitude 85.0511° southwards to 2^z − 1.
  public let y: Int

  /// The tile at `z`/`x`/`y`; nil if there is no such tile.
  @inlinable
  public init?(z: Int, x: Int, y: Int) {
    guard z >= 0, z <= TileID.maxLevel, x >= 0, y >= 0, x < 1 << z, y < 1 << z else { return nil }
    self.init(checkedZ: z, x: x, y: y)
  }

  @usableFromInline
  init(checkedZ z: Int, x: Int, y: Int) {
    self.z = z
    self.x = x
    self.y = y
  }

  /// The one tile of level 0.
  public static let world = TileID(checkedZ: 0, x: 0, y: 0)

  /// The tile of column `column`, counted from longitude −180° without limit because the world
  /// wraps in x. Nil if there is no such row, because it does not wrap in y.
  @inlinable
  public init?(z: Int, wrapping column: Int, row: Int) {
    guard z >= 0, z <= TileID.maxLevel else { return nil }
    self.init(z: z, x: column & ((1 << z) - 1), y: row)
  }

  /// The row counted from the south, as TMS and MBTiles count it. This is the project's one TMS
  /// flip.
  @inlinable
  public var tmsRow: Int { (1 << z) - 1 - y }

  /// The tile whose TMS row is `tmsRow`; nil if there is no such tile.
  public init?(z: Int, x: Int, tmsRow: Int) {
    guard z >= 0, z <= TileID.maxLevel, tmsRow >= 0, tmsRow < 1 << z else { return nil }
    self.init(z: z, x: x, y: (1 << z) - 1 - tmsRow)
  }

  /// The tile that covers this one `levels` levels above; this tile for 0, nil above level 0.
  @inlinable
  public func ancestor(_ levels: Int) -> TileID? {
    guard levels >= 0, levels <= z else { return nil }
    return TileID(checkedZ: z - levels, x: x >> levels, y: y >> levels)
  }

  /// The tile of level `level` that covers this one; nil unless the level is 0...z.
  @inlinable
  public func ancestor(atLevel level: Int) -> TileID? {
    level >= 0 && level <= z ? ancestor(z - level) : nil
  }

  /// The child in column `dx` and row `dy` (0 or 1 each) of the level below; nil below level 24,
  /// and for other columns and rows.
  @inlinable
  public func child(_ dx: Int, _ dy: Int) -> TileID? {
    guard dx >= 0, dx <= 1, dy >= 0, dy <= 1 else { return nil }
    return TileID(z: z + 1, x: x * 2 + dx, y: y * 2 + dy)
  }

  /// The Bing Maps quadkey: one digit per level, in which the row's bit counts double; empty at
  /// level 0 (Microsoft, "Bing Maps Tile System").
  public var quadkey: String {
    var key = ""
    for level in stride(from: z - 1, through: 0, by: -1) {
      key += String(((x >> level) & 1) + 2 * ((y >> level) & 1))
    }
    return key
  }

  /// The address in 53 bits: z above y above x, 24 bits each for y and x.
  @inlinable
  public var packed: UInt64 { UInt64(z) << 48 | UInt64(y) << 24 | UInt64(x) }
}

extension TileID: CustomStringConvertible {
  /// The address as `z/x/y`.
  public var description: String { "\(z)/\(x)/\(y)" }
}
