/// Finds numbers that no double can hold, such as 1e999. JSON allows them, but nothing can use
/// them, so only the request that contains one is refused, not the whole line.
enum HugeNumbers {
  /// Stands for such a number in the parsed value; no valid parameter has this text.
  static let mark = "\u{0}a number beyond 1.7976931348623157e308"

  /// Parses a text that `JSON.parse` refused. Nil if it has no such number, or if it is not JSON
  /// even without them.
  ///
  /// - Parameter line: one JSON text.
  /// - Returns: the value, with `mark` in place of each such number.
  static func parse(_ line: ArraySlice<UInt8>) -> JSON? {
    var plain: [UInt8] = []
    plain.reserveCapacity(line.count)
    var hasMark = false
    var at = line.startIndex
    while at < line.endIndex {
      let byte = line[at]
      if byte == UInt8(ascii: "\"") {
        let start = at
        at += 1
        while at < line.endIndex, line[at] != UInt8(ascii: "\"") {
          at += line[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        at = min(at + 1, line.endIndex)
        plain += line[start..<at]
        continue
      }
      guard byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      else {
        plain.append(byte)
        at += 1
        continue
      }
      let digits = line[at...].prefix { "0123456789+-.eE".utf8.contains($0) }
      at = digits.endIndex
      if Double(String(decoding: digits, as: UTF8.self))?.isInfinite == true {
        JSON.string(mark).write(to: &plain)
        hasMark = true
      } else {
        plain += digits
      }
    }
    return hasMark ? try? JSON.parse(plain) : nil
  }

  /// The name of the first member of `params` that has such a number; nil: none has.
  static func member(of params: JSON) -> String? {
    switch params {
    case .object(let object): object.members.first { isIn($0.value) }?.key
    case .array: isIn(params) ? "params" : nil
    default: nil
    }
  }

  private static func isIn(_ value: JSON) -> Bool {
    switch value {
    case .string(let text): text == mark
    case .array(let all): all.contains(where: isIn)
    case .object(let object): object.members.contains { isIn($0.value) }
    default: false
    }
  }
}
