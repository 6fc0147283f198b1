import Drawing
import Glibc
import Images
import MapGeometry
import MapOverlays
import MapScene
import Pixels
import Platform
import TileLoading
import TileSources
import VectorMaps

/// Draws the picture of `request` into its file, strip by strip.
func renderStill(_ request: StillRequest) throws {
  let source = try openMap(request)
  let drawings = try request.readOverlays()
  let renderer = renderer(request, source, drawings)
  let view = renderer.view
  let painter = SpritePainter { TextRenderer.bundled() }
  painter.unit = Double(request.scale)
  painter.theme = request.theme.picture.theme
  let hud = Hud(painter)
  if request.hud {
    var content = HudContent()
    content.attribution = source.info.attribution
    content.follow(view, scaleBar: .metric, north: true, zoom: false, coordinates: false)
    hud.show(content, width: view.width, height: view.height)
  }
  let words = RenderWords(drawings, painter, in: view, avoiding: hud.rects)
  let labels = VectorMap.labels(
    of: source, in: renderer, isNight: request.showsOwnNight, theme: request.filters.map,
    obstacles: hud.rects + words.labels.map(\.rect), keepsWhole: true, and: words.names,
    clearOf: words.lines, lacking: { .bundled(with: ScriptFonts.read(for: $0.sorted())) })
  try write(renderer, labels + words.labels + hud.sprites, to: request.output)
  try RenderReport(
    request: request, info: source.info, tally: renderer.tally, errors: renderer.errors,
    errorCount: renderer.errorCount
  ).tell()
}

/// Opens the map, and says what of its style is not drawn.
private func openMap(_ request: StillRequest) throws -> any TileSource {
  var spec = SourceSpec(
    name: SourceSpec.defaultName(for: request.location), location: request.location)
  spec.style = request.style.map { $0 == "trailhead" ? .trailhead : .file($0) }
  spec.nightStyle = request.nightStyle
  spec.language = request.language
  let source: any TileSource
  do throws(SourceError) {
    source = try VectorMap.open(
      spec, scale: request.scale,
      pictures: { name in request.pictures[name].map { pictureSpec(name, $0, request.scale) } })
  } catch {
    let text = error.description.replacing(VectorMap.styleAdvice, with: "--style mine.json")
    throw Failure(Failure.badData, text)
  }
  if source.info.drawing == nil { try checkStyles(request, source.info.format) }
  for finding in VectorMap.findings(of: source) { Output.error("waypost: \(finding)") }
  for problem in source.problems { Output.error("waypost: \(problem)") }
  return source
}

/// Looks at the files of a style that a map of pictures makes no use of: a mistyped name is an
/// error there, too.
private func checkStyles(_ request: StillRequest, _ format: String?) throws {
  let files = [request.style == "trailhead" ? nil : request.style, request.nightStyle]
  for file in files.compactMap({ $0 }) {
    do throws(FileError) {
      var size = 0
      close(try FileIO.openRegular(file, size: &size))
    } catch {
      throw Failure(Failure.badData, "--style: \(error)")
    }
  }
  if request.style != nil {
    Output.error(
      "waypost: --style has no effect: the tiles are pictures (\(format ?? "unknown"))")
  }
}

/// What draws the map and the overlays, in the view that the request and the map have.
private func renderer(
  _ request: StillRequest, _ source: any TileSource, _ overlays: [FeatureDrawing]
) -> StillRenderer {
  let (info, levels) = (source.info, source.info.tileLevels)
  // A pack with @2x tiles is drawn without scaling.
  let tileSize = info.tilePixels == 512 * request.scale ? 512 : 256
  let plain = Viewport(
    center: GeoPoint(lat: 0, lon: 0), zoom: 0, bearing: request.bearing, width: request.width,
    height: request.height, scale: request.scale)
  let view = FirstView.of(
    info, levels: levels, tileSize: tileSize,
    center: request.center.map { GeoPoint(lat: $0.lat, lon: $0.lon) }, zoom: request.zoom, in: plain
  )
  let (filters, name) = (request.filters, SourceSpec.defaultName(for: request.location))
  var colors = TileColors([], theme: filters.map.map { .colors([$0]) }, source: name)
  colors.isNight = request.showsOwnNight
  var overlayColors = TileColors([], theme: filters.overlays.map { .colors([$0]) }, source: name)
  overlayColors.isNight = request.theme != .day
  return StillRenderer(
    view: view, source: source, levels: levels, tileSize: tileSize,
    overlays: overlays.map { FeatureSource($0) }, colors: colors, overlayColors: overlayColors,
    palette: request.theme.picture.palette)
}

/// Draws the picture into a PNG file.
private func write(_ renderer: StillRenderer, _ sprites: [Sprite], to path: String) throws {
  let (width, height) = (renderer.view.width, renderer.view.height)
  try OutputFile.write(to: path) { descriptor, name in
    var failure: Failure?
    do throws(ImageError) {
      let sink = PNGSink.closure { bytes in
        failure = OutputFile.put(bytes, fd: descriptor, name)
        return failure == nil
      }
      let writer = try PNGWriter(width: width, height: height, to: sink)
      try renderer.render(sprites: sprites) { rows, count throws(ImageError) in
        try writer.writeRows(rows, rowBytes: width * 4, count: count)
      }
      try writer.finish()
    } catch {
      throw failure ?? Failure(Failure.badData, "\(name): \(error)")
    }
  }
}

/// The source of a pack of pictures that a style calls `name`.
private func pictureSpec(_ name: String, _ path: String, _ scale: Int) -> SourceSpec {
  var spec = SourceSpec(
    name: name, location: path.contains("{") ? .url(path) : .path(path))
  if let info = (try? spec.open(scale: scale))?.info, info.tilePixels == 512 * scale {
    spec.tileSize = 512
  }
  return spec
}
