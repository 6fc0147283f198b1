import Foundation
import MapGeometry
import Testing
import TileSources

private func folder(_ scratch: Scratch, scale: Int = 1) throws -> any TileSource {
  try SourceSpec(name: "f", location: .path(scratch.path)).open(scale: scale)
}

@Test func levelsAreTheFoldersNamedAfterThem() throws {
  let scratch = try Scratch()
  for name in ["3/0/0.png", "11/0/0.png", "25/0/0.png", "07/0/0.png", "-1/0/0.png", "x/0/0.png"] {
    _ = try scratch.write(pictureStart, to: name)
  }
  let info = try folder(scratch).info
  #expect((info.minZoom, info.maxZoom, info.kind) == (3, 11, "directory"))
  #expect(info.format == "png" && info.bounds == nil)
}

@Test(arguments: ["png", "jpg", "jpeg", "webp", "PNG", "JPG", "Jpeg", "WEBP"])
func everyEndingIsFoundAndNoneIsBelieved(ending: String) throws {
  let scratch = try Scratch()
  _ = try scratch.write(pictureStart, to: "2/1/3.\(ending)")
  let map = try folder(scratch)
  #expect(try map.tile(at: tile(2, 1, 3)) == pictureStart)
  #expect(try map.contains(tile(2, 1, 3)) && !map.contains(tile(2, 3, 1)))
  #expect(map.info.format == "png")
}

@Test func aFolderOfSeveralEndingsServesThemAll() throws {
  let scratch = try Scratch()
  _ = try scratch.write(pictureStart + [1], to: "2/0/0.png")
  _ = try scratch.write(pictureStart + [2], to: "2/0/1.webp")
  _ = try scratch.write(pictureStart + [3], to: "2/0/2@2x.jpg")
  let map = try folder(scratch)
  for _ in 0..<2 {
    for row in 0..<3 {
      #expect(try map.tile(at: tile(2, 0, row)) == pictureStart + [UInt8(row + 1)])
    }
  }
}

@Test func aDisplayOfScale2GetsThe2xTileWhereThereIsOne() throws {
  let scratch = try Scratch()
  _ = try scratch.write(pictureStart + [1], to: "1/0/0.png")
  _ = try scratch.write(pictureStart + [2], to: "1/0/0@2x.png")
  _ = try scratch.write(pictureStart + [3], to: "1/0/1.jpg")
  for _ in 0..<2 {
    #expect(try folder(scratch, scale: 2).tile(at: tile(1, 0, 0)) == pictureStart + [2])
    #expect(try folder(scratch, scale: 1).tile(at: tile(1, 0, 0)) == pictureStart + [1])
  }
  let map = try folder(scratch, scale: 2)
  #expect(try map.tile(at: tile(1, 0, 1)) == pictureStart + [3])
  #expect(try map.tile(at: tile(1, 0, 0)) == pictureStart + [2])
}

@Test func rowsOfAFolderTurnAroundWithTheScheme() throws {
  let scratch = try Scratch()
  _ = try scratch.write(pictureStart, to: "2/1/3.png")
  #expect(try source(scratch.path, scheme: .tms).tile(at: tile(2, 1, 0)) == pictureStart)
  #expect(try source(scratch.path, scheme: .tms).tile(at: tile(2, 1, 3)) == nil)
}

@Test func aMissingTileIsNoneAndABrokenOneAnError() throws {
  let scratch = try Scratch()
  _ = try scratch.write(pictureStart, to: "2/0/0.png")
  _ = try scratch.write([], to: "2/0/1.png")
  _ = try scratch.write([], to: "2/0/2.png/inside")
  let large = try scratch.write([], to: "2/0/3.png")
  truncate(large, (16 << 20) + 1)
  let map = try folder(scratch)
  #expect(try map.tile(at: tile(2, 1, 0)) == nil)
  #expect(try map.tile(at: tile(5, 0, 0)) == nil)
  #expect(refusal(map, tile(2, 0, 1)).contains("1.png is empty: 0 bytes"))
  #expect(refusal(map, tile(2, 0, 2)).contains("2.png is not a regular file"))
  #expect(refusal(map, tile(2, 0, 3)).contains("3.png has 16777217 bytes: at most 16777216"))
}

@Test func aFIFOInATilesPlaceDoesNotHoldUpTheMap() throws {
  let scratch = try Scratch()
  _ = try scratch.write(pictureStart, to: "1/0/0.png")
  #expect(mkfifo(scratch + "1/0/1.png", 0o644) == 0)
  #expect(refusal(try folder(scratch), tile(1, 0, 1)).contains("is not a regular file"))
}

@Test func aMediumThatIsGoneIsAnErrorAndNotAnEmptyMap() throws {
  let scratch = try Scratch()
  _ = try scratch.write(pictureStart, to: "map/1/0/0.png")
  let packs: [any TileSource] = [
    try source(scratch + "map"),
    try SourceSpec(name: "t", location: .url(scratch + "map/{z}/{x}/{y}.png")).open(),
  ]
  for map in packs { #expect(try map.tile(at: tile(1, 1, 1)) == nil) }
  try FileManager.default.moveItem(atPath: scratch + "map", toPath: scratch + "gone")
  for map in packs {
    #expect(refusal(map, tile(1, 0, 0)).contains("has its medium been removed?"))
    #expect(refusal(map, tile(1, 1, 1)).contains("has its medium been removed?"))
    #expect(throws: TileError.self) { try map.contains(tile(1, 0, 0)) }
  }
}

@Test func aFolderWithoutLevelsIsRefused() throws {
  let scratch = try Scratch()
  _ = try scratch.write(pictureStart, to: "Tile-1-0-0.png")
  #expect(refusal(scratch.path).contains("no folder named after a zoom level"))
  #expect(refusal(scratch + "nowhere").contains("No such file or directory"))
}

@Test func gitLFSPointersAreTileErrorsThatSayWhatToDo() throws {
  let map = try source(fixture("lfs-folder"))
  #expect(map.info.format == nil)
  #expect(refusal(map, tile(5, 16, 10)).contains("git lfs pull"))
}

@Test func aSparseFolderServesWhatItHas() throws {
  let map = try source(fixture("sparse-folder"))
  #expect((map.info.minZoom, map.info.maxZoom, map.info.tilePixels) == (0, 2, 256))
  #expect(try map.tile(at: tile(2, 2, 1)) != nil)
  #expect(try map.tile(at: tile(2, 0, 0)) == nil)
  #expect(try map.nearestAncestor(of: tile(4, 8, 6)) == tile(2, 2, 1))
  #expect(try map.nearestAncestor(of: tile(2, 0, 0)) == tile(1, 0, 0))
  #expect(try map.nearestAncestor(of: tile(2, 0, 3)) == .world)
  #expect(try map.nearestAncestor(of: .world) == nil)
}
