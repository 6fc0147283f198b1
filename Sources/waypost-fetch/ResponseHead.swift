/// What the header of an answer says (RFC 9110, sections 8 and 14).
struct ResponseHead {
  /// HTTP's status; 0 before the first line.
  private(set) var status = 0
  /// The first byte, the last, and how many there are in all; of "bytes 0-99/1234".
  private(set) var range: (first: UInt64, last: UInt64, size: UInt64)?
  /// Of "bytes */1234", which an answer to a range beyond the end has.
  private(set) var sizeAlone: UInt64?
  private(set) var contentLength: UInt64?
  /// Anything but "identity": the bytes are not those of the file.
  private(set) var encoding: String?
  private var tag: String?
  private var modified: String?

  /// Lines that are taken, of all answers that lead to the last one; more make no header.
  static let mostLines = 1000
  private static let longestLine = 8192
  private var lines = 0

  /// What tells one version of the file from another; empty where the server says nothing of it.
  var identity: String { tag ?? modified ?? "" }

  /// Adds a line as it comes.
  ///
  /// - Returns: whether more may follow.
  mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
    guard line.count <= ResponseHead.longestLine else { return false }
    let text = String(decoding: line, as: UTF8.self)
    // The answer after a redirection has a header of its own.
    if text.hasPrefix("HTTP/") {
      let count = lines
      self = ResponseHead()
      lines = count
      let words = text.split(separator: " ", maxSplits: 2)
      status = words.count > 1 ? Int(ResponseHead.trimmed(words[1])) ?? 0 : 0
    }
    lines += 1
    guard lines <= ResponseHead.mostLines else { return false }
    guard let colon = text.firstIndex(of: ":") else { return true }
    let value = ResponseHead.trimmed(text[text.index(after: colon)...])
    switch text[..<colon].lowercased() {
    case "content-range": readRange(value)
    case "content-length": contentLength = UInt64(value)
    case "content-encoding": encoding = value.lowercased() == "identity" ? nil : value
    case "etag": tag = value.isEmpty ? nil : "ETag \(value)"
    case "last-modified": modified = value.isEmpty ? nil : "Last-Modified \(value)"
    default: break
    }
    return true
  }

  private mutating func readRange(_ value: String) {
    guard value.lowercased().hasPrefix("bytes ") else { return }
    let halves = value.dropFirst(6).split(separator: "/")
    guard halves.count == 2, let size = UInt64(ResponseHead.trimmed(halves[1])) else { return }
    let ends = halves[0].split(separator: "-").map { UInt64(ResponseHead.trimmed($0)) }
    if ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < size {
      range = (first, last, size)
    } else {
      sizeAlone = size
    }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    func isSpace(_ unit: UInt8) -> Bool { unit == 0x20 || (unit >= 0x09 && unit <= 0x0d) }
    var bytes = Array(text.utf8)[...]
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return String(decoding: bytes.drop(while: isSpace), as: UTF8.self)
  }
}
