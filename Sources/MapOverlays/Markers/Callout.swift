import Drawing
import MapGeometry
import MapScene
import Pixels

/// The bubble with a marker's text. It is drawn once and moves with its marker.
struct Callout {
  /// What its form depends on besides the words. Other plates change it only if it has no room
  /// beside them any more.
  private struct Basis: Equatable {
    var width: Int
    var height: Int
    var icon: CalloutRoom.Icon
    var compass: [PixelRect]
    var notices: [PixelRect]
  }

  /// How far from its row or column the tip may be to touch an icon, in points.
  private static let tipReach = 8.0

  private let basis: Basis
  private let form: CalloutForm
  private let painter: SpritePainter
  private var rooms: CalloutRooms
  private var plate: PlatePicture
  private let pointers: [SpriteImage]
  private let pointer: CalloutRoom.Pointer
  /// Half the pointer's width, and how far it reaches into the plate, over its border.
  private let half: Int
  private let overlap: Int
  /// Which page of the text is shown, from 0.
  private(set) var page: Int

  /// How many pages the text has.
  var pages: Int { form.text.pages.count }
  /// What it says, and its size in pixels per point.
  var text: CalloutText { form.text }
  var unit: Double { form.unit }

  /// Draws the callout for a view of `width` x `height` pixels.
  init(
    title: String, text: String, page: Int, icon: CalloutRoom.Icon, width: Int, height: Int,
    plates: CalloutPlates, painter: SpritePainter
  ) {
    basis = Basis(
      width: width, height: height, icon: icon, compass: plates.compass, notices: plates.notices)
    self.painter = painter
    var rooms = CalloutRooms(width: width, height: height, painter)
    form = CalloutForm(title: title, text: text, icon, height: height, painter) {
      rooms.room($0, plates)
    }
    self.rooms = rooms
    let (form, shown) = (form, min(max(page, 0), form.text.pages.count - 1))
    self.page = shown
    (plate, pointer, half, overlap, pointers) = painter.with(unit: form.unit) {
      (
        form.text.picture(page: shown, painter), CalloutForm.pointer(painter),
        painter.px(CalloutForm.pointerWidth) / 2, painter.px(1),
        CalloutRoom.Side.allCases.map { Callout.pointer(from: $0, painter) }
      )
    }
  }

  /// The pointer of a plate at one side of its icon.
  private static func pointer(
    from side: CalloutRoom.Side, _ painter: SpritePainter
  ) -> SpriteImage {
    let style = painter.theme.plateStyle
    let (across, along) = (
      Double(painter.px(CalloutForm.pointerWidth)), Double(painter.px(CalloutForm.pointerLength))
    )
    /// A corner at a distance from the plate, and from the pointer's edge.
    func corner(_ away: Double, _ aside: Double) -> [Double] {
      switch side {
      case .above: [aside, away]
      case .below: [aside, along - away]
      case .right: [along - away, aside]
      case .left: [away, aside]
      }
    }
    let corners = corner(0, 0) + corner(along, across / 2) + corner(0, across)
    let (width, height) = side.isUpright ? (across, along) : (along, across)
    return painter.image(width: Int(width), height: Int(height)) { canvas in
      var path = Path()
      path.addPolygon(corners)
      painter.fill(path, style.field, on: canvas)
      painter.stroke(path, width: painter.unit, style.border, on: canvas)
    }
  }

  /// Whether it can stay as it is for an icon and plates.
  mutating func isGood(
    _ icon: CalloutRoom.Icon, width: Int, height: Int, _ plates: CalloutPlates
  ) -> Bool {
    let now = Basis(
      width: width, height: height, icon: icon, compass: plates.compass, notices: plates.notices)
    guard now == basis else { return false }
    guard let level = form.level, !rooms.isKnown(plates) else { return true }
    var isFound = false
    rooms.room(level, plates).forEachPlace(of: size, form.icon, pointer) { _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// Shows another page.
  mutating func turn(to page: Int) {
    self.page = min(max(page, 0), pages - 1)
    plate = painter.with(unit: form.unit) { form.text.picture(page: self.page, painter) }
  }

  private var size: (width: Int, height: Int) { (form.text.width, form.text.height) }

  // MARK: Moving the map

  /// How far the map must move at least so that the callout and its icon cover no plate: if it
  /// must, then so that the callout is above or below its icon, if there is room.
  ///
  /// - Parameters:
  ///   - x: The marker's column.
  ///   - y: The marker's row.
  ///   - plates: The plates.
  /// - Returns: The pixels to the right and down; (0, 0): not at all.
  mutating func shift(x: Int, y: Int, _ plates: CalloutPlates) -> (x: Int, y: Int) {
    for level in CalloutPlates.Level.allCases where level != .none {
      var best: (x: Int, y: Int, isUpright: Bool)?
      rooms.room(level, plates).forEachPlace(of: size, form.icon, pointer) { place in
        let dx = Callout.way(from: x, to: place.columns)
        let dy = Callout.way(from: y, to: place.rows)
        let isUpright = place.side.isUpright
        var isBetter = true
        if let best, (dx, dy) != (0, 0) {
          isBetter =
            isUpright == best.isUpright
            ? dx * dx + dy * dy < best.x * best.x + best.y * best.y : isUpright
        }
        if isBetter { best = (dx, dy, isUpright) }
        return (dx, dy) != (0, 0)
      }
      if let best { return (best.x, best.y) }
    }
    return (0, 0)
  }

  /// The way into a range, and a pixel further where that is wide enough: the map's own rounding
  /// must not lead out of it again.
  private static func way(from at: Int, to range: ClosedRange<Int>) -> Int {
    if range.contains(at) { return 0 }
    let inner = range.count > 2 ? range.lowerBound + 1...range.upperBound - 1 : range
    return min(max(at, inner.lowerBound), inner.upperBound) - at
  }

  // MARK: Placing

  /// Appends the sprites of the callout of the marker in column `x` and row `y`.
  ///
  /// It is above its icon, else below it, else beside it, where it covers no plate and, if
  /// possible, no pin of "here". If its tip cannot touch the icon there, as for a marker at the
  /// very edge of the screen, it has no pointer.
  ///
  /// - Returns: What the plate covers.
  mutating func place(
    x: Int, y: Int, _ plates: CalloutPlates, pins: [PixelRect] = [],
    into sprites: inout [Sprite]
  ) -> PixelRect {
    guard let (side, rect) = found(x, y, plates, pins) else {
      let rect = nearest(x, y, plates)
      sprites.append(plate.sprite(x: rect.x, y: rect.y))
      return rect
    }
    sprites.append(plate.sprite(x: rect.x, y: rect.y))
    let image = pointers[CalloutRoom.Side.allCases.firstIndex(of: side) ?? 0]
    let icon = form.icon
    // The pointer overlaps the plate's border, within its straight part.
    func along(_ at: Int, _ start: Int, _ end: Int) -> Int {
      let inset = min(pointer.inset, (end - start) / 2)
      return min(max(at, start + inset), end - inset) - half
    }
    let (column, row) = (
      along(x, rect.x, rect.maxX), along(y + icon.middle, rect.y, rect.maxY)
    )
    switch side {
    case .above: sprites.append(Sprite(image, x: column, y: rect.maxY - overlap))
    case .below:
      sprites.append(Sprite(image, x: column, y: rect.y - image.height + overlap))
    case .right: sprites.append(Sprite(image, x: rect.x - image.width + overlap, y: row))
    case .left: sprites.append(Sprite(image, x: rect.maxX - overlap, y: row))
    }
    return rect
  }

  /// The plate's side and place with the fewest plates that make way, clear of the pins if the
  /// notices need not make way for that.
  private mutating func found(
    _ x: Int, _ y: Int, _ plates: CalloutPlates, _ pins: [PixelRect]
  ) -> (side: CalloutRoom.Side, rect: PixelRect)? {
    for pins in pins.isEmpty ? [pins] : [pins, []] {
      for level in CalloutPlates.Level.allCases where pins.isEmpty || level != .notices {
        if let found = found(x, y, rooms.room(level, plates), pins) { return found }
      }
    }
    return nil
  }

  private func found(
    _ x: Int, _ y: Int, _ room: CalloutRoom, _ pins: [PixelRect]
  ) -> (side: CalloutRoom.Side, rect: PixelRect)? {
    for side in CalloutRoom.Side.allCases {
      var best: (rect: PixelRect, distance: Int)?
      for part in room.plateParts {
        guard let place = placed(side, x, y, in: part) else { continue }
        for rect in place.rects where !pins.contains(where: { $0.intersects(rect) }) {
          let distance = abs(rect.x - place.middle.x) + abs(rect.y - place.middle.y)
          if distance < best?.distance ?? .max { best = (rect, distance) }
        }
      }
      if let best { return (side, best.rect) }
    }
    return nil
  }

  /// Where the plate is at a side of its icon and in a part of the screen: as near to the middle as
  /// possible, or as far aside as the pointer reaches. `middle` is where it would be without edges.
  private func placed(
    _ side: CalloutRoom.Side, _ x: Int, _ y: Int, in part: PixelRect
  ) -> (rects: [PixelRect], middle: (x: Int, y: Int))? {
    let (icon, reach) = (form.icon, tipReach)
    guard
      let place = CalloutRoom.place(side, of: size, in: part, icon, pointer),
      place.columns.contains(x, within: side.isUpright ? reach : 0),
      place.rows.contains(y, within: side.isUpright ? 0 : reach)
    else { return nil }
    let (width, height) = size
    let middle: (x: Int, y: Int) =
      switch side {
      case .above: (x - width / 2, y + icon.top - pointer.length - height)
      case .below: (x - width / 2, y + icon.bottom + pointer.length)
      case .right: (x + icon.right + pointer.length, y + icon.middle - height / 2)
      case .left: (x + icon.left - pointer.length - width, y + icon.middle - height / 2)
      }
    let inset = min(pointer.inset, (side.isUpright ? width : height) / 2)
    let aside = (side.isUpright ? width : height) / 2 - inset
    let rects = [0, -aside, aside].map { aside in
      let (left, top) = (
        middle.x + (side.isUpright ? aside : 0), middle.y + (side.isUpright ? 0 : aside)
      )
      return PixelRect(
        x: min(max(left, part.x), part.maxX - width), y: min(max(top, part.y), part.maxY - height),
        width: width, height: height)
    }
    return (rects, middle)
  }

  private var tipReach: Int { Int((Callout.tipReach * form.unit).rounded()) }

  /// The place nearest to the one above the icon where the plate covers no other one.
  private mutating func nearest(_ x: Int, _ y: Int, _ plates: CalloutPlates) -> PixelRect {
    let (width, height) = size
    let wanted = PixelRect(
      x: x - width / 2, y: y + form.icon.top - pointer.length - height, width: width,
      height: height)
    func moved(into part: PixelRect) -> PixelRect {
      PixelRect(
        x: max(part.x, min(wanted.x, part.maxX - width)),
        y: max(part.y, min(wanted.y, part.maxY - height)), width: width, height: height)
    }
    for level in CalloutPlates.Level.allCases {
      let rects = rooms.room(level, plates).plateParts.filter {
        $0.width >= width && $0.height >= height
      }.map { moved(into: $0) }
      let nearest = rects.min {
        abs($0.x - wanted.x) + abs($0.y - wanted.y) < abs($1.x - wanted.x) + abs($1.y - wanted.y)
      }
      if let nearest { return nearest }
    }
    return moved(into: PixelRect(x: 0, y: 0, width: basis.width, height: basis.height))
  }
}

extension ClosedRange<Int> {
  /// Whether a number is in the range, or at most so far beyond its ends.
  fileprivate func contains(_ number: Int, within reach: Int) -> Bool {
    number >= lowerBound - reach && number <= upperBound + reach
  }
}
