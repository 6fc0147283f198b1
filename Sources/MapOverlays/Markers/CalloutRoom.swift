import MapGeometry

/// Where a callout and the icon that it points to can be on the screen without covering a plate.
///
/// All lengths are view pixels.
struct CalloutRoom {
  /// Where the callout's plate is, seen from the icon.
  enum Side: CaseIterable {
    case above, below, right, left

    /// Whether plate and icon are one above the other.
    var isUpright: Bool { self == .above || self == .below }
  }

  /// How far the icon reaches from its marker's pixel, to the left and up below 0. Column `right`
  /// and row `bottom` are the first beyond it. A pointer at its side touches it in row `middle`.
  struct Icon: Equatable {
    var left, right, top, bottom, middle: Int

    /// The icon without what is below its marker's place, such as the ring of "here".
    var withoutFoot: Icon {
      Icon(left: left, right: right, top: top, bottom: min(bottom, 1), middle: middle)
    }

    /// Nothing but the marker's place.
    static let place = Icon(left: 0, right: 1, top: 0, bottom: 1, middle: 0)
  }

  /// The pointer's length, and how far its middle is from the plate's corners at least.
  struct Pointer: Equatable {
    var length: Int
    var inset: Int
  }

  /// The pixels at which the marker can be if the plate is at one side, and the part of the screen
  /// for the plate.
  struct Place {
    var side: Side
    var columns: ClosedRange<Int>
    var rows: ClosedRange<Int>
    var part: PixelRect
  }

  /// The largest free parts of the screen: for the plate, and for the icon.
  let plateParts: [PixelRect]
  let iconParts: [PixelRect]

  /// Finds the parts of a screen that no plate covers. The callout's plate keeps `gap` to others
  /// and `margin` to the screen's edge; the icon keeps a quarter of the gap to both.
  init(_ screen: PixelRect, clearOf plates: [PixelRect], margin: Int, gap: Int) {
    func parts(_ edge: Int, _ gap: Int) -> [PixelRect] {
      FreeParts.of(screen.widened(by: -edge), clearOf: plates.map { $0.widened(by: gap) })
    }
    plateParts = parts(margin, gap)
    iconParts = parts(gap / 4, gap / 4)
  }

  // MARK: Sizes

  /// The largest size of a plate at one side.
  struct Size: Equatable {
    var side: Side
    var width: Int
    var height: Int

    fileprivate func isWithin(_ other: Size) -> Bool {
      side == other.side && width <= other.width && height <= other.height
    }
  }

  /// The largest plates for which there is room together with the icon, the widest first.
  func sizes(_ icon: Icon, _ pointer: Pointer) -> [Size] {
    var sizes: [Size] = []
    for side in Side.allCases {
      for plate in plateParts {
        for part in iconParts {
          guard let size = CalloutRoom.size(side, plate, icon, in: part, pointer),
            !sizes.contains(where: { size.isWithin($0) })
          else { continue }
          sizes.removeAll { $0.isWithin(size) }
          sizes.append(size)
        }
      }
    }
    return sizes.sorted { ($0.width, $0.height) > ($1.width, $1.height) }
  }

  /// The largest plate in the part `plate` at one side of an icon in `part`; nil: there is none.
  private static func size(
    _ side: Side, _ plate: PixelRect, _ icon: Icon, in part: PixelRect, _ pointer: Pointer
  ) -> Size? {
    guard let columns = columns(of: icon, in: part), let rows = rows(of: icon, in: part),
      plate.width >= 2 * pointer.inset, plate.height >= 2 * pointer.inset
    else { return nil }
    var (width, height) = (plate.width, plate.height)
    if side.isUpright {
      let straight = plate.x + pointer.inset...plate.maxX - pointer.inset
      guard straight.overlaps(columns) else { return nil }
    } else {
      let straight = plate.y + pointer.inset...plate.maxY - pointer.inset
      guard straight.overlaps(rows.lowerBound + icon.middle...rows.upperBound + icon.middle) else {
        return nil
      }
    }
    switch side {
    case .above:
      let last = min(rows.upperBound, plate.maxY + pointer.length - icon.top)
      guard last >= rows.lowerBound else { return nil }
      height = last + icon.top - pointer.length - plate.y
    case .below:
      let first = max(rows.lowerBound, plate.y - pointer.length - icon.bottom)
      guard first <= rows.upperBound else { return nil }
      height = plate.maxY - (first + icon.bottom + pointer.length)
    case .right:
      let first = max(columns.lowerBound, plate.x - pointer.length - icon.right)
      guard first <= columns.upperBound else { return nil }
      width = plate.maxX - (first + icon.right + pointer.length)
    case .left:
      let last = min(columns.upperBound, plate.maxX + pointer.length - icon.left)
      guard last >= columns.lowerBound else { return nil }
      width = last + icon.left - pointer.length - plate.x
    }
    return width > 0 && height > 0 ? Size(side: side, width: width, height: height) : nil
  }

  // MARK: Places

  /// Calls `body` with each place for a plate of a size and the whole icon, until it returns false.
  func forEachPlace(
    of size: (width: Int, height: Int), _ icon: Icon, _ pointer: Pointer, _ body: (Place) -> Bool
  ) {
    for side in Side.allCases {
      for plate in plateParts {
        guard let all = CalloutRoom.place(side, of: size, in: plate, icon, pointer) else {
          continue
        }
        for part in iconParts {
          guard let columns = CalloutRoom.columns(of: icon, in: part),
            let rows = CalloutRoom.rows(of: icon, in: part), columns.overlaps(all.columns),
            rows.overlaps(all.rows)
          else { continue }
          var place = all
          place.columns = columns.clamped(to: all.columns)
          place.rows = rows.clamped(to: all.rows)
          if !body(place) { return }
        }
      }
    }
  }

  /// The place for a plate of a size in the part `plate`, wherever its icon is; nil: there is none.
  static func place(
    _ side: Side, of size: (width: Int, height: Int), in plate: PixelRect, _ icon: Icon,
    _ pointer: Pointer
  ) -> Place? {
    guard size.width <= plate.width, size.height <= plate.height else { return nil }
    let inset = min(pointer.inset, (side.isUpright ? size.width : size.height) / 2)
    var columns = plate.x + inset...plate.maxX - inset
    var rows = plate.y + inset - icon.middle...plate.maxY - inset - icon.middle
    switch side {
    case .above:
      let last = plate.maxY + pointer.length - icon.top
      rows = last - plate.height + size.height...last
    case .below:
      let first = plate.y - pointer.length - icon.bottom
      rows = first...first + plate.height - size.height
    case .right:
      let first = plate.x - pointer.length - icon.right
      columns = first...first + plate.width - size.width
    case .left:
      let last = plate.maxX + pointer.length - icon.left
      columns = last - plate.width + size.width...last
    }
    return Place(side: side, columns: columns, rows: rows, part: plate)
  }

  /// Where the marker can be so that its icon is in a part of the screen; nil: the icon is too
  /// large for it.
  private static func columns(of icon: Icon, in part: PixelRect) -> ClosedRange<Int>? {
    let (first, last) = (part.x - icon.left, part.maxX - icon.right)
    return first <= last ? first...last : nil
  }

  private static func rows(of icon: Icon, in part: PixelRect) -> ClosedRange<Int>? {
    let (first, last) = (part.y - icon.top, part.maxY - icon.bottom)
    return first <= last ? first...last : nil
  }
}
