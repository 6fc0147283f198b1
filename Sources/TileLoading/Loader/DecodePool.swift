import CLinux
import Drawing
import Glibc
import Images
import MapGeometry
import Pixels
import Platform
import TileSources

/// A tile's memory on its way through a thread that decodes.
///
/// Unchecked: exactly one side holds it at a time – the loop gave it away with the job and gets it
/// back with the result.
struct TileMemory: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer
  let bytes: Int

  var buffer: UnsafeMutableRawBufferPointer { .init(start: pointer, count: bytes) }

  /// Returns it to the kernel: for a thread that finds its loader gone.
  func unmap() { munmap(pointer, bytes) }
}

/// One tile to be decoded.
struct DecodeJob: Sendable {
  /// An encoded image and where in the tile it goes: column and row in units of its own edge.
  struct Part: Sendable {
    var payload: TilePayload
    var column: Int
    var row: Int
    var tile: TileID
  }

  var key: TileKey
  /// One part that fills the tile, or the children that are reduced into it.
  var parts: [Part]
  /// Where the parts' memory goes when they are decoded.
  var buffers: EncodedBuffers?
  /// Descendants that are there but could not be read.
  var broken: [TileError] = []
  /// 0, or how many levels below the tile the parts lie.
  var levels: Int
  var memory: TileMemory
  /// The tile's edge in pixels.
  var edge: Int
  var opaque: TilePixelFormat
  /// What is done to its colours.
  var colors = TileColors.none
  /// Draws the tile, which then has no parts.
  var drawing: (any TileDrawing)?
  /// Pixels a point, for what is drawn.
  var scale = 1
  /// Which opening of the source this belongs to.
  var generation: Int
}

/// What a thread that decodes and draws keeps for itself.
final class TileTools {
  let decoder = TileDecoder()
  private(set) lazy var rasteriser = PathRasteriser()
}

/// The threads that decode tiles, as many as there are cores. They are started when a source is opened and
/// sleep when there is none. None of them keeps the thread that draws from its core: they give way to it
/// by ten steps of nice, so that at a switch of maps all cores decode, and in a pan one of them draws.
final class DecodePool: Sendable {
  static let niceness: Int32 = 10

  private struct State {
    var jobs: [DecodeJob] = []
    var stopped = false
  }

  private let gate = Gate(State())
  private let count: Int
  private let started = Gate(false)
  private let done: @Sendable (LoaderResult, _ isUrgent: () -> Bool) -> Void

  /// - Parameter done: called on a decoding thread. `isUrgent` tells whether a thread may soon have
  ///   nothing to do; asked after the result was put where it is found, the last one that is asked for
  ///   all jobs given out says so.
  init(threads: Int, done: @escaping @Sendable (LoaderResult, _ isUrgent: () -> Bool) -> Void) {
    count = max(1, threads)
    self.done = done
  }

  /// Starts the threads: they get ready while the first tile is still being read.
  func start() {
    started.locked { started in
      if started { return }
      for i in 0..<count {
        let runs = startThread(named: "decode-\(i)", stack: 1 << 20) { [gate, done, count] in
          // Whoever draws, reads or answers comes first, on every core.
          waypost_yield_thread(DecodePool.niceness)
          let tools = TileTools()
          while var job = DecodePool.next(gate) {
            let result = DecodePool.run(job, tools)
            job.buffers?.giveBack(&job.parts)
            done(result) { gate.locked { $0.jobs.count < count } }
          }
        }
        // Where the system gives none, the next job tries again.
        started = started || runs
      }
    }
  }

  func add(_ job: DecodeJob) {
    start()
    let stopped = gate.locked(signal: true) { state in
      if !state.stopped { state.jobs.append(job) }
      return state.stopped
    }
    if stopped { job.memory.unmap() }
  }

  /// Ends the threads after what they are decoding now.
  ///
  /// - Returns: the jobs that have not begun; those that are still added let go of their memory.
  func stop() -> [DecodeJob] {
    var left: [DecodeJob] = []
    gate.lockedBroadcast { state in
      state.stopped = true
      swap(&left, &state.jobs)
    }
    return left
  }

  private static func next(_ gate: Gate<State>) -> DecodeJob? {
    gate.wait { state -> DecodeJob?? in
      if state.stopped { return .some(nil) }
      return state.jobs.isEmpty ? nil : .some(state.jobs.removeFirst())
    }
  }

  static func run(_ job: DecodeJob, _ tools: TileTools) -> LoaderResult {
    var start = timespec()
    clock_gettime(CLOCK_MONOTONIC, &start)
    // At once, which takes half the time of a fault for each page.
    waypost_populate(job.memory.pointer, job.memory.bytes)
    let outcome =
      if let drawing = job.drawing {
        drawn(job, drawing, tools.rasteriser)
      } else if job.levels == 0 {
        whole(job, tools.decoder)
      } else {
        reduced(job, tools.decoder)
      }
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let nanoseconds = (end.tv_sec - start.tv_sec) * 1_000_000_000 + end.tv_nsec - start.tv_nsec
    // Without the encoded bytes, whose memory is used again.
    var done = job
    done.parts = []
    return .decoded(done, outcome, nanoseconds: nanoseconds)
  }

  private static func whole(_ job: DecodeJob, _ decoder: TileDecoder) -> LoaderResult.Outcome {
    do throws(ImageError) {
      let outcome = try decoder.decode(
        job.parts[0].payload.bytes, as: job.parts[0].payload.format, edge: job.edge,
        opaque: job.opaque,
        colors: job.colors.transform(for: job.parts[0].tile), into: job.memory.buffer)
      switch outcome {
      case .drawn(let format): return .tile(format, broken: [])
      case .needsAlphaRoom: return .needsAlphaRoom
      }
    } catch {
      return .failed([.init(tile: job.parts[0].tile, reason: error.reason)])
    }
  }

  /// A tile that is drawn, not read.
  private static func drawn(
    _ job: DecodeJob, _ drawing: any TileDrawing, _ rasteriser: PathRasteriser
  ) -> LoaderResult.Outcome {
    let pixels = job.edge * job.edge
    guard job.memory.bytes >= pixels * 4 else { return .needsAlphaRoom }
    guard let tile = job.key.tile else { return .nothing }
    memset(job.memory.pointer, 0, pixels * 4)
    let words = job.memory.pointer.assumingMemoryBound(to: UInt32.self)
    let canvas = PixelCanvas(words, stride: job.edge, width: job.edge, height: job.edge)
    guard drawing.draw(tile, scale: job.scale, on: canvas, with: rasteriser) else {
      return .nothing
    }
    let colors = job.colors.transform(for: tile)
    if !colors.isIdentity { colors.apply(to: words, count: pixels) }
    return .tile(.argb8888, broken: [])
  }

  /// A tile made of its descendants, each reduced into its place; what is missing is transparent.
  private static func reduced(_ job: DecodeJob, _ decoder: TileDecoder) -> LoaderResult.Outcome {
    let (edge, part) = (job.edge, job.edge >> job.levels)
    let rowBytes = edge * 4
    guard part > 0, job.memory.bytes >= rowBytes * edge else { return .needsAlphaRoom }
    memset(job.memory.pointer, 0, rowBytes * edge)
    var opaque = 0
    var broken: [LoaderResult.BrokenTile] = []
    for child in job.parts {
      let target = job.memory.pointer + child.row * part * rowBytes + child.column * part * 4
      do throws(ImageError) {
        let isOpaque = try decoder.decodeARGB(
          child.payload.bytes, as: child.payload.format, edge: part, into: target,
          rowBytes: rowBytes)
        opaque += isOpaque ? 1 : 0
      } catch {
        broken.append(.init(tile: child.tile, reason: error.reason))
        // A decoder that gave up may have left half a picture.
        for row in 0..<part { memset(target + row * rowBytes, 0, part * 4) }
      }
    }
    if broken.count == job.parts.count { return .failed(broken) }
    if let tile = job.key.tile {
      let colors = job.colors.transform(for: tile)
      if !colors.isIdentity {
        colors.apply(
          to: job.memory.pointer.assumingMemoryBound(to: UInt32.self), count: edge * edge)
      }
    }
    if opaque == 1 << (2 * job.levels) {
      convertOpaqueTile(job.memory.buffer, edge: edge, to: job.opaque)
      return .tile(job.opaque, broken: broken)
    }
    return .tile(.argb8888, broken: broken)
  }
}
