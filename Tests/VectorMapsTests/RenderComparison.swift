/// How a picture differs from MapLibre's, labels apart.
///
/// The pixels at and near what Waypost's labels draw are left out, for another typeface and another
/// rasteriser of icons draw other pixels there. So a label has to stand where MapLibre's stands.
/// One that MapLibre draws elsewhere is a difference, and so are the pixels of one where MapLibre's
/// picture has none.
struct RenderComparison {
  /// How far from the pixels of labels pixels are left out, in points: labels count as being in one
  /// place within this distance.
  static let margin = 12
  /// A pixel differs if one of its channels does by more than this.
  static let tolerance = 16

  /// How many pixels differ.
  private(set) var different = 0
  private let count: Int

  /// The share of the pixels that differ, 0 ... 1.
  var share: Double { Double(different) / Double(max(1, count)) }

  init(
    _ labelled: RenderTest.Picture, bare: RenderTest.Picture, expected: RenderTest.Picture,
    scale: Int
  ) {
    let (width, height) = (labelled.width, labelled.height)
    count = width * height
    guard expected.width == width, expected.height == height else {
      different = count
      return
    }
    var isLabel = [Bool](repeating: false, count: count)
    for index in 0..<count { isLabel[index] = labelled.pixels[index] != bare.pixels[index] }
    var isNear = Self.grown(isLabel, width, height, Self.margin * scale)
    for index in 0..<count where !isNear[index] {
      if Self.differ(labelled.pixels[index], expected.pixels[index]) { different += 1 }
    }
    // Where labels are, one region after the other.
    var region: [Int] = []
    for start in 0..<count where isNear[start] {
      region.removeAll()
      region.append(start)
      isNear[start] = false
      var next = 0
      while next < region.count {
        let index = region[next]
        next += 1
        let (x, y) = (index % width, index / width)
        let neighbours = [
          x > 0 ? index - 1 : index, x < width - 1 ? index + 1 : index,
          y > 0 ? index - width : index, y < height - 1 ? index + width : index,
        ]
        for other in neighbours where isNear[other] {
          region.append(other)
          isNear[other] = false
        }
      }
      if region.contains(where: { Self.differ(bare.pixels[$0], expected.pixels[$0]) }) { continue }
      for index in region where Self.differ(labelled.pixels[index], expected.pixels[index]) {
        different += 1
      }
    }
  }

  private static func grown(_ marks: [Bool], _ width: Int, _ height: Int, _ by: Int) -> [Bool] {
    var rows = marks
    for y in 0..<height {
      for x in 0..<width where marks[y * width + x] {
        for to in max(0, x - by)...min(width - 1, x + by) { rows[y * width + to] = true }
      }
    }
    var grown = rows
    for y in 0..<height {
      for x in 0..<width where rows[y * width + x] {
        for to in max(0, y - by)...min(height - 1, y + by) { grown[to * width + x] = true }
      }
    }
    return grown
  }

  private static func differ(_ a: UInt32, _ b: UInt32) -> Bool {
    for shift in [0, 8, 16] as [UInt32] {
      if abs(Int(a >> shift & 0xFF) - Int(b >> shift & 0xFF)) > tolerance { return true }
    }
    return false
  }
}
