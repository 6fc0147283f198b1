import MapGeometry
import Pixels
import Platform
import TileSources

/// The thread that opens and reads one source, so that a slow medium holds up nobody else. It starts
/// with the first job and sleeps when there is none.
final class SourceReader: Sendable {
  struct Job: Sendable {
    var key: TileKey
    var tile: TileID
    /// How many levels below the tile its descendants are to be read and reduced; 0: the tile itself.
    var levels: Int
    var memory: TileMemory
    var edge: Int
    var opaque: TilePixelFormat
    var colors: TileColors
    /// Which state of the source asked for it.
    var generation: Int
  }

  private struct State {
    var jobs: [Job] = []
    var open = false
    var started = false
    var stopped = false
  }

  private let gate = Gate(State())
  private let index: Int
  private let name: String
  /// Tells its opening from others.
  let generation: Int
  private let scale: Int
  private let make: @Sendable () -> Result<any TileSource, SourceError>
  private let pool: DecodePool
  private let report: @Sendable (LoaderResult) -> Void
  let buffers = EncodedBuffers()

  /// - Parameters:
  ///   - make: opens the source; called once, on the reader's thread.
  ///   - report: called on the reader's thread.
  init(
    index: Int, name: String, generation: Int, scale: Int, pool: DecodePool,
    make: @escaping @Sendable () -> Result<any TileSource, SourceError>,
    report: @escaping @Sendable (LoaderResult) -> Void
  ) {
    self.index = index
    self.name = name
    self.generation = generation
    self.scale = scale
    self.pool = pool
    self.make = make
    self.report = report
  }

  /// Opens the source if it is not open yet.
  func open() { add(nil) }

  func read(_ job: Job) { add(job) }

  /// Ends the thread after what it is reading now. Jobs not begun are not reported.
  func stop() -> [Job] {
    var left: [Job] = []
    gate.lockedBroadcast { state in
      state.stopped = true
      swap(&left, &state.jobs)
    }
    return left
  }

  /// The jobs that have not begun, to be asked for anew or not at all.
  func takeBack() -> [Job] {
    var left: [Job] = []
    gate.locked { swap(&left, &$0.jobs) }
    return left
  }

  private func add(_ job: Job?) {
    let start = gate.locked(signal: true) { state in
      if let job { state.jobs.append(job) } else { state.open = true }
      defer { state.started = true }
      return !state.started
    }
    if start, !startThread(named: "source-\(index)", { [self] in run() }) {
      gate.locked { $0.started = false }
      let error = SourceError(file: name, reason: "the system has no room for a thread to read it")
      report(.openFailed(generation: generation, error))
      for job in takeBack() { refuse(job, error) }
    }
  }

  private func refuse(_ job: Job, _ error: SourceError) {
    let error = TileError(file: error.file, tile: job.tile, reason: error.reason)
    report(.unreadable(job.key, generation: job.generation, job.memory, [error], ancestor: nil))
  }

  private func run() {
    if gate.locked({ $0.stopped }) { return }
    pool.start()
    let source: any TileSource
    switch make() {
    case .failure(let error):
      report(.openFailed(generation: generation, error))
      // What was asked meanwhile fails the same way.
      while let job = next() { refuse(job, error) }
      return
    case .success(let opened):
      source = opened
    }
    let drawing = (source as? any DrawnSource)?.drawing
    report(
      .opened(
        generation: generation, source.info, problems: source.problems, drawing: drawing))
    while let job = next() {
      if let drawing { draw(job, drawing) } else { read(job, from: source, buffers) }
    }
  }

  private func next() -> Job? {
    gate.wait { state -> Job?? in
      if state.stopped { return .some(nil) }
      return state.jobs.isEmpty ? nil : .some(state.jobs.removeFirst())
    }
  }

  /// What was asked for before the loader knew that the source draws.
  private func draw(_ job: Job, _ drawing: any TileDrawing) {
    guard drawing.mayDraw(job.tile) else {
      report(.missing(job.key, generation: job.generation, job.memory, ancestor: nil))
      return
    }
    pool.add(DecodeJob(job, drawing: drawing, scale: scale))
  }

  private func read(_ job: Job, from source: any TileSource, _ buffers: EncodedBuffers) {
    switch SourceReader.read(job.tile, levels: job.levels, from: source, buffers) {
    case .parts(let parts, let broken):
      pool.add(
        DecodeJob(
          key: job.key, parts: parts, buffers: buffers, broken: broken, levels: job.levels,
          memory: job.memory,
          edge: job.edge, opaque: job.opaque, colors: job.colors, generation: job.generation))
    case .missing(let ancestor):
      report(.missing(job.key, generation: job.generation, job.memory, ancestor: ancestor))
    case .later(let retry):
      report(.later(job.key, generation: job.generation, job.memory, retry))
    case .failed(let errors, let ancestor):
      report(
        .unreadable(
          job.key, generation: job.generation, job.memory, errors, ancestor: ancestor))
    }
  }

  /// What a source gave for a tile.
  enum Reading {
    /// `broken`: descendants that are there but cannot be read.
    case parts([DecodeJob.Part], broken: [TileError])
    /// Not there; the deepest level above at which a tile covers this place.
    case missing(ancestor: Int?)
    /// Not to be told yet: the source is to be asked again.
    case later(TileRetry)
    /// At least one error.
    case failed([TileError], ancestor: Int?)
  }

  /// Reads the tile, or its descendants `levels` below.
  ///
  /// - Parameter buffers: where the memory for them comes from.
  static func read(
    _ tile: TileID, levels: Int, from source: any TileSource, _ buffers: EncodedBuffers
  ) -> Reading {
    if levels > 0 { return descendants(of: tile, levels, in: source, buffers) }
    do throws(TileError) {
      var buffer = buffers.take()
      let answer = try source.read(tile, into: &buffer)
      buffers.giveBack(buffer)
      switch answer {
      case .payload(let payload):
        let part = DecodeJob.Part(payload: payload, column: 0, row: 0, tile: tile)
        return .parts([part], broken: [])
      case .nothing: return .missing(ancestor: try source.nearestAncestor(of: tile)?.z)
      case .later(let retry): return .later(retry)
      }
    } catch {
      return .failed([error], ancestor: (try? source.nearestAncestor(of: tile))?.z)
    }
  }

  /// The tiles `levels` below `above`; one that cannot be read does not keep the others away.
  private static func descendants(
    of above: TileID, _ levels: Int, in source: any TileSource, _ buffers: EncodedBuffers
  ) -> Reading {
    var parts: [DecodeJob.Part] = []
    var broken: [TileError] = []
    let side = 1 << levels
    for row in 0..<side {
      for column in 0..<side {
        guard
          let tile = TileID(
            z: above.z + levels, x: above.x << levels | column, y: above.y << levels | row)
        else { continue }
        do throws(TileError) {
          var buffer = buffers.take()
          let answer = try source.read(tile, into: &buffer)
          buffers.giveBack(buffer)
          switch answer {
          case .payload(let payload):
            parts.append(DecodeJob.Part(payload: payload, column: column, row: row, tile: tile))
          case .nothing: break
          case .later(let retry): return .later(retry)
          }
        } catch {
          broken.append(error)
        }
      }
    }
    if !parts.isEmpty { return .parts(parts, broken: broken) }
    return broken.isEmpty ? .missing(ancestor: nil) : .failed(broken, ancestor: nil)
  }
}

extension DecodeJob {
  /// A tile to be drawn.
  init(_ job: SourceReader.Job, drawing: any TileDrawing, scale: Int) {
    self.init(
      key: job.key, parts: [], levels: 0, memory: job.memory, edge: job.edge, opaque: job.opaque,
      colors: job.colors, drawing: drawing, scale: scale, generation: job.generation)
  }
}
