import Configuration
import Features
import Glibc
import MapGeometry
import MapOverlays
import Words

/// Owns the selected line of an overlay: what is known of it, and where on it the position is.
final class LineSelection {
  /// How far from the line the position may be, in metres, to be shown on its profile.
  static let reach = 100.0

  /// A line of an overlay.
  struct Line {
    /// The overlay's name, and its name for people.
    var overlay: String
    var overlayTitle: String
    var drawing: FeatureDrawing
    /// The features that are the line.
    var features: Range<Int>
    /// How people travel on it; nil: no time is shown.
    var travel: TravelTime?
    /// The properties of its card's texts; the name is the first.
    var properties: [Configuration.Overlay.CardProperty]
  }

  /// What is known of the line.
  struct Facts {
    var name: String
    var length: Double
    var ascent: Double?
    var descent: Double?
    var lowest: Double?
    var highest: Double?
    var seconds: Double?
    var texts: [(key: String, text: String)]
  }

  private let outbox: Outbox
  private(set) var line: Line?
  private(set) var facts: Facts?
  /// What the line is called in its file, in any language.
  private(set) var names: [String] = []
  /// The notices that close it, the worst first.
  private var notices: [Configuration.Notice] = []
  private var profile: (distances: [Float], elevations: [Float]) = ([], [])
  /// Where the position is, as a part of the line's length; nil: it is not near.
  private(set) var part: Double?
  private var place: GeoPoint?
  /// Whether the map has yet to be moved so that the line is seen beside its card.
  private(set) var awaitsRoom = false
  /// Where on the map it was chosen; nil: by a button, or over the socket.
  private(set) var chosenAt: WorldPoint?
  /// The lines through which a button steps, as they were around the centre at its first press.
  private(set) var round: [Line] = []
  /// The card that was made last, and for what.
  private var made: (words: Words, units: ScaleBar.Units, position: Float?, card: TrailCard)?

  init(_ outbox: Outbox) { self.outbox = outbox }

  /// Bytes that it takes beside the overlay.
  var bytes: Int { (profile.distances.capacity + profile.elevations.capacity) * 4 }

  /// Whether this line is selected.
  func isSelected(_ overlay: String, _ features: Range<Int>) -> Bool {
    line.map { $0.overlay == overlay && $0.features == features } ?? false
  }

  /// Selects a line.
  ///
  /// - Parameters:
  ///   - new: The line.
  ///   - place: Where on the map it was chosen; nil: by a button, or over the socket.
  func select(_ new: Line, at place: WorldPoint?) {
    line = new
    (awaitsRoom, chosenAt) = (true, place)
    (part, self.place, made) = (nil, nil, nil)
    let set = new.drawing.features
    let trail = set.trail(of: new.features.lowerBound)
    let points = trail.map { set.profile(of: $0) } ?? []
    let length = new.drawing.length(of: new.features)
    profile = (
      points.map { Float($0.distance / max(length, 1e-3)) }, points.map { Float($0.elevation) }
    )
    // Of each key the best translation comes first.
    var texts: [(key: String, text: String)] = []
    (names, notices) = (
      [set.label(of: set.features[new.features.lowerBound])].compactMap(\.self), []
    )
    for item in set.cardTexts(of: new.features.lowerBound) {
      let number = item.key / Configuration.Overlay.cardSlots
      guard new.properties.indices.contains(number) else { continue }
      let key = new.properties[number].property
      if number == 0 { names.append(item.text) }
      if texts.last?.key != key { texts.append((key: key, text: item.text)) }
    }
    let name =
      texts.first { $0.key == "name" }?.text
      ?? set.label(of: set.features[new.features.lowerBound]) ?? new.overlayTitle
    let climb = trail.flatMap { $0.hasElevations ? $0 : nil }
    facts = Facts(
      name: name, length: length, ascent: climb.map { Double($0.ascent) },
      descent: climb.map { Double($0.descent) }, lowest: climb.map { Double($0.lowest) },
      highest: climb.map { Double($0.highest) },
      seconds: new.travel?.seconds(length: length, profile: points),
      texts: texts.filter { $0.key != "name" })
    outbox.add(.picture)
  }

  /// Takes the notices that close the line, the worst first.
  func take(_ closing: [Configuration.Notice]) {
    guard closing != notices else { return }
    (notices, made) = (closing, nil)
    outbox.add(.picture)
  }

  /// Has the map moved once more so that the line is seen.
  func awaitRoom() {
    guard line != nil else { return }
    (awaitsRoom, chosenAt) = (true, nil)
    outbox.add(.picture)
  }

  /// Keeps the lines through which a button steps.
  func keepRound(_ lines: [Line]) { round = lines }

  /// Notes that the line is seen beside its card, as far as there is room.
  func hasRoom() { awaitsRoom = false }

  /// Selects nothing. Returns the overlay of the line that was selected; nil: none was.
  func clear() -> String? {
    guard let overlay = line?.overlay else { return nil }
    (awaitsRoom, round, names, notices) = (false, [], [], [])
    (line, facts, part, place, profile, made) = (nil, nil, nil, nil, ([], []), nil)
    outbox.add(.picture)
    return overlay
  }

  /// Notes where the position is; nil: it is unknown.
  func follow(_ new: GeoPoint?) {
    guard let line, new != place else { return }
    place = new
    guard let new else {
      part = nil
      return
    }
    // Metres of the ground on the unit square, whose scale grows with the latitude.
    let radius = LineSelection.reach / (2 * .pi * 6_378_137 * max(cos(new.lat * .pi / 180), 1e-3))
    part =
      line.drawing.nearestLine(of: line.features, to: WebMercator.project(new), within: radius)
      .map { line.drawing.part(of: $0) }
  }

  /// The line's card. The same one until anything on it changes.
  func card(_ words: Words, _ units: ScaleBar.Units) -> TrailCard? {
    // A step of the mark is a 1/400 of the width, which no one sees.
    let position = part.map { Float(($0 * 400).rounded() / 400) }
    if let made, made.position == position, made.units == units, made.words == words {
      return made.card
    }
    let card = makeCard(words, units, position)
    made = card.map { (words, units, position, $0) }
    return card
  }

  private func makeCard(
    _ words: Words, _ units: ScaleBar.Units, _ position: Float?
  ) -> TrailCard? {
    guard let line, let facts else { return nil }
    var figures = [
      TrailCard.Fact(label: words(.trailLength), value: words.way(facts.length, units))
    ]
    if let seconds = facts.seconds {
      figures.append(
        .init(
          label: words(.trailTime),
          value: words.duration(minutes: LineSelection.minutes(seconds))))
    }
    if let ascent = facts.ascent, let descent = facts.descent {
      figures.append(.init(label: words(.trailAscent), value: words.height(ascent, units)))
      figures.append(.init(label: words(.trailDescent), value: words.height(descent, units)))
    }
    var card = TrailCard(
      title: facts.name, color: line.drawing.color(of: line.features), figures: figures,
      facts: facts.texts.map { fact in
        let property = line.properties.first { $0.property == fact.key }
        return .init(
          label: property?.name(in: words.language) ?? words.property(fact.key),
          value: words.value(fact.text, of: fact.key))
      })
    if line.drawing.isClosed(line.features) {
      let word = words(.closed)
      // A line without a name that a notice has drawn is called so already.
      card.closed = facts.name == word ? "" : word
      card.reasons = notices.compactMap {
        $0.texts.text(in: words.language, else: $0.text)
      }
    }
    if !profile.distances.isEmpty, let low = facts.lowest, let high = facts.highest {
      let (lowest, highest) = (words.height(low, units), words.height(high, units))
      card.profile = TrailCard.Profile(
        distances: profile.distances, elevations: profile.elevations,
        range: words(.trailElevations, lowest, highest), lowest: lowest, highest: highest,
        start: words.number(0), length: words.way(facts.length, units), position: position)
    }
    return card
  }

  /// A time as signs tell it: to 5 minutes from half an hour on, and never none.
  static func minutes(_ seconds: Double) -> Int {
    guard seconds.isFinite else { return 0 }
    let exact = min(seconds / 60, 1e6)
    let step = exact < 30 ? 1.0 : 5
    return max(1, Int((exact / step).rounded() * step))
  }
}
