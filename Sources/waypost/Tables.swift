import Control
import Platform

/// Human-readable output: aligned columns and short numbers.
enum Tables {
  /// Columns, two spaces apart; the last one is not padded. Control characters are escaped, because
  /// names and texts come from files, media and other clients.
  static func columns(_ cells: [[String]]) -> String {
    let rows = cells.map { $0.map(\.escaped) }
    var widths: [Int] = []
    for row in rows {
      for (index, cell) in row.enumerated() {
        if index == widths.count { widths.append(0) }
        widths[index] = max(widths[index], cell.count)
      }
    }
    return rows.map { row in
      var line = ""
      for (index, cell) in row.enumerated() {
        line += cell
        if index + 1 < row.count {
          line += String(repeating: " ", count: widths[index] - cell.count + 2)
        }
      }
      return line
    }.joined(separator: "\n")
  }

  /// At most `digits` decimals, without trailing zeros.
  static func number(_ value: Double, digits: Int = 6) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return JSON.double(value).text }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return JSON.double((value * scale).rounded() / scale).text
  }

  static func bytes(_ count: Int) -> String { ByteCount.text(count) }

  static func milliseconds(_ value: Double?) -> String {
    value.map { number($0, digits: 2) + " ms" } ?? "-"
  }

  static func duration(_ seconds: Double) -> String {
    let whole = Int(max(0, min(seconds, 1e12)))
    let (days, hours, minutes) = (whole / 86400, whole / 3600 % 24, whole / 60 % 60)
    if days > 0 { return "\(days) d \(hours) h" }
    if hours > 0 { return "\(hours) h \(minutes) min" }
    return minutes > 0 ? "\(minutes) min \(whole % 60) s" : "\(whole) s"
  }

  static func view(_ view: ViewState) -> String {
    columns([
      ["center", "\(number(view.lat)), \(number(view.lon))"],
      ["zoom", number(view.zoom, digits: 3)], ["bearing", number(view.bearing, digits: 2) + "°"],
      ["bounds", view.bounds.map { number($0) }.joined(separator: " ")],
      ["size", "\(number(view.width))x\(number(view.height)) points"],
    ])
  }

  static func sources(_ sources: [SourceStatus]) -> String {
    let head = ["", "NAME", "KIND", "FORMAT", "ZOOM", "ROLE", "STATE", "PATH"]
    return columns(
      [head]
        + sources.map { source in
          var levels = "-"
          if source.minZoom != nil || source.maxZoom != nil {
            let low = source.minZoom.map { String($0) } ?? "?"
            let high = source.maxZoom.map { String($0) } ?? "?"
            levels = "\(low)-\(high)"
          }
          let state = source.error ?? (source.healthy == nil ? "not opened yet" : "ok")
          return [
            source.active ? "*" : " ", source.name, source.kind, source.format ?? "-", levels,
            source.role, state, source.paths.joined(separator: ", "),
          ]
        })
  }

  static func overlays(_ overlays: [OverlayInfo]) -> String {
    let head = ["", "NAME", "KIND", "LEVEL", "FEATURES", "ZOOM", "STATE", "PATH"]
    return columns(
      [head]
        + overlays.map { overlay in
          [
            overlay.shown ? "*" : " ", overlay.name, overlay.kind, overlay.level,
            overlay.features.map { String($0) } ?? "-", "from " + number(overlay.minZoom),
            overlay.error ?? (overlay.healthy == nil ? "not opened yet" : "ok"),
            overlay.path ?? "-",
          ]
        })
  }

  static func display(_ display: DisplayResult) -> String {
    let info = display.info
    let place = [info.device, info.connector, info.mode].compactMap { $0 }
    let shown = display.hud.filter(\.isShown).map(\.name)
    let none =
      info.awaited.map { "none; the map is drawn in memory until \($0) is there" } ?? "none"
    return columns([
      ["display", ([info.backend] + place).joined(separator: " ")],
      ["picture", "\(info.width)x\(info.height) \(info.format), mounted at \(info.rotation)°"],
      ["panel", info.isConnected ? "connected" : none], ["power", info.power],
      ["brightness", display.brightness.map { "\($0) %" } ?? "no backlight"],
      [
        "theme",
        display.theme + (display.theme == "auto" ? display.isNight ? ": night" : ": day" : ""),
      ],
      ["language", display.language],
      ["hud", shown.isEmpty ? "nothing" : shown.joined(separator: " ")],
    ])
  }

  static func cache(_ cache: CacheStats) -> String {
    columns([
      ["used", "\(bytes(cache.bytes)) of \(bytes(cache.limit)) (at least \(bytes(cache.floor)))"],
      ["tiles", "\(cache.tiles)"], ["hits", "\(cache.hits)"], ["misses", "\(cache.misses)"],
      ["evictions", "\(cache.evictions)"], ["decodes", "\(cache.decodes)"],
      ["decode errors", "\(cache.decodeErrors)"],
    ])
  }

  /// A position as text: "46.02, 7.75  within 5 m, followed".
  static func position(_ position: PositionInfo) -> String {
    guard let lat = position.lat, let lon = position.lon else { return "none yet" }
    var text = "\(number(lat)), \(number(lon))"
    if let accuracy = position.accuracy { text += "  within \(number(accuracy, digits: 1)) m" }
    if position.state == "lost", let age = position.age {
      text += "  lost, \(duration(age)) old"
    }
    if position.following { text += "  followed" }
    return text
  }
}
