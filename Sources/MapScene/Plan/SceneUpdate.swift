import MapGeometry
import TileLoading

extension Scene {
  /// What follows from a plan: what to draw, load and open.
  public struct Update: Sendable, Equatable {
    /// The parts of the screen to draw, in view pixels.
    public var damage: [PixelRect] = []
    /// The parts of `damage` where better tiles replace what stood in for them.
    public var improved: [PixelRect] = []
    /// The tiles to load, most urgent first.
    public var requests: [TileLoader.Request] = []
    /// The sources whose quiet cell is among the requests.
    public var quietCells: [Int] = []
    /// The numbers of the sources to open, because their tiles are needed.
    public var closed: [Int] = []
    /// When the first of the base tiles that wait for overlays is due to be shown without them, in
    /// nanoseconds on the caller's clock; nil: none waits.
    public var waitsUntil: UInt64?

    /// Creates an empty update.
    public init() {}

    /// Empties the update but keeps its memory.
    mutating func removeAll() {
      damage.removeAll(keepingCapacity: true)
      improved.removeAll(keepingCapacity: true)
      requests.removeAll(keepingCapacity: true)
      quietCells.removeAll(keepingCapacity: true)
      closed.removeAll(keepingCapacity: true)
      waitsUntil = nil
    }

    /// Adds a tile to load, unless the update requests it already.
    mutating func want(_ request: TileLoader.Request) {
      if !requests.contains(where: { $0.key == request.key }) { requests.append(request) }
    }
  }
}

extension Scene.Update: CustomStringConvertible {
  /// What to draw, load and open, one item per line; for tests and the log.
  public var description: String {
    var lines = damage.map { "draw \($0.width)x\($0.height) at \($0.x),\($0.y)" }
    for request in requests {
      let depth = request.levels > 0 ? " from \(request.levels) levels below" : ""
      lines.append("load \(request.key.name) \(request.standing)\(depth)")
    }
    lines += quietCells.map { "quiet cell of \($0)" }
    lines += closed.map { "open \($0)" }
    return lines.joined(separator: "\n")
  }
}
