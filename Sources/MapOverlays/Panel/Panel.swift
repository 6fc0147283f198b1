import Drawing

/// What a panel beside the map shows. Equal values give equal pictures.
public enum Panel: Equatable, Sendable {
  /// A selected line.
  case trail(TrailCard)
  /// What the signs on the map mean.
  case key(MapKey)
}

/// The card of a line.
public struct TrailCard: Equatable, Sendable {
  /// Something known of the line.
  public struct Fact: Equatable, Sendable {
    /// What it is.
    public var label: String
    /// Its value with its unit.
    public var value: String

    /// Creates a fact.
    public init(label: String, value: String) {
      self.label = label
      self.value = value
    }
  }

  /// The elevations along the line.
  public struct Profile: Equatable, Sendable {
    /// Distances from the start as parts of the length, which do not decrease.
    public var distances: [Float]
    /// The elevation at each of them, in metres.
    public var elevations: [Float]
    /// The lowest and the highest elevation in one text, where they have no room of their own.
    public var range: String
    /// The lowest elevation, as text.
    public var lowest: String
    /// The highest elevation, as text.
    public var highest: String
    /// The distance at the start, as text.
    public var start: String
    /// The length of the line, as text.
    public var length: String
    /// Where the position is, as a part of the length, 0 to 1; nil: it is not on the line.
    public var position: Float?

    /// Creates a profile. Both lists have the same length.
    public init(
      distances: [Float], elevations: [Float], range: String, lowest: String, highest: String,
      start: String = "0", length: String, position: Float? = nil
    ) {
      self.distances = distances
      self.elevations = elevations
      self.range = range
      self.lowest = lowest
      self.highest = highest
      self.start = start
      self.length = length
      self.position = position
    }
  }

  /// The line's name.
  public var title: String
  /// The line's colour on the map, 0xAARRGGBB.
  public var color: UInt32
  /// Length, ascent, descent and time, the most important first.
  public var figures: [Fact]
  /// What the file says beside them, the most important first.
  public var facts: [Fact]
  /// The elevations along it; nil: there are none.
  public var profile: Profile?
  /// The words that say that the line is closed; empty if it is open.
  public var closed = ""
  /// Why it is closed, the worst reason first.
  public var reasons: [String] = []

  /// Creates a card.
  public init(
    title: String, color: UInt32, figures: [Fact], facts: [Fact] = [], profile: Profile? = nil
  ) {
    self.title = title
    self.color = color
    self.figures = figures
    self.facts = facts
    self.profile = profile
  }
}

/// The key of a map: signs, and what they mean.
public struct MapKey: Equatable, Sendable {
  /// A sign on the map.
  public enum Sign: Equatable, Sendable {
    /// A line: its colour, its width in points, the colour under it (0: none), and its dashes in
    /// points (empty: none).
    case line(color: UInt32, width: Double, casing: UInt32, dash: [Double])
    /// An area: its fill and its outline.
    case area(fill: UInt32, stroke: UInt32)
    /// A point's disc.
    case dot(UInt32)
    /// A marker's icon in its colour; `isHere`: on the large pin of "here".
    case icon(MarkerIcon, UInt32, isHere: Bool)
    /// The disc of markers that would cover each other, with their number.
    case cluster(Int)
    /// The position.
    case position(isLost: Bool)
    /// Colours from the least value to the most, with both as text.
    case ramp([UInt32], least: String, most: String)

    /// Whether it is a line in one colour.
    public var isLine: Bool { if case .line = self { true } else { false } }

    /// Whether it is so low that several may be below each other in a row.
    public var canShare: Bool {
      switch self {
      case .line, .area, .dot: true
      case .icon, .cluster, .position, .ramp: false
      }
    }

    /// Whether it is a marker's icon. Several may overlap side by side in a row.
    public var isIcon: Bool { if case .icon = self { true } else { false } }
  }

  /// A sign with its meaning.
  public struct Item: Equatable, Sendable {
    /// The sign.
    public var sign: Sign
    /// Other signs that mean the same: lines, areas and points of a line, an area or a point; icons
    /// of an icon.
    public var more: [Sign] = []
    /// What it means.
    public var text: String
    /// The colour of the map on which its lines are drawn, 0xFFRRGGBB; nil: that of the panel.
    public var ground: UInt32?

    /// All its signs.
    public var signs: [Sign] { [sign] + more }

    /// Creates an item.
    public init(_ sign: Sign, _ text: String) {
      self.sign = sign
      self.text = text
    }
  }

  /// The heading.
  public var title: String
  /// The signs, the most important first.
  public var items: [Item]
  /// The number of the first sign on the page that is shown; those before it are on earlier pages.
  public var first = 0
  /// What is written below the last sign if there is no room for all; {0} stands for the number of
  /// those that follow. Empty: nothing.
  public var rest: String
  /// How many signs there are beside `items`.
  public var others: Int

  /// The signs from the first one of the page on.
  var listed: ArraySlice<Item> { items.dropFirst(first) }

  /// Creates a key.
  public init(title: String, items: [Item], rest: String = "", others: Int = 0) {
    self.title = title
    self.items = items
    self.rest = rest
    self.others = others
  }
}
