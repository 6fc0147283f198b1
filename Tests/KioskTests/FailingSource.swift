import MapGeometry
import Synchronization
import TileSources

/// Why tiles fail at present, each for a reason that may pass; nil: they come.
final class Failures: Sendable {
  private let rule = Mutex<@Sendable (TileID) -> String?>({ _ in nil })

  /// From now on tiles fail for the reason that `rule` gives.
  func set(_ rule: @escaping @Sendable (TileID) -> String?) { self.rule.withLock { $0 = rule } }

  /// Why `id` fails now; nil: it comes.
  func reason(for id: TileID) -> String? { rule.withLock { $0(id) } }
}

/// Plain tiles, as far as they do not fail.
final class FailingSource: TileSource {
  private let plain = PlaceholderTests.PlainSource()
  private let failures: Failures
  private let isTransient: Bool
  var info: SourceInfo { plain.info }

  init(_ failures: Failures, isTransient: Bool = true) {
    (self.failures, self.isTransient) = (failures, isTransient)
  }

  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    if let reason = failures.reason(for: id) {
      throw TileError(file: "/media/card", tile: id, reason: reason, isTransient: isTransient)
    }
    return try plain.read(id, into: &buffer)
  }

  func contains(_ id: TileID) throws(TileError) -> Bool { try plain.contains(id) }
}
