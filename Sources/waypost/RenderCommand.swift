import ArgumentParser
import Platform
import TileSources

/// A request to draw one picture without a daemon; its values are checked.
struct StillRequest: Equatable {
  /// The path of a pack or a folder.
  var source: String
  /// The centre in degrees; nil: the source's own.
  var center: Center?
  /// The zoom; nil: the source's own.
  var zoom: Double?
  /// The size in pixels, 1 to 16384 each.
  var width, height: Int
  /// Pixels per point, 1 to 4.
  var scale: Int
  /// The compass direction that points up, 0 ≤ bearing < 360.
  var bearing: Double
  /// GeoJSON, GPX or KML files to draw over the map, the lowest first.
  var overlays: [String] = []
  /// The property of overlays that is drawn as text; nil: none.
  var label: String?
  /// How vector tiles are drawn: "trailhead" or the path of a style; nil: trailhead.
  var style: String?
  /// The path of the style for the night, if `style` is a path; nil: the night changes the colours
  /// of `style`.
  var nightStyle: String?
  /// The sources of pictures that the style draws: what it calls them, and the paths of packs.
  var pictures: [String: String] = [:]
  /// The colours of the picture.
  var theme = RenderCommand.Theme.day
  /// What the night does to the map's colours.
  var night = SourceSpec.Night.theme
  /// The language of names on vector tiles; nil: as written at the place.
  var language: String?
  /// Whether the attribution is drawn, as on a display.
  var hud: Bool
  /// The path of the PNG file; `-` is standard output.
  var output: String
  /// Whether the answer is printed as JSON.
  var printsJSON = false

  /// Where the source's tiles are.
  var location: SourceSpec.Location { source.contains("{") ? .url(source) : .path(source) }

  struct Center: Equatable {
    /// Degrees, −90 to 90 and −540 to 540.
    var lat, lon: Double
  }

  /// The largest side of a picture, in pixels.
  static let maxSide = 16384
}

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Draws one picture of a map into a PNG file, without a daemon.",
    discussion: """
      Examples:
        waypost render --source alps.mbtiles --center 46.02,7.75 --zoom 13 -o matterhorn.png
        waypost render --source world.pmtiles --center -33.92,18.42 --zoom 5 --size 800x480
        waypost render --source alps.mbtiles --overlay trails.geojson --overlay tour.gpx
        waypost render --source alps.mbtiles --overlay trails.geojson --label name --zoom 13
        waypost render --source region.pmtiles --style bright.json --language de --zoom 14
        waypost render --source region.pmtiles --style walk.json --picture relief=relief.mbtiles
        waypost render --source region.pmtiles --theme night --hud -o night.png
        waypost render --source imagery.mbtiles --theme night --night dim -o night.png
        waypost render --source tiles/ --zoom 3 --bearing 30 --scale 2 -o - | display
      """)
  @Option(
    help:
      "A pack (.mbtiles, .pmtiles), a folder of tiles, or a template such as tiles/{z}/{x}/{y}.png.",
    completion: .file(), transform: CommandWords.restore)
  var source: String
  @Option(
    help: ArgumentHelp(
      "Latitude and longitude in degrees; else the source's centre.", valueName: "lat,lon"),
    transform: LatLon.parse)
  var center: LatLon?
  @Option(help: "Zoom level; else the source's.") var zoom: Number?
  @Option(help: "Pixels, at most \(StillRequest.maxSide) a side.")
  var size = SizeArgument(width: 1280, height: 720)
  @Option(help: "Pixels a point: 1 to 4.") var scale = 1
  @Option(help: "The compass direction that points up, in degrees.") var bearing: Number?
  @Option(
    help: "A GeoJSON, GPX or KML file to draw over the map; may be given repeatedly.",
    completion: .file(), transform: CommandWords.restore)
  var overlay: [String] = []
  @Option(
    help: "The property of overlays that is drawn as text, such as name.",
    transform: CommandWords.restore)
  var label: String?
  @Option(
    help: "How vector tiles are drawn: trailhead or a style's file (.json).", completion: .file(),
    transform: CommandWords.restore)
  var style: String?
  @Option(
    help: "The style's file for the night.", completion: .file(), transform: CommandWords.restore)
  var styleNight: String?
  @Option(
    help: "A pack of pictures that the style draws, as NAME=PACK; may be given repeatedly.",
    transform: CommandWords.restore)
  var picture: [String] = []
  @Option(help: "The colours of the picture: day, night or red (a night of nothing but reds).")
  var theme = Theme.day
  @Option(
    help: "What the night does to the map: theme, dim (for satellite pictures) or keep.")
  var night = SourceSpec.Night.theme
  @Option(
    help: "The language of names on vector tiles, such as de.", transform: CommandWords.restore)
  var language: String?
  @Flag(help: "Draw the attribution, the scale and north, too.") var hud = false
  @Option(
    name: [.short, .long], help: "The PNG file; - is standard output.", completion: .file(),
    transform: CommandWords.restore)
  var output = "map.png"
  @OptionGroup var daemon: SocketOptions

  /// The themes of a picture.
  enum Theme: String, ExpressibleByArgument, CaseIterable { case day, night, red }

  func validate() throws {
    let sides = 1...StillRequest.maxSide
    if !sides.contains(size.width) || !sides.contains(size.height) {
      throw ValidationError(
        "--size: \(size.width)x\(size.height), but each side is 1 to \(StillRequest.maxSide) pixels"
      )
    }
    if !(1...4).contains(scale) {
      throw ValidationError("--scale: \(scale), but it is 1, 2, 3 or 4")
    }
    if label != nil, overlay.isEmpty {
      throw ValidationError("--label: only with an --overlay, whose property it names")
    }
    try PathArgument.check(source, "--source", "a pack, a folder of tiles or a template")
    try PathArgument.check(output, "-o", "the PNG file, such as map.png, or - for standard output")
    for file in overlay {
      try PathArgument.check(file, "--overlay", "a GeoJSON, GPX or KML file")
    }
    if let fault = sourceFault { throw ValidationError("--source: \(fault)") }
    if let fault = OutputFile.fault(ofPicture: output) { throw ValidationError("-o: \(fault)") }
    if daemon.json, output == "-" {
      throw ValidationError("--json: standard output has the picture; give a file with -o")
    }
    if let language, LanguageTag.checked(language) == nil {
      throw ValidationError(
        "--language: \"\(NearestName.shorten(language))\", but it is a language, such as de or "
          + "zh-Hant, or local")
    }
    if styleNight != nil, style == nil || style == "trailhead" {
      throw ValidationError(
        "--style-night: only with a --style that is a file; trailhead has its own night")
    }
    for text in picture where pair(text) == nil {
      throw ValidationError(
        "--picture: \(text), but it is NAME=PACK, such as relief=relief.mbtiles")
    }
    if let center {
      if abs(center.lat) > 90 {
        throw ValidationError("--center: latitude \(center.lat), but it is -90 to 90")
      }
      if abs(center.lon) > 540 {
        throw ValidationError("--center: longitude \(center.lon), but it is -540 to 540")
      }
    }
    if let zoom = zoom?.value, !(0...24).contains(zoom) {
      throw ValidationError("--zoom: \(zoom), but it is 0 to 24")
    }
  }

  /// Why the source is none that this command reads; nil if it may be one.
  private var sourceFault: String? {
    let place = source.lowercased()
    guard place.hasPrefix("https://") || place.hasPrefix("http://") else { return nil }
    let make =
      !source.contains("{")
      ? "waypost pack extract '\(source)' NEW.pmtiles --bbox W,S,E,N"
      : "waypost pack fetch --url '\(source)' --bbox W,S,E,N --zoom A-B NEW.pmtiles"
    return "\(source): render reads files and asks no server; make a pack first: \(make)"
  }

  func run() throws {
    var turned = (bearing?.value ?? 0).truncatingRemainder(dividingBy: 360)
    if turned < 0 { turned += 360 }
    if turned >= 360 { turned = 0 }
    try renderStill(
      StillRequest(
        source: source, center: center.map { .init(lat: $0.lat, lon: $0.lon) }, zoom: zoom?.value,
        width: size.width, height: size.height, scale: scale, bearing: turned, overlays: overlay,
        label: label, style: style, nightStyle: styleNight,
        pictures: Dictionary(picture.compactMap(pair), uniquingKeysWith: { _, last in last }),
        theme: theme, night: night, language: language.flatMap(LanguageTag.checked),
        hud: hud, output: output, printsJSON: daemon.json))
  }

  /// The name and the pack of a `--picture`; nil if one is missing.
  private func pair(_ text: String) -> (String, String)? {
    guard let middle = text.firstIndex(of: "=") else { return nil }
    let (name, path) = (text[..<middle], text[text.index(after: middle)...])
    return name.isEmpty || path.isEmpty ? nil : (String(name), String(path))
  }
}
