import Pixels
import TileSources

/// What the loader knows of a source. A class: of a thousand sources few are asked, and to look at
/// one must not copy it.
final class LoaderSource {
  /// Made when it is first asked.
  private var made: SourceReader?
  private let make: () -> SourceReader
  /// The reader's generation, which tells its opening from others.
  let opening: Int
  /// Changes whenever what is under way is of no use any more.
  var generation: Int
  /// What is done to its tiles' colours.
  var colors: TileColors
  /// Its own painter, once it is open and if it has one.
  var painter: (any TilePainter)?
  /// Its tiles have shown transparency: buffers hold four bytes a pixel from the start.
  var alpha = false
  var inFlight = 0
  /// What tile errors name.
  let name: String

  init(generation: Int, colors: TileColors, name: String, make: @escaping () -> SourceReader) {
    self.make = make
    opening = generation
    self.generation = generation
    self.colors = colors
    self.name = name
  }

  var reader: SourceReader {
    if let made { return made }
    let reader = make()
    made = reader
    return reader
  }

  /// The reader, where it was asked already.
  var askedReader: SourceReader? { made }

  var encodedBytes: Int { made?.buffers.bytes ?? 0 }

  /// Bytes a pixel of the memory for `request`.
  func pixelBytes(_ request: TileLoader.Request, _ opaque: TilePixelFormat) -> Int {
    alpha || request.levels > 0 || request.key.tile == nil ? 4 : opaque.bytes
  }

  /// The work that `request` asks for.
  ///
  /// - Parameters:
  ///   - request: what is wanted.
  ///   - memory: for the tile.
  ///   - opaque: the format of tiles without transparency.
  ///   - scale: pixels a point.
  ///   - painter: nil: tiles are decoded.
  /// - Returns: a job to be read for, or to be painted where the painter needs no payload.
  func job(
    _ request: TileLoader.Request, _ memory: TileMemory, _ opaque: TilePixelFormat, scale: Int,
    painter: (any TilePainter)?
  ) -> PaintJob {
    var job = PaintJob(
      key: request.key, tile: request.tile, levels: request.levels, memory: memory,
      edge: request.edge, opaque: opaque, colors: colors, scale: scale, generation: generation)
    if let painter { job.painter = painter }
    // A quiet cell is quick.
    if !job.painter.needsPayload, request.key.tile != nil { job.cancellation = PaintCancellation() }
    return job
  }

  /// Ends the reader if there is one; gives what it had not begun.
  func stop() -> [PaintJob] { made?.stop() ?? [] }
}

extension [Int: LoaderSource] {
  /// The number of the source that a reader of this generation opened; nil: it is gone.
  func index(ofReader generation: Int) -> Int? {
    first { $0.value.opening == generation }?.key
  }
}
