/// A request's id as it is returned: null, a string or a number (JSON-RPC 2.0, section 4).
struct RequestID: Equatable {
  /// Its JSON text.
  let text: String

  static let null = RequestID(.null)

  /// - Parameters:
  ///   - json: null, a string or a number.
  ///   - numberText: the digits of a number as they were sent; a double holds only 53 bits.
  init(_ json: JSON, numberText: String? = nil) {
    if case .double = json, let numberText {
      text = numberText
    } else {
      text = json.text
    }
  }

  /// The digits of each request's id in a line, as they were sent.
  ///
  /// - Parameter line: one JSON text that was parsed: a request object, or an array of them.
  /// - Returns: an element for each request; nil if its id is missing or no number, or if the
  ///   member's name is written with escapes.
  static func numberTexts(in line: ArraySlice<UInt8>) -> [String?] {
    var found: [String?] = [nil]
    var depth = 0
    var base: Int?
    var name: ArraySlice<UInt8>?
    var at = line.startIndex
    while at < line.endIndex {
      let byte = line[at]
      at += 1
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        // A batch's requests are one level below its array.
        if base == nil { base = byte == UInt8(ascii: "[") ? 2 : 1 }
        depth += 1
        name = nil
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ","):
        if depth == 1, base == 2 { found.append(nil) }
        name = nil
      case UInt8(ascii: "\""):
        let start = at
        while at < line.endIndex, line[at] != UInt8(ascii: "\"") {
          at += line[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        name = line[start..<min(at, line.endIndex)]
        at += 1
      case UInt8(ascii: ":"):
        guard depth == base, name.map({ $0.elementsEqual("id".utf8) }) == true else { break }
        let rest = line[at...].drop { $0 <= 0x20 }
        let digits = rest.prefix { "0123456789+-.eE".utf8.contains($0) }
        if !digits.isEmpty { found[found.count - 1] = String(decoding: digits, as: UTF8.self) }
      default: break
      }
    }
    return found
  }
}
