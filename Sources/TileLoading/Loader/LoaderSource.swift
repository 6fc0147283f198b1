import Pixels
import TileSources

/// What the loader knows of a source. A class, so that looking at one of a thousand copies nothing.
final class LoaderSource {
  /// The reader, made on first use.
  private var made: SourceReader?
  private let make: () -> SourceReader
  /// The reader's generation, which identifies results of this opening.
  let opening: Int
  /// Changes when jobs under way become useless; results of other generations are ignored.
  var generation: Int
  /// The colour changes applied to its tiles.
  var colors: TileColors
  /// The painter that the source brought, once it is open.
  var painter: (any TilePainter)?
  /// Whether its tiles have shown transparency. Buffers then have 4 bytes per pixel from the start.
  var alpha = false
  var inFlight = 0
  /// When a tile failed last for a reason that may pass, in nanoseconds of the loader's clock; nil:
  /// none has.
  var failedAt: UInt64?
  /// The file name in tile errors.
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

  /// The reader, if it was made already.
  var askedReader: SourceReader? { made }

  var encodedBytes: Int { made?.buffers.bytes ?? 0 }

  /// Bytes per pixel of the memory for `request`.
  func pixelBytes(_ request: TileLoader.Request, _ opaque: TilePixelFormat) -> Int {
    alpha || request.levels > 0 || request.key.tile == nil ? 4 : opaque.bytes
  }

  /// Creates the job for `request`.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - memory: The tile's memory.
  ///   - opaque: The format of tiles without transparency.
  ///   - scale: Pixels per point.
  ///   - painter: Paints the tile; nil: it is decoded.
  /// - Returns: A job to read for, or to paint at once if the painter needs no payload.
  func job(
    _ request: TileLoader.Request, _ memory: TileMemory, _ opaque: TilePixelFormat, scale: Int,
    painter: (any TilePainter)?
  ) -> PaintJob {
    var job = PaintJob(
      key: request.key, tile: request.tile, levels: request.levels, memory: memory,
      edge: request.edge, opaque: opaque, colors: colors, scale: scale, generation: generation)
    if let painter { job.painter = painter }
    // A quiet cell is painted too quickly to need cancelling.
    if job.painter.mayTakeLong, request.key.tile != nil { job.cancellation = PaintCancellation() }
    return job
  }

  /// Stops the reader, if there is one, and returns the jobs that it had not begun.
  func stop() -> [PaintJob] { made?.stop() ?? [] }
}

extension [Int: LoaderSource] {
  /// The number of the source with the reader of this generation; nil: it is gone.
  func index(ofReader generation: Int) -> Int? {
    first { $0.value.opening == generation }?.key
  }
}
