import Foundation
import Platform
import Testing

@testable import Configuration

private let texts = [
  ConfigurationText(file: "a.toml", directory: "/a b", bytes: Array("[view]\nzoom = 3\n".utf8)),
  ConfigurationText(file: "/c/ü.toml", directory: "/c", bytes: [0, 10, 255]),
]

@Test func theCopyComesBackAsItWasWritten() throws {
  let folder = try temporaryFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let store = ConfigurationStore(besideState: folder + "/state.json")
  #expect(store.path == folder + "/state.json.last-good-configuration")
  #expect(throws: FileError.self) { try store.load() }
  #expect(try store.save(texts))
  #expect(try store.load() == texts)
  #expect(try !store.save(texts))
  #expect(try store.save([texts[0]]))
  #expect(try store.load() == [texts[0]])
  #expect(
    try FileManager.default.contentsOfDirectory(atPath: folder) == [
      "state.json.last-good-configuration"
    ])
}

@Test func aDamagedCopyIsRefusedAtEveryByte() {
  let good = ConfigurationStore.encode(texts)
  #expect(ConfigurationStore.decode(good) == texts)
  for at in good.indices {
    var bad = good
    bad[at] ^= 0x15
    #expect(ConfigurationStore.decode(bad) == nil, "byte \(at)")
    #expect(ConfigurationStore.decode(Array(good[..<at])) == nil, "cut at \(at)")
  }
}

@Test func aDamagedCopySaysSoAndACopyWhereNoneCanBeIsAnError() throws {
  let folder = try temporaryFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let store = ConfigurationStore(path: folder + "/copy")
  try Data("rubbish".utf8).write(to: URL(fileURLWithPath: store.path))
  #expect(throws: FileError.self) { try store.load() }
  #expect(throws: FileError.self) {
    try ConfigurationStore(path: folder + "/none/copy").save(texts)
  }
}

@Test func aConfigurationFromTheCopyHasTheSamePaths() throws {
  let file = fixtures + "everything.toml"
  let first = ConfigurationLoader().load(files: [file])
  let copied = try #require(
    ConfigurationStore.decode(ConfigurationStore.encode(first.texts)))
  #expect(ConfigurationLoader().load(texts: copied).configuration == first.configuration)
}
