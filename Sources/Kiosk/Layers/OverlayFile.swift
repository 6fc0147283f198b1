import Configuration
import Features
import MapOverlays
import MapScene
import Platform
import TileSources

extension Configuration.Overlay {
  /// Reads the features from the overlay's file, or those that came with the overlay. Blocks, also
  /// while another thread reads features.
  ///
  /// - Throws: `SourceError` that names the file and, if possible, the line.
  package func openFeatures() throws(SourceError) -> FeatureSource {
    var options = FeatureOptions(labelKey: label)
    options.colorBy = colorBy.flatMap { FeatureOptions.ColorBy(rawValue: $0.rawValue) }
    let style = OverlayStyle(stroke: stroke?.word, strokeWidth: strokeWidth, fill: fill?.word)
    ReadingTurn.shared.begin()
    defer { ReadingTurn.shared.end() }
    do throws(FeatureError) {
      let features =
        switch content {
        case .file(let path): try FeatureSet(path: path, options: options, trust: trust)
        case .geoJSON(let text):
          try FeatureSet(bytes: Array(text.utf8), name: "geojson", options: options)
        case .grid: throw FeatureError(file: name, reason: "has no features")
        }
      return FeatureSource(FeatureDrawing(features, style: style))
    } catch {
      throw SourceError(error)
    }
  }
}

extension SourceError {
  init(_ error: FeatureError) {
    self.init(
      file: error.file, reason: error.line.map { "line \($0): \(error.reason)" } ?? error.reason)
  }
}
