import Drawing
import Glibc
import MapGeometry
import MapScene
import Pixels

/// The plates over the map: attribution, scale bar, north arrow, the buttons' legend, notices and
/// messages. Each is drawn once, and again when its content or the space for it changes.
///
/// Parts take their corners and edges in the order of their importance. A part that would cover
/// another one is left out.
public final class Hud {
  /// An element on the screen: what its picture was made from, and where its plate is.
  struct Element {
    var key: Key
    var picture: PlatePicture
    var x = 0
    var y = 0

    var sprite: Sprite { picture.sprite(x: x, y: y) }
    var rect: PixelRect {
      PixelRect(x: x, y: y, width: picture.width, height: picture.height)
    }
  }

  /// What a picture is made from. Equal keys give equal pictures.
  enum Key: Equatable {
    case lines([String])
    case attribution([String], unit: Double)
    case scale(ScaleBar, String)
    case north(Int, String)
    case card(HudContent.Card, width: Int, isCompact: Bool)
    case legend([HudContent.LegendItem], width: Int, height: Int)
    case notices(NoticeBanner, unit: Double)
    case noticeSign(NoticeLine.Sign)
    case ramp(RampKey)
    case panel(Panel, width: Int, height: Int, unit: Double)
  }

  enum Part: Int, CaseIterable {
    case legend, attribution, notice, scale, north, card, toast, numbers, ramp, caption, panel
  }

  let painter: SpritePainter
  var elements: [Element?] = Array(repeating: nil, count: Part.allCases.count)
  var shown: HudContent?
  var view = PixelRect(x: 0, y: 0, width: 0, height: 0)
  private var unit = 0.0
  var theme = PictureTheme.day
  private var fonts = 0
  /// The form of the legend, if it was drawn.
  var legendPlan: LegendArt.Plan?
  /// The attribution's lines, broken once for each text and width.
  var attributionLines = AttributionLines()
  var notices = NoticePages()
  var panels = PanelRoom()
  var panelsBesidePins = PanelRoom()
  var panelsBesideLines = PanelRoom()
  /// The last other picture of a key, which a layout may try in two sizes.
  var otherKey: Element?
  /// How many rows of figures the card that was laid out last lost, or how many signs a key beside
  /// a pin has too few; `Int.max`: the panel has no room.
  var panelLoss = 0
  /// How far the notices last folded for a panel.
  var folded: Folded?
  /// The rectangles taken so far.
  var free: [PixelRect] = []
  /// What the layout asked about pins of "here" and the position, or only the latter, and the
  /// answers.
  var pinAnswers: [(rect: PixelRect, isOfDot: Bool, hides: Bool)] = []
  /// The parts of the screen in which the layout depends on where the pins and the position are.
  var pinnedParts: [PixelRect] = []

  /// The sprites over the map, bottom first.
  public private(set) var sprites: [Sprite] = []
  /// The parts of the screen that they cover without their shadows, in view pixels.
  public private(set) var rects: [PixelRect] = []
  /// The same with those that make way for a callout.
  public private(set) var calloutPlates = CalloutPlates(all: [])
  /// What the open callout covers; nil: none is open.
  private var callout: PixelRect?

  /// Where the panel is, in view pixels; nil: none is shown.
  public var panelRect: PixelRect? { elements[Part.panel.rawValue]?.rect }

  /// The panel for which there is no room; nil: there is room, or no panel is to be shown.
  public var missingPanel: Panel? { panelRect == nil ? shown?.panel : nil }

  /// Where the buttons' legend is, in view pixels; nil: none is shown.
  public var legendRect: PixelRect? { elements[Part.legend.rawValue]?.rect }

  /// Where the attribution is, in view pixels; nil: none is shown.
  public var attributionRect: PixelRect? { elements[Part.attribution.rawValue]?.rect }

  /// The size of the panel in pixels per point; nil: none is shown.
  var panelUnit: Double? {
    guard case .panel(_, _, _, let unit)? = elements[Part.panel.rawValue]?.key else { return nil }
    return unit
  }

  /// How many pages the notices have; 0: none is shown, or they make way for a callout.
  public var noticePages: Int {
    guard case .notices(let banner, _)? = elements[Part.notice.rawValue]?.key,
      !makesWay(.notice)
    else { return 0 }
    return banner.pages
  }

  /// Where the notices are, in view pixels; nil: none is shown.
  public var noticeRect: PixelRect? {
    makesWay(.notice) ? nil : elements[Part.notice.rawValue]?.rect
  }

  /// Where the toast is, in view pixels; nil: none is shown.
  public var toastRect: PixelRect? { elements[Part.toast.rawValue]?.rect }

  /// Creates an empty HUD.
  ///
  /// - Parameter painter: Draws the pictures.
  public init(_ painter: SpritePainter) { self.painter = painter }

  /// Bytes of the pictures.
  public var bytes: Int {
    elements.reduce(otherKey?.picture.image.bytes ?? 0) { $0 + ($1?.picture.image.bytes ?? 0) }
  }

  /// Lays out and draws the HUD in the painter's theme and unit.
  ///
  /// - Parameters:
  ///   - content: What the HUD shows.
  ///   - width: The view's width in pixels.
  ///   - height: The view's height in pixels.
  /// - Returns: Whether anything changed.
  @discardableResult
  public func show(_ content: HudContent, width: Int, height: Int) -> Bool {
    let screen = PixelRect(x: 0, y: 0, width: width, height: height)
    let sameLook =
      painter.unit == unit && painter.theme == theme && painter.fontVersion == fonts
    if sameLook, screen == view, let shown, isSame(content, as: shown) {
      self.shown = content
      return false
    }
    if !sameLook {
      for part in Part.allCases { elements[part.rawValue] = nil }
      notices = NoticePages()
      panels = PanelRoom()
      panelsBesidePins = PanelRoom()
      panelsBesideLines = PanelRoom()
      otherKey = nil
      folded = nil
    }
    fonts = painter.fontVersion
    (view, unit, theme, shown) = (screen, painter.unit, painter.theme, content)
    free.removeAll(keepingCapacity: true)
    pinAnswers.removeAll(keepingCapacity: true)
    pinnedParts.removeAll(keepingCapacity: true)
    layOut(content)
    collectSprites()
    rects.removeAll(keepingCapacity: true)
    for element in elements { if let element { rects.append(element.rect) } }
    calloutPlates = CalloutPlates(all: rects)
    func plates(_ part: Part) -> [PixelRect] { elements[part.rawValue].map { [$0.rect] } ?? [] }
    (calloutPlates.brief, calloutPlates.numbers) = (plates(.toast), plates(.numbers))
    (calloutPlates.compass, calloutPlates.notices) = (plates(.north), plates(.notice))
    return true
  }

  private func collectSprites() {
    sprites.removeAll(keepingCapacity: true)
    for part in Part.allCases where !makesWay(part) {
      if let element = elements[part.rawValue] { sprites.append(element.sprite) }
    }
  }

  // MARK: A callout

  /// The parts that are left out where a callout covers them, so that they do not shine through.
  private static let partsThatMakeWay: [Part] = [.toast, .numbers, .north, .notice]

  /// Whether a part is left out for a callout.
  func makesWay(_ part: Part) -> Bool {
    guard let callout, Hud.partsThatMakeWay.contains(part), let element = elements[part.rawValue]
    else { return false }
    return element.rect.intersects(callout)
  }

  /// Leaves out the parts that make way and that a callout covers, until it is elsewhere.
  ///
  /// - Parameter callout: What it covers, in view pixels; nil: none is open.
  /// - Returns: Whether the sprites changed.
  public func makeWay(for callout: PixelRect?) -> Bool {
    if callout == self.callout { return false }
    let before = Hud.partsThatMakeWay.map { makesWay($0) }
    self.callout = callout
    if Hud.partsThatMakeWay.map({ makesWay($0) }) == before { return false }
    collectSprites()
    return true
  }

  /// Whether `content` has the same layout as `former`. A pin or a position that moves changes
  /// nothing as long as the same parts hide it.
  private func isSame(_ content: HudContent, as former: HudContent) -> Bool {
    if content == former { return true }
    var rest = content
    (rest.pins, rest.dot) = (former.pins, former.dot)
    return rest == former
      && (pinnedParts.isEmpty
        || steps(of: content.avoided, in: pinnedParts)
          == steps(of: former.avoided, in: pinnedParts))
      && pinAnswers.allSatisfy { $0.hides == Hud.hides($0.rect, content, isOfDot: $0.isOfDot) }
  }

  static func hides(_ rect: PixelRect, _ content: HudContent, isOfDot: Bool) -> Bool {
    content.dot?.intersects(rect) == true
      || !isOfDot && content.pins.contains { $0.intersects(rect) }
  }

  // MARK: Layout

  /// Whether a part there would hide a pin of "here" or the position.
  func hidesPin(_ rect: PixelRect) -> Bool { hides(rect, isOfDot: false) }

  /// Whether a part there would hide the position.
  func hidesDot(_ rect: PixelRect) -> Bool { hides(rect, isOfDot: true) }

  private func hides(_ rect: PixelRect, isOfDot: Bool) -> Bool {
    let hides = shown.map { Hud.hides(rect, $0, isOfDot: isOfDot) } ?? false
    pinAnswers.append((rect, isOfDot, hides))
    return hides
  }

  /// A part that avoids a moving pin moves in steps of this many points.
  private static let pinStep = 24.0

  /// The pins of "here" and the position in a part of the screen, each with a margin of `gap`. Rows
  /// and columns are rounded to steps, so that one that moves does not force a new layout in each
  /// frame.
  func pins(in part: PixelRect) -> [(columns: Range<Int>, rows: Range<Int>)] {
    pinnedParts.append(part)
    return (shown?.avoided ?? []).filter { $0.intersects(part) }.map { steps(of: $0) }
  }

  /// The position like a pin; nil: it is not in that part of the screen.
  func stepsOfDot(in part: PixelRect) -> (columns: Range<Int>, rows: Range<Int>)? {
    pinnedParts.append(part)
    return shown?.dot.flatMap { $0.intersects(part) ? steps(of: $0) : nil }
  }

  private func steps(of pin: PixelRect) -> (columns: Range<Int>, rows: Range<Int>) {
    let (gap, step) = (px(HudStyle.gap), max(1, px(Hud.pinStep)))
    func stepped(_ from: Int, _ end: Int) -> Range<Int> {
      let first = (Double(from - gap) / Double(step)).rounded(.down)
      let last = (Double(end + gap) / Double(step)).rounded(.up)
      return Int(first) * step..<Int(last) * step
    }
    return (stepped(pin.x, pin.maxX), stepped(pin.y, pin.maxY))
  }

  /// All that a layout knows of the pins in parts of the screen.
  func steps(of pins: [PixelRect], in parts: [PixelRect]) -> [Range<Int>?] {
    pins.flatMap { pin in
      parts.flatMap { part -> [Range<Int>?] in
        guard pin.intersects(part) else { return [nil, nil] }
        let (columns, rows) = steps(of: pin)
        return [columns, rows]
      }
    }
  }

  func px(_ points: Double) -> Int { painter.px(points) }

  /// The rows at which a plate whose left edge is `x` covers nothing: at the top, in the middle,
  /// and next to what is there.
  func freeRows(_ plate: PlatePicture, _ x: Int, _ margin: Int, _ gap: Int) -> [Int] {
    let height = plate.height
    var rows = [margin, (view.height - height) / 2]
    for rect in free { rows += [rect.maxY + gap, rect.y - gap - height] }
    return rows.filter { y in
      let rect = PixelRect(x: x, y: y, width: plate.width, height: height)
      return y >= margin && rect.maxY <= view.height - margin
        && !free.contains { $0.intersects(rect) }
    }
  }

  /// Whether a part there is whole and covers no other one.
  func canPlace(_ rect: PixelRect) -> Bool {
    rect.x >= 0 && rect.y >= 0 && rect.maxX <= view.width && rect.maxY <= view.height
      && !free.contains { $0.intersects(rect) }
  }

  /// Puts a picture at (x, y) if the space there is free; otherwise the part is not shown.
  @discardableResult
  func place(_ part: Part, _ image: PlatePicture, x: Int, y: Int) -> Bool {
    let rect = PixelRect(x: x, y: y, width: image.width, height: image.height)
    guard canPlace(rect) else {
      elements[part.rawValue] = nil
      return false
    }
    free.append(rect)
    elements[part.rawValue]?.x = x
    elements[part.rawValue]?.y = y
    return true
  }

  /// The part's picture: the present one if its key is the same, else a new one.
  func element(_ part: Part, _ key: Key?, _ draw: () -> PlatePicture?) -> PlatePicture? {
    guard let key else {
      elements[part.rawValue] = nil
      return nil
    }
    if let element = elements[part.rawValue], element.key == key { return element.picture }
    if case .panel(.key, _, _, _) = key {
      swap(&otherKey, &elements[part.rawValue])
      if let element = elements[part.rawValue], element.key == key { return element.picture }
      if otherKey == nil { swap(&otherKey, &elements[part.rawValue]) }
    }
    elements[part.rawValue] = draw().map { Element(key: key, picture: $0) }
    return elements[part.rawValue]?.picture
  }

  var art: HudArt { HudArt(painter: painter) }

  func lines(_ text: String, _ size: Double, _ width: Int, _ most: Int) -> [String] {
    if text.isEmpty { return [] }
    return painter.text?.wrap(text, size: px(size), width: max(width, 16), maxLines: most)
      ?? []
  }
}
