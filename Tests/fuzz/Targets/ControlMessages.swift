@testable import Control
@testable import Kiosk

/// The methods of the socket, as `rpc` calls them: all that the daemon serves (`FuzzMethodTests`).
enum ControlMessages {
  /// How one of them is fuzzed.
  struct Reading: Sendable {
    /// Reads parameters and results.
    var read: @Sendable (JSON) throws -> Void
    /// Whether its parameters are a table that another module checks.
    var takesTable: Bool
  }

  /// By the methods' names.
  static let all = Dictionary(
    [
      of(DisplayGet.self), of(DisplaySet.self), of(MarkerSet.self), of(MarkerRemove.self),
      of(MarkerListMethod.self), of(NoticeSet.self), of(NoticeRemove.self),
      of(NoticeListMethod.self), of(ViewGet.self), of(ViewSet.self), of(ViewPan.self),
      of(ViewZoom.self), of(ViewFit.self), of(ViewHome.self), of(CacheStatsMethod.self),
      of(CacheResize.self), of(CacheClear.self), of(SourceListMethod.self), of(SourceUse.self),
      of(SourceNext.self), of(SourcePrevious.self), of(SourceAdd.self), of(SourceRemove.self),
      of(Subscribe.self), of(Unsubscribe.self), of(Press.self), of(Screenshot.self),
      of(OverlayListMethod.self), of(OverlayAdd.self), of(OverlayRemove.self), of(OverlayShow.self),
      of(OverlayHide.self), of(OverlayMove.self), of(OverlaySelect.self), of(SelectionGet.self),
      of(SelectionClear.self), of(Settle.self), of(Status.self), of(PositionGet.self),
      of(PositionSet.self), of(Stats.self), of(ConfigReload.self), of(Version.self),
      of(Methods.self),
    ], uniquingKeysWith: { first, _ in first })

  /// Those whose parameters are the tables of a configuration.
  static let tables: [String: @Sendable (JSON) throws -> Void] = [
    SourceAdd.name: { _ = try SocketTable.source($0) },
    OverlayAdd.name: { _ = try SocketTable.overlay($0) },
    MarkerSet.name: { _ = try SocketTable.marker($0) },
    NoticeSet.name: { _ = try SocketTable.notice($0) },
  ]

  private static func of<Method: ControlMethod>(_ method: Method.Type) -> (String, Reading) {
    let read: @Sendable (JSON) throws -> Void = { json in
      if let params = try? Method.Params(json) {
        let again = try? Method.Params(params.json)
        try promise(again?.json == params.json, "\(Method.name): \(params.json.text)")
      }
      if let result = try? Method.Result(json) {
        let again = try? Method.Result(result.json)
        try promise(again?.json == result.json, "\(Method.name) gives \(result.json.text)")
      }
    }
    return (Method.name, Reading(read: read, takesTable: Method.Params.self == RawParams.self))
  }
}
