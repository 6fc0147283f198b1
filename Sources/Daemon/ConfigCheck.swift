import Configuration
import Drawing
import EventLoop
import Glibc
import Images
import Inputs
import Kiosk
import MapGeometry
import MapOverlays
import MapScene
import Pixels
import TileLoading
import TileSources
import VectorMaps

/// `--check-config`: reads everything, opens every source, decodes some of its tiles, and prints
/// one line a finding.
struct ConfigCheck {
  /// The most tiles of a source that are decoded.
  static let sample = 256
  /// The most things of a style reported for a source.
  static let toldOfStyle = 40
  /// The most kinds of broken tiles reported for a source.
  static let told = 8

  let files: [String]
  /// How long a source's tiles are examined, in nanoseconds. One read can take longer.
  var patience: UInt64 = 20_000_000_000

  /// Prints the findings; 0 without errors, else 78 (EX_CONFIG).
  func run() -> Int32 {
    var findings = [Finding]()
    if files.isEmpty { print("no configuration in /etc/waypost: the defaults hold") }
    let result = ConfigurationLoader().load(files: files)
    findings += result.findings
    if let configuration = result.configuration ?? result.partial {
      let places = result.places
      let (keys, sources) = (places.inputKeys(), places.sources())
      let overlays = places.overlays()
      for (key, nearest) in EvdevInputs.unknownKeys(in: configuration.input) {
        let place = keys[key] ?? places.key("input.key")
        findings.append(
          Finding(
            file: place.file, line: place.line, severity: .error,
            text: "input.key: no key is called \"\(key)\"; perhaps \"\(nearest)\""))
      }
      for problem in Bundled.text(FontFile.all(configuration.hud.fonts))?.problems ?? [] {
        let place = places.key("hud.font")
        findings.append(
          Finding(
            file: place.file, line: place.line, severity: .error,
            text: "hud.font: \(problem.path): \(problem.reason)"))
      }
      // Beside an error, names would seem to refer to nothing that only could not be read.
      if result.configuration != nil {
        findings += ConfigRules(configuration: configuration).findings(in: places)
      }
      let (isSound, isSoundOverlay) = sound(result)
      for spec in configuration.sources where isSound(spec.name) {
        let place = sources[spec.name] ?? places.key("source")
        findings += check(spec, configuration, isPart: result.configuration == nil).map {
          Finding(file: place.file, line: place.line, severity: $0.0, text: $0.1)
        }
      }
      for overlay in configuration.overlays where isSoundOverlay(overlay.name) {
        let place = overlays[overlay.name] ?? places.key("overlay")
        findings += check(overlay).map {
          Finding(file: place.file, line: place.line, severity: $0.0, text: $0.1)
        }
      }
    }
    for finding in findings { print(finding) }
    return findings.contains { $0.severity == .error } ? 78 : 0
  }

  /// Which sources and which overlays to open, by their names: those whose own tables have no
  /// error.
  private func sound(_ result: LoadResult) -> ((String) -> Bool, (String) -> Bool) {
    if result.configuration != nil { return ({ _ in true }, { _ in true }) }
    let sources = result.places.faultless("source", result.findings)
    let overlays = result.places.faultless("overlay", result.findings)
    return ({ sources.contains($0) }, { overlays.contains($0) })
  }

  /// The findings on a source: why it does not open, which of its tiles are broken, and what does
  /// not fit the configuration. `isPart`: other parts of the configuration have errors, so that
  /// what depends on them is not told.
  func check(
    _ spec: SourceSpec, _ configuration: Configuration, isPart: Bool = false
  ) -> [(Finding.Severity, String)] {
    let scale = configuration.display.scale
    let source: any TileSource
    var isPictureMissing = false
    do throws(SourceError) {
      source = try VectorMap.open(
        spec, scale: scale,
        pictures: { name in
          let found = configuration.sources.first { $0.name == name }
          if found == nil { isPictureMissing = true }
          return found
        })
      if isPart, isPictureMissing { return [] }
    } catch {
      if isPart, isPictureMissing { return [] }
      // Another program may not be running now, but may be when the map is shown.
      let severity: Finding.Severity = spec.isProvided && error.isTransient ? .warning : .error
      return [(severity, "source \"\(spec.name)\": \(error)")]
    }
    // A style for another schema is no fault of the pack: the map is shown, if only as background.
    let misfit = VectorMap.misfit(of: source)
    var found: [(Finding.Severity, String)] = source.problems.map {
      ($0 == misfit ? .warning : .error, "source \"\(spec.name)\": \($0)")
    }
    found += styleFindings(spec, source)
    var broken = 0
    var sizes: [Int: Int] = [:]
    let decoder = TileDecoder()
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 64 * 4, alignment: 16)
    defer { room.deallocate() }
    var reasons: [String: Int] = [:]
    var looked = Set<TileID>()
    let end = EventLoop.now() &+ patience
    // One tile of somebody's server shows whether it answers.
    let wanted =
      spec.isFetched
      ? Array(tiles(of: source, spec).prefix(1))
      : source.sampleTiles(upTo: ConfigCheck.sample) + tiles(of: source, spec)
    for tile in wanted where looked.insert(tile).inserted {
      if EventLoop.now() > end {
        found.append(
          (
            .warning,
            "source \"\(spec.name)\": only \(looked.count - 1) of its tiles were examined in "
              + "\(patience / 1_000_000_000) s: its medium is slow, or the pack is not indexed"
          ))
        break
      }
      do throws(TileError) {
        guard let payload = try read(tile, of: source, until: end) else { continue }
        if let painter = (source as? any DrawnSource)?.painter {
          try paint(payload, tile, spec, painter, room)
          sizes[spec.tileSize * scale, default: 0] += 1
          continue
        }
        sizes[try width(of: [UInt8](payload.bytes), tile, spec, decoder, room), default: 0] += 1
      } catch {
        broken += 1
        reasons[error.reason, default: 0] += 1
        // Each kind of fault once, and not too many.
        if reasons[error.reason] == 1, reasons.count <= ConfigCheck.told {
          // The network may be away.
          let severity: Finding.Severity = spec.isProvided && error.isTransient ? .warning : .error
          found.append((severity, "source \"\(spec.name)\": \(error)"))
        }
      }
    }
    let told = min(reasons.count, ConfigCheck.told)
    if broken > told {
      found.append(
        (
          spec.isProvided ? .warning : .error,
          "source \"\(spec.name)\": \(broken - told) more like that"
        ))
    }
    if sizes.isEmpty, broken == 0, EventLoop.now() <= end {
      found.append(
        (
          .warning,
          "source \"\(spec.name)\": no tile was found; is it empty, or its scheme another?"
        ))
    }
    if let usual = sizes.max(by: { $0.value < $1.value })?.key, usual != spec.tileSize * scale,
      !isPart
    {
      found.append((.warning, advice(spec, pixels: usual, scale: scale)))
    }
    return found
  }

  private func check(_ overlay: Configuration.Overlay) -> [(Finding.Severity, String)] {
    guard case .file = overlay.content else { return [] }
    let features: FeatureSource
    do throws(SourceError) {
      features = try overlay.openFeatures()
    } catch {
      return [(.error, "overlay \"\(overlay.name)\": \(error)")]
    }
    let set = features.features.features
    var found: [(Finding.Severity, String)] = set.warnings.prefix(ConfigCheck.told).map {
      (.warning, "overlay \"\(overlay.name)\": \($0)")
    }
    if set.warningCount > found.count {
      found.append(
        (.warning, "overlay \"\(overlay.name)\": \(set.warningCount - found.count) more like that"))
    }
    if set.features.isEmpty, set.warningCount == 0 {
      found.append((.warning, "overlay \"\(overlay.name)\": it has no features to draw"))
    }
    return found
  }

  /// What a source's styles request but Waypost does not draw, and styles that have no effect.
  private func styleFindings(
    _ spec: SourceSpec, _ source: any TileSource
  ) -> [(Finding.Severity, String)] {
    let all = VectorMap.findings(of: source)
    var found: [(Finding.Severity, String)] = all.prefix(ConfigCheck.toldOfStyle).map {
      (.warning, "source \"\(spec.name)\": \($0)")
    }
    if all.count > found.count {
      found.append(
        (.warning, "source \"\(spec.name)\": \(all.count - found.count) more like that"))
    }
    if spec.style != nil, source.info.drawing == nil {
      let format = source.info.format ?? "unknown"
      found.append(
        (
          .warning,
          "source \"\(spec.name)\": style has no effect: its tiles are pictures (\(format))"
        ))
    }
    return found
  }

  /// Paints a tile of a vector map in a few pixels, which reads all of it that the style draws.
  private func paint(
    _ payload: TilePayload, _ tile: TileID, _ spec: SourceSpec, _ painter: any TilePainter,
    _ room: UnsafeMutableRawBufferPointer
  ) throws(TileError) {
    guard let base = room.baseAddress else { return }
    var target = PaintTarget(
      pixels: base, rowBytes: 64 * 4, edge: 64, room: room.count, tools: PaintTools())
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
  private func width(
    of bytes: [UInt8], _ tile: TileID, _ spec: SourceSpec, _ decoder: TileDecoder,
    _ room: UnsafeMutableRawBufferPointer
  ) throws(TileError) -> Int {
    let result: Result<Int, ImageError> = bytes.withUnsafeBytes { raw in
      do throws(ImageError) {
        let info = try decoder.probe(raw)
        _ = try decoder.decode(raw, edge: 64, opaque: .xrgb8888, into: room)
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

  private func advice(_ spec: SourceSpec, pixels: Int, scale: Int) -> String {
    let drawn = spec.tileSize * scale
    let text =
      "source \"\(spec.name)\": its tiles are \(pixels) px and are fitted to \(drawn) px"
    for size in [256, 512] where size * scale == pixels {
      return text + "; tile_size = \(size) would draw them one to one"
    }
    for other in [1, 2] where spec.tileSize * other == pixels {
      return text + "; display.scale = \(other) would draw them one to one"
    }
    return text
  }

  /// Sample tiles on every level, spread evenly over the source's bounds.
  private func tiles(of source: any TileSource, _ spec: SourceSpec) -> [TileID] {
    var low = spec.minZoom ?? source.info.minZoom
    var high = max(low, spec.maxZoom ?? source.info.maxZoom)
    if source.info.drawing != nil {
      // A vector tile of level n is drawn on level n + 1.
      low = source.info.tileLevels(from: low, to: high).lowerBound
      high = min(high + 1, TileID.maxLevel)
    }
    let box = source.info.bounds ?? .world
    let each = max(4, ConfigCheck.sample / (high - low + 1))
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
