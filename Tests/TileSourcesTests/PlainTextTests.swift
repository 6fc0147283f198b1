import Testing
import TileSources

@Test(arguments: [
  ("plain", "plain"), ("", ""), ("  a \n\t b  ", "a b"),
  (
    "<a href=\"https://x/?a>b\" title='>'>OpenStreetMap</a> contributors",
    "OpenStreetMap contributors"
  ),
  ("&copy; A &amp; B&nbsp;C &lt;d&gt; &#169;&#xA9; &#X2022;", "© A & B C <d> ©© •"),
  ("one<br/>two<p>three</p>four", "one two three four"), ("Wai<b>ka</b>to", "Waikato"),
  ("a<script>alert('x')</script>b<style>p{}</style>c<!-- <b> -->d", "abcd"),
  ("a<script>never closed", "a"), ("a<b never closed", "a"), ("a <!-- never closed", "a"),
  ("1 < 2 & 3 > 2", "1 < 2 & 3 > 2"),
  ("&unknown; &#xD800; &#99999999; &; &#;", "&unknown; \u{fffd} \u{fffd} &; &#;"),
  ("<p it's>Tom's</p>", "Tom's"), ("a\u{0}b\u{1b}[2Jc\u{202e}d\u{200b}e", "ab[2Jcde"),
])
func textForTheScreenHasNoMarkup(html: String, text: String) {
  #expect(PlainText.stripping(html: html) == text)
}

@Test func longTextIsCut() {
  let long = String(repeating: "é", count: 1_000)
  #expect(PlainText.stripping(html: long, limit: 10) == String(repeating: "é", count: 9) + "…")
  #expect(PlainText.stripping(html: String(long.prefix(10)), limit: 10).count == 10)
}

@Test func markupWithoutEndIsReadOnce() {
  for piece in ["<", "<a", "&", "&#", "<!--", "<script>", "\"<b '"] {
    let text = PlainText.stripping(html: String(repeating: piece, count: 20_000))
    #expect(text.count <= 300)
  }
}
