import Glibc
import Platform

/// A point in the units of a layer: x to the right, y down, from the tile's upper left corner.
public struct VectorPoint: Sendable, Hashable {
  /// To the right.
  public var x: Int32
  /// Down.
  public var y: Int32

  /// Creates a point.
  public init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }
}

/// A feature's decoded geometry: parts, each a line, a ring without its closing point, or the
/// points of a point feature. Its memory is used again for the next feature.
///
/// It belongs to one thread at a time.
public final class VectorGeometry {
  private struct State {
    var memory: UnsafeMutablePointer<VectorPoint>?
    var capacity = 0
    var count = 0
    var ends: [Int] = []
    var least = VectorPoint(x: 0, y: 0)
    var greatest = VectorPoint(x: 0, y: 0)
  }

  /// Behind a pointer, because accesses to stored properties of a class are checked at run time,
  /// several times for each feature.
  private let state: UnsafeMutablePointer<State>

  /// Creates an empty geometry, which takes no memory for points before the first feature is read.
  public init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    free(state.pointee.memory)
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// The index in `points` after each part's last point.
  public var ends: [Int] { state.pointee.ends }
  /// The smallest coordinates; meaningless without points.
  public var least: VectorPoint { state.pointee.least }
  /// The greatest coordinates; meaningless without points.
  public var greatest: VectorPoint { state.pointee.greatest }

  /// The points of all parts, valid until the next feature is read.
  public var points: UnsafeBufferPointer<VectorPoint> {
    .init(start: state.pointee.memory, count: state.pointee.count)
  }

  /// Bytes of the memory that it keeps.
  public var bytes: Int { state.pointee.capacity * 8 + state.pointee.ends.capacity * 8 }

  /// Frees memory above `limit` points.
  public func trim(to limit: Int = 1 << 16) {
    guard state.pointee.capacity > limit else { return }
    free(state.pointee.memory)
    state.pointee = State()
  }

  /// The most bytes needed to draw a point: it is the end of a segment and a place on a path, and
  /// has edges of a line on both sides. All of them are in arrays, which grow by doubling.
  private static let drawnBytes = 128

  /// Removes the points, and makes room for `points` of them. Returns whether there is memory for
  /// them, and for drawing them.
  fileprivate func begin(_ points: Int) -> Bool {
    state.pointee.count = 0
    state.pointee.ends.removeAll(keepingCapacity: true)
    if points <= state.pointee.capacity, state.pointee.memory != nil { return true }
    free(state.pointee.memory)
    (state.pointee.memory, state.pointee.capacity) = (nil, 0)
    let room = max(points, 1024)
    guard SpareMemory.has(points, of: Self.drawnBytes),
      let fresh = SpareMemory.allocate(room * MemoryLayout<VectorPoint>.stride)
    else { return false }
    state.pointee.memory = fresh.bindMemory(to: VectorPoint.self, capacity: room)
    state.pointee.capacity = room
    return true
  }

  /// Replaces all parts by others.
  ///
  /// - Parameters:
  ///   - points: The points of all parts.
  ///   - ends: The index in `points` after each part's last point.
  /// - Returns: Whether there is memory for them; without it there are no parts.
  package func replace(with points: [VectorPoint], ends: [Int]) -> Bool {
    guard begin(points.count), let memory = state.pointee.memory else {
      _ = begin(0)
      return false
    }
    var (left, top, right, bottom) = (Int32.max, Int32.max, Int32.min, Int32.min)
    for (index, point) in points.enumerated() {
      memory[index] = point
      (left, right) = (min(left, point.x), max(right, point.x))
      (top, bottom) = (min(top, point.y), max(bottom, point.y))
    }
    state.pointee.count = points.count
    state.pointee.ends = ends
    state.pointee.least = VectorPoint(x: left, y: top)
    state.pointee.greatest = VectorPoint(x: right, y: bottom)
    return true
  }

  /// Why a geometry cannot be read.
  fileprivate enum Fault: String {
    case cutOff = "its geometry is cut off"
    case command = "its geometry has an unknown command"
    case noStart = "its geometry begins without a point"
    case closes = "its geometry closes a path wrongly"
    case line = "a point's geometry has lines"
    case noMemory = "there is no memory for its geometry"
  }

  /// Decodes commands and parameters (Vector Tile Specification 2.1, 4.3). Coordinates that exceed
  /// 32 bits wrap around.
  fileprivate func decode(
    _ numbers: inout WireReader, _ kind: VectorGeometryKind, version: Int
  ) -> Fault? {
    // `begin` has made room.
    guard let memory = state.pointee.memory else { return nil }
    var (x, y): (Int32, Int32) = (0, 0)
    var (left, top, right, bottom) = (Int32.max, Int32.max, Int32.min, Int32.min)
    var used = 0
    var start = 0
    while !numbers.isAtEnd {
      let command = numbers.number()
      let repeats = command >> 3
      switch command & 7 {
      case 1, 2:
        // Each point takes at least two bytes.
        guard !numbers.isDamaged, repeats <= UInt64(numbers.end - numbers.place) / 2 else {
          return .cutOff
        }
        let isMove = command & 7 == 1
        if !isMove, used == 0 { return .noStart }
        if !isMove, kind == .point, version > 1 { return .line }
        for _ in 0..<Int(repeats) {
          x = x &+ zigzag(numbers.number())
          y = y &+ zigzag(numbers.number())
          if isMove, kind != .point, used > start {
            guard end(at: used) else { return .noMemory }
            start = used
          }
          memory[used] = VectorPoint(x: x, y: y)
          used &+= 1
          left = min(left, x)
          right = max(right, x)
          top = min(top, y)
          bottom = max(bottom, y)
        }
        if numbers.isDamaged { return .cutOff }
      case 7:
        // Version 1 allowed a line to be closed. Such tiles exist, some with a count of 0.
        guard repeats == 1 || repeats == 0 && version == 1, used > start else { return .closes }
        switch kind {
        case .polygon where repeats == 1: break
        case .unknown: break
        case .line where version == 1:
          memory[used] = memory[start]
          used &+= 1
        default: return .closes
        }
        guard end(at: used) else { return .noMemory }
        start = used
      default: return numbers.isDamaged ? .cutOff : .command
      }
    }
    if used > start, !end(at: used) { return .noMemory }
    state.pointee.count = used
    state.pointee.least = VectorPoint(x: left, y: top)
    state.pointee.greatest = VectorPoint(x: right, y: bottom)
    return nil
  }

  /// Ends a part. Returns whether there is memory for its end.
  private func end(at count: Int) -> Bool {
    let isFull = state.pointee.ends.count == state.pointee.ends.capacity
    if isFull, !state.pointee.ends.hasMemory() { return false }
    state.pointee.ends.append(count)
    return true
  }

  @inline(__always)
  private func zigzag(_ number: UInt64) -> Int32 {
    let bits = UInt32(truncatingIfNeeded: number)
    return Int32(bitPattern: bits &>> 1) ^ (0 &- Int32(bitPattern: bits & 1))
  }
}

extension VectorLayer {
  /// Decodes the geometry of the feature `index`; one without a geometry has no points.
  ///
  /// - Throws: `VectorTileError` if the geometry is broken or has more points than the tile's
  ///   limit.
  public func read(_ index: Int, into geometry: VectorGeometry) throws(VectorTileError) {
    let feature = features[index]
    let range = feature.geometry
    // A point takes two bytes or more. Closing a line, where that is allowed, takes one.
    let most = feature.kind == .line && version == 1 ? range.count : range.count / 2
    guard range.count / 2 <= maximumPoints else {
      throw VectorTileError(layer: name, feature: index, "more than \(maximumPoints) points")
    }
    guard geometry.begin(most) else { throw VectorTileError.noMemory(layer: name) }
    var numbers = WireReader(storage.bytes, range)
    if let fault = geometry.decode(&numbers, feature.kind, version: version) {
      _ = geometry.begin(0)
      if fault == .noMemory { throw VectorTileError.noMemory(layer: name) }
      throw VectorTileError(layer: name, feature: index, fault.rawValue)
    }
  }
}
