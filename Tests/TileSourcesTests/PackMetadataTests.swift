import Testing

@testable import TileSources

struct PackMetadataTests {
  private func text(_ values: [String]) -> [UInt8] {
    Array("{\"name\":\"Valley\",\"more\":[\(values.joined(separator: ","))]}".utf8)
  }

  @Test func metadataWhoseParsingTakesTooMuchMemoryAreAFault() throws {
    let hostile = text([String](repeating: "{}", count: 600_000))
    #expect(throws: PackFault.self) {
      _ = try PackMetadata.strings(ofJSON: hostile, keys: ["name"])
    }
  }

  @Test func aMebibyteOfUsualMetadataIsRead() throws {
    let usual = text([String](repeating: "\"a value of some words\"", count: 45_000))
    #expect(usual.count > 1 << 20)
    let found = try PackMetadata.strings(ofJSON: usual, keys: ["name", "other"])
    #expect(found == ["name": "Valley"])
  }
}
