import Drawing
import MapGeometry
import Platform
import TileLoading

@testable import MapLabels
@testable import VectorPainting

/// Vector tiles up to the screen: prepared, painted, and with their labels placed and drawn.
/// `vector-tile` only reads them.
///
/// The first four bytes choose the style, the zoom, the part of the tile and the view; the rest is
/// the tile. It is painted at 64 pixels twice, the second time from the cache of parsed tiles, into
/// memory with guards around it.
extension FuzzTarget {
  static let painting: [FuzzTarget] = [
    FuzzTarget(
      "vector-paint", of: ["VectorPainting", "MapLabels", "Drawing"], mebibytes: 64,
      seconds: 20
    ) { bytes in
      guard bytes.count >= PaintCase.headerBytes, !PaintStyle.all.isEmpty else { return }
      let style = PaintStyle.all[Int(bytes[0]) % PaintStyle.all.count]
      let one = PaintCase(bytes)
      let tile = UnsafeRawBufferPointer(rebasing: bytes[PaintCase.headerBytes...])
      style.painter.cache.removeAll()
      let first = try one.paint(tile, style)
      let again = try one.paint(tile, style)
      try promise(first.outcome == again.outcome, "\(first.outcome), then \(again.outcome)")
      try promise(
        first.pixels == again.pixels && first.labels?.count == again.labels?.count,
        "a tile is painted otherwise the second time")
      try promise(style.painter.cache.bytes <= 4 << 20, "the cache of tiles is over its limit")
      guard let labels = first.labels else { return }
      try promise(labels.bytes <= 2 * TileCache.companionLimit, "labels of \(labels.bytes) bytes")
      try one.place(labels, style)
    }
  ]
}

/// What an input asks for.
private struct PaintCase {
  static let headerBytes = 4
  private static let edge = 64
  /// Words around the memory that is written to.
  private static let guardWords = 256
  private static let guardWord: UInt32 = 0x5A5A_A5A5
  /// The edge of the view of the labels in pixels.
  private static let viewEdge = 192

  private let request: VectorPaintRequest
  /// The painted tile.
  private let tile: TileID
  private let scale: Int
  private let bearing: Double
  /// Whether there is room for two bytes per pixel only.
  private let isNarrow: Bool

  /// What a painted tile is.
  struct Painted {
    var outcome: PaintOutcome
    var pixels: ArraySlice<UInt32>
    var labels: TileLabels?
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    let zoom = Double(bytes[1] % 46) / 2
    let levels = Int(bytes[2] & 7)
    let (column, row) = (
      Int(bytes[2] >> 3) & (1 << levels - 1), Int(bytes[3] & 7) & (1 << levels - 1)
    )
    scale = 1 + Int(bytes[3] >> 3 & 3) % 3
    isNarrow = bytes[3] & 32 != 0
    bearing = [0, 30, 180, 271][Int(bytes[3] >> 6)]
    let level = max(Int(zoom) + 1 - levels, 0)
    let (x, y) = (1 << level / 2, 1 << level / 3)
    let origin = TileID(z: level, x: x, y: y) ?? .world
    tile =
      TileID(z: origin.z + levels, x: origin.x << levels + column, y: origin.y << levels + row)
      ?? origin
    request = VectorPaintRequest(
      tile: origin, part: VectorTilePart(of: tile, in: origin) ?? .whole, zoom: zoom,
      pixelsPerPoint: Double(scale))
  }

  /// Paints the tile as the painting threads do.
  func paint(_ bytes: UnsafeRawBufferPointer, _ style: PaintStyle) throws -> Painted {
    let words = Self.edge * Self.edge / (isNarrow ? 2 : 1)
    let inside = Self.guardWords..<Self.guardWords + words
    var memory = [UInt32](repeating: Self.guardWord, count: words + 2 * Self.guardWords)
    var (outcome, labels) = (PaintOutcome.nothing, TileLabels?.none)
    memory.withUnsafeMutableBytes { memory in
      guard let base = memory.baseAddress else { return }
      var target = PaintTarget(
        pixels: base + 4 * Self.guardWords, rowBytes: 4 * Self.edge, edge: Self.edge,
        room: 4 * words, scale: scale, zoom: request.zoom + 1,
        opaque: isNarrow ? .rgb565 : .xrgb8888, tools: PaintTools())
      outcome = style.painter.paint(bytes, request, into: &target)
      labels = target.companion as? TileLabels
    }
    try promise(outcome != .cancelled, "nobody cancels")
    try Self.checkGuards(memory, inside)
    let isPainted = if case .painted = outcome { true } else { false }
    return Painted(outcome: outcome, pixels: isPainted ? memory[inside] : [], labels: labels)
  }

  /// Places the labels, and again in a view that has turned, and draws them.
  func place(_ labels: TileLabels, _ style: PaintStyle) throws {
    try LabelTools.shared.withLock { tools in
      guard let type = tools?.type else { return }
      let placer = LabelPlacer(type: type, icons: style.icons)
      let artist = LabelArtist(type: type)
      let tiles = [LabelTile(tile, labels: labels)]
      var before: LabelPlacement?
      for turn in [0.0, 15] {
        let request = LabelRequest(tiles: tiles, view: view(turn), margin: 32)
        let placement = placer.place(request, after: before)
        try promise(
          placement.labels.count <= LabelPlacer.maxLabels, "\(placement.labels.count) labels")
        try draw(placement, artist)
        before = placement
      }
    }
  }

  private func view(_ turn: Double) -> Viewport {
    let count = Double(1 << tile.z)
    let middle = WorldPoint(x: (Double(tile.x) + 0.5) / count, y: (Double(tile.y) + 0.5) / count)
    return Viewport(
      center: WebMercator.unproject(middle), zoom: request.zoom + 1, bearing: bearing + turn,
      width: Self.viewEdge, height: Self.viewEdge, scale: scale)
  }

  private func draw(_ placement: LabelPlacement, _ artist: LabelArtist) throws {
    let words = Self.viewEdge * Self.viewEdge
    let inside = Self.guardWords..<Self.guardWords + words
    var memory = [UInt32](repeating: Self.guardWord, count: words + 2 * Self.guardWords)
    memory.withUnsafeMutableBufferPointer { memory in
      guard let base = memory.baseAddress else { return }
      let canvas = PixelCanvas(
        base + Self.guardWords, stride: Self.viewEdge, width: Self.viewEdge, height: Self.viewEdge)
      artist.draw(placement, on: canvas)
    }
    try Self.checkGuards(memory, inside)
    try promise(artist.bytes <= 4 << 20, "pictures of \(artist.bytes) bytes")
  }

  private static func checkGuards(_ memory: [UInt32], _ inside: Range<Int>) throws {
    let outside = [memory[..<inside.lowerBound], memory[inside.upperBound...]]
    try promise(
      outside.allSatisfy { $0.allSatisfy { $0 == guardWord } }, "pixels outside the memory")
  }
}

/// The fonts of labels.
///
/// Unchecked: whoever uses them has the lock.
private struct LabelTools: @unchecked Sendable {
  let type: LabelType

  static let shared = Lock<LabelTools?>((try? LabelType(.bundled)).map { LabelTools(type: $0) })
}
