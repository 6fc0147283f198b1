import MapOverlays
import Platform
import TileSources

/// Bounds the memory of all overlays' features together. `FeatureLimits` bounds each file; 64 large
/// ones, or one that is added 64 times, would take more than a board has.
///
/// An overlay whose features are replaced needs no room for both, though for a moment both exist.
final class FeatureBudget: Sendable {
  private let state = Lock(State())

  private struct State: Sendable {
    /// The most bytes of all overlays: three files with the most points.
    var limit = 128 << 20
    /// By the overlays' names.
    var held: [String: Held] = [:]

    /// Bytes of all overlays but `name`.
    mutating func bytes(except name: String) -> Int {
      held = held.filter { $0.value.drawing != nil }
      return held.reduce(0) { $0 + ($1.key == name ? 0 : $1.value.bytes) }
    }
  }

  /// Features that were read. Nobody has them if their overlay was removed meanwhile.
  private struct Held: Sendable {
    weak var drawing: FeatureDrawing?
    let bytes: Int
  }

  /// For what is read from now on, in bytes.
  func setLimit(_ bytes: Int) { state.withLock { $0.limit = bytes } }

  /// Checks whether there is any room for the overlay `name`, before its file is read.
  ///
  /// - Throws: `SourceError` that names `file` and the limit.
  func check(_ name: String, _ file: String) throws(SourceError) {
    let (others, limit) = state.withLock { ($0.bytes(except: name), $0.limit) }
    guard others < limit else { throw refusal(file, others, limit) }
  }

  /// Takes room for the features of the overlay `name`, until it is removed.
  ///
  /// - Throws: `SourceError` that names `file` and the limit.
  func take(_ name: String, _ drawing: FeatureDrawing, _ file: String) throws(SourceError) {
    let own = drawing.bytes
    let (all, limit) = state.withLock { state in
      let all = state.bytes(except: name) + own
      if all <= state.limit { state.held[name] = Held(drawing: drawing, bytes: own) }
      return (all, state.limit)
    }
    guard all <= limit else { throw refusal(file, all, limit) }
  }

  /// The overlay `name` was removed.
  func remove(_ name: String) { state.withLock { $0.held[name] = nil } }

  /// It passes when other overlays are removed.
  private func refusal(_ file: String, _ bytes: Int, _ limit: Int) -> SourceError {
    SourceError(
      file: file,
      reason: "with it the features of all overlays would take \(FeatureBudget.text(bytes)), and "
        + "at most \(FeatureBudget.text(limit)) are possible; remove another overlay, or simplify "
        + "this one", isTransient: true)
  }

  private static func text(_ bytes: Int) -> String {
    bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
  }
}
