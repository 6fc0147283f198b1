import MapGeometry
import Pixels
import Testing
import TileSources

@testable import TileLoading

private let invert = TileColors([.colors([.invert])], source: "a")

@Test func filtersChangeTheColoursOfATileWhenItIsDecoded() throws {
  let rig = Rig()
  rig.loader?.setSource(0, name: "a", colors: invert) {
    .success(
      FunctionSource(SourceControl(), maxZoom: 24, has: { _ in true }) { _ in flatPNG(0x102030) })
  }
  let id = tile(3, 1, 2)
  rig.want(rig.request(id))
  #expect(rig.runUntilIdle())
  #expect(Set(rig.pixels(id)) == [0xffef_dfcf])
}

@Test func filtersComeBeforeDitheringTo565() throws {
  let rig = Rig(opaque: .rgb565)
  rig.loader?.setSource(0, name: "a", colors: invert) {
    .success(
      FunctionSource(SourceControl(), maxZoom: 24, has: { _ in true }) { _ in flatPNG(0x00ff00) })
  }
  let id = tile(3, 1, 2)
  rig.want(rig.request(id))
  #expect(rig.runUntilIdle())
  let entry = try #require(rig.entry(id))
  #expect(entry.format == .rgb565)
  #expect(
    (0..<256).allSatisfy { entry.pixels.load(fromByteOffset: $0 * 2, as: UInt16.self) == 0xf81f })
}

@Test func transparencyStaysUnderFilters() throws {
  let rig = Rig()
  rig.loader?.setSource(0, name: "a", colors: invert) {
    .success(
      FunctionSource(SourceControl(), maxZoom: 24, has: { _ in true }) { _ in transparentPNG })
  }
  let id = tile(0, 0, 0)
  rig.want(rig.request(id))
  #expect(rig.runUntilIdle())
  // Premultiplied 10 30 60 of alpha 80 becomes 80 minus that.
  #expect(Set(rig.pixels(id)) == [0x8070_5020])
}

@Test func aTileReducedFromItsDescendantsHasTheFiltersToo() throws {
  let rig = Rig()
  rig.loader?.setSource(0, name: "a", colors: invert) {
    .success(
      FunctionSource(SourceControl(), maxZoom: 24, has: { _ in true }) { _ in flatPNG(0x102030) })
  }
  let id = tile(3, 1, 2)
  rig.want(rig.request(id, levels: 1))
  #expect(rig.runUntilIdle())
  #expect(Set(rig.pixels(id)) == [0xffef_dfcf])
}

@Test func aMosaicLaysAColourOfItsOwnOverEveryTileAlwaysTheSame() {
  let tiles = (0..<64).map { tile(3, $0 % 8, $0 / 8) }
  let colors = tiles.map { TileColors.mosaic($0, of: "osm") }
  #expect(Set(colors).count > 60)
  // Known values: what is on a screen today is there tomorrow.
  #expect(TileColors.mosaic(tile(0, 0, 0), of: "osm") == 0x7c_20ff)
  #expect(TileColors.mosaic(tile(3, 1, 2), of: "osm") == 0xff_204e)
  #expect(TileColors.mosaic(tile(3, 1, 2), of: "topo") == 0x94_ff20)
  #expect(
    tiles.filter { TileColors.mosaic($0, of: "osm") == TileColors.mosaic($0, of: "topo") }.count < 4
  )
}

@Test func theMosaicsNumberIsHowStrongItIs() {
  let id = tile(5, 3, 4)
  let color = TileColors.mosaic(id, of: "a") | 0xff00_0000
  func over(_ strength: Double) -> UInt32 {
    TileColors([.mosaic(strength)], source: "a").transform(for: id).apply(0xffff_ffff)
  }
  #expect(over(1) == color)
  #expect(over(0) == 0xffff_ffff)
  let part = over(0.2)
  for shift: UInt32 in [0, 8, 16] {
    let (c, p) = (Double(color >> shift & 255), Double(part >> shift & 255))
    #expect(abs(p - (255 * 0.8 + c * 0.2)) < 1)
  }
}

@Test func filtersAfterAMosaicChangeItToo() {
  let id = tile(5, 3, 4)
  let colors = TileColors([.mosaic(1), .colors([.grayscale])], source: "a")
  let gray = colors.transform(for: id).apply(0xff12_3456)
  #expect(gray >> 16 & 255 == gray & 255 && gray >> 8 & 255 == gray & 255)
}

@Test func otherColoursAreDecodedAgainWhileTheOldTilesStandIn() throws {
  let rig = Rig()
  let control = SourceControl()
  rig.add(0, control) { $0.z == 4 ? nil : flatPNG(0x102030) }
  let id = tile(3, 1, 2)
  rig.want(rig.request(id), rig.request(tile(4, 0, 0)))
  #expect(rig.runUntilIdle())
  #expect(rig.opened == [0])
  rig.loader?.recolor(0, to: 7, colors: invert)
  rig.want(rig.request(id, source: 7), rig.request(tile(4, 0, 0), source: 7))
  #expect(rig.runUntilIdle())
  #expect(Set(rig.pixels(id)) == [0xff10_2030])
  #expect(Set(rig.pixels(id, source: 7)) == [0xffef_dfcf])
  // It stays open, and what is known to be missing is not asked for again.
  #expect(rig.opened == [0])
  #expect(control.reads.filter { $0.z == 4 }.count == 1)
  rig.cache.remove(source: 0)
  #expect(rig.entry(id) == nil && rig.entry(id, source: 7) != nil)
}

@Test func whatIsUnderWayInTheOldColoursIsLetGo() throws {
  let rig = Rig()
  let control = SourceControl()
  let id = tile(3, 1, 2)
  rig.add(0, control) { _ in flatPNG(0x102030) }
  control.hold(id)
  rig.want(rig.request(id))
  #expect(control.waitForRead(of: id))
  rig.loader?.recolor(0, to: 0, colors: invert)
  rig.want(rig.request(id))
  control.release()
  #expect(rig.run { $0.entry(id) != nil })
  #expect(Set(rig.pixels(id)) == [0xffef_dfcf])
  #expect(rig.runUntilIdle())
  #expect(rig.loader?.stats.inFlight == 0)
  rig.cache.clear()
  #expect(rig.cache.stats.bytes == 0)
}
