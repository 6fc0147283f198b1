import Drawing
import Features
import MapGeometry
import Pixels
import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// Paints features onto one tile.
struct FeaturePainter {
  /// Points closer than this to the last one are skipped, in pixels.
  static let tolerance = 0.4
  /// Lines are cut this far from the tile's corner, in pixels. Up to here a Float resolves 1/256
  /// pixel.
  static let far = 32_768.0

  let set: FeatureSet
  private let blocks: [FeatureBox]
  let styles: [DrawnStyle]
  let canvas: PixelCanvas
  let look: FeatureLook
  /// Pixels per point of a tile that is not scaled, and per step of `FeaturePoint`.
  private let scale: Double
  private let pixelsPerStep: Double
  /// The world's width, and the tile's left and upper edges, in pixels.
  private let worldWidth: Double
  private let left: Double
  private let top: Double
  /// How far beyond the tile a point may lie and still be visible, in pixels.
  let margin: Double
  /// Used only if the set has a crowd of features.
  private var crowd: CrowdGrid?
  var path = Path()
  var line: [FeatureCut.Place] = []
  let cut = FeatureCut(limit: FeaturePainter.far)

  init(
    _ drawing: FeatureDrawing, tile: TileID, canvas: PixelCanvas, reach: Double, scale: Int,
    look: FeatureLook
  ) {
    set = drawing.features
    blocks = drawing.index.blocks
    styles = drawing.styles
    self.canvas = canvas
    self.scale = Double(scale)
    self.look = look
    worldWidth = Double(canvas.width) * Double(1 << tile.z)
    pixelsPerStep = worldWidth / FeaturePoint.steps
    left = Double(canvas.width) * Double(tile.x)
    top = Double(canvas.width) * Double(tile.y)
    margin = (reach + 2) * max(self.scale, look.unit)
    if set.features.count > CrowdGrid.crowd { crowd = makeGrid() }
  }

  private func makeGrid() -> CrowdGrid {
    CrowdGrid(width: Int(Double(canvas.width) / scale), margin: margin / scale, scale: scale)
  }

  /// Whether a feature of a crowd is no larger than a point.
  func isTiny(_ feature: Feature) -> Bool {
    let most = UInt32(scale / pixelsPerStep)
    return crowd != nil && feature.box.maxX - feature.box.minX < most
      && feature.box.maxY - feature.box.minY < most
  }

  /// Whether to skip a feature of a crowd: it is no larger than a point, and one of its style was
  /// the last painted there.
  private mutating func isHidden(_ feature: Feature, _ worlds: UInt8) -> Bool {
    guard isTiny(feature) else { return false }
    // A feature at the world's edge is visible twice, so it is never skipped.
    guard worlds.nonzeroBitCount == 1 else { return false }
    let corner = FeaturePoint(x: feature.box.minX, y: feature.box.minY)
    let place = pixel(corner, worlds.trailingZeroBitCount - 1)
    return crowd?.take(place, style: feature.style) == false
  }

  /// Paints a feature in the copies of the world given by the bits of `worlds`: west, here, east.
  mutating func paint(_ number: Int, worlds: UInt8, with rasteriser: PathRasteriser) {
    let feature = set.features[number]
    if isHidden(feature, worlds) { return }
    let style = styles[Int(feature.style)]
    let parts = feature.partRange
    let hasArea = parts.contains { set.parts[$0].kind == .ring || set.parts[$0].kind == .circle }
    if hasArea {
      if style.fill >> 24 != 0 {
        path.removeAll()
        for world in -1...1 where worlds & (1 << UInt8(world + 1)) != 0 {
          for part in parts { addArea(part, world) }
        }
        if !path.isEmpty {
          rasteriser.fill(path, rule: .evenOdd, color: look.area(style.fill), on: canvas)
        }
      }
      // Lines and their casings were taken together before; an outline belongs to its area.
      paintCasings([(Int32(number), worlds)][...], with: rasteriser)
    }
    if style.stroke >> 24 != 0, style.strokeWidth > 0, style.lines != .casing {
      if !style.dash.isEmpty {
        strokeDashes(parts, worlds, style, rasteriser)
      } else {
        path.removeAll()
        addLines(parts, worlds)
        if !path.isEmpty {
          rasteriser.stroke(
            path, width: style.strokeWidth * look.unit, color: look.stroke(style), on: canvas)
        }
      }
    }
    paintPlaces(parts, worlds, style, rasteriser)
  }

  /// Strokes the lines of a feature in another width, in points, and colour, 0xAARRGGBB.
  mutating func stroke(
    _ number: Int, worlds: UInt8, width: Double, color: UInt32, with rasteriser: PathRasteriser
  ) {
    path.removeAll()
    for world in -1...1 where worlds & (1 << UInt8(world + 1)) != 0 {
      for part in set.features[number].partRange where set.parts[part].kind == .line {
        addLine(part, world)
      }
    }
    if path.isEmpty { return }
    rasteriser.stroke(path, width: width * look.unit, color: color, on: canvas)
  }

  private mutating func paintPlaces(
    _ parts: Range<Int>, _ worlds: UInt8, _ style: DrawnStyle, _ rasteriser: PathRasteriser
  ) {
    path.removeAll()
    var grid = parts.count > CrowdGrid.crowd ? makeGrid() : nil
    for part in parts where set.parts[part].kind == .point {
      for world in -1...1 where worlds & (1 << UInt8(world + 1)) != 0 {
        for index in set.pointRange(part) {
          let place = pixel(set.points[index], world)
          let width = Double(canvas.width) + margin
          guard place.x > -margin, place.x < width, place.y > -margin, place.y < width else {
            continue
          }
          if grid?.take(place, style: 0) == false { continue }
          path.move(to: Path.Point(Float(place.x), Float(place.y)))
          path.finish()
        }
      }
    }
    if path.isEmpty { return }
    let radius = style.markerRadius * look.unit
    let rim = DrawnStyle.rimWidth * look.unit
    rasteriser.stroke(
      path, width: 2 * (radius + rim), color: look.rim(style.markerRim), on: canvas)
    rasteriser.stroke(path, width: 2 * radius, color: look.line(style.marker), on: canvas)
  }

  // MARK: paths

  /// A position in the tile's pixels, rounded to 1/256 pixel so that neighbouring tiles agree.
  @inline(__always)
  func pixel(_ point: FeaturePoint, _ world: Int) -> FeatureCut.Place {
    let x = Double(point.x) * pixelsPerStep - left + Double(world) * worldWidth
    let y = Double(point.y) * pixelsPerStep - top
    return (((x * 256) + 0.5).rounded(.down) / 256, ((y * 256) + 0.5).rounded(.down) / 256)
  }

  private mutating func addArea(_ part: Int, _ world: Int) {
    switch set.parts[part].kind {
    case .ring: collect(part, world)
    case .circle: collectCircle(part, world)
    case .point, .line: return
    }
    guard line.count >= 3 else { return }
    // What cutting takes, which happens several times.
    guard SpareMemory.has(4 * line.count, of: MemoryLayout<FeatureCut.Place>.stride) else {
      return path.giveUp()
    }
    cut.area(line) { point, isFirst in
      if isFirst { path.move(to: point) } else { path.line(to: point) }
    }
    path.finish()
  }

  /// Adds the lines and outlines of parts, in the copies of the world given by `worlds`.
  mutating func addLines(_ parts: Range<Int>, _ worlds: UInt8) {
    for world in -1...1 where worlds & (1 << UInt8(world + 1)) != 0 {
      for part in parts { addLine(part, world) }
    }
  }

  private mutating func addLine(_ part: Int, _ world: Int) {
    switch set.parts[part].kind {
    case .ring:
      addOutline(part, world)
      return
    case .circle:
      collectCircle(part, world)
      if let first = line.first { put(first) }
    case .line: collect(part, world)
    case .point: return
    }
    addLine()
  }

  /// Adds a place to `line`. Without memory for it, the path is not drawn.
  private mutating func put(_ place: FeatureCut.Place) {
    if line.count == line.capacity, !line.hasMemory() { path.giveUp() }
    if !path.lacksMemory { line.append(place) }
  }

  /// Adds `line` to the path as a sub-path, or as several if it is cut.
  private mutating func addLine() {
    path.finish()
    cut.line(line) { point, isFirst in
      if isFirst { path.move(to: point) } else { path.line(to: point) }
    }
    path.finish()
  }

  /// Adds a ring's outline without the edges along the world's edge, where the ring was cut.
  private mutating func addOutline(_ part: Int, _ world: Int) {
    let range = set.pointRange(part)
    func isOnEdge(_ a: FeaturePoint, _ b: FeaturePoint) -> Bool {
      a.x == b.x && (a.x == 0 || a.x == .max) || a.y == b.y && (a.y == 0 || a.y == .max)
    }
    var edges: [Int] = []
    for index in range {
      let point = set.points[index]
      // Test this point first; few lie on the edge.
      guard point.x == 0 || point.x == .max || point.y == 0 || point.y == .max else { continue }
      let next = index + 1 < range.upperBound ? index + 1 : range.lowerBound
      if isOnEdge(point, set.points[next]) { edges.append(index) }
    }
    if edges.isEmpty {
      collect(part, world)
      if let first = line.first { put(first) }
      addLine()
      return
    }
    // Draw from the end of each such edge to the start of the next one.
    for (number, edge) in edges.enumerated() {
      line.removeAll(keepingCapacity: true)
      let last = edges[(number + 1) % edges.count]
      var index = edge
      repeat {
        index = index + 1 < range.upperBound ? index + 1 : range.lowerBound
        put(pixel(set.points[index], world))
      } while index != last
      if line.count > 1 { addLine() }
    }
  }

  /// Collects a part's points in `line`, skipping points too close to the last one and most of
  /// those outside the tile. Which points inside are kept depends only on the zoom.
  private mutating func collect(_ part: Int, _ world: Int) {
    line.removeAll(keepingCapacity: true)
    let range = set.pointRange(part)
    let size = 1 << FeatureIndex.blockBits
    let tolerance = Self.tolerance * Self.tolerance
    let seen = Double(canvas.width) + margin
    set.points.withUnsafeBufferPointer { points in
      var index = range.lowerBound
      while index < range.upperBound {
        let block = index >> FeatureIndex.blockBits
        let end = min((block + 1) * size, range.upperBound)
        let low = pixel(FeaturePoint(x: blocks[block].minX, y: blocks[block].minY), world)
        let high = pixel(FeaturePoint(x: blocks[block].maxX, y: blocks[block].maxY), world)
        if high.x < -margin || low.x > seen || high.y < -margin || low.y > seen {
          // The whole block is outside: its first and last points are enough.
          put(pixel(points[index], world))
          if end - 1 > index { put(pixel(points[end - 1], world)) }
          index = end
          continue
        }
        var last = pixel(points[index], world)
        put(last)
        index += 1
        while index < end {
          let place = pixel(points[index], world)
          let (dx, dy) = (place.x - last.x, place.y - last.y)
          if dx * dx + dy * dy >= tolerance || index == range.upperBound - 1 {
            put(place)
            last = place
          }
          index += 1
        }
      }
    }
  }

  mutating func collectCircle(_ part: Int, _ world: Int) {
    line.removeAll(keepingCapacity: true)
    let center = pixel(set.points[set.pointRange(part).lowerBound], world)
    let radius = Double(set.circleRadius(part)) * pixelsPerStep
    let step = 2 * acos(max(0, 1 - 0.05 / max(radius, 0.05)))
    let count = Int(min(max(2 * Double.pi / max(step, 1e-4), 12), 4096))
    for number in 0..<count {
      let angle = 2 * Double.pi * Double(number) / Double(count)
      put((center.x + radius * cos(angle), center.y + radius * sin(angle)))
    }
  }
}
