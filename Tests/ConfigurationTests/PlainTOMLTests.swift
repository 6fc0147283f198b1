import TestSupport
import Testing

@testable import Configuration

private func plain(_ text: String) -> ConfigValue? {
  PlainTOML.parse(Array(text.utf8), file: "a.toml", directory: "/d")
}

private func whole(_ bytes: [UInt8]) -> ConfigValue? {
  try? ConfigValue.parseWhole(bytes, file: "a.toml", directory: "/d")
}

@Test(arguments: [
  "",
  "# a comment alone, ö",
  "a = 1\nb = -2 # two\n\n[t]\nc = 'x\\y'\n",
  "a = [1, 2]\n[[s]]\nname = \"a\"\n[v]\nx = 0.25\n[[s]]\n\n\tname = \"b\" \n",
  "[[s]]\n[[s]]\n[t]\n",
  "[ t ]\nkey-1_A = true\n\n[[ u ]]\nno = false",
  "a = [\n  1, # one\n  2,\n\n]\nb = [[1.5, -0.5], []]\nc = [ \"x\" , 'y' ]",
  "a = 0\nb = 0.0\nc = -0.0\nd = 999999999999999999\ne = 123456789.012345\nf = 46.0207",
  "name = \"Zürich – Genève\"\nempty = \"\"\nother = ''\n",
  "a = \"# no comment\" # but this",
  "1 = 1\ntrue = 2",
])
func whatIsPlainIsReadAsTheLibraryReadsIt(text: String) throws {
  let tree = try #require(plain(text))
  #expect(tree == whole(Array(text.utf8)))
}

@Test(arguments: [
  "a.b = 1", "\"a\" = 1", "a = { b = 1 }", "[a.b]", "[[a.b]]", "a = \"\"\"x\"\"\"", "a = '''x'''",
  "a = \"\\n\"", "a = 1e3", "a = +1", "a = 0x10", "a = 1_000", "a = 2020-01-01", "a = 07:32:00",
  "a = inf", "a = 1\r\n", "a = 01", "a = -0", "a = 1.", "a = .5", "a = 1\na = 2", "[a]\n[a]",
  "a = 1\n[a]", "a = []\n[[a]]", "[a]\n[[a]]", "[[a]]\n[a]", "a = 1 b = 2", "a", "a =", "= 1", "[a",
  "[[a]", "[[a] ]", "[a] b = 1", "a = [1 2]", "a = [1,", "a = \"x", "a = 'x\ny'", "a = tru",
  "a = truex", "a = \"x\"y", "\u{feff}a = 1", "a = 1 # \u{1}", "a = \"\u{7f}\"", "é = 1",
  "a = 1234567890123456789", "a = 0.1234567890123456789", "a = [[[[[1]]]]]", "a = 1\0",
])
func whatIsNotPlainIsLeftToTheLibrary(text: String) {
  #expect(plain(text) == nil)
}

@Test func aFileThatIsNoUTF8IsLeftToTheLibrary() {
  #expect(PlainTOML.parse(Array("a = \"".utf8) + [0xff, 0x22], file: "a", directory: nil) == nil)
}

@Test func manySourcesAreReadPlainly() throws {
  var text = "[view]\ncenter = [46.0, 7.5]\n"
  for i in 0..<1000 { text += "[[source]]\nname = \"s\(i)\"\npath = \"/maps/\(i).mbtiles\"\n" }
  let tree = try #require(plain(text))
  #expect(tree["source"]?.array?.count == 1000)
  #expect(tree == whole(Array(text.utf8)))
}

@Test func noChangeOfAFileMakesTheTwoReadersDiffer() throws {
  let base = Array(
    """
    # Every form that is plain.
    top = "x"
    [view]
    center = [46.0207, 7.7491] # there
    zoom = 13
    on = true
    [[source]]
    name = 'topo'
    paths = ["a", "b",
      "c"]
    opacity = 0.5
    [[source]]
    min_zoom = -2
    [hud]
    """.utf8)
  var seed: UInt64 = 42
  func random(_ below: Int) -> Int {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(seed >> 33) % below
  }
  let signs = Array("\"'[]=.,#\n\t -_+e0179xt{}\\\r".utf8)
  var readPlainly = 0
  for _ in 0..<6000 {
    var bytes = base
    for _ in 0...random(2) {
      let at = random(bytes.count)
      switch random(4) {
      case 0: bytes.remove(at: at)
      case 1: bytes.insert(signs[random(signs.count)], at: at)
      case 2: bytes[at] = signs[random(signs.count)]
      default: bytes.swapAt(at, random(bytes.count))
      }
    }
    guard let tree = PlainTOML.parse(bytes, file: "a.toml", directory: "/d") else { continue }
    readPlainly += 1
    let other = whole(bytes)
    #expect(tree == other, "\(String(decoding: bytes, as: UTF8.self))")
    if tree != other { return }
  }
  #expect(readPlainly > 500)
}
