import Drawing
import Features
import MapScene
import Words

/// What the colours along a track stand for, as the HUD shows it: the least and the most value.
public struct RampKey: Equatable, Sendable {
  /// The value of the first colour, with its unit.
  public var least: String
  /// The value of the last colour, with its unit.
  public var most: String

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - ramp: What the colours stand for.
  ///   - units: The system of units.
  ///   - words: The language.
  public init(_ ramp: FeatureRamp, units: ScaleBar.Units, _ words: Words = .english) {
    func text(_ value: Float) -> String {
      let value = Double(value)
      func whole(_ value: Double) -> String { words.number(value, places: 0) }
      switch (ramp.key, units) {
      case (.elevation, _): return words.height(value, units)
      case (.speed, .metric): return words(.kilometresPerHour, whole(value * 3.6))
      case (.speed, .imperial): return words(.milesPerHour, whole(value * 3600 / 1609.344))
      case (.speed, .nautical): return words(.knots, whole(value * 3600 / 1852))
      }
    }
    least = text(ramp.least)
    most = text(ramp.most)
  }

  /// The size of the ramp in points.
  static let width = 120.0
  static let height = 8.0
}

extension HudArt {
  /// The colours of tracks, with the least value on the left and the most on the right.
  func ramp(_ key: RampKey) -> PlatePicture? {
    guard painter.text != nil else { return nil }
    let size = painter.px(HudStyle.fine)
    let (ascent, height) = painter.lineHeight(size)
    let (padX, padY) = (painter.px(HudStyle.padX), painter.px(8))
    let (least, most) = (painter.width(key.least, size: size), painter.width(key.most, size: size))
    let width = max(painter.px(RampKey.width), least + most + painter.px(12))
    let bar = painter.px(RampKey.height)
    let ink = painter.theme.ink
    return painter.plated(width: width + 2 * padX, height: bar + height + 2 * padY) { canvas in
      let colors = FeatureRamp.colors
      for (n, color) in colors.enumerated() {
        let (left, right) = (n * width / colors.count, (n + 1) * width / colors.count)
        var path = Path()
        path.addRect(Double(padX + left), Double(padY), Double(right - left), Double(bar))
        painter.fill(path, painter.theme.track(0xFF00_0000 | color), on: canvas)
      }
      for (text, x) in [(key.least, padX), (key.most, padX + width - most)] {
        painter.drawText(
          text, size: size, color: ink, x: x, baseline: padY + bar + ascent, on: canvas)
      }
    }
  }
}
