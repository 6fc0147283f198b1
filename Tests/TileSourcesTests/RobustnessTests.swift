import MapGeometry
import TestSupport
import Testing
import TileSources

private let packs = [
  "byte_png.pmtiles", "byte_webp.pmtiles", "poly.pmtiles", "run_length_max.pmtiles",
  "test_fixture_1.pmtiles", "unclustered.pmtiles", "byte.mbtiles", "empty.mbtiles",
  "point_polygon.mbtiles", "webp-no-primary.mbtiles", "invalid-tile-idx.mbtiles",
  "world_l1.mbtiles",
]

/// Tiles that some fixture holds, and corners.
private let asked: [TileID] =
  [
    .world, tile(1, 0, 0), tile(1, 1, 0), tile(1, 0, 1), tile(1, 1, 1), tile(2, 2, 1),
    tile(3, 4, 2),
    tile(4, 8, 5), tile(5, 16, 11), tile(6, 10, 0), tile(9, 88, 204), tile(10, 177, 409),
    tile(11, 354, 818), tile(16, 65535, 65535), tile(24, 0, 0), tile(24, (1 << 24) - 1, 0),
  ]

/// Opens the pack that `bytes` are and reads from it. Whatever they are, it comes back.
///
/// - Returns: how many answers were pictures, none, or errors.
private func exercise(_ bytes: [UInt8], in scratch: Scratch, _ name: String) throws -> [Int] {
  var counts = [0, 0, 0]
  let path = try scratch.write(bytes, to: name)
  do throws(SourceError) {
    let map = try source(path)
    for id in asked {
      do throws(TileError) {
        counts[try map.tile(at: id) == nil ? 1 : 0] += 1
        _ = try map.contains(id)
      } catch {
        #expect(error.file == path && !error.reason.isEmpty)
        counts[2] += 1
      }
    }
  } catch {
    #expect(error.file == path && !error.reason.isEmpty)
    counts[2] += asked.count
  }
  return counts
}

@Test(arguments: packs)
func aPackCutOffAnywhereGivesErrorsAndNeverATrap(name: String) throws {
  let whole = try bytes(of: fixture(name))
  let scratch = try Scratch()
  let step = max(1, whole.count / Emulation.rounds(150))
  var answers = 0
  for count in Array(stride(from: 0, to: min(whole.count, 160), by: Emulation.isOn ? 8 : 1))
    + Array(stride(from: 160, to: whole.count, by: step))
  {
    let counts = try exercise(Array(whole[..<count]), in: scratch, name)
    answers += counts.reduce(0, +)
    #expect(counts.reduce(0, +) == asked.count)
  }
  #expect(answers > 100)
  #expect(try scratch.contents().keys.sorted() == [name])
}

@Test(arguments: packs)
func aPackWithWrongBytesGivesErrorsOrDataAndNeverATrap(name: String) throws {
  let whole = try bytes(of: fixture(name))
  let scratch = try Scratch()
  var seed: UInt64 = 0x5eed
  func next(_ below: Int) -> Int {
    // Knuth's MMIX generator: the same bytes on every run.
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(seed >> 33) % below
  }
  for round in 0..<Emulation.rounds(400) {
    var damaged = whole
    // The headers and directories stand first: half of the damage goes there.
    let reach = round % 2 == 0 ? min(512, whole.count) : whole.count
    for _ in 0...next(4) { damaged[next(reach)] = UInt8(next(256)) }
    let counts = try exercise(damaged, in: scratch, name)
    #expect(counts.reduce(0, +) == asked.count)
  }
  #expect(try scratch.contents().keys.sorted() == [name])
}
