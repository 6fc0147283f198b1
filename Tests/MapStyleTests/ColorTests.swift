import Testing

@testable import MapStyle

@Suite struct ColorTests {
  @Test(
    arguments: [
      ("#f00", 0xffff_0000), ("#F00A", 0xaaff_0000), ("#00ff00", 0xff00_ff00),
      ("#0000ff80", 0x8000_00ff), ("red", 0xffff_0000), ("RebeccaPurple", 0xff66_3399),
      ("transparent", 0), ("rgb(255, 0, 0)", 0xffff_0000), ("rgba(255,0,0,0.5)", 0x80ff_0000),
      ("rgb(100%, 0%, 50%)", 0xffff_0080), ("rgb(0 128 255 / 50%)", 0x8000_80ff),
      ("rgba(0 128 255)", 0xff00_80ff), ("hsl(120, 100%, 50%)", 0xff00_ff00),
      ("hsla(-120, 100%, 50%, 1)", 0xff00_00ff), ("hsl(480deg 100% 50%)", 0xff00_ff00),
      ("  hsl(0, 0%, 100%)  ", 0xffff_ffff), ("rgb(300, -5, 0)", 0xffff_0000),
      ("hsl(47, 26%, 88%)", 0xffe8_e5d8),
    ] as [(String, UInt32)])
  func cssFormsAreRead(text: String, word: UInt32) {
    #expect(StyleColor(css: text)?.word() == word)
  }

  @Test(arguments: [
    "", "#", "#12", "#12345", "#ggg", "reddish", "rgb()", "rgb(1, 2)", "rgb(1, 2, 3, 4, 5)",
    "rgb(1, 2%, 3)", "rgb(1 2, 3)", "hsl(1, 2, 3)", "hsl(10%, 2%, 3%)", "rgb(nan, 0, 0)",
    "rgb(1e999, 0, 0)", "rgb(1, 2, 3", "lab(1, 2, 3)", "#é", "rgb(1 2 3 / 4 / 5)", "(",
  ])
  func otherTextIsNoColor(text: String) {
    #expect(StyleColor(css: text) == nil)
  }

  @Test func thereAre148Names() {
    #expect(ColorNames.all.count == 148)
    #expect(ColorNames.all["grey"] == ColorNames.all["gray"])
  }
}
