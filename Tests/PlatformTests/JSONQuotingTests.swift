import Platform
import Testing

@Suite struct JSONQuotingTests {
  @Test func aTextAsJSONHasQuotesAndEscapesThemAndControlCharacters() {
    #expect("".quotedAsJSON == "\"\"")
    #expect("Höhe 🏔".quotedAsJSON == #""Höhe 🏔""#)
    #expect(#"a"b\c"#.quotedAsJSON == #""a\"b\\c""#)
    #expect("\n\r\t\0\u{1f}".quotedAsJSON == #""\n\r\t\u0000\u001f""#)
  }
}
