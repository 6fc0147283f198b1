import Configuration
import Features
import Glibc
import MapOverlays
import MapScene
import Platform
import TileSources

/// How a file of features is read once it is open. Reading takes as long as the medium likes.
struct FeatureReads: Sendable {
  /// The number of the device that the open file is on.
  var device: @Sendable (_ path: String, _ descriptor: Int32) -> UInt64 = { _, descriptor in
    var info = stat()
    return fstat(descriptor, &info) == 0 ? UInt64(info.st_dev) : 0
  }
  /// The bytes of the open file.
  var bytes:
    @Sendable (_ path: String, _ descriptor: Int32, _ size: Int) throws(FileError) -> FileBytes = {
      path, descriptor, size throws(FileError) in
      try FileBytes.read(descriptor, of: path, size: size, limit: FeatureLimits.fileBytes)
    }
}

extension Configuration.Overlay {
  /// What errors name: the file, or how features in the request are called.
  var featuresName: String { if case .file(let path) = content { path } else { "geojson" } }

  /// The text that is put on trial; nil: a file is, or nothing.
  var trialText: TrialList.Text? {
    if case .geoJSON(let text) = content { .init(ofOverlay: matter, text) } else { nil }
  }

  /// Reads the features from the overlay's file, or those that came with the overlay. Blocks, also
  /// while another thread reads features.
  ///
  /// - Throws: `SourceError` that names the file and, if possible, the line.
  package func openFeatures() throws(SourceError) -> FeatureSource {
    try openFeatures(FeatureReads())
  }

  /// Reads them with labels in `language`, where the features have them in it, and what is
  /// `closed`.
  func openFeatures(
    _ reads: FeatureReads, language: String? = nil, closed: FeatureClosure? = nil
  ) throws(SourceError) -> FeatureSource {
    let manner = (language: language, closed: closed)
    switch content {
    case .file(let path): return try read(path, reads, manner)
    case .geoJSON(let text):
      return try parse(FileBytes(Array(text.utf8)), name: featuresName, manner)
    case .grid: throw SourceError(file: name, reason: "has no features")
    }
  }

  /// Reads and parses the file at `path`. While it hangs, other media have their turn.
  private func read(
    _ path: String, _ reads: FeatureReads, _ manner: (language: String?, closed: FeatureClosure?)
  ) throws(SourceError) -> FeatureSource {
    let descriptor: Int32
    var size = 0
    do throws(FileError) {
      descriptor = try FileIO.openRegular(path, size: &size, trust: trust)
    } catch {
      throw SourceError(error)
    }
    defer { close(descriptor) }
    let turn = ReadingTurn.medium(reads.device(path, descriptor))
    turn.begin()
    defer { turn.end() }
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try reads.bytes(path, descriptor, size)
    } catch {
      throw SourceError(error)
    }
    return try parse(bytes, name: path, manner)
  }

  private func parse(
    _ bytes: FileBytes, name: String, _ manner: (language: String?, closed: FeatureClosure?)
  ) throws(SourceError) -> FeatureSource {
    var options = FeatureOptions(labelKey: label)
    options.setLanguage(manner.language)
    options.closed = manner.closed
    options.colorBy = colorBy.flatMap { FeatureOptions.ColorBy(rawValue: $0.rawValue) }
    var style = OverlayStyle(stroke: stroke?.word, strokeWidth: strokeWidth, fill: fill?.word)
    style.isClosed = manner.closed?.isWhole == true
    style.dash = dash
    switch casing {
    case .auto: style.casing = .theme
    case .none: style.casing = .none
    case .color(let color): style.casing = .color(color.word)
    }
    options.cardKeys = cardKeys(in: manner.language)
    ReadingTurn.parsing.begin()
    defer { ReadingTurn.parsing.end() }
    do throws(FeatureError) {
      let features = try FeatureSet(file: bytes, name: name, options: options)
      return FeatureSource(FeatureDrawing(features, style: style))
    } catch {
      throw SourceError(error)
    }
  }
}

extension SourceError {
  fileprivate init(_ error: FileError) {
    self.init(file: error.file, reason: error.reason, isTransient: error.isTransient)
  }

  init(_ error: FeatureError) {
    self.init(
      file: error.file, reason: error.line.map { "line \($0): \(error.reason)" } ?? error.reason)
  }
}
