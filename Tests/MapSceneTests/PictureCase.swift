import MapGeometry
import Pixels
import TileSources

@testable import MapScene

/// One view whose picture is compared with the one that it always had.
struct PictureCase {
  /// Which layers there are, the lowest first.
  enum Layers: String, CaseIterable {
    /// The map alone.
    case map
    /// Lines and areas over it.
    case lined
    /// A layer at half its opacity, another over it.
    case faded
    /// A map with transparency, over its fallback.
    case seeThrough
  }

  /// What there is of the tiles.
  enum Tiles: String, CaseIterable {
    case all
    case none
    /// Only those two levels above the view's.
    case ancestors
    /// Two of the four below.
    case children
    /// Every other one is missing, with an ancestor that is there.
    case missing
    /// The source has nothing here.
    case nowhere
    /// Some of each.
    case mixed
  }

  static let width = 320
  static let height = 200

  var zoom = 4.0
  var bearing = 0.0
  var lat = 20.1234567
  var lon = 10.7654321
  var format = PixelFormat.xrgb8888
  var rotation = MountingRotation.none
  var layers = Layers.map
  var tiles = Tiles.all
  var hasSprites = false
  /// Only some rectangles are drawn.
  var inParts = false
  var keepsFlatTiles = false
  var tileSize = 256
  var scale = 1
  var levels = 0...5

  /// What the digest is kept under.
  var name: String {
    var words = ["z\(zoom)", "b\(bearing)", "\(format)", "\(rotation)", layers.rawValue]
    words.append(tiles.rawValue)
    if lat != 20.1234567 || lon != 10.7654321 { words.append("at \(lat),\(lon)") }
    if hasSprites { words.append("sprites") }
    if inParts { words.append("parts") }
    if keepsFlatTiles { words.append("flat") }
    if tileSize != 256 { words.append("tiles \(tileSize)") }
    if scale != 1 { words.append("scale \(scale)") }
    if levels != 0...5 { words.append("levels \(levels.lowerBound)-\(levels.upperBound)") }
    return words.joined(separator: " ")
  }

  var view: Viewport {
    Viewport(
      center: GeoPoint(lat: lat, lon: lon), zoom: zoom, bearing: bearing,
      width: PictureCase.width, height: PictureCase.height, scale: scale)
  }

  /// The picture of `view`, by default the case's own, drawn by two threads from `leastShared` on.
  func picture(_ pictures: TilePictures, view: Viewport? = nil, leastShared: Int? = nil) -> [UInt8]
  {
    let view = view ?? self.view
    let stage = SceneStage(
      view: view, layers: sceneLayers, format: format, pictures: pictures, leastShared: leastShared)
    stage.compositor.keepsFlatTiles = keepsFlatTiles
    settle(stage, view)
    if keepsFlatTiles { _ = stage.draw(rotation: rotation) }
    return stage.draw(
      inParts ? PictureCase.parts : nil, rotation: rotation,
      sprites: hasSprites ? PictureCase.sprites : [])
  }

  private static let parts = [
    PixelRect(x: 37, y: 21, width: 130, height: 90),
    PixelRect(x: 200, y: 100, width: 64, height: 64),
    PixelRect(x: 300, y: 150, width: 40, height: 60),
  ]

  private static var sprites: [Sprite] {
    [
      Sprite(plain(90, 30, 0x8040_1020), x: 60, y: 40),
      Sprite(plain(9, 9, 0xFF01_0203), x: 70, y: 65),
      Sprite(plain(40, 60, 0x4000_2030), x: 130, y: 30),
      Sprite(plain(50, 20, 0xC030_6090), x: 300, y: 190),
      Sprite(plain(20, 20, 0x2010_1010), x: -7, y: 90),
    ]
  }

  private var sceneLayers: [SceneLayer] {
    func source(_ index: Int) -> SceneSource {
      SceneSource(index: index, tileSize: index == 0 ? tileSize : 256, levels: levels)
    }
    switch layers {
    case .map: return [SceneLayer(chain: [source(0)], isBase: true)]
    case .lined:
      return [
        SceneLayer(chain: [source(0)], isBase: true), SceneLayer(chain: [source(2)], isBase: false),
      ]
    case .faded:
      return [
        SceneLayer(chain: [source(0)], isBase: true),
        SceneLayer(chain: [source(2)], opacity: 0.5, isBase: false),
        SceneLayer(chain: [source(3)], isBase: false),
      ]
    case .seeThrough: return [SceneLayer(chain: [source(4), source(1)], isBase: true)]
    }
  }

  /// Sources 2, 3 and 4 have transparency.
  private func settle(_ stage: SceneStage, _ view: Viewport) {
    stage.settle(view) { source, tile in
      let there = SceneStage.Answer.tile(alpha: source >= 2)
      let above = tile.z > 0 ? tile.z - 1 : nil
      switch tiles {
      case .all: return there
      case .none: return .late
      case .ancestors:
        if let ancestor = tile.ancestor(2) { stage.insert(source, ancestor, alpha: source >= 2) }
        return .late
      case .children:
        for quarter in [0, 3] {
          if let child = tile.child(quarter & 1, quarter >> 1) {
            stage.insert(source, child, alpha: source >= 2)
          }
        }
        return .late
      case .missing:
        return (tile.x + tile.y) % 2 == 0 || tile.z < levels.upperBound - 1
          ? there : .missing(ancestorLevel: above)
      case .nowhere: return .missing(ancestorLevel: nil)
      case .mixed:
        switch (tile.x + 2 * tile.y) % 4 {
        case 0: return there
        case 1: return .missing(ancestorLevel: above)
        case 2: return .missing(ancestorLevel: nil)
        default: return .late
        }
      }
    }
    // What came while it was late is planned too.
    _ = stage.scene.update(view: view)
  }
}
