import Platform
import Testing

@testable import Control

@Suite struct JSONTests {
  @Test(arguments: [
    ("null", "null"), ("true", "true"), (" [ 1 , 2.50 ] ", "[1,2.5]"), ("3.0", "3"), ("-0", "0"),
    ("46.5", "46.5"), ("0.1", "0.1"), ("1e2", "100"), ("1E-7", "1e-07"),
    ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"),
    ("9223372036854775808", "9.223372036854776e+18"),
    ("123456789012345678901234567890", "1.2345678901234568e+29"),
    (#"{"b":1,"a":{"c":[]}}"#, #"{"b":1,"a":{"c":[]}}"#),
    (#""é\u00e9\ud83d\ude00\n\/\"\\\u0001""#, "\"éé😀\\n/\\\"\\\\\\u0001\""),
    (#""a\u0000b""#, #""a\u0000b""#), ("{}", "{}"), ("\"\u{7f}\"", "\"\u{7f}\""),
  ])
  func textIsReadAndWrittenBack(_ sent: String, _ written: String) throws {
    #expect(try JSON.parse(sent).text == written)
  }

  @Test(arguments: [
    "", " ", "nul", "{", "[1,]", "{\"a\":1,}", "{a:1}", "01", "+1", ".5", "1.", "NaN", "Infinity",
    "-Infinity", "1e999", "\"\u{1}\"", "\"\\ud800\"", "\"\\x\"", "{} {}", "[1] 2", "'a'",
    #"{"a":1,"a":2}"#, #"{"\u0000":1}"#, "// comment\n1",
  ])
  func whatIsNotJSONIsRefused(_ text: String) {
    #expect(throws: JSONError.self) { try JSON.parse(text) }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xE2, 0x82, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0x80, 0x22], [0xEF, 0xBB, 0xBF, 0x31],
    ] as [[UInt8]])
  func textThatIsNotUTF8IsRefused(_ bytes: [UInt8]) {
    #expect(throws: JSONError.self) { try JSON.parse(bytes) }
  }

  @Test func nestingIsLimited() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try JSON.parse(nested(64)).text == nested(64))
    #expect(throws: JSONError.self) { try JSON.parse(nested(65)) }
    #expect(throws: JSONError.self) { try JSON.parse(nested(30_000)) }
    #expect(throws: JSONError.self) {
      try JSON.parse(String(repeating: "{\"a\":", count: 10_000))
    }
  }

  @Test func numbersThatAreNoneAreWrittenAsNull() {
    #expect(
      JSON.array([.double(.nan), .double(.infinity), .double(-.infinity)]).text
        == "[null,null,null]")
  }

  @Test func everyDoubleComesBackAsItWas() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(try JSON.parse(JSON.double(value).text).double == value)
    }
  }

  @Test func randomBytesNeverTrap() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("{}[]\",:0123456789.eE+-truefalsn\\u \u{1}é".utf8) + [0xFF, 0x80, 0x00]
    for _ in 0..<4000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        alphabet.randomElement(using: &random)!
      }
      if let value = try? JSON.parse(bytes) {
        #expect((try? JSON.parse(value.text)) == value)
      }
    }
  }

  @Test func numbersAreEqualByValueAndObjectsWithoutOrder() throws {
    #expect(JSON.int(3) == JSON.double(3))
    #expect(JSON.int(3) != JSON.double(3.5))
    #expect(try JSON.parse(#"{"a":1,"b":[2]}"#) == JSON.parse(#"{"b":[2.0],"a":1}"#))
    #expect(try JSON.parse(#"{"a":1}"#) != JSON.parse(#"{"a":1,"b":null}"#))
  }

  /// RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func base64IsTheStandards(_ plain: String, _ coded: String) {
    #expect(Base64.encode(Array(plain.utf8)) == coded)
    #expect(Base64.decode(coded) == Array(plain.utf8))
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zm9v\n", "Zm=v", "Zg==Zg==", "Z*9v",
  ])
  func badBase64IsRefused(_ text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func allBytesSurviveBase64() {
    for length in 0..<200 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }
}
