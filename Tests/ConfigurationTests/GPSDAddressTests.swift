import Configuration
import Testing

@Suite struct GPSDAddressTests {
  static let good: [(String, [String], UInt16)] = [
    ("localhost:2947", ["::1", "127.0.0.1"], 2947),
    ("localhost", ["::1", "127.0.0.1"], 2947),
    ("127.0.0.1:3000", ["127.0.0.1"], 3000),
    ("127.1.2.3", ["127.1.2.3"], 2947),
    ("[::1]:65535", ["::1"], 65535),
    ("[::1]", ["::1"], 2947),
    ("::1", ["::1"], 2947),
  ]

  @Test(arguments: good)
  func anAddressOfThisMachineIsTaken(_ text: String, _ hosts: [String], _ port: UInt16) throws {
    let address = try #require(GPSDAddress(text))
    #expect(address.hosts == hosts)
    #expect(address.port == port)
    #expect(address.description == text)
  }

  @Test(arguments: [
    "", ":2947", "localhost:", "localhost:0", "localhost:65536", "localhost:x", "localhost:+1",
    "gps.example:2947", "192.168.1.2:2947", "0.0.0.0:2947", "[::2]:2947", "[::]:2947",
    "[127.0.0.1]:2947", "[::1", "[::1]2947", "::1:2947:", "128.0.0.1", "[fe80::1%lo]:2947",
  ])
  func whatIsNotThisMachineIsRefused(_ text: String) {
    #expect(GPSDAddress(text) == nil)
  }
}
