import Drawing
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// The signs of the map key: they look as on the map, and each is seen on the panel.
@Suite struct MapKeySignTests {
  /// The picture of a key of one sign without words, and its rows.
  private struct Shot {
    var image: SpriteImage
    var art: PanelArt

    subscript(x: Int, y: Int) -> UInt32 { image.pixels[y * image.width + x] }

    /// The columns of a colour in each row that has it, from top to bottom.
    func rows(_ color: UInt32) -> [(left: Int, right: Int)] {
      (0..<image.height).compactMap { y in
        let found = (0..<image.width).filter { self[$0, y] == color }
        return found.first.flatMap { first in found.last.map { (first, $0) } }
      }
    }

    /// The pixel left of a colour in the middle one of the rows that have it.
    func beside(_ color: UInt32) -> UInt32? {
      let found = (0..<image.height).compactMap { y in
        (0..<image.width).first { self[$0, y] == color }.map { (x: $0, y: y) }
      }
      guard let middle = found.dropFirst(found.count / 2).first, middle.x > 0 else { return nil }
      return self[middle.x - 1, middle.y]
    }

    func count(_ color: UInt32) -> Int {
      (0..<image.width * image.height).count { image.pixels[$0] == color }
    }
  }

  private func shot(_ kind: PictureTheme.Kind, _ item: MapKey.Item) throws -> Shot {
    let painter = painter()
    painter.theme = .of(kind)
    let art = PanelArt(painter: painter)
    let key = MapKey(title: "i", items: [item])
    let picture = try #require(art.picture(.key(key), width: 300, height: 300))
    return Shot(image: picture.image, art: art)
  }

  private func shot(_ kind: PictureTheme.Kind, _ sign: MapKey.Sign) throws -> Shot {
    try shot(kind, MapKey.Item(sign, "i"))
  }

  @Test(arguments: PictureTheme.Kind.allCases)
  func allAreasHaveTheSameEdgeThoseInThePanelsOwnColourToo(_ kind: PictureTheme.Kind) throws {
    let faint: [UInt32] = kind == .day ? [0xFFFF_FFFF, 0xFFF2_EDE0] : [0xFF12_1614, 0xFF1C_211C]
    let strong: UInt32 = kind == .day ? 0xFF3A_7A3A : 0xFF90_C090
    let usual = try shot(kind, .area(fill: strong, stroke: 0))
    let edge = try #require(usual.beside(PictureTheme.of(kind).shown(strong)))
    // One pixel around 32 by 20; letters may have the colour, too.
    #expect(usual.count(edge) >= 100)
    for color in faint {
      #expect(try shot(kind, .area(fill: color, stroke: 0)).count(edge) == usual.count(edge))
      #expect(try shot(kind, .area(fill: color, stroke: color)).count(edge) == usual.count(edge))
      // An outline that is seen is enough.
      let outlined = try shot(kind, .area(fill: color, stroke: strong)).count(edge)
      #expect(outlined == usual.count(edge) - 100)
    }
  }

  @Test(arguments: PictureTheme.Kind.allCases)
  func aCasedLineThatIsHardlySeenIsWideAndHasAnEdge(_ kind: PictureTheme.Kind) throws {
    let theme = PictureTheme.of(kind)
    let faint: UInt32 = kind == .day ? 0xFFFF_FFFF : 0xFF12_1614
    let strong: UInt32 = kind == .day ? 0xFF80_6040 : 0xFFD0_D0D0
    func count(_ casing: UInt32) throws -> Int {
      try shot(kind, .line(color: faint, width: 1, casing: casing, dash: [])).count(theme.secondInk)
    }
    let (edged, plain) = (try count(faint), try count(strong))
    #expect(edged > plain + 60)
    let line = try shot(kind, .line(color: 0xFF01_0203, width: 1, casing: 0, dash: []))
    if kind == .night { #expect(line.rows(0xFF01_0203).count >= 2) }
  }

  @Test(arguments: [PictureTheme.Kind.day, .night])
  func aLineOfTheMapLiesOnItsGroundWithoutAnEdge(_ kind: PictureTheme.Kind) throws {
    let theme = PictureTheme.of(kind)
    let ground: UInt32 = kind == .day ? 0xFFF5_F1E4 : 0xFF1A_1E1D
    let faint: UInt32 = kind == .day ? 0xFFFE_FEFE : 0xFF24_2827
    let under: UInt32 = kind == .day ? 0xFFF0_ECE0 : 0xFF0F_1212
    let strong: UInt32 = kind == .day ? 0xFF80_6040 : 0xFFD0_D0D0
    // The letters have a few pixels of that colour.
    let plain = try shot(kind, .line(color: strong, width: 6, casing: 0, dash: []))
      .count(theme.secondInk)
    for casing in [0, under] {
      var item = MapKey.Item(.line(color: faint, width: 1, casing: casing, dash: []), "i")
      let edged = try shot(kind, item)
      item.ground = ground
      let shot = try shot(kind, item)
      #expect(edged.count(ground) == 0)
      // 18 rows of 32 pixels, and the line in their middle from end to end.
      let rows = shot.rows(ground)
      #expect(rows.count >= 18 - 6 && rows.count <= 18)
      let line = shot.rows(faint)
      #expect(line.count >= 2)
      for row in rows + line { #expect(row.right - row.left == 31 && row.left == rows[0].left) }
      #expect(shot.count(theme.secondInk) == plain)
      if casing != 0 { #expect(edged.count(theme.secondInk) > plain + 60) }
    }
  }

  @Test func theGroundOfALineIsNoHigherThanItsRow() throws {
    var item = MapKey.Item(.line(color: 0xFF01_60A8, width: 40, casing: 0xFF60_A001, dash: []), "i")
    item.more = [.line(color: 0xFFA0_6001, width: 1, casing: 0, dash: [])]
    item.ground = 0xFF20_3040
    let shared = try shot(.day, item).rows(0xFF20_3040)
    #expect(shared.count >= 8 && shared.count <= 20)
    item.more = []
    // Above and below a line of the greatest width some of it is left.
    let alone = try shot(.day, item).rows(0xFF20_3040)
    #expect(alone.count >= 4 && alone.count <= 18)
  }

  @Test func markersHaveTheShapeThatTheyHaveOnTheMap() throws {
    let color: UInt32 = 0xFF01_60A8
    let square = try shot(.day, .icon(.bus, color, isHere: false)).rows(color)
    // The upper side is straight but for its round corners.
    let widest = square.map { $0.right - $0.left }.max() ?? 0
    let (top, bottom) = (try #require(square.first), try #require(square.last))
    #expect(widest >= 14 && top.right - top.left > widest / 2)
    #expect(bottom.right - bottom.left > widest / 2)
    for (icon, isHere) in [(MarkerIcon.pin, false), (.here, true), (.star, true)] {
      let drop = try shot(.day, .icon(icon, color, isHere: isHere)).rows(color)
      let (wide, tip) = (drop.map { $0.right - $0.left }.max() ?? 0, try #require(drop.last))
      // It ends in a tip below its middle.
      #expect(wide >= 10 && drop.count > wide, "\(icon)")
      #expect(tip.right - tip.left <= 3)
      let head = drop[drop.count / 3]
      #expect(abs(tip.left + tip.right - head.left - head.right) <= 2)
    }
  }

  @Test(arguments: PictureTheme.Kind.allCases)
  func theSignOfALostPositionIsAGreyHollowRing(_ kind: PictureTheme.Kind) throws {
    let theme = PictureTheme.of(kind)
    let found = try shot(kind, .position(isLost: false))
    let lost = try shot(kind, .position(isLost: true))
    /// The pixel in the sign's middle, which is 28 points right of the panel's left edge.
    func middle(_ shot: Shot) throws -> UInt32 {
      let x = (theme.shadow == nil ? 0 : 6) + 28
      func isSign(_ color: UInt32) -> Bool { color == theme.secondInk || color == theme.position }
      let rows = (0..<shot.image.height).filter { y in
        (x - 9...x + 9).contains { isSign(shot[$0, y]) }
      }
      return shot[x, (try #require(rows.first) + (try #require(rows.last))) / 2]
    }
    if kind != .red {
      #expect(found.count(theme.position) > 60 && lost.count(theme.position) == 0)
      #expect(try middle(found) == theme.position)
      let hollow = try middle(lost)
      #expect(hollow != theme.secondInk && hollow != theme.position)
      #expect(lost.count(theme.secondInk) > 30)
    } else {
      // Its colour is that of the ink.
      #expect(lost.count(theme.position) < found.count(theme.position) - 20)
    }
  }

  @Test func severalSignsOfAnItemAreBelowEachOther() throws {
    let (line, area): (UInt32, UInt32) = (0xFF01_60A8, 0xFFA0_6001)
    var item = MapKey.Item(.line(color: line, width: 8, casing: 0, dash: []), "i")
    item.more = [.area(fill: area, stroke: 0), .dot(0xFF60_A001)]
    let shot = try shot(.day, item)
    #expect(shot.art.height(of: item) == 36)
    func span(_ color: UInt32) throws -> Range<Int> {
      let rows = (0..<shot.image.height).filter { y in
        (0..<shot.image.width).contains { shot[$0, y] == color }
      }
      return try #require(rows.first)..<(try #require(rows.last)) + 1
    }
    let spans = [try span(line), try span(area), try span(0xFF60_A001)]
    #expect(spans[0].upperBound < spans[1].lowerBound)
    #expect(spans[1].upperBound < spans[2].lowerBound)
    #expect(spans[0].count == 4 && spans[1].count == 8)
    // Alone, each is as high as a line of words allows.
    #expect(shot.art.height(of: MapKey.Item(item.sign, "i")) == 22)
  }

  @Test func iconsOfAnItemAreSideBySideAndTheFirstIsWhole() throws {
    let colors: [UInt32] = [0xFF01_60A8, 0xFFA0_2001, 0xFF20_6001]
    func item(_ count: Int) -> MapKey.Item {
      var item = MapKey.Item(.icon(.pin, colors[0], isHere: false), "i")
      item.more = colors[1..<count].map { .icon(.pin, $0, isHere: false) }
      return item
    }
    let alone = try shot(.day, item(1))
    for count in 2...3 {
      let several = try shot(.day, item(count))
      #expect(several.art.height(of: item(count)) == alone.art.height(of: item(1)))
      #expect(several.count(colors[0]) == alone.count(colors[0]))
      let sides = colors[..<count].map { color in several.rows(color).map(\.right).max() ?? 0 }
      #expect(sides == sides.sorted() && Set(sides).count == count)
      // Each of the others is seen, and all keep clear of the words.
      #expect(colors[1..<count].allSatisfy { several.count($0) >= 25 })
      let words = (several.art.theme.shadow == nil ? 0 : 6) + 12 + 32 + 8
      #expect(sides.allSatisfy { $0 < words })
    }
  }

  @Test(arguments: [2, 40, 20_000])
  func theSignOfAClusterIsItsDiscAndFitsItsRow(_ count: Int) throws {
    let item = MapKey.Item(.cluster(count), "i")
    let shot = try shot(.day, item)
    let rows = shot.rows(0xFF37_474F)
    #expect(rows.count >= 15)
    #expect(rows.count <= shot.art.height(of: item))
    #expect((rows.map { $0.right - $0.left }.max() ?? 0) >= rows.count - 2)
  }
}
