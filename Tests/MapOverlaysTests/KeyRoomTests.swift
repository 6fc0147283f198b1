import Testing

@testable import MapOverlays

/// How large the map key is beside the scale bar, or in its place.
@Suite struct KeyRoomTests {
  private let key = MapKey(
    title: "Map key", items: (0..<10).map { .init(.dot(0xFF20_60C0), "Sign \($0)") },
    rest: "… and {0} more")

  private func room(_ height: Int, hasBar: Bool) -> PanelRoom.Room {
    PanelRoom.Room(width: 400, rows: 0..<height, hasBar: hasBar)
  }

  @Test func aKeyTakesTheScaleBarsPlaceRatherThanBecomeSmaller() throws {
    let painter = painter(3)
    func signs(_ height: Int) -> Int {
      PanelRoom.Choice(room: room(height, hasBar: true), unit: 3).signs(of: key, painter)
    }
    // The least height for six signs in the full size.
    let height = try #require((0..<2000).first { signs($0) >= 6 })
    func best(_ withBar: Int, _ without: Int) throws -> PanelRoom.Choice {
      var rooms = PanelRoom()
      let all = [room(withBar, hasBar: true), room(without, hasBar: false)]
      let found = rooms.best(.key(key), all, painter)
      return try #require(found)
    }
    let beside = try best(height, height + 200)
    #expect(beside.unit == 3 && beside.room.hasBar)
    let instead = try best(height - 30, height)
    #expect(instead.unit == 3 && !instead.room.hasBar)
    let smaller = try best(height - 30, height - 30)
    #expect(smaller.unit < 3 && smaller.room.hasBar)
    #expect(smaller.signs(of: key, painter) >= 6)
  }
}
