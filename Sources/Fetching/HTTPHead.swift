/// What the header of an answer says (RFC 9110 and RFC 9111).
package struct HTTPHead: Sendable {
  /// HTTP's status; 0 before the first line.
  package private(set) var status = 0
  /// The first byte, the last, and how many there are in all; of "bytes 0-99/1234".
  package private(set) var range: (first: UInt64, last: UInt64, size: UInt64)?
  /// Of "bytes */1234", which an answer to a range beyond the end has.
  package private(set) var sizeAlone: UInt64?
  package private(set) var contentLength: UInt64?
  /// "image/png", in lower case and without parameters; nil where it is not said.
  package private(set) var contentType: String?
  /// The Content-Encoding; nil where there is none, or "identity".
  package private(set) var encoding: String?
  /// The ETag with its quotes; nil where there is none.
  package private(set) var etag: String?
  /// The Last-Modified date as it came.
  package private(set) var lastModified: String?
  /// Where a redirection leads, as it came.
  package private(set) var location: String?
  private var cacheControl: [String] = []
  private var age = 0
  private var date: Int?
  /// A date that is none counts as past (RFC 9111, section 5.3).
  private var expires: Int?

  /// Lines that are accepted, over all answers of a chain of redirections; more are an error.
  static let mostLines = 1000
  private static let longestLine = 8192
  private var lines = 0
  /// The next line is the first of an answer.
  private var isAtStart = true

  package init() {}

  /// For how long the answer may be used without asking again (RFC 9111, section 4.2).
  ///
  /// - Parameter now: seconds since 1970, for an answer that has no date.
  /// - Returns: seconds from its arrival on: 0 where it may not, nil where nothing is said.
  package func freshness(now: Int) -> Int? {
    for directive in cacheControl where directive == "no-store" || directive == "no-cache" {
      return 0
    }
    for directive in cacheControl where directive.hasPrefix("max-age=") {
      let digits = directive.dropFirst(8).filter { $0 != "\"" }
      guard let seconds = UInt64(digits) else { return 0 }
      return max(Int(min(seconds, HTTPHead.longestAge)) - age, 0)
    }
    guard let expires else { return nil }
    return min(max(expires - (date ?? now) - age, 0), Int(HTTPHead.longestAge))
  }

  /// Whether the answer must not be kept on a medium (RFC 9111, section 5.2.2.5).
  package var forbidsStoring: Bool { cacheControl.contains("no-store") }

  /// Ten years.
  private static let longestAge: UInt64 = 315_360_000

  /// Adds a line as it comes.
  ///
  /// - Returns: whether more may follow.
  package mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
    guard line.count <= HTTPHead.longestLine else { return false }
    // The answer after a redirection has a header of its own; within a header there is no status.
    if isAtStart, HTTPHead.beginsAnswer(line) {
      let count = lines
      self = HTTPHead()
      lines = count
      status = HTTPHead.status(line)
    }
    isAtStart = line.allSatisfy(HTTPHead.isSpace)
    lines += 1
    guard lines <= HTTPHead.mostLines else { return false }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    read(name, HTTPHead.trimmed(String(decoding: line[(colon + 1)...], as: UTF8.self)))
    return true
  }

  private static func beginsAnswer(_ line: UnsafeRawBufferPointer) -> Bool {
    let start = line.drop(while: isBlank).prefix(5)
    return String(decoding: start, as: UTF8.self).lowercased() == "http/"
  }

  /// The status that libcurl reads: the three digits after the version and a space or a tab; 0
  /// where they are not there.
  private static func status(_ line: UnsafeRawBufferPointer) -> Int {
    let rest = line.drop(while: isBlank).drop { !isBlank($0) }.dropFirst()
    let digits = rest.prefix(3)
    guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  private mutating func read(_ name: String, _ value: String) {
    switch name {
    case "content-range": readRange(value)
    case "content-length": contentLength = UInt64(value)
    case "content-type":
      contentType = HTTPHead.trimmed(value.prefix { $0 != ";" }).lowercased()
    case "content-encoding":
      encoding = value.isEmpty || value.lowercased() == "identity" ? nil : value
    // Checked, because it goes back to the server in a header.
    case "etag":
      let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
      etag = isPlain && !value.isEmpty ? value : nil
    case "last-modified": lastModified = value.isEmpty ? nil : value
    case "location": location = value
    case "cache-control":
      cacheControl += value.lowercased().split(separator: ",").map { HTTPHead.trimmed($0) }
    case "age": age = Int(min(UInt64(value) ?? 0, HTTPHead.longestAge))
    case "date": date = HTTPDate.seconds(value)
    case "expires": expires = HTTPDate.seconds(value) ?? 0
    default: break
    }
  }

  private mutating func readRange(_ value: String) {
    guard value.lowercased().hasPrefix("bytes ") else { return }
    let halves = value.dropFirst(6).split(separator: "/")
    guard halves.count == 2, let size = UInt64(HTTPHead.trimmed(halves[1])) else { return }
    let ends = halves[0].split(separator: "-").map { UInt64(HTTPHead.trimmed($0)) }
    if ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < size {
      range = (first, last, size)
    } else {
      sizeAlone = size
    }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var bytes = Array(text.utf8)[...]
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return String(decoding: bytes.drop(while: isSpace), as: UTF8.self)
  }
}
