import TestSupport
import Testing

/// The digests that other tests compare with; answers from FIPS 180-4's examples and RFC 1321 A.5.
@Suite struct DigestTests {
  @Test func sha256HasTheStandardsAnswers() {
    #expect(
      sha256Hex(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      sha256Hex(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  @Test func md5HasTheStandardsAnswers() {
    #expect(md5Hex([]) == "d41d8cd98f00b204e9800998ecf8427e")
    #expect(md5Hex(Array("message digest".utf8)) == "f96b697d7cb7938d525a2f31aaf161d0")
    #expect(
      md5Hex(Array(String(repeating: "1234567890", count: 8).utf8))
        == "57edf4a22be3c955ac49da2e2107b67a")
  }
}
