import Foundation
import MapGeometry
import Platform
import TestSupport
import Testing
import TileSources

/// What a confined source at `location` gives for the tile of the world.
private func answer(
  _ location: SourceSpec.Location, _ root: String, subdomains: [String] = []
) -> String {
  var spec = SourceSpec(name: "s", location: location)
  spec.trust = .beneath([root])
  spec.subdomains = subdomains
  do {
    return refusal(try spec.open(), .world)
  } catch {
    return "\(error)"
  }
}

@Suite(.enabled(if: PathTrust.isEnforced, "this kernel has no openat2"))
struct TrustTests {
  private func world(_ scratch: Scratch, _ name: String) throws -> String {
    let path = scratch + name
    let writer = try Writer(path)
    defer { writer.close() }
    try writer.run(
      "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, "
        + "tile_data BLOB); INSERT INTO tiles VALUES (0, 0, 0, x'89504e470d0a1a0a')")
    return path
  }

  /// An archive of one tile.
  private var archive: [UInt8] {
    Archive(
      root: Archive.directory([.init(id: 0, length: UInt64(pictureStart.count), offset: 1)]),
      tiles: pictureStart
    ).bytes
  }

  @Test func packsAndFoldersBelowTheirRootAreOpened() throws {
    let scratch = try Scratch()
    _ = try scratch.write(pictureStart, to: "root/map/0/0/0.png")
    _ = try world(scratch, "root/a.mbtiles")
    _ = try scratch.write(archive, to: "root/a.pmtiles")
    let root = scratch + "root"
    for name in ["map", "a.mbtiles", "a.pmtiles"] {
      #expect(answer(.path("\(root)/\(name)"), root) == "read", "\(name)")
    }
    #expect(answer(.url("file://\(root)/map/{z}/{x}/{y}.png"), root) == "read")
  }

  @Test func aTemplateThatIsFilledToLeadOutOfItsRootIsRefused() throws {
    let scratch = try Scratch()
    _ = try scratch.write(pictureStart, to: "secret/0/0/0.png")
    _ = try scratch.write(pictureStart, to: "root/x/0/0/0.png")
    let root = scratch + "root"
    let text = answer(
      .url("file://\(root)/.{s}/secret/{z}/{x}/{y}.png"), root, subdomains: ["."])
    #expect(text.contains("leads out of"), "\(text)")
  }

  @Test func aLinkOutOfTheRootIsRefusedAtEveryOpening() throws {
    let scratch = try Scratch()
    _ = try scratch.write(pictureStart, to: "root/map/0/0/0.png")
    _ = try scratch.write(pictureStart + [1], to: "secret/0/0/0.png")
    _ = try world(scratch, "secret/a.mbtiles")
    _ = try scratch.write(archive, to: "secret/a.pmtiles")
    let root = scratch + "root"
    var spec = SourceSpec(name: "s", location: .path("\(root)/map"))
    spec.trust = .beneath([root])
    let map = try spec.open()
    #expect(refusal(map, .world) == "read")
    try FileManager.default.removeItem(atPath: "\(root)/map")
    symlink("../secret", "\(root)/map")
    #expect(refusal(map, .world).contains("leads out of"))
    for name in ["map", "map/a.mbtiles", "map/a.pmtiles"] {
      #expect(answer(.path("\(root)/\(name)"), root).contains("leads out of"), "\(name)")
    }
  }

  @Test func aPackSwappedForALinkIsNotReadAnyMore() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch + "root", withIntermediateDirectories: true)
    let pack = try world(scratch, "root/a.mbtiles")
    let secret = try world(scratch, "secret.mbtiles")
    var spec = SourceSpec(name: "s", location: .path(pack))
    spec.trust = .beneath([scratch + "root"])
    let map = try spec.open()
    #expect(refusal(map, .world) == "read")
    try FileManager.default.removeItem(atPath: pack)
    symlink(secret, pack)
    let text = refusal(map, .world)
    #expect(text != "read" && text != "none", "\(text)")
    // What the configuration names may be a link.
    #expect(refusal(try source(pack), .world) == "read")
  }

  @Test func aLinkThatStaysBelowTheRootIsFollowed() throws {
    let scratch = try Scratch()
    _ = try scratch.write(pictureStart, to: "root/real/0/0/0.png")
    let root = scratch + "root"
    symlink("real", "\(root)/map")
    #expect(answer(.path("\(root)/map"), root) == "read")
  }
}
