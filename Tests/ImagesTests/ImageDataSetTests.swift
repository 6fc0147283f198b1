import TestSupport
import Testing

@testable import Images
@testable import Pixels

/// One row a file of the large data set's tables.
@Suite(.enabled(if: TestData.large != nil, "large data set not at hand"))
struct ImageDataSetTests {
  // Not in the macro's arguments: Swift 6.0 crashes on a closure there.
  static let goodPNGSuite = TestFile.facts("pngsuite-rgba.tsv").filter { !$0[0].hasPrefix("x") }
  static let jpegs = TestFile.facts("images.tsv").filter { $0[0].hasPrefix("jpeg/") }
  static let webps = TestFile.facts("webp-expected-md5.tsv").filter { $0[1].count == 32 }

  /// Their list of pixels does not fit the samples; see Fixtures/images/README.md.
  private static let wrongInTheList = ["basi0g16", "basn0g16", "oi2n0g16", "oi4n0g16", "oi9n0g16"]
    .map { $0 + ".png" }

  @Test(arguments: Self.goodPNGSuite)
  func pngSuitePixels(row: [String]) throws {
    let file = try TestFile.bytes(TestData.large! + "/png/pngsuite/" + row[0])
    let picture = try Picture(file)
    #expect([String(picture.width), String(picture.height)] == [row[1], row[2]])
    if Self.wrongInTheList.contains(row[0]) {
      let sixteen = "5f42df4fd50dbea319bd9a4c26f7d5e37ce60f71fa35c28039abcd812609a6bc"
      #expect(sha256Hex(picture.rgba) == sixteen)
    } else {
      #expect(sha256Hex(picture.rgba) == row[3], "\(row[0])")
    }
  }

  @Test(arguments: TestFile.facts("png-peer-results.tsv"))
  func pngPeerResults(row: [String]) throws {
    let file = try TestFile.bytes(TestData.large! + "/" + row[0])
    let reason = decodeAllWays(file, decoder: TileDecoder())
    #expect((reason != nil) == (row[1] == "Expected failure"), "\(row[0]): \(reason ?? "drawn")")
  }

  @Test(arguments: Self.jpegs)
  func jpegResults(row: [String]) throws {
    let file = try TestFile.bytes(TestData.large! + "/" + row[0])
    let reason = decodeAllWays(file, decoder: TileDecoder())
    if row[4].contains("rc=0") { #expect(reason == nil, "\(row[0]): \(reason!)") }
    if row[4].contains("rc=1") || row[0].contains("truncated") {
      #expect(reason != nil, "\(row[0])")
    }
  }

  @Test(arguments: Self.webps)
  func webpPixels(row: [String]) throws {
    let file = try TestFile.bytes(TestData.large! + "/webp/libwebp-test-data/" + row[0])
    let picture = try Picture(file)
    let size = (picture.width, picture.height)
    if row[1].count == 32 {
      let header = "P6\n\(size.0) \(size.1)\n255\n"
      #expect(md5Hex(Array(header.utf8) + picture.rgb) == row[1], "\(row[0]) as PPM")
    }
    if row[2].count == 32 {
      let header =
        "P7\nWIDTH \(size.0)\nHEIGHT \(size.1)\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
      #expect(md5Hex(Array(header.utf8) + picture.rgba) == row[2], "\(row[0]) as PAM")
    }
  }

  /// The set's lossless vectors hold one picture each, coded with every combination of transforms.
  @Test(arguments: ["lossless_vec_1_", "lossless_vec_2_"])
  func webpLosslessTransformsGiveOnePicture(group: String) throws {
    let files = TestFile.all(below: TestData.large! + "/webp/libwebp-test-data")
      .filter { $0.contains(group) }
    #expect(files.count >= 8)
    let first = try Picture(TestFile.bytes(files[0]))
    for file in files { #expect(try Picture(TestFile.bytes(file)) == first, "\(file)") }
  }

  @Test func brokenAndForeignFilesAreErrors() throws {
    let large = TestData.large!
    var files = TestFile.all(below: large + "/png/pngsuite-broken")
    files += TestFile.all(below: large + "/png/pillow")
    files += TestFile.all(below: large + "/raster-dirs/git-lfs-pointers-instead-of-png")
    files += TestFile.all(below: large + "/vector/mvt-fixtures").filter { $0.hasSuffix(".mvt") }
    files.append(large + "/webp/pillow/iss634.webp")
    #expect(files.count > 21)
    for file in files {
      let reason = decodeAllWays(try TestFile.bytes(file), decoder: TileDecoder())
      #expect(reason != nil, "\(file) was drawn")
      if file.contains("git-lfs") { #expect(reason?.contains("git lfs pull") == true) }
    }
  }

  @Test(arguments: ["png", "jpeg", "webp"])
  func cutAndChangedFilesAreSurvived(folder: String) throws {
    let decoder = TileDecoder()
    var random = Seeded(state: 11)
    for path in TestFile.all(below: TestData.large! + "/" + folder) {
      let file = try TestFile.bytes(path)
      guard !file.isEmpty, file.count < 100_000 else { continue }
      let whole = decodeAllWays(file, decoder: decoder)
      for _ in 0..<3 {
        let cut = Array(file.prefix(Int.random(in: 0..<file.count, using: &random)))
        let reason = decodeAllWays(cut, decoder: decoder)
        // What is cut inside the picture is never drawn; trailing bytes may be missed.
        if cut.count < file.count / 2, folder != "jpeg" { #expect(reason != nil, "\(path)") }
        var changed = file
        for _ in 0..<4 {
          changed[Int.random(in: 0..<file.count, using: &random)] ^=
            1 << UInt8.random(in: 0..<8, using: &random)
        }
        _ = decodeAllWays(changed, decoder: decoder)
      }
      #expect(decodeAllWays(file, decoder: decoder) == whole, "\(path)")
    }
  }
}
