import Glibc

@testable import MapStyle

/// A colour in CIELAB under D65, and how much two of them differ to the eye.
struct LabColor {
  var light: Double
  var a: Double
  var b: Double

  init(_ light: Double, _ a: Double, _ b: Double) {
    (self.light, self.a, self.b) = (light, a, b)
  }

  /// A colour of sRGB (IEC 61966-2-1), each channel 0 to 255.
  init(red: Double, green: Double, blue: Double) {
    func linear(_ channel: Double) -> Double {
      let part = channel / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    func curve(_ part: Double) -> Double {
      part > 216.0 / 24389 ? cbrt(part) : (24389.0 / 27 * part + 16) / 116
    }
    let (r, g, b) = (linear(red), linear(green), linear(blue))
    let x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
    let y = curve(0.2126729 * r + 0.7151522 * g + 0.0721750 * b)
    let z = curve((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883)
    self.init(116 * y - 16, 500 * (x - y), 200 * (y - z))
  }

  /// CIEDE2000 (ISO/CIE 11664-6), as written down by Sharma, Wu and Dalal (2005): 1 to 2 is the
  /// least difference that is seen.
  func difference(from other: LabColor) -> Double {
    let radians = Double.pi / 180
    let mean = (hypot(a, b) + hypot(other.a, other.b)) / 2
    let grey = 1 + 0.5 * (1 - LabColor.share(of: mean))
    let (a1, a2) = (a * grey, other.a * grey)
    let (c1, c2) = (hypot(a1, b), hypot(a2, other.b))
    func hue(_ a: Double, _ b: Double) -> Double {
      let angle = atan2(b, a) / radians
      return angle < 0 ? angle + 360 : angle
    }
    let (h1, h2) = (hue(a1, b), hue(a2, other.b))
    var (turn, middle) = (h2 - h1, (h1 + h2) / 2)
    if c1 * c2 == 0 {
      (turn, middle) = (0, h1 + h2)
    } else if abs(turn) > 180 {
      middle += h1 + h2 < 360 ? 180 : -180
      turn += turn > 0 ? -360 : 360
    }
    let (light, chroma) = ((self.light + other.light) / 2, (c1 + c2) / 2)
    func wave(_ times: Double, _ shift: Double) -> Double {
      cos((times * middle + shift) * radians)
    }
    var t = 1 - 0.17 * wave(1, -30)
    t += 0.24 * wave(2, 0)
    t += 0.32 * wave(3, 6)
    t -= 0.2 * wave(4, -63)
    let off = (light - 50) * (light - 50)
    let l = (other.light - self.light) / (1 + 0.015 * off / (20 + off).squareRoot())
    let c = (c2 - c1) / (1 + 0.045 * chroma)
    let h = 2 * (c1 * c2).squareRoot() * sin(turn / 2 * radians) / (1 + 0.015 * chroma * t)
    let far = (middle - 275) / 25
    let blue = 2 * LabColor.share(of: chroma) * sin(60 * exp(-far * far) * radians)
    return max(0, l * l + c * c + h * h - blue * c * h).squareRoot()
  }

  private static func share(of chroma: Double) -> Double {
    let power = pow(chroma, 7)
    return (power / (power + pow(25, 7))).squareRoot()
  }
}
