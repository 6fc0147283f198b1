import Testing

@testable import Kiosk

struct MediaPackTests {
  /// A letter with many accents is one character of nearly 100 bytes.
  @Test(arguments: [
    "ba" + String(repeating: "\u{301}", count: 48), String(repeating: "x", count: 150), "a",
  ])
  func everyPackHasANameOfItsOwnHoweverLongItsFileIsCalled(_ stem: String) {
    var taken: Set<String> = []
    for ending in ["pmtiles", "PMTILES", "mbtiles", "MBTILES", "Mbtiles"] {
      let pack = MediaPack(path: "/media/m/\(stem).\(ending)", root: "/media")
      let name = pack.name(taken: taken)
      #expect(!taken.contains(name) && name.utf8.count <= 100, "\(name)")
      taken.insert(name)
    }
  }
}
