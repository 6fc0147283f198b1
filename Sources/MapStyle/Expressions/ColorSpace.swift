import Glibc

/// Where colours are interpolated.
enum ColorSpace: Sendable {
  /// In sRGB, each channel on its own.
  case rgb
  /// In CIE Lab.
  case lab
  /// In CIE LCh: by hue, chroma and lightness.
  case hcl

  /// The colour between two, at `share` of the way.
  func between(_ a: StyleColor, _ b: StyleColor, _ share: Double) -> StyleColor {
    let alpha = ColorSpace.mix(a.alpha, b.alpha, share)
    switch self {
    case .rgb:
      return StyleColor(
        red: ColorSpace.mix(a.red, b.red, share), green: ColorSpace.mix(a.green, b.green, share),
        blue: ColorSpace.mix(a.blue, b.blue, share), alpha: alpha)
    case .lab:
      let (x, y) = (LabColor(a), LabColor(b))
      return LabColor(
        l: ColorSpace.mix(x.l, y.l, share), a: ColorSpace.mix(x.a, y.a, share),
        b: ColorSpace.mix(x.b, y.b, share)
      ).color(alpha: alpha)
    case .hcl:
      return ColorSpace.polar(LabColor(a), LabColor(b), share).color(alpha: alpha)
    }
  }

  private static func mix(_ a: Double, _ b: Double, _ share: Double) -> Double {
    a + share * (b - a)
  }

  /// Interpolates the hue the shorter way round. A grey has no hue, so it takes the other colour's.
  private static func polar(_ a: LabColor, _ b: LabColor, _ share: Double) -> LabColor {
    var hue = 0.0
    switch (a.hue, b.hue) {
    case (let from?, let to?):
      var turn = to - from
      if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
      hue = from + share * turn
    case (let only?, nil), (nil, let only?): hue = only
    case (nil, nil): break
    }
    let chroma = mix(a.chroma, b.chroma, share)
    let angle = hue * .pi / 180
    return LabColor(l: mix(a.l, b.l, share), a: cos(angle) * chroma, b: sin(angle) * chroma)
  }
}

/// A colour in CIE Lab, white at D50 (CSS Color Module Level 4, sections 9 and 17).
private struct LabColor {
  var l, a, b: Double
  private static let white = (x: 0.96422, z: 0.82521)
  /// (6/29)³ and the line below it.
  private static let bend = 6.0 / 29

  init(l: Double, a: Double, b: Double) {
    self.l = l
    self.a = a
    self.b = b
  }

  init(_ color: StyleColor) {
    func linear(_ c: Double) -> Double { c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4) }
    func bent(_ t: Double) -> Double {
      let bend = LabColor.bend
      return t > bend * bend * bend ? cbrt(t) : t / (3 * bend * bend) + 4.0 / 29
    }
    let (red, green, blue) = (linear(color.red), linear(color.green), linear(color.blue))
    let y = bent(0.2225045 * red + 0.7168786 * green + 0.0606169 * blue)
    var (x, z) = (y, y)
    if red != green || green != blue {
      x = bent((0.4360747 * red + 0.3850649 * green + 0.1430804 * blue) / LabColor.white.x)
      z = bent((0.0139322 * red + 0.0971045 * green + 0.7141733 * blue) / LabColor.white.z)
    }
    self.init(l: max(116 * y - 16, 0), a: 500 * (x - y), b: 200 * (y - z))
  }

  var chroma: Double { hypot(a, b) }

  /// In degrees; nil for a grey.
  var hue: Double? {
    guard (chroma * 10000).rounded() != 0 else { return nil }
    let degrees = atan2(b, a) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }

  func color(alpha: Double) -> StyleColor {
    func straight(_ t: Double) -> Double {
      let bend = LabColor.bend
      return t > bend ? t * t * t : 3 * bend * bend * (t - 4.0 / 29)
    }
    func bent(_ c: Double) -> Double {
      min(max(c <= 0.00304 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055, 0), 1)
    }
    let height = (l + 16) / 116
    let x = LabColor.white.x * straight(height + a / 500)
    let y = straight(height)
    let z = LabColor.white.z * straight(height - b / 200)
    return StyleColor(
      red: bent(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
      green: bent(-0.9787684 * x + 1.9161415 * y + 0.0334540 * z),
      blue: bent(0.0719453 * x - 0.2289914 * y + 1.4052427 * z), alpha: alpha)
  }
}
