/// The colour change of a list of filters, computed once and applied to many pixels.
///
/// Every filter is an affine map of a colour's channels, so a sequence of them is one map. Its
/// three rows of coefficients are in tables by channel value, with all three sums in one 64-bit
/// number. Only filters whose results are cut off at black or white begin a new map: a brightness
/// above 1, and `dark`. Premultiplied pixels need no division: with the constant part multiplied by
/// alpha, the map is the same.
///
/// Results are rounded once per map.
public struct ColorTransform: Sendable, Hashable {
  /// The filters that it was made from, without those that change nothing.
  public let filters: [ColorFilter]
  private let stages: [Stage]

  /// The transform that changes nothing.
  public static let identity = ColorTransform([])

  /// - Parameter filters: The filters, in the order in which they are applied.
  public init(_ filters: [ColorFilter]) {
    self.filters = filters.filter { !$0.isIdentity }
    var stages: [Stage] = []
    var map = AffineColors()
    var isEmpty = true
    for filter in self.filters {
      map.append(filter)
      isEmpty = false
      if filter.isCutOff {
        stages.append(Stage(map))
        (map, isEmpty) = (AffineColors(), true)
      }
    }
    if !isEmpty { stages.append(Stage(map)) }
    self.stages = stages
  }

  /// Whether both have the same filters in the same order.
  public static func == (a: ColorTransform, b: ColorTransform) -> Bool { a.filters == b.filters }

  /// Hashes the filters.
  public func hash(into hasher: inout Hasher) { hasher.combine(filters) }

  /// Whether it leaves every colour unchanged.
  public var isIdentity: Bool { stages.isEmpty }

  /// The transform that applies this one and then `other`.
  public func followed(by other: ColorTransform) -> ColorTransform {
    other.isIdentity ? self : isIdentity ? other : ColorTransform(filters + other.filters)
  }

  /// Transforms one colour, 0xAARRGGBB and not premultiplied.
  public func apply(_ color: UInt32) -> UInt32 {
    var word = color | 0xff00_0000
    for stage in stages { stage.apply(&word, 1) }
    return color & 0xff00_0000 | word & 0x00ff_ffff
  }

  /// Transforms `count` premultiplied pixels in place; also opaque xrgb pixels, whose alpha byte is
  /// 255.
  public func apply(to pixels: UnsafeMutablePointer<UInt32>, count: Int) {
    for stage in stages { stage.apply(pixels, count) }
  }

  /// A sequence of filters as tables of 256 sums each: red's, green's, blue's and alpha's.
  private struct Stage: Sendable {
    // Three sums of 21 bits in one number: 10 bits before the binary point (a channel times at most
    // 4) and 10 after it. The contribution of one channel may be negative: the number is added up
    // as a whole, and its parts are correct once no complete sum is negative. Those that may be
    // are lifted by alpha.
    static let lane: UInt64 = 21
    static let one = 1024.0
    /// What is added to sums that may be negative, in parts of alpha. `dark` stays above −1.
    static let lift = 255.0

    private let table: [UInt64]
    /// Whether no channel of any opaque colour exceeds 255.
    private let isBounded: Bool
    /// Whether the sums are lifted by alpha, because some would be negative.
    private let isLifted: Bool

    init(_ map: AffineColors) {
      let isLifted = map.rows.contains { row in
        min(row[0], 0) + min(row[1], 0) + min(row[2], 0) + row[3] < -0.000_001
      }
      self.isLifted = isLifted
      isBounded =
        !isLifted
        && map.rows.allSatisfy { row in
          max(row[0], 0) + max(row[1], 0) + max(row[2], 0) + row[3] <= 1.000_001
        }
      var table: [UInt64] = []
      table.reserveCapacity(1024)
      for column in 0..<4 {
        for value in 0..<256 {
          var word: UInt64 = 0
          for row in 0..<3 {
            let lift = isLifted && column == 3 ? Stage.lift / 255 : 0
            let share = ((map.rows[row][column] + lift) * Double(value) * Stage.one).rounded()
            // Plus one half, in alpha's table, which every pixel uses once: this rounds the sums.
            let part = Int64(share) &+ (column == 3 ? 512 : 0)
            word = word &+ UInt64(bitPattern: part) &<< (Stage.lane &* UInt64(row))
          }
          table.append(word)
        }
      }
      self.table = table
    }

    func apply(_ pixels: UnsafeMutablePointer<UInt32>, _ count: Int) {
      table.withUnsafeBufferPointer { table in
        guard let red = table.baseAddress else { return }
        let (green, blue, alpha) = (red + 256, red + 512, red + 768)
        let opaque = alpha[255]
        let (isBounded, isLifted) = (isBounded, isLifted)
        // Neighbouring pixels of a map often have the same colour.
        var (last, result): (UInt32, UInt32) = (0, 0)
        for i in 0..<max(count, 0) {
          let pixel = pixels[i]
          if pixel != last {
            last = pixel
            if isBounded, pixel >= 0xff00_0000 {
              let sum =
                red[Int(pixel &>> 16 & 255)] &+ green[Int(pixel &>> 8 & 255)]
                &+ blue[Int(pixel & 255)] &+ opaque
              result =
                0xff00_0000 | UInt32(truncatingIfNeeded: sum &<< 6) & 0xff_0000
                | UInt32(truncatingIfNeeded: sum &>> 23) & 0xff00
                | UInt32(truncatingIfNeeded: sum &>> 52) & 0xff
            } else {
              result = Stage.mixed(pixel, red, green, blue, alpha, isLifted: isLifted)
            }
          }
          pixels[i] = result
        }
      }
    }

    /// Transforms one pixel of any alpha; no channel of the result exceeds alpha.
    @inline(__always)
    private static func mixed(
      _ pixel: UInt32, _ red: UnsafePointer<UInt64>, _ green: UnsafePointer<UInt64>,
      _ blue: UnsafePointer<UInt64>, _ alpha: UnsafePointer<UInt64>, isLifted: Bool
    ) -> UInt32 {
      let a = pixel &>> 24
      // At most alpha, or an inverted channel would become negative.
      let r = min(pixel &>> 16 & 255, a)
      let g = min(pixel &>> 8 & 255, a)
      let b = min(pixel & 255, a)
      let sum = red[Int(r)] &+ green[Int(g)] &+ blue[Int(b)] &+ alpha[Int(a)]
      let mask: UInt64 = 0x7ff
      let lift = isLifted ? a : 0
      func channel(_ shift: UInt64) -> UInt32 {
        let lifted = UInt32(truncatingIfNeeded: sum &>> shift & mask)
        return min(max(lifted, lift) &- lift, a)
      }
      let (newRed, newGreen, newBlue) = (channel(10), channel(31), channel(52))
      return a &<< 24 | newRed &<< 16 | newGreen &<< 8 | newBlue
    }
  }
}

/// `rows[i]`: the contribution of red, green, blue and the constant (in parts of alpha) to channel
/// i.
private struct AffineColors {
  var rows: [SIMD4<Double>] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]

  /// The row of the luma of ITU-R BT.709.
  private var luma: SIMD4<Double> { rows[0] * 0.2126 + rows[1] * 0.7152 + rows[2] * 0.0722 }

  mutating func append(_ filter: ColorFilter) {
    switch filter {
    case .tint(let color):
      let share = Double(color >> 24) / 255
      for i in 0..<3 {
        let channel = Double(color >> UInt32(16 - 8 * i) & 255) / 255
        rows[i] *= 1 - share
        rows[i][3] += channel * share
      }
    case .brightness(let factor):
      let factor = factor.isFinite ? min(max(factor, 0), 4) : 1
      for i in 0..<3 { rows[i] *= factor }
    case .grayscale:
      rows = [luma, luma, luma]
    case .invert:
      for i in 0..<3 {
        rows[i] = -rows[i]
        rows[i][3] += 1
      }
    case .dark:
      // low + (high − low) · (1 − Y) + 0.9 · (c − Y), each colour in parts of alpha.
      let (low, high, chroma) = (28.0 / 255, 212.0 / 255, 0.9)
      let luma = luma
      for i in 0..<3 {
        rows[i] = (rows[i] - luma) * chroma - luma * (high - low)
        rows[i][3] += high
      }
    case .red: rows = [luma, .zero, .zero]
    }
  }
}

extension ColorFilter {
  fileprivate var isIdentity: Bool {
    switch self {
    case .tint(let color): color >> 24 == 0
    case .brightness(let factor): factor == 1 || !factor.isFinite
    case .grayscale, .invert, .dark, .red: false
    }
  }

  /// Whether its results may have to be cut off at black or white.
  fileprivate var isCutOff: Bool {
    switch self {
    case .brightness(let factor): factor > 1
    case .dark: true
    case .tint, .grayscale, .invert, .red: false
    }
  }
}
