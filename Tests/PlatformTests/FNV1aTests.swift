import Testing

@testable import Platform

// The test vectors of the hash's authors.
@Test(
  arguments: [
    ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
  ] as [(String, UInt64)])
func theHashIsFNV1a(_ text: String, _ value: UInt64) {
  #expect(FNV1a(text.utf8).value == value)
}

@Test func theOrderOfWhatIsHashedCounts() {
  var (ab, ba) = (FNV1a(), FNV1a())
  ab.combine(1)
  ab.combine(2)
  ba.combine(2)
  ba.combine(1)
  #expect(ab != ba)
}
