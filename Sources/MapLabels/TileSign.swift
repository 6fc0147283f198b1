/// What vector maps show, as far as the key of a map names it, the most important first.
///
/// The raw values are those of `waypost:key` in the metadata of a style's layers.
public enum MapFeature: String, CaseIterable, Sendable {
  case path, track, footway, cycleway, motorway
  case mainRoad = "main-road"
  case secondaryRoad = "secondary-road"
  case street, railway
  case cableCar = "cable-car"
  case ferry, border
  case protectedArea = "protected-area"
  case river, water, glacier, forest, meadow, farmland, wetland, rock, sand
  case builtUp = "built-up"
  case building
}

/// How a tile shows features of one kind.
public struct TileSign: Sendable, Equatable {
  /// What it shows.
  public var feature: MapFeature
  /// Whether it is an area; else a line.
  public var isArea: Bool
  /// The colour of the area or the line, 0xAARRGGBB, not premultiplied.
  public var color: UInt32
  /// The colour under a line or around an area; 0: none.
  public var edge: UInt32
  /// The width of a line in points.
  public var width: Float
  /// The dashes of a line in points; empty: none.
  public var dash: [Float]

  /// Creates a sign.
  public init(
    _ feature: MapFeature, isArea: Bool, color: UInt32, edge: UInt32 = 0, width: Float = 0,
    dash: [Float] = []
  ) {
    self.feature = feature
    self.isArea = isArea
    self.color = color
    self.edge = edge
    self.width = width
    self.dash = dash
  }

  /// The size in memory in bytes.
  var bytes: Int { MemoryLayout<TileSign>.stride + dash.count * 4 + (dash.isEmpty ? 0 : 32) }
}

extension [TileSign] {
  /// Adds a sign to those of other features.
  ///
  /// Of a feature's lines the widest one counts, so that a road's ramps get no signs of their own.
  /// A feature with both an area and a line counts as an area with an edge.
  public mutating func merge(_ sign: TileSign) {
    guard let n = firstIndex(where: { $0.feature == sign.feature }) else { return append(sign) }
    switch (self[n].isArea, sign.isArea) {
    case (true, true):
      if self[n].edge == 0 { self[n].edge = sign.edge }
    case (true, false):
      if self[n].edge == 0 { self[n].edge = sign.color }
    case (false, true):
      let line = self[n].color
      self[n] = sign
      if sign.edge == 0 { self[n].edge = line }
    case (false, false):
      if sign.width > self[n].width { self[n] = sign }
    }
  }
}
