import Drawing
import MapGeometry
import Pixels
import Words

/// What the HUD shows. Equal contents give equal pictures.
public struct HudContent: Equatable {
  /// A message in the middle of the screen.
  public struct Card: Equatable, Sendable {
    /// The first line.
    public var title: String
    /// The text below it.
    public var text: String

    /// Creates a card.
    ///
    /// - Parameters:
    ///   - title: The first line.
    ///   - text: The text below it.
    public init(title: String, text: String) {
      self.title = title
      self.text = text
    }
  }

  /// A button, chord, key or dial, and what it does.
  public struct LegendItem: Equatable, Sendable {
    /// The pictogram of the action; nil: there is none.
    public var icon: Pictogram?
    /// The text beside the pictogram.
    public var text: String
    /// What is said below the text in a smaller size; empty: nothing.
    public var below: String

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - icon: The pictogram of the action.
    ///   - text: The text beside the pictogram.
    ///   - below: What is said below the text, such as what holding the button does.
    public init(icon: Pictogram?, text: String, below: String = "") {
      self.icon = icon
      self.text = text
      self.below = below
    }
  }

  /// The language of what the HUD says by itself: units and numbers.
  public var words = Words.english
  /// The attribution of the visible sources; empty: not shown, like the other texts.
  public var attribution = ""
  /// What people must know, the worst first. A problem of the device is one of them.
  public var notices: [NoticeLine] = []
  /// Which page of the notices is shown, if there are several: from 0 on, and the first follows the
  /// last.
  public var noticePage = 0
  /// What the tour says of the place on the screen; empty: nothing.
  public var caption = ""
  /// What the pins of "here" cover where the tour's flight ends, in view pixels. The caption stays
  /// clear of them, and does not move while they do.
  public var captionPins: [PixelRect] = []
  /// A short message about something that just changed; empty: none.
  public var toast = ""
  /// A message in the middle of the screen; nil: none.
  public var card: Card?
  /// What the colours of tracks stand for; nil: none is shown.
  public var ramp: RampKey?
  /// A panel beside the map; nil: none.
  public var panel: Panel?
  /// Whether a callout is open, which needs room beside the notices.
  public var isCalloutOpen = false
  /// The scale bar; nil: none.
  public var scaleBar: ScaleBar?
  /// The compass direction at the top of the screen in whole degrees; nil: no arrow.
  public var bearing: Int?
  /// The zoom in hundredths; nil: not shown.
  public var zoom: Int?
  /// The latitude of the view's centre in degrees times ten to the power of `places`; nil: not
  /// shown.
  public var latitude: Int?
  /// The longitude of the view's centre like `latitude`; nil: not shown.
  public var longitude: Int?
  /// How many decimals the coordinates have: as many as tell points of the screen apart.
  public var places = 5
  /// What the pins of "here" cover, in view pixels: the notices, the numbers and the map key keep
  /// clear of them.
  public var pins: [PixelRect] = []
  /// What the position's dot and its chevron may cover, in view pixels; nil: it is not on the
  /// screen. The same parts keep clear of it, and the scale bar.
  public var dot: PixelRect?
  /// What lines of overlays and markers cover, in view pixels: a map key hides as little of it as
  /// possible. It need not change while the map moves.
  public var keyObstacles: [PixelRect] = []
  /// Whether the view follows the position: a card keeps clear of it, too.
  public var isFollowed = false
  /// The legend: what each button, key and dial does, in order; empty: none.
  public var legend: [LegendItem] = []

  /// Creates a content that shows nothing.
  public init() {}

  /// Sets everything that depends only on the view.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - units: The units of the scale bar; nil: no scale bar.
  ///   - north: Whether a turned view shows a north arrow.
  ///   - zoom: Whether to show the zoom.
  ///   - coordinates: Whether to show the coordinates of the centre.
  ///   - size: How large the HUD is, 1 at arm's length.
  public mutating func follow(
    _ view: Viewport, scaleBar units: ScaleBar.Units?, north: Bool, zoom: Bool, coordinates: Bool,
    size: Double = 1
  ) {
    // A quarter of the screen's shorter side, but 70 to 160 points of the HUD.
    let side = Double(min(view.width, view.height)) / Double(view.scale)
    scaleBar = units.map {
      ScaleBar.fitting(view, units: $0, points: min(max(side / 4, 70 * size), 160 * size))
    }
    let degrees = Int(view.bearing.rounded()) % 360
    bearing = north && view.bearing != 0 ? degrees : nil
    self.zoom = zoom ? Int((view.zoom * 100).rounded()) : nil
    places = min(max(Int((view.zoom / 3).rounded()), 0), 7)
    var power = 1.0
    for _ in 0..<places { power *= 10 }
    latitude = coordinates ? Int((view.center.lat * power).rounded()) : nil
    longitude =
      coordinates
      ? Int((WebMercator.wrapLongitude(view.center.lon) * power).rounded()) : nil
  }

  /// Whether the panel is the card of a line.
  var isCardOpen: Bool { if case .trail? = panel { true } else { false } }

  /// The pins and the dot.
  var avoided: [PixelRect] { pins + (dot.map { [$0] } ?? []) }

  /// "Map centre · 46.0207° N, 7.7491° E", "Zoom 13.25", or both. Beside a pin or a position people
  /// would take coordinates without a name for those of it.
  var numbers: String {
    var parts: [String] = []
    if let latitude, let longitude {
      parts.append(words(.mapCenter))
      parts.append(words.coordinates(latitude, longitude, places: places))
    }
    if let zoom { parts.append(words.zoom(zoom)) }
    return parts.joined(separator: HudContent.separator)
  }

  /// The sign between the parts of the numbers. Where they need more lines, each begins one, and
  /// there is no sign.
  static let separator = " · "
}
