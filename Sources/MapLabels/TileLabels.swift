import MapStyle
import Platform
import TileLoading

/// The candidates of one tile, in few arrays. Immutable.
///
/// A candidate takes 24 bytes and 4 for each point; texts, icons' names and looks are stored once.
public final class TileLabels: TileCompanion {
  /// One candidate; numbers are indices in the other arrays.
  struct Record: Sendable {
    var sortKey: Float
    var firstPoint: UInt32
    var pointCount: UInt16
    var layer: UInt16
    /// `none` without text, without icon.
    var text: UInt16
    var icon: UInt16
    var look: UInt16
    /// The place in the vector tile's layer.
    var order: UInt32
    static let none = UInt16.max
  }

  /// Steps of a stored coordinate across a tile: a 16th of a pixel in one of 2,048 pixels.
  static let steps: Float = 32_768

  let records: [Record]
  /// x and y of each point in turn.
  let coordinates: [UInt16]
  let texts: [LabelText]
  /// Texts' hashes in this process.
  let textHashes: [Int]
  let icons: [String]
  let looks: [LabelLook]
  /// The size in memory in bytes.
  public let bytes: Int

  /// Which part of the vector tile the painted tile is, if it is known. Lines are in fractions of
  /// the vector tile, points in those of the painted tile.
  let part: LabelPart?

  /// What the tile shows, for the key of the map; each feature once.
  public let signs: [TileSign]
  /// The colour of the map's ground, on which the key draws lines, 0xFFRRGGBB; 0: it has no single
  /// colour.
  public let ground: UInt32

  /// A tile without labels.
  public static let empty = TileLabels(TileLabelsBuilder())

  /// The number of candidates.
  public var count: Int { records.count }

  init(_ builder: TileLabelsBuilder) {
    records = builder.records
    coordinates = builder.coordinates
    texts = builder.texts
    textHashes = builder.texts.map(\.hashValue)
    icons = builder.icons
    looks = builder.looks
    bytes = builder.bytes
    part = builder.part
    signs = builder.signs
    ground = builder.ground
  }

  /// The candidate at `index`, 0 ..< `count`, as it was added; its points are rounded.
  public func candidate(_ index: Int) -> LabelCandidate {
    let record = records[index]
    let first = Int(record.firstPoint)
    var candidate = LabelCandidate(
      layer: Int(record.layer), sortKey: record.sortKey,
      text: text(record).formatted,
      icon: record.icon == Record.none ? nil : icons[Int(record.icon)],
      look: looks[Int(record.look)],
      points: (0..<Int(record.pointCount)).map { point(first + $0) })
    candidate.order = Int(record.order)
    return candidate
  }

  func point(_ index: Int) -> TilePoint {
    TilePoint(
      Float(coordinates[2 * index]) / Self.steps, Float(coordinates[2 * index + 1]) / Self.steps)
  }
}

/// A part of a vector tile.
public struct LabelPart: Sendable, Hashable {
  /// How many levels deeper the part is than the vector tile.
  public var levels: Int
  /// The part's column in the vector tile, 0 ..< 2^levels.
  public var column: Int
  /// The part's row.
  public var row: Int

  /// Creates a part.
  public init(levels: Int, column: Int, row: Int) {
    self.levels = min(max(levels, 0), 24)
    self.column = column
    self.row = row
  }

  /// A point of the part, in fractions of the vector tile.
  func whole(_ point: TilePoint) -> TilePoint {
    let scale = 1 / Float(1 << levels)
    return TilePoint((point.x + Float(column)) * scale, (point.y + Float(row)) * scale)
  }
}

/// Collects the candidates of one tile while it is painted.
///
/// It takes no more than fit `TileCache.companionLimit`. Add the important layers first: what does
/// not fit is left out.
public struct TileLabelsBuilder: Sendable {
  fileprivate(set) var records: [TileLabels.Record] = []
  fileprivate(set) var coordinates: [UInt16] = []
  fileprivate(set) var texts: [LabelText] = []
  fileprivate(set) var icons: [String] = []
  fileprivate(set) var looks: [LabelLook] = []
  /// What the tile shows, for the key of the map.
  private(set) var signs: [TileSign] = []
  /// The colour of the map's ground, 0xFFRRGGBB; 0: it has no single colour.
  public var ground: UInt32 = 0
  private var textNumbers: [LabelText: UInt16] = [:]
  private var iconNumbers: [String: UInt16] = [:]
  private var lookNumbers: [LabelLook: UInt16] = [:]
  private var clipped: [TilePoint] = []
  /// Whether the clipped line touches the painted tile.
  private var isInside = true
  /// The size of the labels so far in bytes.
  public private(set) var bytes = 16 + MemoryLayout<Int>.size * 9 + 32 * 7
  /// How many candidates did not fit.
  public private(set) var leftOut = 0
  /// Whether candidates were left out because the system had no memory for them.
  public private(set) var lacksMemory = false

  /// Which part of a vector tile the candidates are of; nil: of a tile for itself.
  public var part: LabelPart?

  /// The most characters of a label's text; the rest is cut off.
  public static let maxTextLength = 512

  /// Creates a builder without candidates.
  public init() {}

  /// Whether there are no candidates.
  public var isEmpty: Bool { records.isEmpty }

  /// Adds a candidate. A single point must lie in the tile (0 ≤ x < 1, 0 ≤ y < 1), so that exactly
  /// one tile has it. A line is clipped to the tile, and each piece becomes a candidate. If this
  /// tile is a part of a vector tile, lines are clipped to the vector tile instead, so that label
  /// positions do not depend on which parts are loaded. Ignored are candidates outside, those with
  /// neither text nor icon, and those with coordinates that are not finite.
  public mutating func add(_ candidate: LabelCandidate) {
    guard !candidate.text.plain.isEmpty || candidate.icon != nil else { return }
    if candidate.look.settings.placement == .point || candidate.points.count < 2 {
      guard let point = candidate.points.first, (0..<1).contains(point.x),
        (0..<1).contains(point.y)
      else { return }
      store(candidate, [point])
      return
    }
    guard clipped.hasMemory(forMore: candidate.points.count) else {
      lacksMemory = true
      return
    }
    clipped.removeAll(keepingCapacity: true)
    isInside = part == nil
    for index in 1..<candidate.points.count {
      let (a, b) = (candidate.points[index - 1], candidate.points[index])
      guard let (from, to) = Self.clip(part?.whole(a) ?? a, part?.whole(b) ?? b) else {
        flush(candidate)
        continue
      }
      if clipped.last != from {
        flush(candidate)
        clipped.append(from)
      }
      if !isInside, Self.clip(a, b) != nil { isInside = true }
      if to != from { clipped.append(to) }
    }
    flush(candidate)
  }

  /// Adds what the tile shows.
  public mutating func add(_ sign: TileSign) {
    let before = signs.reduce(0) { $0 + $1.bytes }
    signs.merge(sign)
    bytes += signs.reduce(0) { $0 + $1.bytes } - before
  }

  /// The labels; nil if there are neither labels nor signs.
  public func finish() -> TileLabels? { isEmpty && signs.isEmpty ? nil : TileLabels(self) }

  private mutating func flush(_ candidate: LabelCandidate) {
    if clipped.count > 1, isInside { store(candidate, clipped) }
    clipped.removeAll(keepingCapacity: true)
    isInside = part == nil
  }

  /// Whether a segment runs through the tile.
  public static func crosses(_ a: TilePoint, _ b: TilePoint) -> Bool { clip(a, b) != nil }

  /// The part of a segment inside the tile (Liang and Barsky); nil if there is none.
  static func clip(_ a: TilePoint, _ b: TilePoint) -> (TilePoint, TilePoint)? {
    guard a.x.isFinite, a.y.isFinite, b.x.isFinite, b.y.isFinite else { return nil }
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    var (start, end): (Float, Float) = (0, 1)
    for (p, q) in [(-dx, a.x), (dx, 1 - a.x), (-dy, a.y), (dy, 1 - a.y)] {
      if p == 0 {
        if q < 0 { return nil }
      } else if p < 0 {
        start = max(start, q / p)
      } else {
        end = min(end, q / p)
      }
    }
    guard start <= end else { return nil }
    func at(_ t: Float) -> TilePoint { TilePoint(a.x + t * dx, a.y + t * dy) }
    return (start == 0 ? a : at(start), end == 1 ? b : at(end))
  }

  private mutating func store(_ candidate: LabelCandidate, _ points: [TilePoint]) {
    let text = LabelText(candidate.text)
    let isNewText = !text.isEmpty && textNumbers[text] == nil
    let isNewIcon = candidate.icon.map { iconNumbers[$0] == nil } ?? false
    let isNewLook = lookNumbers[candidate.look] == nil
    let count = min(points.count, Int(UInt16.max))
    var size = MemoryLayout<TileLabels.Record>.stride + 4 * count
    if isNewText { size += text.bytes + 8 }
    if isNewIcon { size += 16 + (candidate.icon?.heapBytes ?? 0) }
    if isNewLook { size += 8 + candidate.look.bytes }
    let limit = Int(UInt16.max) - 1
    guard bytes + size <= TileCache.companionLimit, texts.count < limit, icons.count < limit,
      looks.count < limit
    else {
      leftOut += 1
      return
    }
    guard records.hasMemory(), coordinates.hasMemory(forMore: 2 * count) else {
      lacksMemory = true
      return
    }
    bytes += size
    if isNewText {
      textNumbers[text] = UInt16(texts.count)
      texts.append(text)
    }
    if isNewIcon, let icon = candidate.icon {
      iconNumbers[icon] = UInt16(icons.count)
      icons.append(icon)
    }
    if isNewLook {
      lookNumbers[candidate.look] = UInt16(looks.count)
      looks.append(candidate.look)
    }
    records.append(
      TileLabels.Record(
        sortKey: candidate.sortKey.isNaN ? 0 : candidate.sortKey,
        firstPoint: UInt32(coordinates.count / 2), pointCount: UInt16(count),
        layer: UInt16(clamping: candidate.layer),
        text: textNumbers[text] ?? TileLabels.Record.none,
        icon: candidate.icon.flatMap { iconNumbers[$0] } ?? TileLabels.Record.none,
        look: lookNumbers[candidate.look] ?? 0, order: UInt32(clamping: candidate.order)))
    for point in points.prefix(count) {
      coordinates.append(Self.stored(point.x))
      coordinates.append(Self.stored(point.y))
    }
  }

  private static func stored(_ value: Float) -> UInt16 {
    UInt16((min(max(value, 0), 1) * TileLabels.steps).rounded())
  }
}
