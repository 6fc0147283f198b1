import MapGeometry
import TileLoading

extension Scene {
  /// What follows from a plan: what to draw, to load and to open. A value like the plan.
  public struct Update: Sendable, Equatable {
    /// The parts of the screen to be drawn.
    public var damage: [PixelRect] = []
    /// The tiles to load, most urgent first.
    public var requests: [TileLoader.Request] = []
    /// The sources whose quiet cell is among the requests.
    public var quietCells: [Int] = []
    /// The sources to open.
    public var closed: [Int] = []

    /// Creates an update in which nothing is to be done.
    public init() {}

    /// Forgets everything and keeps the memory.
    mutating func removeAll() {
      damage.removeAll(keepingCapacity: true)
      requests.removeAll(keepingCapacity: true)
      quietCells.removeAll(keepingCapacity: true)
      closed.removeAll(keepingCapacity: true)
    }

    /// Adds a tile to load unless it is wanted already.
    mutating func want(_ request: TileLoader.Request) {
      if !requests.contains(where: { $0.key == request.key }) { requests.append(request) }
    }
  }
}

extension Scene.Update: CustomStringConvertible {
  /// A line for each thing to be done.
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
