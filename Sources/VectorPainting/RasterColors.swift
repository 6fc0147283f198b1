import Glibc
import MapStyle

/// The change of colours of a `raster` layer: hue, saturation, contrast and brightness, in this
/// order, as one affine map. Only its result is cut off at black and white.
struct RasterColors {
  // Coefficients have 10 bits after the binary point.
  private static let one = 1024.0
  /// What a channel of the picture adds to red, green and blue.
  private let red: SIMD4<Int32>
  private let green: SIMD4<Int32>
  private let blue: SIMD4<Int32>
  /// The constant part, in parts of alpha.
  private let constant: SIMD4<Int32>

  /// The change that a layer makes in `context`; nil: none.
  init?(_ style: RasterStyle, _ context: StyleContext) {
    func value(_ property: StyleProperty<Double>, _ least: Double) -> Double {
      min(max(property.value(context), least), 1)
    }
    self.init(
      hue: style.hueRotate.value(context), saturation: value(style.saturation, -1),
      contrast: value(style.contrast, -1), least: value(style.brightnessMin, 0),
      most: value(style.brightnessMax, 0))
  }

  /// A change of colours; nil: none.
  ///
  /// - Parameters:
  ///   - hue: Degrees.
  ///   - saturation: −1 (grey) ... 1.
  ///   - contrast: −1 (grey) ... 1.
  ///   - least: What black becomes, 0 ... 1.
  ///   - most: What white becomes, 0 ... 1.
  init?(hue: Double, saturation: Double, contrast: Double, least: Double, most: Double) {
    let turn = hue.truncatingRemainder(dividingBy: 360) * .pi / 180
    if turn == 0, saturation == 0, contrast == 0, least == 0, most == 1 { return nil }
    let (s, c) = (sin(turn), cos(turn))
    let side = Double(3).squareRoot() * s
    let own = (2 * c + 1) / 3
    let next = (1 - c - side) / 3
    let last = (1 - c + side) / 3
    // Rows: red, green, blue, and the constant.
    var rows: [SIMD4<Double>] = [
      [own, next, last, 0], [last, own, next, 0], [next, last, own, 0],
    ]
    let toGrey = saturation > 0 ? 1 - 1 / (1.001 - saturation) : -saturation
    let grey = SIMD4<Double>(1, 1, 1, 0) / 3
    // A contrast of 1 would be infinite.
    let spread = contrast > 0 ? 1 / max(1 - contrast, 0.001) : 1 + contrast
    for i in rows.indices {
      rows[i] = rows[i] * (1 - toGrey) + grey * toGrey
      rows[i] *= spread
      rows[i][3] += 0.5 - 0.5 * spread
      rows[i] *= most - least
      rows[i][3] += least
    }
    func column(_ number: Int) -> SIMD4<Int32> {
      func part(_ row: Int) -> Int32 {
        // Four of these times 255 fit into 32 bits.
        let limit = Double(1 << 20)
        return Int32((rows[row][number] * RasterColors.one).rounded().clamped(-limit, limit))
      }
      return SIMD4(part(0), part(1), part(2), 0)
    }
    (red, green, blue, constant) = (column(0), column(1), column(2), column(3))
  }

  /// Changes `count` premultiplied pixels. No channel exceeds alpha afterwards.
  func apply(to pixels: UnsafeMutablePointer<UInt32>, count: Int) {
    let (zero, half) = (SIMD4<Int32>(repeating: 0), SIMD4<Int32>(repeating: 512))
    // Neighbouring pixels of a picture often have the same colour. Clear ones stay as they are.
    var (last, result): (UInt32, UInt32) = (0, 0)
    for i in 0..<max(count, 0) {
      let pixel = pixels[i]
      if pixel != last {
        last = pixel
        func channel(_ shift: UInt32) -> SIMD4<Int32> {
          SIMD4(repeating: Int32(truncatingIfNeeded: pixel &>> shift & 255))
        }
        let alpha = channel(24)
        let sum = red &* channel(16) &+ green &* channel(8) &+ blue &* channel(0)
        var word = (sum &+ constant &* alpha &+ half) &>> 10
        word.replace(with: zero, where: word .< zero)
        word.replace(with: alpha, where: word .> alpha)
        result =
          pixel & 0xFF00_0000 | UInt32(truncatingIfNeeded: word[0]) &<< 16
          | UInt32(truncatingIfNeeded: word[1]) &<< 8 | UInt32(truncatingIfNeeded: word[2])
      }
      pixels[i] = result
    }
  }
}

extension Double {
  fileprivate func clamped(_ least: Double, _ most: Double) -> Double {
    // NaN becomes `least`.
    self >= least ? Swift.min(self, most) : least
  }
}
