import MapGeometry

extension Configuration {
  /// `[[tour]]`: a place that the tour shows.
  public struct TourStop: Sendable, Equatable {
    /// The view's centre.
    public var center: GeoPoint
    /// The view's zoom; nil: the first view's.
    public var zoom: Double?
    /// The direction at the top of the screen, 0 ..< 360 degrees.
    public var bearing = 0.0
    /// The base source; nil: the one that is shown.
    public var source: String?
    /// The overlays that are shown, and no others; nil: as they are.
    public var overlays: [String]?
    /// How long it is shown once it is reached, in seconds.
    public var seconds = 10.0
    /// What is written over the map meanwhile, at most `longestCaption` bytes; nil: nothing.
    public var caption: String?
    /// The caption's translations.
    public var captions: Translations = [:]

    /// There may be at most this many places.
    public static let most = 64
    /// A caption has at most this many bytes of UTF-8.
    public static let longestCaption = 300

    /// Creates a place.
    public init(center: GeoPoint) { self.center = center }
  }
}

extension ConfigurationReader {
  func tour(_ root: TableReader) -> [Configuration.TourStop] {
    var all: [Configuration.TourStop] = []
    root.tables("tour", upTo: Configuration.TourStop.most) { t in
      let center = t.read(
        "center", "[latitude, longitude], -90 to 90 and -540 to 540"
      ) { value -> GeoPoint? in
        guard let n = value.numbers, n.count == 2, (-90...90).contains(n[0]),
          (-540...540).contains(n[1])
        else { return nil }
        return GeoPoint(lat: n[0], lon: n[1])
      }
      if t.value("center") == nil {
        t.findings.error("tour: center is missing", at: t.origin)
      }
      var stop = Configuration.TourStop(center: center ?? GeoPoint(lat: 0, lon: 0))
      stop.zoom = t.number("zoom", 0...24, "a zoom")
      t.set(&stop.bearing, "bearing", "degrees from 0 up to but not 360") {
        $0.number.flatMap { $0 >= 0 && $0 < 360 ? $0 : nil }
      }
      stop.source = name(t, "source")
      stop.overlays = t.read("overlays", "a list of names of overlays") { value in
        value.strings.flatMap { $0.count <= Configuration.Overlay.maxCount ? $0 : nil }
      }
      t.set(&stop.seconds, "seconds", 1...3600, "seconds")
      let caption = t.localText("caption", Configuration.TourStop.longestCaption)
      (stop.caption, stop.captions) = (caption.text, caption.others)
      if center != nil { all.append(stop) }
    }
    return all
  }
}
