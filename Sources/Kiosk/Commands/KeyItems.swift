import Drawing
import Features
import MapOverlays
import Words

/// The entries of the map key while its signs are gathered, the most important first.
struct KeyItems {
  /// The entries so far.
  private(set) var all: [MapKey.Item] = []
  private let theme: PictureTheme
  private let words: Words
  /// The number of the entry for what is closed; nil: there is none.
  private var closed: Int?
  /// The most signs that share an entry.
  private static let mostSigns = 4
  /// The same of icons, which overlap.
  private static let mostIcons = 3
  /// The ends of tracks that have an entry.
  private var ends: Set<FeatureStyle.TrackEnd> = []

  /// Starts without entries.
  ///
  /// - Parameters:
  ///   - theme: The theme of the map.
  ///   - words: The language.
  init(_ theme: PictureTheme, _ words: Words) {
    self.theme = theme
    self.words = words
  }

  /// Adds a sign in its colours on the panel. A sign without a meaning tells nobody anything.
  mutating func add(_ sign: MapKey.Sign, _ text: String) {
    if !text.isEmpty { all.append(MapKey.Item(sign, text)) }
  }

  /// Adds the signs of an overlay.
  ///
  /// - Parameters:
  ///   - signs: The signs.
  ///   - title: What those are called whose features have no common name.
  ///   - ramp: The sign of tracks that are coloured by a value, with its meaning; nil: lines have
  ///     one colour.
  mutating func add(_ signs: [FeatureDrawing.FoundSign], title: String, ramp: MapKey.Item?) {
    // A closed track is drawn as closed, not in the colours of the ramp.
    for sign in signs where sign.isClosed { addClosed(sign.sign) }
    let first = all.count
    var hasRamp = false
    for sign in signs where !sign.isClosed {
      if let end = sign.trackEnd {
        addEnd(end, sign.sign)
      } else if let ramp, sign.sign.isLine {
        // All tracks have the same colours.
        if !hasRamp { add(ramp.sign.onMap(theme), ramp.text) }
        hasRamp = true
      } else {
        add(sign.sign.onMap(theme), sign.name ?? title, from: first)
      }
    }
  }

  /// Adds a sign to an overlay's entry with the same words, or as a new one. The overlay's entries
  /// begin with the number `first`.
  private mutating func add(_ sign: MapKey.Sign, _ text: String, from first: Int) {
    let same = all[first...].firstIndex {
      $0.text == text && $0.signs.count < KeyItems.mostSigns && $0.sign.canShare
    }
    if let same { all[same].more.append(sign) } else { add(sign, text) }
  }

  /// Adds the icons of markers. Those with the same words share an entry, such as pins in several
  /// colours.
  ///
  /// - Parameters:
  ///   - markers: How the markers look, those of the most markers first.
  ///   - name: What the configuration calls an icon. Without that, a single marker is called by its
  ///     label, and several by what their icon stands for.
  mutating func add(_ markers: [MarkerLayer.ShownLook], name: (MarkerIcon) -> String?) {
    let first = all.count
    for look in markers {
      let label = look.count == 1 && !look.label.isEmpty ? look.label : nil
      let text = name(look.icon) ?? label ?? words.icon(look.icon)
      let sign = MapKey.Sign.icon(look.icon, look.color, isHere: look.isHere)
      let same = all[first...].firstIndex {
        $0.text == text && $0.sign.isIcon && $0.signs.count < KeyItems.mostIcons
      }
      if let same { all[same].more.append(sign) } else { add(sign, text) }
    }
  }

  /// What is closed in any overlay shares an entry of a line and an area: only the widths of closed
  /// lines differ.
  private mutating func addClosed(_ sign: MapKey.Sign) {
    guard let closed else {
      closed = all.count
      return add(sign.onMap(theme), words(.closed))
    }
    if !all[closed].signs.contains(where: { $0.isLine == sign.isLine }) {
      all[closed].more.append(sign.onMap(theme))
    }
  }

  /// The ends of all tracks share an entry for the start and one for the finish. In red nights,
  /// where their discs look alike, they share one for both.
  private mutating func addEnd(_ end: FeatureStyle.TrackEnd, _ sign: MapKey.Sign) {
    let isShared = theme.kind == .red && !ends.isEmpty
    guard ends.insert(end).inserted, !isShared else { return }
    let (start, finish) = (words(.keyStart), words(.keyFinish))
    let text = end == .start ? start : finish
    add(sign.onMap(theme), theme.kind == .red ? "\(start) / \(finish)" : text)
  }
}
