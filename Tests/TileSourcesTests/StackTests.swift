import MapGeometry
import Testing
import TileSources

private func stack(_ paths: [String]) throws(SourceError) -> any TileSource {
  try SourceSpec(name: "s", location: .paths(paths)).open()
}

@Test func ofSeveralPacksTheFirstNamedThatHasATileGivesIt() throws {
  let scratch = try Scratch()
  _ = try scratch.write(pictureStart + [1], to: "a/1/0/0.png")
  _ = try scratch.write(pictureStart + [2], to: "b/1/0/0.png")
  _ = try scratch.write(pictureStart + [2], to: "b/1/0/1.png")
  _ = try scratch.write(pictureStart + [2], to: "b/3/7/7.png")
  let map = try stack([scratch + "a", scratch + "b"])
  #expect(try map.tile(at: tile(1, 0, 0)) == pictureStart + [1])
  #expect(try map.tile(at: tile(1, 0, 1)) == pictureStart + [2])
  #expect(try map.tile(at: tile(1, 1, 1)) == nil)
  #expect((map.info.kind, map.info.minZoom, map.info.maxZoom) == ("packs", 1, 3))
  // The deepest real tile stands in, whichever pack it is in.
  #expect(try map.nearestAncestor(of: tile(5, 31, 31)) == tile(3, 7, 7))
  #expect(try map.nearestAncestor(of: tile(5, 0, 0)) == tile(1, 0, 0))
  #expect(map.problems.isEmpty)
}

@Test func aBrokenPackOrTileDoesNotKeepTheOthersFromServing() throws {
  let scratch = try Scratch()
  _ = try scratch.write([], to: "a/1/0/0.png")
  _ = try scratch.write([], to: "a/1/1/0.png")
  _ = try scratch.write(pictureStart, to: "b/1/0/0.png")
  let map = try stack([fixture("corrupt.mbtiles"), scratch + "a", scratch + "b"])
  #expect(map.problems.map(\.file) == [fixture("corrupt.mbtiles")])
  #expect(try map.tile(at: tile(1, 0, 0)) == pictureStart)
  #expect(refusal(map, tile(1, 1, 0)).contains("is empty"))
}

@Test func anErrorThatPassesIsGivenBeforeOneThatDoesNot() throws {
  let scratch = try Scratch()
  // Empty for good, and locked for a while.
  _ = try scratch.write([], to: "a/0/0/0.png")
  let writer = try Writer(scratch + "b.mbtiles")
  try writer.run(
    "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, "
      + "tile_data BLOB); INSERT INTO tiles VALUES (0, 0, 0, x'89504e470d0a1a0a')")
  for paths in [["a", "b.mbtiles"], ["b.mbtiles", "a"]] {
    let map = try stack(paths.map { scratch + $0 })
    try writer.run("BEGIN EXCLUSIVE")
    let error = thrown(TileError.self) { try map.read(.world) }
    #expect(error?.isTransient == true, "\(paths)")
    try writer.run("COMMIT")
    #expect(refusal(map, .world) == "read", "\(paths)")
  }
  // Neither opens: one is damaged, the other's medium may come back.
  for paths in [["/nowhere/a.mbtiles", fixture("corrupt.mbtiles")]] {
    for paths in [paths, paths.reversed()] {
      let error = thrown(SourceError.self) { try stack(paths) }
      #expect(error?.isTransient == true && error?.file == "/nowhere/a.mbtiles")
    }
  }
}

@Test func withoutAnyGoodPackTheFirstOnesErrorIsGiven() {
  for (paths, reason) in [
    ([fixture("corrupt.mbtiles"), fixture("invalid.mbtiles")], "is damaged"),
    ([], "paths is empty"),
  ] as [([String], String)] {
    let error = thrown(SourceError.self) { try stack(paths) }
    #expect(error?.reason.contains(reason) == true)
  }
}

@Test func packsTogetherSayWhatTheySayApart() throws {
  let map = try stack([fixture("byte_png.pmtiles"), fixture("world_l1.mbtiles")])
  #expect((map.info.minZoom, map.info.maxZoom) == (0, 11))
  #expect(map.info.bounds == GeoBounds(west: -180, south: -85, east: 180, north: 85))
  #expect(map.info.format == nil && map.info.centerZoom == 9)
  #expect(try map.nearestAncestor(of: tile(12, 708, 1637)) == tile(11, 354, 818))
  #expect(try map.nearestAncestor(of: tile(12, 0, 0)) == tile(1, 0, 0))
}

@Test(arguments: [
  ([170.0, -10, 175, 0], [-175.0, -5, -170, 5], [170.0, -10, -170, 5]),
  ([5.0, 0, 6, 1], [7.0, 2, 8, 3], [5.0, 0, 8, 3]),
  ([170.0, 0, -170, 1], [175.0, 0, 176, 1], [170.0, 0, -170, 1]),
  ([-180.0, -85, 180, 85], [5.0, 0, 6, 1], [-180.0, -85, 180, 85]),
])
func theBoxAroundTwoPacksGoesTheShorterWayRound(one: [Double], two: [Double], both: [Double]) throws
{
  let scratch = try Scratch()
  var paths: [String] = []
  for (name, box) in [("a", one), ("b", two)] {
    let writer = try Writer(scratch + name)
    try writer.run(
      "CREATE TABLE metadata (name, value); CREATE TABLE tiles (zoom_level, tile_column, tile_row, "
        + "tile_data); INSERT INTO metadata VALUES ('bounds', "
        + "'\(box.map { "\($0)" }.joined(separator: ","))')")
    writer.close()
    paths.append(scratch + name)
  }
  #expect(try stack(paths).info.bounds?.array == both)
  #expect(try stack(paths.reversed()).info.bounds?.array == both)
}
