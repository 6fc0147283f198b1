import Configuration
import TestSupport
import Testing
import TileSources

@testable import Daemon

/// What `--check-config` says of sources.
@Suite struct ConfigCheckTests {
  @Test func theTilesOfASlowSourceAreExaminedForALimitedTime() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    try TilePacks.writeMBTiles(TilePacks.tiles(of: TestData.fixtures + "/tiles/osm"), to: path)
    let spec = SourceSpec(name: "slow", location: .path(path))
    let patient = ConfigCheck(files: []).check(spec, Configuration())
    #expect(!patient.contains { $0.1.contains("examined") })
    let impatient = ConfigCheck(files: [], patience: 0).check(spec, Configuration())
    #expect(impatient.count == 1)
    #expect(impatient[0].0 == .warning)
    #expect(impatient[0].1.contains("of its tiles were examined in 0 s"))
  }
}
