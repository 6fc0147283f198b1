import MapGeometry
import TileSources

@testable import TileLoading

/// What a `Scripted` source answers.
enum Reply { case nothing, failed, later, tile }

/// A source that answers each read with the next reply, and goes on with the last one.
final class Scripted: TileSource {
  let info = SourceInfo(kind: "script", minZoom: 0, maxZoom: 24)
  let missingLifetime: Int?
  let problems: [SourceError] = []
  private let control: SourceControl
  private var replies: ArraySlice<Reply>
  private let retry: TileRetry

  init(
    _ control: SourceControl, _ replies: [Reply], retry: TileRetry = TileRetry(),
    missingLifetime: Int? = nil
  ) {
    self.control = control
    self.replies = replies[...]
    self.retry = retry
    self.missingLifetime = missingLifetime
  }

  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    control.read(id)
    let reply = replies.count > 1 ? replies.removeFirst() : replies.first
    switch reply ?? .nothing {
    case .nothing: return .nothing
    case .failed: throw TileError(file: "script", tile: id, reason: "not now", isTransient: true)
    case .later: return .later(retry)
    case .tile: return .payload(TilePayload(flatPNG(0x00FF00)))
    }
  }
  func contains(_ id: TileID) throws(TileError) -> Bool { false }
}
