import CLinux
import Glibc
import MapGeometry
import Pixels
import TileSources

/// A tile's memory on its way through a thread that paints.
///
/// Unchecked: exactly one side holds it at a time. The loop gives it away with the job and gets it
/// back with the result.
struct TileMemory: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer
  let bytes: Int

  var buffer: UnsafeMutableRawBufferPointer { .init(start: pointer, count: bytes) }

  /// Returns it to the kernel: for a thread that finds its loader gone.
  func unmap() { munmap(pointer, bytes) }
}

/// One tile to be made.
struct PaintJob: Sendable {
  /// What was read for a tile, and where it goes: column and row in units of its own edge.
  struct Part: Sendable {
    var payload: TilePayload
    var column: Int
    var row: Int
    var tile: TileID
  }

  var key: TileKey
  var tile: TileID
  /// 0, or how many levels below the tile its descendants lie that are reduced to make it.
  var levels: Int
  var memory: TileMemory
  /// The tile's edge in pixels.
  var edge: Int
  var opaque: TilePixelFormat
  var colors = TileColors.none
  /// Pixels a point.
  var scale = 1
  var painter: any TilePainter = RasterPainter()
  /// Which state of its source asked for it.
  var generation: Int

  /// What was read: one part that fills the tile, its descendants, or none where the painter needs
  /// none.
  var parts: [Part] = []
  /// Where the parts' memory goes when they are painted.
  var buffers: EncodedBuffers?
  /// Descendants that are there but could not be read.
  var broken: [TileError] = []
  /// Tells the painter to give up; nil: it is quick.
  var cancellation: PaintCancellation?
  /// How often it gave way to others.
  var interruptions = 0

  /// It may take long, and gives way to tiles that are decoded.
  var isDrawn: Bool { cancellation != nil }
}

extension PaintJob {
  /// What came of a job.
  enum Outcome: Sendable {
    /// Painted; `broken`: descendants that are there but could not be painted, their places empty.
    case tile(TilePixelFormat, broken: [BrokenTile], companion: (any TileCompanion)?)
    /// The tile has transparency and its buffer holds two bytes a pixel only.
    case needsAlphaRoom
    /// There is nothing to be painted.
    case nothing
    /// It gave way, or is not wanted any more.
    case cancelled
    /// Nothing could be painted; at least one.
    case failed([BrokenTile])
  }

  /// A tile that cannot be painted, and why.
  struct BrokenTile: Sendable {
    var tile: TileID
    var reason: String
  }

  /// What was wrong with the tile, whose `broken` could not be painted.
  func errors(_ broken: [BrokenTile], file: String) -> [TileError] {
    self.broken + broken.map { TileError(file: file, tile: $0.tile, reason: $0.reason) }
  }

  /// Paints the tile into its memory.
  func run(_ tools: PaintTools) -> Outcome {
    // At once, which takes half the time of a fault for each page.
    waypost_populate(memory.pointer, memory.bytes)
    return levels == 0 || !painter.needsPayload ? whole(tools) : reduced(tools)
  }

  private func whole(_ tools: PaintTools) -> Outcome {
    let source = parts.first?.tile ?? tile
    var target = PaintTarget(
      pixels: memory.pointer, rowBytes: edge * 4, edge: edge, room: memory.bytes, scale: scale,
      opaque: opaque, colors: colors.transform(for: source), isPart: false, tools: tools,
      cancellation: cancellation)
    switch painter.paint(parts.first?.payload, source, into: &target) {
    case .painted(let format): return .tile(format, broken: [], companion: target.companion)
    case .nothing: return .nothing
    case .needsAlphaRoom: return .needsAlphaRoom
    case .cancelled: return .cancelled
    case .failed(let reason): return .failed([BrokenTile(tile: source, reason: reason)])
    }
  }

  /// A tile made of its descendants, each reduced into its place; what is missing is transparent.
  private func reduced(_ tools: PaintTools) -> Outcome {
    let (part, rowBytes) = (edge >> levels, edge * 4)
    guard part > 0, memory.bytes >= rowBytes * edge else { return .needsAlphaRoom }
    memset(memory.pointer, 0, rowBytes * edge)
    var opaqueParts = 0
    var broken: [BrokenTile] = []
    for child in parts {
      let offset = child.row * part * rowBytes + child.column * part * 4
      var target = PaintTarget(
        pixels: memory.pointer + offset, rowBytes: rowBytes, edge: part,
        room: memory.bytes - offset, scale: scale, opaque: .xrgb8888, colors: .identity,
        isPart: true, tools: tools, cancellation: cancellation)
      switch painter.paint(child.payload, child.tile, into: &target) {
      case .painted(let format): opaqueParts += format == .argb8888 ? 0 : 1
      case .nothing: break
      case .cancelled: return .cancelled
      case .needsAlphaRoom: return .needsAlphaRoom
      case .failed(let reason):
        broken.append(BrokenTile(tile: child.tile, reason: reason))
        // A decoder that gave up may have left half a picture.
        for row in 0..<part { memset(target.pixels + row * rowBytes, 0, part * 4) }
      }
    }
    if broken.count == parts.count { return .failed(broken) }
    let transform = colors.transform(for: tile)
    if !transform.isIdentity {
      transform.apply(
        to: memory.pointer.assumingMemoryBound(to: UInt32.self), count: edge * edge)
    }
    if opaqueParts == 1 << (2 * levels) {
      convertOpaqueTile(memory.buffer, edge: edge, to: opaque)
      return .tile(opaque, broken: broken, companion: nil)
    }
    return .tile(.argb8888, broken: broken, companion: nil)
  }
}
