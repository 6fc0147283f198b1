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
    /// The most bytes of all overlays.
    var limit = 128 << 20
    /// By the overlays' names. Several of one: features that are replaced, and those for which an
    /// overlay was opened in vain.
    var held: [String: [Held]] = [:]
    /// What overlays without room would take, by their names.
    var refused: [String: Refused] = [:]

    /// Bytes of all overlays but `name`.
    mutating func bytes(except name: String) -> Int {
      held = held.mapValues { $0.filter { $0.drawing != nil } }.filter { !$0.value.isEmpty }
      return held.reduce(0) { sum, entry in
        entry.key == name ? sum : sum + (entry.value.map(\.bytes).max() ?? 0)
      }
    }
  }

  /// Features that were read. Nobody has them if their overlay was removed meanwhile.
  private struct Held: Sendable {
    weak var drawing: FeatureDrawing?
    let bytes: Int
  }

  private struct Refused: Sendable {
    let stamp: FileStamp?
    let bytes: Int
  }

  /// The most bytes of all overlays.
  var limit: Int { state.withLock { $0.limit } }

  /// For what is read from now on, in bytes.
  func setLimit(_ bytes: Int) { state.withLock { $0.limit = bytes } }

  /// Checks whether there is room for the overlay `name`, before its file is read again: what it
  /// takes is known if it had no room before, and has the same `stamp`.
  ///
  /// - Throws: `SourceError` that names `file` and the limit.
  func check(_ name: String, _ file: String, _ stamp: FileStamp?) throws(SourceError) {
    let (all, limit) = state.withLock { state in
      let refused = state.refused[name]
      let own = refused?.stamp == stamp ? refused?.bytes ?? 1 : 1
      return (state.bytes(except: name) + own, state.limit)
    }
    guard all <= limit else { throw refusal(file, all, limit) }
  }

  /// Takes room for the features of the overlay `name`, until it is removed.
  ///
  /// - Throws: `SourceError` that names `file` and the limit.
  func take(
    _ name: String, _ drawing: FeatureDrawing, _ file: String, _ stamp: FileStamp?
  ) throws(SourceError) {
    let own = drawing.bytes
    let (all, limit) = state.withLock { state in
      let all = state.bytes(except: name) + own
      if all <= state.limit {
        state.held[name, default: []].append(Held(drawing: drawing, bytes: own))
        state.refused[name] = nil
      } else {
        state.refused[name] = Refused(stamp: stamp, bytes: own)
      }
      return (all, state.limit)
    }
    guard all <= limit else { throw refusal(file, all, limit) }
  }

  /// The overlay `name` was removed.
  func remove(_ name: String) {
    state.withLock { ($0.held[name], $0.refused[name]) = (nil, nil) }
  }

  /// The overlay `name` is another one from now on.
  func forgetRefusal(_ name: String) { state.withLock { $0.refused[name] = nil } }

  /// It passes when other overlays are removed.
  private func refusal(_ file: String, _ bytes: Int, _ limit: Int) -> SourceError {
    let (would, most) = (FeatureBudget.text(bytes, up: true), FeatureBudget.text(limit))
    return SourceError(
      file: file,
      reason: "with it the features of all overlays would take \(would), and at most \(most) are "
        + "possible; remove another overlay, or simplify this one", isTransient: true)
  }

  private static func text(_ bytes: Int, up: Bool = false) -> String {
    let (unit, name) = bytes < 1 << 20 ? (1 << 10, "KiB") : (1 << 20, "MiB")
    return "\((bytes + (up ? unit - 1 : 0)) / unit) \(name)"
  }
}
