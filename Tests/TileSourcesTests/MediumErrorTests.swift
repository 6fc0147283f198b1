import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import TileSources

/// A card that is pulled and put back has the same files, and what was open before fails for ever.
@Suite struct MediumErrorTests {
  /// Makes every read of the open file at `path` fail with EIO: its descriptors become those of
  /// memory at whose low addresses nothing is mapped (proc(5), /proc/pid/mem). Gives their number.
  private func pull(_ path: String) throws -> Int {
    let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
    try #require(memory >= 0)
    defer { close(memory) }
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/" + name)
      guard target == file, let descriptor = Int32(name) else { continue }
      #expect(dup2(memory, descriptor) == descriptor)
      count += 1
    }
    return count
  }

  private static let kinds = ["mbtiles", "pmtiles"]

  @Test(arguments: kinds)
  func aPackIsOpenedAgainAfterItsMediumFailed(_ kind: String) throws {
    let scratch = try Scratch()
    let path = scratch + "a.\(kind)"
    if kind == "mbtiles" {
      try TilePacks.writeMBTiles([(.world, pictureStart)], to: path)
    } else {
      try TilePacks.writePMTiles([(.world, pictureStart)], to: path)
    }
    let map = try source(path)
    #expect(try map.tile(at: .world) == pictureStart)
    #expect(try pull(path) > 0)
    let error = thrown(TileError.self) { try map.read(.world) }
    #expect(error?.isTransient == true, "\(String(describing: error))")
    #expect(error?.reason.hasPrefix("cannot be read") == true)
    #expect(error?.reason.hasSuffix(": Input/output error") == true)
    #expect(!map.isReplaced)
    #expect(try map.tile(at: .world) == pictureStart)
  }

  @Test func anotherFileIsNotReadInItsPlace() throws {
    let scratch = try Scratch()
    let path = scratch + "a.pmtiles"
    try TilePacks.writePMTiles([(.world, pictureStart)], to: path)
    try TilePacks.writePMTiles([(.world, pictureStart + [1])], to: scratch + "b.pmtiles")
    let map = try source(path)
    #expect(try pull(path) > 0)
    #expect(thrown(TileError.self) { try map.read(.world) } != nil)
    #expect(rename(scratch + "b.pmtiles", path) == 0)
    #expect(thrown(TileError.self) { try map.read(.world) }?.isTransient == true)
    #expect(map.isReplaced)
  }
}
