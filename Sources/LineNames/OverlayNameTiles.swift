import MapGeometry
import MapLabels
import MapOverlays
import MapStyle
import Platform

/// Makes label candidates for names of overlay lines, in tiles of 512 points. It belongs to the
/// thread that places labels.
///
/// A name follows its line, set beside it as on a hiking map, and repeats at a distance. If there
/// is no place along the line, the name stands upright beside the line's middle. No name stands
/// across a line; one that would is left out.
public struct OverlayNameTiles {
  /// Limits of the cache: tiles, and bytes of their candidates. A full cache is emptied.
  private static let most = 128
  private static let limit = 2 << 20
  /// Above the layers of every style, so that overlay names are placed first: those along lines,
  /// then the upright ones.
  private static let layers = (along: 65_000, upright: 64_000)
  /// The repeat distance of upright names: so large that a view shows a line's name only once.
  private static let uprightDistance: Float = 4096
  private static let textSize = 15.0
  /// The assumed width of a letter in ems, for leaving out names much longer than their line.
  private static let letter = 0.5

  private var names: OverlayNames?
  private var tiles: [TileID: TileLabels] = [:]
  /// Bytes of the candidates that are kept.
  public private(set) var bytes = 0
  /// Whether memory ran out for some candidates of the last call.
  public private(set) var lacksMemory = false

  /// Creates a store without tiles.
  public init() {}

  /// Forgets everything.
  public mutating func removeAll() { self = OverlayNameTiles() }

  /// The tiles under a view and its margin.
  ///
  /// - Parameters:
  ///   - request: The view and the margin.
  ///   - names: What else the names depend on.
  /// - Returns: The tiles that have candidates. Tiles that memory ran out for are missing; the next
  ///   call tries them again.
  public mutating func tiles(_ request: LabelRequest, _ names: OverlayNames) -> [LabelTile] {
    if names != self.names {
      removeAll()
      self.names = names
    }
    let view = request.view
    let level = Int(min(max(view.zoom.rounded(.down) - 1, 0), Double(TileID.maxLevel)))
    let count = 1 << level
    // A circle around the view covers the same tiles at any bearing.
    let (width, height) = (Double(view.width), Double(view.height))
    let pixels = (width * width + height * height).squareRoot() / 2 + Double(request.margin)
    let radius = pixels / Double(view.scale) / WebMercator.worldSize(zoom: view.zoom)
    let middle = WebMercator.project(view.center)
    func number(_ at: Double) -> Int { Int((min(max(at, -4), 4) * Double(count)).rounded(.down)) }
    let (top, bottom) = (
      max(0, number(middle.y - radius)), min(count - 1, number(middle.y + radius))
    )
    lacksMemory = false
    var found: [LabelTile] = []
    for row in top..<max(top, bottom + 1) {
      for column in number(middle.x - radius)...number(middle.x + radius) {
        guard let tile = TileID(z: level, x: column & (count - 1), y: row) else { continue }
        let labels = self.labels(of: tile, names)
        if labels.count == 0 { continue }
        found.append(
          LabelTile(tile, world: (column - tile.x) / count, labels: labels, group: 1))
      }
    }
    return found
  }

  private mutating func labels(of tile: TileID, _ names: OverlayNames) -> TileLabels {
    if let known = tiles[tile] { return known }
    var builder = TileLabelsBuilder()
    // Lines are joined tile by tile, as in vector tiles.
    builder.part = LabelPart(levels: 0, column: 0, row: 0)
    var looks: [Kind: LabelLook] = [:]
    var isShort = false
    func look(_ line: NamedLine, _ reach: Double, isAlong: Bool) -> LabelLook {
      let kind = Kind(color: line.color, reach: reach, isAlong: isAlong)
      if let known = looks[kind] { return known }
      let new = LabelLook(Self.settings(kind, names.words))
      looks[kind] = new
      return new
    }
    let world = WebMercator.worldSize(zoom: Double(tile.z + 1))
    for (number, overlay) in names.overlays.enumerated() {
      guard let lines = overlay.features.namedLines(on: tile) else {
        lacksMemory = true
        return .empty
      }
      for line in lines {
        let text = FormattedText(line.text)
        // The selected line has a ring around it.
        let ring = names.selected?.reach(of: line.feature, in: overlay.features)
        let reach = max(line.reach, ring ?? 0)
        func add(_ layer: Int, isAlong: Bool, _ points: [NamedLine.Point]) {
          guard SpareMemory.has(points.count, of: MemoryLayout<TilePoint>.stride) else {
            isShort = true
            return
          }
          var candidate = LabelCandidate(
            layer: layer, sortKey: Float(number), text: text,
            look: look(line, reach, isAlong: isAlong), points: points.map { TilePoint($0.x, $0.y) })
          candidate.order = line.feature
          builder.add(candidate)
        }
        for stretch in line.stretches { add(Self.layers.along, isAlong: true, stretch) }
        let width = Double(line.text.count) * Self.letter * Self.textSize * names.words.size
        if let middle = line.middle, line.length * world > width / 2 {
          add(Self.layers.upright, isAlong: false, [middle])
        }
      }
    }
    let labels = builder.finish() ?? .empty
    if isShort || builder.lacksMemory {
      lacksMemory = true
      return labels
    }
    if tiles.count >= Self.most || bytes + labels.bytes > Self.limit { (tiles, bytes) = ([:], 0) }
    tiles[tile] = labels
    bytes += labels.bytes
    return labels
  }

  /// Lines whose names look the same.
  private struct Kind: Hashable {
    var color: UInt32?
    var reach: Double
    var isAlong: Bool
  }

  private static func settings(_ kind: Kind, _ words: OverlayNames.Words) -> LabelSettings {
    let (ink, halo) = words.theme.words(naming: kind.color, onDark: words.isGroundDark)
    let size = textSize * words.size
    var settings = LabelSettings()
    settings.textFont = ["Noto Sans Regular"]
    settings.textSize = Float(size)
    (settings.textColor, settings.textHaloColor) = (ink, halo)
    settings.keepsColors = true
    settings.textHaloWidth = Float(HudStyle.halo * words.size)
    settings.textHaloBlur = 0.5
    settings.textPadding = 3
    if kind.isAlong {
      settings.naming = .beside
      settings.placement = .line
      settings.repeatDistance = Float(words.distance)
      // From letter to letter.
      settings.textMaxAngle = 20
      settings.textAnchor = .bottom
      settings.textOffset = LabelOffset(0, Float(-(kind.reach + 1) / size))
    } else {
      settings.naming = .upright
      settings.repeatDistance = uprightDistance
      let near = Float((kind.reach + 3) / size)
      for distance in [near, near + 1.5] {
        for (anchor, x, y) in sides {
          settings.textVariableAnchors.append(anchor)
          settings.textVariableOffsets.append(LabelOffset(x * distance, y * distance))
        }
      }
    }
    return settings
  }

  /// The sides of a line's middle for an upright name: the text's anchor, and in which direction
  /// the text is from the line.
  private static let sides: [(anchor: LabelAnchor, x: Float, y: Float)] = [
    (.bottom, 0, -1), (.top, 0, 1), (.left, 1, 0), (.right, -1, 0), (.bottomLeft, 0.7, -0.7),
    (.bottomRight, -0.7, -0.7), (.topLeft, 0.7, 0.7), (.topRight, -0.7, 0.7),
  ]
}
