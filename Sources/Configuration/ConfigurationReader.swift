import Drawing
import MapGeometry
import Pixels
import Platform
import TileSources

/// Makes a `Configuration` from a tree and adds a finding for every mistake.
struct ConfigurationReader {
  let findings: Findings
  /// Whether other files may hold the rest of a table.
  var readsPart = false
  private(set) var result = Configuration()

  init(findings: Findings) { self.findings = findings }

  /// Reads the document `root`.
  mutating func read(_ root: ConfigValue) {
    let t = TableReader("", root.table ?? [], root.origin, findings)
    result = things(t, map(t, result))
    t.finish()
  }

  private func map(_ t: TableReader, _ before: Configuration) -> Configuration {
    var c = before
    t.table("display") { Self.display(&c.display, $0) }
    t.table("view") { [readsPart] in Self.view(&c.view, $0, whole: !readsPart) }
    t.table("cache") { t in
      t.set(&c.cache.memory, "memory", Expected.bytes) { $0.bytes }
    }
    t.table("control") { Self.control(&c.control, $0) }
    t.table("hud") { Self.hud(&c.hud, $0) }
    t.table("theme") { t in
      t.set(&c.theme.mode, "mode")
      if let value = t.value("night") {
        if value.string == "red" {
          c.theme.night = [.red]
        } else if let filters = value.filters {
          c.theme.night = filters
        } else {
          t.wrong("night", value, "\"red\", or \(Expected.filters)")
        }
      }
    }
    t.table("position") { Self.position(&c.position, $0) }
    t.table("gpio") { Self.gpio(&c.gpio, $0) }
    t.table("input") { Self.input(&c.input, $0) }
    t.table("state") { Self.state(&c.state, $0) }
    return c
  }

  private func things(_ t: TableReader, _ before: Configuration) -> Configuration {
    var c = before
    c.sources = sources(t)
    for i in c.sources.indices where c.sources[i].language == nil {
      c.sources[i].language = c.display.language
    }
    t.table("media") { t in
      guard let watch = t.resolvedPaths("watch") else { return }
      if watch.count > Configuration.Media.mostWatched {
        t.findings.error(
          "media.watch: there are \(watch.count) folders; at most "
            + "\(Configuration.Media.mostWatched) are possible", at: t.place("watch"))
      }
      c.media.watch = watch
    }
    c.overlays = overlays(t)
    c.markers = markers(t)
    c.notices = notices(t)
    c.tour = tour(t)
    return c
  }

  private static func display(_ d: inout Configuration.Display, _ t: TableReader) {
    t.set(&d.backend, "backend")
    if let device = t.resolvedPath("device") { d.device = device }
    if let connector = t.text("connector") { d.connector = connector }
    d.mode = t.read("mode", "WIDTHxHEIGHT@HZ, such as \"1280x720@60\"") {
      $0.string.flatMap(Quantities.mode)
    }
    t.set(&d.size, "size", "WIDTHxHEIGHT in pixels up to 16384, such as \"1280x720\"") {
      $0.string.flatMap(Quantities.size)
    }
    t.set(&d.rotation, "rotation", Expected.rotation) { $0.rotation }
    t.set(&d.scale, "scale", 1...4, "a whole number")
    d.language = t.read("language", Expected.language) { $0.language }
    t.read("format", "one of \"auto\", \"xrgb8888\", \"rgb565\"") { value -> PixelFormat?? in
      guard let text = value.string else { return nil }
      return text == "auto" ? .some(nil) : PixelFormat(rawValue: text).map { .some($0) }
    }.map { d.format = $0 }
    let backlight = t.read("backlight", "\"auto\" or a name under /sys/class/backlight") {
      $0.string.flatMap { $0.isEmpty || $0.contains("/") || $0.hasPrefix(".") ? nil : $0 }
    }
    d.backlight = backlight == "auto" ? nil : backlight
    t.set(&d.sleepAfter, "sleep_after", Expected.pause) { $0.pause }
  }

  private static func view(
    _ v: inout Configuration.View, _ t: TableReader, whole: Bool
  ) {
    v.center = t.read("center", "[latitude, longitude], -90 to 90 and -540 to 540") { value in
      guard let n = value.numbers, n.count == 2, (-90...90).contains(n[0]),
        (-540...540).contains(n[1])
      else { return nil }
      return GeoPoint(lat: n[0], lon: n[1])
    }
    v.zoom = t.number("zoom", 0...24, "a zoom")
    t.set(&v.bearing, "bearing", "degrees from 0 up to but not 360") {
      $0.number.flatMap { $0 >= 0 && $0 < 360 ? $0 : nil }
    }
    t.set(&v.minZoom, "min_zoom", 0...24, "a zoom")
    t.set(&v.maxZoom, "max_zoom", 0...24, "a zoom")
    if whole, v.minZoom > v.maxZoom {
      let key = t.value("min_zoom") == nil ? "max_zoom" : "min_zoom"
      t.findings.error(
        "view.min_zoom = \(brief(v.minZoom)): not above view.max_zoom, which is "
          + brief(v.maxZoom), at: t.place(key))
    }
    v.bounds = t.read(
      "bounds",
      "[west, south, east, north] in degrees, south below north (west above east crosses the "
        + "dateline)"
    ) { value in
      guard let n = value.numbers, n.count == 4, (-180...180).contains(n[0]),
        (-180...180).contains(n[2]), n[0] != n[2], n[1] >= -90, n[3] <= 90, n[1] < n[3]
      else { return nil }
      return GeoBounds(west: n[0], south: n[1], east: n[2], north: n[3])
    }
    t.set(&v.homeAfter, "home_after", Expected.pause) { $0.pause }
    t.set(&v.fade, "fade", Expected.fade) { $0.fade }
    t.set(&v.tourAfter, "tour_after", Expected.pause) { $0.pause }
  }

  private static func control(_ c: inout Configuration.Control, _ t: TableReader) {
    if let socket = t.resolvedPath("socket") {
      // sockaddr_un.sun_path has 108 bytes, one for the end.
      if socket.utf8.count < 108 {
        c.socket = socket
      } else {
        t.findings.error(
          "control.socket: the path has \(socket.utf8.count) bytes; a socket's has at most 107",
          at: t.place("socket"))
      }
    }
    t.set(&c.mode, "mode", "a string of three or four octal digits, such as \"0660\"") { value in
      guard let text = value.string, (3...4).contains(text.utf8.count),
        text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }),
        let mode = UInt32(text, radix: 8), mode <= 0o777
      else { return nil }
      return mode
    }
    if let group = t.text("group", "a group's name, or \"\" for the process's own") {
      c.group = group
    }
    t.set(&c.maxClients, "max_clients", 1...1024, "a whole number")
    if let roots = t.resolvedPaths("roots") { c.roots = roots }
  }

  private static func hud(_ h: inout Configuration.Hud, _ t: TableReader) {
    t.set(&h.attribution, "attribution")
    t.set(&h.scaleBar, "scale_bar")
    t.set(&h.north, "north")
    t.set(&h.zoom, "zoom")
    t.set(&h.coordinates, "coordinates")
    t.set(&h.buttons, "buttons")
    t.set(&h.mapKey, "map_key")
    t.set(&h.toasts, "toasts")
    t.set(&h.units, "units")
    t.set(
      &h.languages, "languages",
      "a list of 1 to \(Configuration.Hud.mostLanguages) different languages, such as "
        + "[\"de\", \"fr\", \"en\"]"
    ) { value in
      guard let all = value.array, (1...Configuration.Hud.mostLanguages).contains(all.count)
      else { return nil }
      let tags = all.compactMap(\.language).filter { $0 != "local" }
      return tags.count == all.count && Set(tags).count == all.count ? tags : nil
    }
    if let words = t.resolvedPath("words") { h.words = words }
    t.table("icons") { t in
      for icon in MarkerIcon.allCases {
        let name = t.localText(
          icon.rawValue, Configuration.Overlay.longestTitle, least: 1, isSeen: true)
        if name.text != nil || !name.others.isEmpty {
          h.icons[icon] = LocalText(name.text, name.others)
        }
      }
    }
    t.set(&h.size, "size", Expected.hudSize) { $0.hudSize }
    if let value = t.value("font") {
      if value.string != nil {
        h.fonts = t.resolvedPath("font").map { [$0] } ?? []
      } else if value.strings != nil {
        h.fonts = t.resolvedPaths("font") ?? []
      } else {
        t.wrong("font", value, "a font file or a list of them")
      }
    }
  }

  private static func position(_ p: inout Configuration.Position, _ t: TableReader) {
    p.gpsd = t.read("gpsd", GPSDAddress.form) { value in
      value.string.flatMap { GPSDAddress($0) == nil ? nil : $0 }
    }
    t.set(&p.follow, "follow")
    t.set(&p.headingUp, "heading_up")
    t.set(&p.track, "track")
  }

  private static func state(_ s: inout Configuration.State, _ t: TableReader) {
    if let path = t.value("path"), path.string == "" {
      s.path = nil
    } else if let path = t.resolvedPath("path") {
      s.path = path
    }
    t.set(&s.writeEvery, "write_every", Expected.duration) { $0.duration }
    t.set(&s.restore, "restore")
    t.set(&s.keepAdded, "keep_added")
  }
}

/// Descriptions of valid values that the messages of several keys share.
enum Expected {
  static let bytes = "bytes, such as \"48MiB\", \"512KiB\" or 1000000"
  static let duration = "a duration longer than 0, such as \"600ms\", \"30s\", \"10m\" or \"2h\""
  static let pause = "a duration such as \"30s\", \"10m\" or \"2h\", or \"never\""
  static let fade = "a duration of at most 10 seconds, such as \"150ms\", or 0"
  static let rotation = "one of 0, 90, 180, 270"
  static let filters = "a list of at most \(Filter.maxCount) of \(Filter.forms)"
  static let hudSize = "\"normal\", \"large\", \"wall\" or a number from 0.5 to 8"
  static let language = "a language, such as \"de\" or \"zh-Hant\", or \"local\""
  static let color = "a colour: \"#rgb\", \"#rrggbb\" or \"#rrggbbaa\""
}

extension ConfigValue {
  /// Bytes, written as a size or as a whole number; at most 1 TiB.
  var bytes: Int? {
    integer.map { (0...1 << 40).contains($0) ? $0 : nil } ?? string.flatMap(Quantities.bytes)
  }

  /// Seconds, more than 0.
  var duration: Double? { string.flatMap(Quantities.duration).flatMap { $0 > 0 ? $0 : nil } }

  /// Seconds, more than 0; for "never" the inner optional is nil.
  var pause: Double?? { string == "never" ? .some(nil) : duration.map { .some($0) } }

  /// Seconds, 0 to 10.
  var fade: Double? {
    if integer == 0 { return 0 }
    return string.flatMap(Quantities.duration).flatMap { (0...10).contains($0) ? $0 : nil }
  }

  var rotation: Int? { integer.flatMap { [0, 90, 180, 270].contains($0) ? $0 : nil } }

  var filters: [Filter]? {
    guard let strings else { return nil }
    let all = strings.compactMap { Filter($0) }
    return all.count == strings.count && all.count <= Filter.maxCount ? all : nil
  }

  /// A language's tag, in the usual case; or "local".
  var language: String? { string.flatMap { LanguageTag.checked($0) } }

  /// How large everything over the map is.
  var hudSize: Double? {
    switch string {
    case "normal": 1
    case "large": 1.6
    case "wall": 3
    case .some: nil
    case nil: number.flatMap { (0.5...8).contains($0) ? $0 : nil }
    }
  }

  var color: Color? { string.flatMap { Color($0) } }
}
