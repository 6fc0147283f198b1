import Testing

@testable import Images

@Suite struct ImageFormatTests {
  @Test(arguments: [
    ("git-lfs-pointer.png", "git lfs pull"), ("valid-007.mvt", "a vector tile (MVT)"),
    ("README.md", "plain text"), ("xs1n0g01.png", "neither PNG, JPEG nor WebP"),
    ("derived-animation.webp", "an animation"),
  ])
  func refusalSaysWhatTheBytesAre(name: String, part: String) throws {
    let file = try TestFile.fixture(name)
    // Swift 6.0's `#expect(throws:)` does not return the error.
    #expect {
      try file.withUnsafeBytes { _ = try TileDecoder().probe($0) }
    } throws: {
      ($0 as? ImageError)?.reason.contains(part) == true
    }
  }
}
