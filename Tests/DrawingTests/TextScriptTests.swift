import CBundled
import Foundation
import TestSupport
import Testing

@testable import Drawing
@testable import Pixels

@Suite struct TextScriptTests {
  /// Where each script's fonts are: fonts-noto-core and fonts-noto-cjk, else smaller packages.
  private static let files: [String: [String]] = [
    "Devanagari": [
      "truetype/noto/NotoSansDevanagari-Regular.ttf",
      "truetype/lohit-devanagari/Lohit-Devanagari.ttf",
    ],
    "Thai": ["truetype/noto/NotoSansThai-Regular.ttf", "truetype/tlwg/Garuda.ttf"],
    "Khmer": ["truetype/noto/NotoSansKhmer-Regular.ttf", "truetype/khmeros/KhmerOS.ttf"],
    "CJK": [
      "opentype/noto/NotoSansCJK-Regular.ttc", "truetype/droid/DroidSansFallbackFull.ttf",
    ],
  ]

  /// A font of that script; nil where none is installed.
  private static func font(_ script: String) -> String? {
    (files[script] ?? []).map { "/usr/share/fonts/" + $0 }.first { access($0, R_OK) == 0 }
  }

  private static let mono = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"

  /// Where the project itself makes the machine (board/cross), what a test needs is there. A test
  /// that lacks it fails then, and is skipped on any other machine.
  private static let isOurMachine = getenv("WAYPOST_DEBIAN") != nil || Emulation.isOn

  private static let canShape: Bool = {
    guard let handle = dlopen("libraqm.so.0", RTLD_LAZY) else { return false }
    dlclose(handle)
    return true
  }()

  private static let shaping = ConditionTrait.enabled(
    if: canShape || isOurMachine, "skipped: libraqm0 is not installed")
  private static let scriptFonts = ConditionTrait.enabled(
    if: files.keys.allSatisfy { font($0) != nil } || isOurMachine,
    "skipped: fonts are not installed (`make test-packages` does it)")

  private var bundled: FontSource {
    .memory(UnsafeRawBufferPointer(start: waypost_font_bytes(), count: waypost_font_size()))
  }

  /// A line's ink: columns that hold anything, and all its pixels.
  private func picture(_ text: TextRenderer, _ line: String, size: Int = 32) -> [UInt32] {
    var words = [UInt32](repeating: 0, count: 400 * 64)
    words.withUnsafeMutableBufferPointer {
      text.draw(
        line, size: size, color: 0xFFFF_FFFF, halo: nil, into: $0.baseAddress!, stride: 400,
        width: 400, height: 64, at: 8, baselineY: 44)
    }
    return words
  }

  /// Whether two pictures are the same in some columns.
  private func same(_ a: [UInt32], _ b: [UInt32], _ columns: Range<Int>) -> Bool {
    (0..<64).allSatisfy { y in columns.allSatisfy { a[y * 400 + $0] == b[y * 400 + $0] } }
  }

  @Test func everyScriptOfTheBundledFontIsDrawnWithItsOwnLetters() throws {
    let text = try TextRenderer(fonts: [bundled])
    let box = picture(text, "\u{10FFFD}")
    for line in ["Zürich", "Αθήνα", "Москва", "שלום", "سلام", "Հայաստան", "ქართული"] {
      #expect(text.measure(line, size: 32).width > 20)
      let isDrawn = picture(text, line) != box
      #expect(isDrawn, "\(line)")
      for scalar in line.unicodeScalars { #expect(text.glyph(of: scalar.value).index != 0) }
    }
  }

  @Test(shaping) func arabicLettersJoin() throws {
    try #require(Self.canShape)
    let text = try TextRenderer(fonts: [bundled])
    // Four letters by themselves are wider than the word that they make.
    let word = text.measure("سلام", size: 32).width
    let apart = "سلام".unicodeScalars.map { text.measure(String($0), size: 32).width }
      .reduce(0, +)
    #expect(word < apart)
    #expect(word > apart / 3)
  }

  @Test(shaping) func allNumbersOfALineAreInOneFont() throws {
    try #require(Self.canShape)
    // A font of a script often has digits of its own, which are wider or heavier.
    let noto = UnsafeRawBufferPointer(
      start: waypost_noto_regular_bytes(), count: waypost_noto_regular_size())
    let text = try TextRenderer(fonts: [.memory(noto), bundled])
    let (one, two) = (text.glyph(of: 0x31), text.glyph(of: 0x32))
    var fonts: [Int] = []
    _ = text.forEachShaped("1 س 2 أب 21%", 32, .regular) { font, glyph, _, _ in
      if glyph == one.index || glyph == two.index { fonts.append(font) }
    }
    #expect(one.font == two.font)
    #expect(fonts == [one.font, one.font, one.font, one.font])
  }

  @Test(shaping) func hebrewRunsFromRightToLeft() throws {
    try #require(Self.canShape)
    let text = try TextRenderer(fonts: [bundled])
    // Alef then shin: shin, the second, stands at the left.
    let pair = picture(text, "אש")
    let shin = picture(text, "ש")
    let width = text.measure("ש", size: 32).width
    #expect(same(pair, shin, 8..<8 + width - 2))
  }

  @Test(shaping) func aLineOfTwoDirectionsKeepsEachOnesOrder() throws {
    try #require(Self.canShape)
    let text = try TextRenderer(fonts: [bundled])
    // Latin first: the line begins with it, and its letters are where they always are.
    let plain = picture(text, "Tel ")
    let mixed = picture(text, "Tel אביב")
    let width = text.measure("Tel", size: 32).width
    #expect(same(mixed, plain, 8..<8 + width))
    // Numbers within a line that runs backwards run forwards: 12, not 21.
    let number = picture(text, "אב 12")
    let twelve = picture(text, "12")
    let end = text.measure("12", size: 32).width
    #expect(same(number, twelve, 8..<8 + end - 1))
  }

  @Test(shaping) func marksStandOnTheirLetters() throws {
    try #require(Self.canShape)
    let text = try TextRenderer(fonts: [bundled])
    #expect(text.measure("e\u{301}", size: 32).width == text.measure("é", size: 32).width)
    // The letters between are set with fractions of a pixel.
    let difference =
      text.measure("Zu\u{308}rich", size: 32).width - text.measure("Zürich", size: 32).width
    #expect(abs(difference) <= 2)
  }

  static let samples: [(script: String, line: String)] = [
    ("Devanagari", "काठमाडौं"), ("Thai", "กรุงเทพ"), ("Khmer", "ភ្នំពេញ"), ("CJK", "富士山"),
  ]

  @Test(scriptFonts, arguments: samples)
  func aFontOfTheListDrawsWhatTheBundledOneLacks(_ script: String, _ line: String) throws {
    let file = try #require(Self.font(script))
    let plain = try TextRenderer(fonts: [bundled])
    let text = try TextRenderer(fonts: [bundled, .file(FontFile(file))])
    #expect(text.problems.isEmpty)
    let isAnother = picture(text, line) != picture(plain, line)
    #expect(isAnother)
    let isWhole = line.unicodeScalars.allSatisfy { text.glyph(of: $0.value).index != 0 }
    #expect(isWhole)
    // Latin stays as it was.
    let isSame = picture(text, "Zermatt") == picture(plain, "Zermatt")
    #expect(isSame)
  }

  @Test(shaping, scriptFonts) func devanagariIsSetInSyllables() throws {
    try #require(Self.canShape)
    let file = try #require(Self.font("Devanagari"))
    let text = try TextRenderer(fonts: [bundled, .file(FontFile(file))])
    // The vowel sign i is written behind its consonant and drawn before it.
    let syllable = picture(text, "कि")
    let consonant = picture(text, "क")
    let width = text.measure("क", size: 32).width
    #expect(!same(syllable, consonant, 8..<8 + width))
  }

  @Test(
    .enabled(
      if: access(mono, R_OK) == 0 || isOurMachine, "skipped: DejaVu Sans Mono is not installed"))
  func theFirstFontThatHasACharacterDrawsIt() throws {
    let both = try TextRenderer(fonts: [.file(FontFile(Self.mono)), bundled])
    let alone = try TextRenderer(fonts: [.file(FontFile(Self.mono))])
    let isDrawn = picture(both, "iiWW") == picture(alone, "iiWW")
    #expect(isDrawn)
    #expect(both.measure("ii", size: 20).width == both.measure("WW", size: 20).width)
  }

  @Test func aFontThatIsNotThereIsToldAndLeftOut() throws {
    let folder = try TemporaryFolder()
    try folder.write("this is no font", to: "broken.ttf")
    let text = try TextRenderer(fonts: [
      .file(FontFile(folder["none.ttf"])), .file(FontFile(folder["broken.ttf"])),
      .file(FontFile("/")), bundled,
    ])
    let plain = try TextRenderer(fonts: [bundled])
    let isSame = picture(text, "Zürich") == picture(plain, "Zürich")
    #expect(isSame)
    #expect(text.measure("Zürich", size: 15) == plain.measure("Zürich", size: 15))
    let problems = text.problems
    #expect(problems.map(\.path) == [folder["none.ttf"], folder["broken.ttf"], "/"])
    #expect(problems[0].reason.hasPrefix("the font cannot be read: "))
    #expect(problems[0].reason.hasSuffix("No such file or directory"))
    #expect(problems[1].reason.hasPrefix("the font is not one that FreeType reads"))
  }

  @Test func aFIFOForAFontHoldsNobodyUp() throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder["fifo.ttf"], 0o600) == 0)
    let text = try TextRenderer(fonts: [.file(FontFile(folder["fifo.ttf"])), bundled])
    #expect(text.measure("a", size: 15).width > 0)
    #expect(
      text.problems.map(\.reason) == [
        "the font cannot be read: not a file; a regular file is needed"
      ])
  }

  @Test func aFontFileIsReadWholeWhereThereIsRoomForIt() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(String(repeating: "x", count: 5000), to: "font.ttf")
    let fits = FontFile(path, room: 5000)
    #expect(fits.byteCount == 5000 && fits.reason == nil)
    let tooLarge = FontFile(path, room: 4999)
    #expect(tooLarge.byteCount == 0)
    #expect(tooLarge.reason?.hasPrefix("has 4.9 KiB; there is room for 4.9 KiB of it") == true)
    let all = FontFile.all(Array(repeating: path, count: TextRenderer.maxFonts))
    #expect(all.map(\.byteCount) == Array(repeating: 5000, count: TextRenderer.maxFonts - 2))
    // A file that pretends to be huge is not even tried.
    #expect(truncate(path, off_t(1) << 40) == 0)
    let huge = FontFile(path)
    #expect(huge.byteCount == 0 && huge.reason?.hasPrefix("has 1 TiB; ") == true)
  }

  @Test func withoutAnyFontNothingIsDrawnAndNothingFails() throws {
    let text = try TextRenderer(fonts: [])
    #expect(text.measure("Zürich سلام", size: 20).width == 0)
    let isEmpty = picture(text, "Zürich سلام").allSatisfy { $0 == 0 }
    #expect(isEmpty)
  }

  @Test func noStringIsAnError() throws {
    let text = try TextRenderer(fonts: [bundled])
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var line = ""
      for _ in 0..<40 {
        let value = UInt32.random(in: 1...0x1_2FFF, using: &numbers)
        if let scalar = Unicode.Scalar(value) { line.unicodeScalars.append(scalar) }
      }
      #expect(text.measure(line, size: 16).width >= 0)
      _ = picture(text, line, size: 16)
    }
    _ = picture(text, String(repeating: "\u{200F}م\u{301}", count: 3000))
  }

  @Test func boldLettersAreWiderAndDarker() throws {
    let text = try TextRenderer(fonts: [bundled])
    let regular = text.measure("You are here", size: 20)
    let bold = text.measure("You are here", size: 20, weight: .bold)
    #expect(bold.width > regular.width)
    #expect(bold.width < regular.width * 5 / 4)
    #expect(bold.ascent == regular.ascent)
  }

  // MARK: Lines

  @Test func linesAreBrokenWhereTheyMustBe() throws {
    let text = try TextRenderer(fonts: [bundled])
    let words = "The way to the hut takes two hours"
    let lines = text.wrap(words, size: 16, width: 120, maxLines: 9)
    #expect(lines.count > 2)
    #expect(lines.joined(separator: " ") == words)
    for line in lines { #expect(text.measure(line, size: 16).width <= 120) }
    #expect(text.wrap("a\nb", size: 16, width: 120, maxLines: 9) == ["a", "b"])
    #expect(text.wrap("", size: 16, width: 120, maxLines: 9) == [])
    // A word that is too wide is broken within itself.
    let long = text.wrap(
      "Rindfleischetikettierungsüberwachung", size: 16, width: 120, maxLines: 9)
    #expect(long.count >= 3)
    let parts = long.map { $0.hasSuffix("-") ? String($0.dropLast()) : $0 }
    #expect(parts.joined() == "Rindfleischetikettierungsüberwachung")
    #expect(long.dropLast().allSatisfy { $0.hasSuffix("-") })
    for line in long { #expect(text.measure(line, size: 16).width <= 120) }
  }

  @Test func whatDoesNotFitEndsInAnEllipsis() throws {
    let text = try TextRenderer(fonts: [bundled])
    let words = String(repeating: "hut ", count: 100)
    let lines = text.wrap(words, size: 16, width: 120, maxLines: 2)
    #expect(lines.count == 2)
    #expect(lines[1].hasSuffix("…") && !lines[1].hasSuffix(" …"))
    for line in lines { #expect(text.measure(line, size: 16).width <= 120) }
    #expect(text.ellipsized("Zermatt", size: 16, width: 500) == "Zermatt")
    let short = text.ellipsized("Schönbielhütte", size: 16, width: 70)
    #expect(short.hasSuffix("…") && text.measure(short, size: 16).width <= 70)
  }
}
