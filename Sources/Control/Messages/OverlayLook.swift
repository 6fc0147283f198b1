/// How an overlay's features are drawn, and what the cards of its lines show, as they were set.
public struct OverlayLook: Sendable, Equatable {
  /// The colour of lines, "#rrggbb" or "#rrggbbaa"; nil: the default.
  public var stroke: String?
  /// The width of lines in points; nil: the default.
  public var strokeWidth: Double?
  /// The colour of areas; nil: the default.
  public var fill: String?
  /// What tracks are coloured by, "speed" or "elevation"; nil: they have one colour.
  public var colorBy: String?
  /// The properties that cards show beside the figures, by their names in the file; nil for the
  /// grid.
  public var card: [String]?
  /// The kind of travel that a card's time is for: "hiking", "cycling" or "none"; nil for the grid.
  public var travel: String?
  /// The speed on level ground in km/h; nil: that of `travel`.
  public var travelSpeed: Double?

  /// Nothing is set.
  public init() {}

  /// Reads the members of an overlay.
  init(_ r: ParamReader) throws(ControlError) {
    stroke = try r.string("stroke")
    strokeWidth = try r.number("stroke_width")
    fill = try r.string("fill")
    colorBy = try r.string("color_by")
    card = r.value("card")?.array?.compactMap(\.string)
    travel = try r.string("travel")
    travelSpeed = try r.number("travel_speed")
  }

  /// Adds its members to those of an overlay.
  func add(to json: inout JSONObject) {
    json["stroke"] = .optional(stroke)
    json["stroke_width"] = .optional(strokeWidth)
    json["fill"] = .optional(fill)
    json["color_by"] = .optional(colorBy)
    json["card"] = card.map { .array($0.map { .string($0) }) } ?? .null
    json["travel"] = .optional(travel)
    json["travel_speed"] = .optional(travelSpeed)
  }
}
