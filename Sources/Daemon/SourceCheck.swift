import Configuration
import EventLoop
import Glibc
import Images
import MapGeometry
import Pixels
import TileLoading
import TileSources
import VectorMaps

/// Checks a source for `--check-config`: why it does not open, which of its tiles are broken, and
/// what does not fit the configuration.
struct SourceCheck {
  /// The most tiles that are decoded.
  private static let sample = 256
  /// The most things of a style that are reported.
  private static let toldOfStyle = 40
  /// The most kinds of broken tiles that are reported.
  private static let told = 8
  /// The edge in pixels of the pictures that tiles are decoded to, and painted in.
  private static let edge = 64

  private let spec: SourceSpec
  private let configuration: Configuration
  /// Other parts of the configuration have errors.
  private let isPart: Bool
  /// How long tiles are examined, in nanoseconds. One read can take longer.
  private let patience: UInt64

  /// What was found, in the order in which it is told.
  private(set) var found: [(Finding.Severity, String)] = []

  /// What the examined tiles are like.
  private struct Tally {
    /// How many pictures there are of each width in pixels.
    var sizes: [Int: Int] = [:]
    var broken = 0
    /// How many tiles are broken for each reason.
    var reasons: [String: Int] = [:]
  }

  init(_ spec: SourceSpec, _ configuration: Configuration, isPart: Bool, patience: UInt64) {
    self.spec = spec
    self.configuration = configuration
    self.isPart = isPart
    self.patience = patience
  }

  private var scale: Int { configuration.display.scale }

  private mutating func tell(_ severity: Finding.Severity, _ text: String) {
    found.append((severity, "source \"\(spec.name)\": \(text)"))
  }

  /// Opens the source and examines its style and its tiles.
  mutating func run() {
    guard let source = open() else { return }
    // A style for another schema is no fault of the pack: the map is shown, if only as background.
    let misfit = VectorMap.misfit(of: source)
    for problem in source.problems { tell(problem == misfit ? .warning : .error, "\(problem)") }
    tellStyle(of: source)
    let end = EventLoop.now() &+ patience
    let tally = examine(source, until: end)
    let told = min(tally.reasons.count, SourceCheck.told)
    if tally.broken > told {
      tell(spec.isProvided ? .warning : .error, "\(tally.broken - told) more like that")
    }
    if tally.sizes.isEmpty, tally.broken == 0, EventLoop.now() <= end {
      tell(.warning, "no tile was found; is it empty, or its scheme another?")
    }
    if let usual = tally.sizes.max(by: { $0.value < $1.value })?.key,
      usual != spec.tileSize * scale, !isPart
    {
      tell(.warning, advice(pixels: usual))
    }
  }

  /// Opens the source; nil if that fails, or if what it shows depends on parts that have errors.
  private mutating func open() -> (any TileSource)? {
    var isPictureMissing = false
    do throws(SourceError) {
      let sources = configuration.sources
      let source = try VectorMap.open(
        spec, scale: scale,
        pictures: { name in
          let found = sources.first { $0.name == name }
          if found == nil { isPictureMissing = true }
          return found
        })
      return isPart && isPictureMissing ? nil : source
    } catch {
      if !isPart || !isPictureMissing {
        // Another program may not be running now, but may be when the map is shown.
        tell(spec.isProvided && error.isTransient ? .warning : .error, "\(error)")
      }
      return nil
    }
  }

  /// Tells what the styles request but Waypost does not draw, and styles that have no effect.
  private mutating func tellStyle(of source: any TileSource) {
    let all = VectorMap.findings(of: source)
    for finding in all.prefix(SourceCheck.toldOfStyle) { tell(.warning, "\(finding)") }
    if all.count > SourceCheck.toldOfStyle {
      tell(.warning, "\(all.count - SourceCheck.toldOfStyle) more like that")
    }
    if spec.style != nil, source.info.drawing == nil {
      let format = source.info.format ?? "unknown"
      tell(.warning, "style has no effect: its tiles are pictures (\(format))")
    }
  }

  /// Decodes or paints tiles, and tells the first ones that are broken.
  private mutating func examine(_ source: any TileSource, until end: UInt64) -> Tally {
    var tally = Tally()
    let decoder = TileDecoder()
    let room = UnsafeMutableRawBufferPointer.allocate(
      byteCount: SourceCheck.edge * SourceCheck.edge * 4, alignment: 16)
    defer { room.deallocate() }
    var looked = Set<TileID>()
    for tile in wantedTiles(of: source) where looked.insert(tile).inserted {
      if EventLoop.now() > end {
        tell(
          .warning,
          "only \(looked.count - 1) of its tiles were examined in \(patience / 1_000_000_000) s: "
            + "its medium is slow, or the pack is not indexed")
        break
      }
      do throws(TileError) {
        guard let width = try width(of: tile, source, decoder, room, until: end) else { continue }
        tally.sizes[width, default: 0] += 1
      } catch {
        tally.broken += 1
        tally.reasons[error.reason, default: 0] += 1
        // Each kind of fault once, and not too many.
        if tally.reasons[error.reason] == 1, tally.reasons.count <= SourceCheck.told {
          // The network may be away.
          tell(spec.isProvided && error.isTransient ? .warning : .error, "\(error)")
        }
      }
    }
    return tally
  }

  private func wantedTiles(of source: any TileSource) -> [TileID] {
    // One tile of somebody's server shows whether it answers.
    spec.isFetched
      ? Array(spreadTiles(of: source).prefix(1))
      : source.sampleTiles(upTo: SourceCheck.sample) + spreadTiles(of: source)
  }

  /// Reads a tile and decodes or paints it. Returns its width in pixels; nil if there is no tile.
  private func width(
    of tile: TileID, _ source: any TileSource, _ decoder: TileDecoder,
    _ room: UnsafeMutableRawBufferPointer, until end: UInt64
  ) throws(TileError) -> Int? {
    guard let payload = try read(tile, of: source, until: end) else { return nil }
    guard let painter = (source as? any DrawnSource)?.painter else {
      return try decode([UInt8](payload.bytes), tile, decoder, room)
    }
    try paint(payload, tile, painter, room)
    return spec.tileSize * scale
  }

  /// Paints a tile of a vector map in a few pixels, which reads all of it that the style draws.
  private func paint(
    _ payload: TilePayload, _ tile: TileID, _ painter: any TilePainter,
    _ room: UnsafeMutableRawBufferPointer
  ) throws(TileError) {
    guard let base = room.baseAddress else { return }
    var target = PaintTarget(
      pixels: base, rowBytes: SourceCheck.edge * 4, edge: SourceCheck.edge, room: room.count,
      tools: PaintTools())
    switch painter.paint(payload, tile, into: &target) {
    case .failed(let reason), .lacksMemory(let reason):
      throw TileError(file: spec.locationText, tile: tile, reason: reason)
    default: break
    }
    // A picture that the style needs cannot be drawn.
    if let fault = payload.faults.first ?? target.faults.first { throw fault }
  }

  /// A tile's encoded bytes, also of a source that promises them; nil if there are none in time.
  private func read(
    _ tile: TileID, of source: any TileSource, until end: UInt64
  ) throws(TileError) -> TilePayload? {
    while true {
      switch try source.read(tile) {
      case .payload(let payload): return payload
      case .nothing: return nil
      case .later(let retry):
        while !retry.hasFired {
          if EventLoop.now() > end { return nil }
          usleep(500)
        }
      }
    }
  }

  /// Decodes a tile, and returns its picture's width in pixels.
  private func decode(
    _ bytes: [UInt8], _ tile: TileID, _ decoder: TileDecoder,
    _ room: UnsafeMutableRawBufferPointer
  ) throws(TileError) -> Int {
    let result: Result<Int, ImageError> = bytes.withUnsafeBytes { raw in
      do throws(ImageError) {
        let info = try decoder.probe(raw)
        _ = try decoder.decode(raw, edge: SourceCheck.edge, opaque: .xrgb8888, into: room)
        return .success(info.width)
      } catch {
        return .failure(error)
      }
    }
    do {
      return try result.get()
    } catch {
      throw TileError(file: spec.locationText, tile: tile, reason: error.reason)
    }
  }

  /// What to do about tiles that are not drawn one to one.
  private func advice(pixels: Int) -> String {
    let text = "its tiles are \(pixels) px and are fitted to \(spec.tileSize * scale) px"
    for size in [256, 512] where size * scale == pixels {
      return text + "; tile_size = \(size) would draw them one to one"
    }
    for other in [1, 2] where spec.tileSize * other == pixels {
      return text + "; display.scale = \(other) would draw them one to one"
    }
    return text
  }

  /// Sample tiles on every level, spread evenly over the source's bounds.
  private func spreadTiles(of source: any TileSource) -> [TileID] {
    var low = spec.minZoom ?? source.info.minZoom
    var high = max(low, spec.maxZoom ?? source.info.maxZoom)
    if source.info.drawing != nil {
      // A vector tile of level n is drawn on level n + 1.
      low = source.info.tileLevels(from: low, to: high).lowerBound
      high = min(high + 1, TileID.maxLevel)
    }
    let box = source.info.bounds ?? .world
    let each = max(4, SourceCheck.sample / (high - low + 1))
    var found: [TileID] = []
    for level in low...min(high, TileID.maxLevel) {
      let first = WebMercator.tile(
        at: GeoPoint(lat: box.north, lon: box.west), level: level)
      let last = WebMercator.tile(at: GeoPoint(lat: box.south, lon: box.east), level: level)
      let columns = (last.x - first.x + (1 << level)) % (1 << level) + 1
      let span = box.longitudeSpan >= 360 ? 1 << level : columns
      let rows = max(1, last.y - first.y + 1)
      let side = max(1, Int(Double(each).squareRoot()))
      for j in 0..<min(side, rows) {
        for i in 0..<min(side, span) {
          let column = first.x + (span <= side ? i : (2 * i + 1) * span / (2 * side))
          let row = first.y + (rows <= side ? j : (2 * j + 1) * rows / (2 * side))
          if let tile = TileID(z: level, wrapping: column, row: row) { found.append(tile) }
        }
      }
    }
    return found
  }
}
