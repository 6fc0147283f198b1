@testable import MapStyle

/// Small styles for tests.
enum Styles {
  /// Compiles a style of layers, written in JSON.
  static func style(
    layers: String, options: StyleOptions = StyleOptions()
  ) throws -> MapStyle {
    let text = "{\"version\": 8, \"sources\": {}, \"layers\": [\(layers)]}"
    return try MapStyle(json: Array(text.utf8), options: options)
  }

  /// Compiles a layer of a type with paint properties, written in JSON.
  static func layer(
    _ type: String, paint: String = "", layout: String = "", filter: String? = nil,
    options: StyleOptions = StyleOptions()
  ) throws -> MapStyle {
    let condition = filter.map { ", \"filter\": \($0)" } ?? ""
    return try style(
      layers: """
        {"id": "it", "type": "\(type)", "source": "s", "source-layer": "l",
         "paint": {\(paint)}, "layout": {\(layout)}\(condition)}
        """, options: options)
  }

  static func fill(_ paint: String) throws -> (FillStyle?, [StyleFinding]) {
    let style = try layer("fill", paint: paint)
    guard case .fill(let fill)? = style.layers.first?.kind else { return (nil, style.findings) }
    return (fill, style.findings)
  }

  static func line(_ paint: String) throws -> (LineStyle?, [StyleFinding]) {
    let style = try layer("line", paint: paint)
    guard case .line(let line)? = style.layers.first?.kind else { return (nil, style.findings) }
    return (line, style.findings)
  }

  static func symbol(
    _ layout: String, options: StyleOptions = StyleOptions()
  ) throws -> (SymbolStyle?, [StyleFinding]) {
    let style = try layer("symbol", layout: layout, options: options)
    guard case .symbol(let symbol)? = style.layers.first?.kind else {
      return (nil, style.findings)
    }
    return (symbol, style.findings)
  }

  /// A context with a feature that has properties.
  static func context(
    zoom: Double = 10, _ properties: [String: StyleValue] = [:],
    geometry: StyleGeometry = .unknown
  ) -> StyleContext {
    StyleContext(zoom: zoom, feature: StyleFeature(geometry: geometry, properties: properties))
  }
}
