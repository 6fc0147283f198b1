import Platform

/// Which label it is: text, icon and layer. Hashed once, compared in full.
struct LabelKey: Hashable, Sendable {
  let text: LabelText
  let icon: String?
  let layer: Int
  private let hash: Int

  init(text: LabelText, textHash: Int, icon: String?, layer: Int) {
    self.text = text
    self.icon = icon
    self.layer = layer
    hash = textHash &* 31 &+ layer &* 0x9E37_79B9 &+ (text.isEmpty ? icon.hashValue : 0)
  }

  static func == (a: LabelKey, b: LabelKey) -> Bool {
    a.hash == b.hash && a.layer == b.layer && a.icon == b.icon && a.text == b.text
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// What was measured of texts, and shapes that labels share. All are limited; a full cache is
/// emptied.
///
/// Of the thousands of lines in a view only the extents of their names are needed, unless they find
/// a place. Their letters would empty the cache several times in each placement.
struct LabelLayoutCache {
  struct BlockKey: Hashable {
    var text: LabelText
    var textHash: Int
    var look: LabelLook

    static func == (a: BlockKey, b: BlockKey) -> Bool {
      a.textHash == b.textHash && a.look == b.look && a.text == b.text
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(textHash)
      hasher.combine(look)
    }
  }

  struct ShapeKey: Hashable {
    var block: BlockKey
    var icon: String?
    /// The variable anchor; 255: none.
    var choice: UInt8
    var hasText: Bool
    var hasIcon: Bool
    var scale: Float
    /// How what turns with the map is turned; 0 if nothing does.
    var mapAngle: Float
  }

  /// The most bytes of measured texts.
  static let maxBytes = 768 << 10
  static let maxShapes = 1024
  static let maxExtents = 4096

  private var blocks: [BlockKey: TextBlock] = [:]
  private var extents: [BlockKey: TextBlock.Extent] = [:]
  private var shapes: [ShapeKey: LabelShape] = [:]
  private var blockBytes = 0
  private var shapeBytes = 0

  subscript(key: BlockKey) -> TextBlock? { blocks[key] }
  subscript(key: ShapeKey) -> LabelShape? { shapes[key] }

  func extent(of key: BlockKey) -> TextBlock.Extent? { extents[key] ?? blocks[key]?.extent }

  mutating func insert(_ extent: TextBlock.Extent, for key: BlockKey) {
    guard extents.hasMemory() else { return }
    if extents.count >= Self.maxExtents { extents.removeAll(keepingCapacity: false) }
    extents[key] = extent
  }

  mutating func insert(_ block: TextBlock, for key: BlockKey) {
    guard blocks.hasMemory() else { return }
    let size = block.bytes + 96
    if blockBytes + size > Self.maxBytes {
      blocks.removeAll(keepingCapacity: false)
      blockBytes = 0
    }
    blockBytes += size
    blocks[key] = block
  }

  mutating func insert(_ shape: LabelShape, for key: ShapeKey) {
    guard shapes.hasMemory() else { return }
    if shapes.count >= Self.maxShapes || shapeBytes > Self.maxBytes {
      shapes.removeAll(keepingCapacity: false)
      shapeBytes = 0
    }
    shapeBytes += Self.bytes(of: shape)
    shapes[key] = shape
  }

  mutating func removeShapes() {
    shapes.removeAll()
    shapeBytes = 0
  }

  mutating func keep(_ kept: Set<ObjectIdentifier>) {
    shapes = shapes.filter { kept.contains(ObjectIdentifier($0.value)) }
    shapeBytes = shapes.values.reduce(0) { $0 + Self.bytes(of: $1) }
  }

  private static func bytes(of shape: LabelShape) -> Int {
    160 + shape.glyphs.count * MemoryLayout<LabelShape.Glyph>.stride
  }

  var bytes: Int {
    blockBytes + shapeBytes
      + extents.capacity * (MemoryLayout<(BlockKey, TextBlock.Extent)>.stride + 1)
  }
}
