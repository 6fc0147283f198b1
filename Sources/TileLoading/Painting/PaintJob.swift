import CLinux
import Glibc
import MapGeometry
import Pixels
import TileSources

/// A tile's memory on its way through a painting thread.
///
/// Unchecked: exactly one side holds it at a time. The loop passes it on with the job and gets it
/// back with the result.
struct TileMemory: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer
  let bytes: Int

  var buffer: UnsafeMutableRawBufferPointer { .init(start: pointer, count: bytes) }

  /// Returns the memory to the kernel, on a thread that finds its loader gone.
  func unmap() { munmap(pointer, bytes) }
}

/// A tile to paint.
struct PaintJob: Sendable {
  /// A payload and its position in the tile. `column` and `row` count parts, not pixels.
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
  /// Pixels per point.
  var scale = 1
  var painter: any TilePainter = RasterPainter()
  /// The source's `generation` when it was requested.
  var generation: Int

  /// What was read: one part that fills the tile, its descendants, or nothing if the painter needs
  /// no payload.
  var parts: [Part] = []
  /// Takes the parts' memory back once they are painted.
  var buffers: EncodedBuffers?
  /// Errors of descendants that exist but could not be read.
  var broken: [TileError] = []
  /// Tells the painter to stop; nil: the job is too quick for that.
  var cancellation: PaintCancellation?
  /// How often it was interrupted for others.
  var interruptions = 0

  /// What several tiles are drawn from.
  struct Origin: Equatable, Sendable {
    var source: Int
    var tile: TileID
  }

  /// The tile of the source that it is drawn from; nil: it has one of its own.
  var origin: Origin? {
    parts.first?.payload.origin.map { Origin(source: key.source, tile: $0) }
  }

  /// Whether it is drawn, which may take long and is interrupted for tiles to decode.
  var isDrawn: Bool { cancellation != nil }
}

extension PaintJob {
  /// The result of a job.
  enum Outcome: Sendable {
    /// Painted. `broken` lists descendants that could not be painted; their parts of the tile are
    /// transparent.
    case tile(TilePixelFormat, broken: [BrokenTile], companion: (any TileCompanion)?)
    /// The tile has transparency, and its buffer only has 2 bytes per pixel.
    case needsAlphaRoom
    /// The tile is empty.
    case nothing
    /// It was interrupted, or is no longer wanted.
    case cancelled
    /// Nothing could be painted. There is at least one entry here or in the job's `broken`.
    case failed([BrokenTile])

    var isCancelled: Bool { if case .cancelled = self { true } else { false } }
  }

  /// A tile that cannot be painted, and why.
  struct BrokenTile: Sendable {
    var tile: TileID
    var reason: String
    /// Whether the system had no memory to paint it.
    var lacksMemory = false
    /// The file that it is in; nil: that of the source.
    var file: String?
  }

  /// All errors of the tile: descendants that could not be read, and `broken`.
  func errors(_ broken: [BrokenTile], file: String) -> [TileError] {
    self.broken
      + broken.map {
        var error = TileError(
          file: $0.file ?? file, tile: $0.tile, reason: $0.reason, isTransient: $0.lacksMemory)
        error.lacksMemory = $0.lacksMemory
        return error
      }
  }

  /// Paints the tile into its memory.
  func run(_ tools: PaintTools) -> Outcome {
    // Faults all pages in at once, which takes half as long as a fault per page.
    waypost_populate(memory.pointer, memory.bytes)
    return levels == 0 || !painter.needsPayload ? whole(tools) : reduced(tools)
  }

  /// The tile's colour changes. If the painter has a night of its own, it replaces the theme's.
  private var colorsToApply: TileColors {
    colors.isNight && painter.hasNight ? colors.withoutTheme : colors
  }

  /// The zoom for which the tile is painted: the one given, or else the one at which a tile of this
  /// edge has the size of the screen's pixels.
  private var zoom: Double {
    let normal = 256 * scale
    let edge = colors.shownCell ?? edge
    return edge == normal
      ? Double(tile.z) : Double(tile.z) + log2(Double(edge) / Double(max(1, normal)))
  }

  /// Has the painter paint. What it drew without some paths, for which there was no memory, is no
  /// tile.
  private func paint(
    _ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget
  ) -> PaintOutcome {
    let outcome = painter.paint(payload, tile, into: &target)
    guard target.tools.takeLack() else { return outcome }
    switch outcome {
    case .painted, .nothing: return .lacksMemory("there is no memory to draw it")
    case .needsAlphaRoom, .cancelled, .failed, .lacksMemory: return outcome
    }
  }

  private func whole(_ tools: PaintTools) -> Outcome {
    let source = parts.first?.tile ?? tile
    var target = PaintTarget(
      pixels: memory.pointer, rowBytes: edge * 4, edge: edge, room: memory.bytes, scale: scale,
      zoom: zoom, opaque: opaque, colors: colorsToApply.transform(for: source), isPart: false,
      tools: tools, cancellation: cancellation)
    target.isNight = colors.isNight
    target.isRed = colors.isRed
    switch paint(parts.first?.payload, source, into: &target) {
    case .painted(let format):
      return .tile(format, broken: target.broken, companion: target.companion)
    case .nothing where broken.isEmpty && target.faults.isEmpty: return .nothing
    // Everything that the tile would show is broken.
    case .nothing: return .failed(target.broken)
    case .needsAlphaRoom: return .needsAlphaRoom
    case .cancelled: return .cancelled
    case .failed(let reason): return .failed([BrokenTile(tile: source, reason: reason)])
    case .lacksMemory(let reason):
      return .failed([BrokenTile(tile: source, reason: reason, lacksMemory: true)])
    }
  }

  /// Paints a tile from its descendants, each reduced into its part. Missing ones are transparent.
  private func reduced(_ tools: PaintTools) -> Outcome {
    // The parts of an edge that does not divide overlap by a pixel.
    let count = 1 << levels
    let (part, rowBytes) = ((edge + count - 1) / count, edge * 4)
    guard part > 0, part <= edge, memory.bytes >= rowBytes * edge else { return .needsAlphaRoom }
    memset(memory.pointer, 0, rowBytes * edge)
    var opaqueParts = 0
    var (broken, faults): ([BrokenTile], [BrokenTile]) = ([], [])
    for child in parts {
      let offset = child.row * edge / count * rowBytes + child.column * edge / count * 4
      var target = PaintTarget(
        pixels: memory.pointer + offset, rowBytes: rowBytes, edge: part,
        room: memory.bytes - offset, scale: scale, zoom: zoom, opaque: .xrgb8888, colors: .identity,
        isPart: true, tools: tools, cancellation: cancellation)
      target.isNight = colors.isNight
      target.isRed = colors.isRed
      switch paint(child.payload, child.tile, into: &target) {
      case .painted(let format):
        opaqueParts += format == .argb8888 ? 0 : 1
        faults += target.broken
      case .nothing: break
      case .cancelled: return .cancelled
      case .needsAlphaRoom: return .needsAlphaRoom
      // The cache would keep a tile with a hole.
      case .lacksMemory(let reason):
        return .failed([BrokenTile(tile: child.tile, reason: reason, lacksMemory: true)])
      case .failed(let reason):
        broken.append(BrokenTile(tile: child.tile, reason: reason))
        // A decoder that failed may have left half a picture.
        for row in 0..<part { memset(target.pixels + row * rowBytes, 0, part * 4) }
      }
    }
    if broken.count == parts.count { return .failed(broken) }
    broken += faults
    let transform = colorsToApply.transform(for: tile)
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

extension PaintTarget {
  /// What the painter could not paint of a tile.
  fileprivate var broken: [PaintJob.BrokenTile] {
    faults.map { PaintJob.BrokenTile(tile: $0.tile, reason: $0.reason, file: $0.file) }
  }
}
