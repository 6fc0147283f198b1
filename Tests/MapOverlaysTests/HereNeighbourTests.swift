import Drawing
import MapGeometry
import Testing

@testable import MapOverlays
@testable import MapScene

/// The pin of "here" and what is near it.
@Suite struct HereNeighbourTests: MarkerLayerCase {
  private let screen = PixelRect(x: 0, y: 0, width: 800, height: 480)

  /// A marker at a pixel of `view()`.
  private func marker(
    at x: Double, _ y: Double, _ id: String, icon: MarkerIcon = .hut, label: String = ""
  ) -> Marker {
    let place = WebMercator.unproject(view().world(x: x, y: y))
    return Marker(id: id, place: place, label: label, icon: icon)
  }

  private var here: Marker { marker(at: 400, 240, "here", icon: .here, label: "You are here") }

  /// What the words of "here" cover.
  private func words(_ layer: MarkerLayer, avoiding plates: [PixelRect] = []) throws -> PixelRect {
    _ = layer.update(view(), avoiding: plates)
    return try #require(layer.hereLabels.first)
  }

  @Test(arguments: [0.0, 70])
  func aMarkerThatThePinHidesStandsBesideItWithItsName(_ bearing: Double) throws {
    let layer = try layer([here])
    // Behind the pin's head.
    let turned = view(bearing: bearing)
    let place = WebMercator.unproject(turned.world(x: 400, y: 196))
    try layer.set(Marker(id: "hut", place: place, label: "Hut", icon: .hut))
    _ = layer.update(turned, avoiding: [])
    let hut = try #require(layer.box(of: .marker("hut")))
    let pin = try #require(layer.hereBoxes(in: turned).first)
    let both = hut.intersection(pin)
    #expect(min(both.width, both.height) <= 2)
    #expect(hut.x >= pin.x - hut.width - 8 && hut.maxX <= pin.maxX + hut.width + 8)
    // It is touched where it stands, and so is its name.
    let hit = layer.hit(
      x: Double(hut.x + hut.width / 2), y: Double(hut.y + hut.height / 2))
    #expect(hit == .marker("hut"))
    let label = try #require(layer.placedLabels.first { $0.name == "Hut" })
    let at = ViewTransform(turned).pixel(gridX: label.gridX, gridY: label.gridY)
    #expect(hut.widened(by: 1).contains(at))
    #expect(layer.hereLabels.count == 1)
  }

  @Test func theMapKeyLooksForAMarkerWhereItStandsBesideThePin() throws {
    let layer = try layer([here, marker(at: 400, 196, "hut")])
    _ = layer.update(view(), avoiding: [])
    let hut = try #require(layer.layout.placed.first { !$0.isHere })
    let rect = hut.rect(ViewTransform(view()))
    #expect(hut.isMoved && layer.iconBoxes(in: view(), under: []) == [rect])
    // A key there hides it; one where it would be without the pin does not.
    func isListed(_ panel: PixelRect) -> Bool {
      layer.looks(in: view(), panel: panel).markers.contains { $0.icon == .hut }
    }
    #expect(!isListed(rect))
    #expect(isListed(PixelRect(x: 396, y: 186, width: 8, height: 20)))
  }

  @Test func theMapMovesForTheFocusOnAMarkerWhereThatStandsBesideThePin() throws {
    let layer = try layer([here, marker(at: 400, 196, "hut")])
    _ = layer.update(view(), avoiding: [])
    let hut = MarkerLayer.Hit.marker("hut")
    let box = try #require(layer.box(of: hut))
    #expect(layer.box(of: hut, in: view()) == box)
    let panned = try #require(layer.box(of: hut, in: view().panned(dx: 90, dy: -40)))
    #expect((panned.x, panned.y) == (box.x - 90, box.y + 40))
  }

  @Test func aHiddenMarkerStaysWhereItWouldHideOthers() throws {
    let layer = try layer([
      here, marker(at: 400, 198, "hut"), marker(at: 335, 198, "left"),
      marker(at: 465, 198, "right"), marker(at: 400, 133, "above"),
    ])
    _ = layer.update(view(), avoiding: [])
    #expect(layer.layout.placed.count == 5 && !layer.layout.placed.contains(where: \.isMoved))
  }

  @Test func itsWordsAreNotSoNearToAnotherMarkerThatTheyAreReadAsItsName() throws {
    let before = try words(try layer([here]))
    let row = Double(before.y + before.height / 2)
    let layer = try layer([here, marker(at: Double(before.maxX) + 20, row, "hut")])
    for plates in [[], [PixelRect(x: 0, y: 0, width: 300, height: 480)]] {
      let after = try words(layer, avoiding: plates)
      let hut = try #require(layer.box(of: .marker("hut")))
      #expect(!before.widened(by: 8).intersection(hut).isEmpty)
      #expect(after.widened(by: 8).intersection(hut).isEmpty)
      #expect(after.width == before.width && after.intersection(screen) == after)
      #expect(!plates.contains { $0.intersects(after) })
    }
  }

  @Test func aLabelIsReadAsTheNameOfWhatItIsNearestTo() {
    let own = PixelRect(x: 0, y: 100, width: 50, height: 50)
    let other = PixelRect(x: 10, y: 60, width: 30, height: 30)
    func isRead(_ x: Int, _ y: Int) -> Bool {
      LabelSite.isRead(
        PixelRect(x: x, y: y, width: 100, height: 30), of: own, asNameOf: [other], gap: 8)
    }
    // With the other between the label and its own, and beside the other.
    #expect(isRead(-20, 20))
    #expect(isRead(45, 60))
    // Beside its own.
    #expect(!isRead(54, 110) && !isRead(-20, 150))
    #expect(!LabelSite.isRead(other, of: own, asNameOf: [], gap: 8))
  }

  @Test func whereItsWordsCannotButCoverIconsTheyCoverAsLittleAsPossible() throws {
    let layer = try layer([here])
    _ = layer.update(view(), avoiding: [])
    let label = try #require(layer.layout.labels.first)
    let at = ViewTransform(view()).pixel(gridX: label.gridX, gridY: label.gridY)
    let planned = Sprite(label.image, x: at.x + label.dx, y: at.y + label.dy)
    func words(_ icons: [PixelRect]) throws -> PixelRect {
      let sprites = icons.map { rect in
        let image = SpriteImage(width: rect.width, height: rect.height) { _, _ in }
        return Sprite(image, x: rect.x, y: rect.y)
      }
      let room = LabelFrame.HereRoom(
        room: screen, plates: [], icons: sprites, view: ViewTransform(view()))
      let sprite = LabelFrame.least(label, planned, at, room, [], { _ in true }, { _, _ in nil })
      return try #require(sprite).rect
    }
    #expect(try words([]) == planned.rect)
    #expect(try words([screen]) == planned.rect)
    #expect(try words([planned.rect]) != planned.rect)
    // All sides are under something, but one under little.
    let other = try words([planned.rect])
    let small = PixelRect(x: other.x, y: other.y, width: 5, height: 5)
    let rest = [
      PixelRect(x: 0, y: 0, width: 800, height: other.y),
      PixelRect(x: 0, y: other.maxY, width: 800, height: 480 - other.maxY),
      PixelRect(x: 0, y: other.y, width: other.x, height: other.height),
      PixelRect(x: other.maxX, y: other.y, width: 800 - other.maxX, height: other.height),
    ]
    #expect(try words(rest + [small]) == other)
  }

  @Test func ofFreeSidesItsWordsTakeOneWithoutLines() throws {
    // A trail through all places but those at the right.
    let ends = [0.0, 480].map { WebMercator.unproject(view().world(x: 330, y: $0)) }
    let trail = try lineDrawing([ends.map { ($0.lon, $0.lat) }])
    let layer = try layer([here])
    layer.lines = [OverlayLines(trail, minZoom: 0)]
    let before = try words(layer)
    #expect(before.x > 400)
    let plate = PixelRect(x: before.x + 20, y: before.maxY - 4, width: 40, height: 4)
    let after = try words(layer, avoiding: [plate])
    #expect(after.x > 400 && after != before && !after.intersects(plate))
    // A line that is not shown at this zoom does not matter.
    layer.lines = [OverlayLines(trail, minZoom: 13)]
    #expect(try words(layer, avoiding: [plate]).maxX < 400)
  }
}

extension PixelRect {
  fileprivate func contains(_ at: (x: Int, y: Int)) -> Bool {
    at.x >= x && at.x < maxX && at.y >= y && at.y < maxY
  }
}
