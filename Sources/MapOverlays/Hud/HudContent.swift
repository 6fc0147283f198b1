import Drawing
import MapGeometry
import Pixels

/// What the HUD shows: numbers and words, from which the same picture always comes.
public struct HudContent: Equatable {
  /// Something to be told in the middle of the screen.
  public struct Card: Equatable, Sendable {
    public var title: String
    public var text: String

    public init(title: String, text: String) {
      self.title = title
      self.text = text
    }
  }

  /// What a button, key or dial does.
  public struct LegendItem: Equatable, Sendable {
    public var icon: Pictogram
    public var words: String

    public init(icon: Pictogram, words: String) {
      self.icon = icon
      self.words = words
    }
  }

  /// Whose data is on the screen; empty: nothing is shown. So it is with the other words.
  public var attribution = ""
  /// What is wrong.
  public var notice = ""
  /// What has just changed.
  public var toast = ""
  public var card: Card?
  public var scaleBar: ScaleBar?
  /// The compass direction that points up, in whole degrees; nil: no arrow is shown.
  public var bearing: Int?
  /// In hundredths.
  public var zoom: Int?
  /// The view's middle in 1/100,000 degree.
  public var latitude: Int?
  public var longitude: Int?
  public var legend: [LegendItem] = []

  public init() {}

  /// Sets what depends on the view alone.
  public mutating func follow(
    _ view: Viewport, scaleBar units: ScaleBar.Units?, north: Bool, zoom: Bool, coordinates: Bool
  ) {
    // A quarter of the screen's shorter side, within what is easily taken in.
    let side = Double(min(view.width, view.height)) / Double(view.scale)
    scaleBar = units.map { ScaleBar.fitting(view, units: $0, points: min(max(side / 4, 70), 160)) }
    let degrees = Int(view.bearing.rounded()) % 360
    bearing = north && view.bearing != 0 ? degrees : nil
    self.zoom = zoom ? Int((view.zoom * 100).rounded()) : nil
    latitude = coordinates ? Int((view.center.lat * 1e5).rounded()) : nil
    longitude =
      coordinates
      ? Int((WebMercator.wrapLongitude(view.center.lon) * 1e5).rounded()) : nil
  }

  /// "46.02070° N, 7.74910° E", "Zoom 13.25", or both.
  var numbers: String {
    var parts: [String] = []
    if let latitude, let longitude {
      parts.append(
        HudContent.decimals(abs(latitude), 5) + (latitude < 0 ? "° S, " : "° N, ")
          + HudContent.decimals(abs(longitude), 5) + (longitude < 0 ? "° W" : "° E"))
    }
    if let zoom { parts.append("Zoom " + HudContent.decimals(zoom, 2)) }
    return parts.joined(separator: " · ")
  }

  /// `value` with its last `count` digits behind the point.
  private static func decimals(_ value: Int, _ count: Int) -> String {
    let digits = String(value)
    let padded = String(repeating: "0", count: max(0, count + 1 - digits.count)) + digits
    return padded.dropLast(count) + "." + padded.suffix(count)
  }
}
