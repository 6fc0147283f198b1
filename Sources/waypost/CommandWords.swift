/// Brings the shell's words into the shape that the argument parser takes. It takes every word
/// with a dash for an option, and options only where their command stands; people expect neither.
enum CommandWords {
  /// U+2212; the parser leaves a word alone that begins with it, and `Number` reads it as a minus.
  static let minusSign: Character = "\u{2212}"

  /// Commands of the interface that this version does not have.
  static let notYet = ["pack"]

  static func prepare(_ words: [String]) throws -> [String] {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let (globals, others) = separateGlobals(words[..<end])
    if let command = others.first(where: { !$0.hasPrefix("-") }), notYet.contains(command) {
      throw Failure(Failure.usage, "\(command): not in this version")
    }
    return others.map(protectNegative) + globals + words[end...].map(protectNegative)
  }

  /// `--socket PATH` and `--json` may stand anywhere: they are moved behind the command's words.
  private static func separateGlobals(
    _ words: ArraySlice<String>
  ) -> (globals: [String], others: [String]) {
    var globals: [String] = []
    var others: [String] = []
    var rest = words
    while let word = rest.popFirst() {
      if word == "--json" || word.hasPrefix("--socket=") {
        globals.append(word)
      } else if word == "--socket" {
        globals.append(word)
        if let path = rest.popFirst() { globals.append(path) }
      } else {
        others.append(word)
      }
    }
    return (globals, others)
  }

  /// "-33.92" and "-33.92,18.42" become words that are no options.
  static func protectNegative(_ word: String) -> String {
    let bytes = Array(word.utf8)
    guard bytes.count >= 2, bytes[0] == UInt8(ascii: "-"),
      isDigit(bytes[1]) || bytes[1] == UInt8(ascii: "."),
      bytes.dropFirst().allSatisfy({ isDigit($0) || ".,eE+-".utf8.contains($0) })
    else { return word }
    return String(minusSign) + word.dropFirst()
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
