import MapGeometry

/// A URL or path with placeholders for a tile's address.
///
/// | placeholder | value |
/// | --- | --- |
/// | `{z}` `{x}` `{y}` | level, column and row; the row counts as `scheme` says |
/// | `{-y}` | the row, counted from the south |
/// | `{scale}` | the display's pixels per point: 1, 2 or 3 |
/// | `{ratio}`, `{r}` | `@2x` or `@3x` on such a display, else nothing |
/// | `{quadkey}`, `{q}` | Bing's key: a digit per level, nothing at level 0 |
/// | `{s}` | one of `subdomains`, by the tile's column and row |
/// | `{a-c}`, `{0-3}`, `{switch:a,b,c}` | one of these, likewise |
public struct URLTemplate: Sendable, Equatable {
  enum Part: Sendable, Equatable {
    case text(String)
    case level, column, row, rowFromSouth, quadkey
    case choice([String])
  }

  let parts: [Part]

  static let known =
    "{z} {x} {y} {-y} {scale} {ratio} {r} {quadkey} {q} {s} {a-c} {switch:a,b,c}"

  /// Parses `text`.
  ///
  /// - Throws: `SourceError` for an unknown placeholder, and if tiles would share an address.
  public init(
    _ text: String, scheme: SourceSpec.Scheme = .xyz, subdomains: [String] = [], scale: Int = 1
  ) throws(SourceError) {
    func refuse(_ reason: String) -> SourceError { SourceError(file: text, reason: reason) }
    var parts: [Part] = []
    var rest = text[...]
    // As bytes: looking for characters took a fifth of a start with a thousand sources.
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      guard let close = rest[open...].utf8.firstIndex(of: UInt8(ascii: "}")) else {
        throw refuse("a '{' without its '}'")
      }
      let name = String(rest[rest.utf8.index(after: open)..<close])
      rest = rest[rest.utf8.index(after: close)...]
      switch name {
      case "z": parts.append(.level)
      case "x": parts.append(.column)
      case "y": parts.append(scheme == .tms ? .rowFromSouth : .row)
      case "-y":
        guard scheme == .xyz else {
          throw refuse("{-y} and scheme \"tms\" both turn the rows around: use one of them")
        }
        parts.append(.rowFromSouth)
      case "q", "quadkey": parts.append(.quadkey)
      case "scale": parts.append(.text(String(max(scale, 1))))
      case "r", "ratio": parts.append(.text(scale >= 2 ? "@\(scale)x" : ""))
      case "s":
        guard !subdomains.isEmpty else {
          throw refuse("{s} needs subdomains = [\"a\", \"b\", …]")
        }
        parts.append(.choice(subdomains))
      default:
        guard let words = URLTemplate.choice(name) else {
          throw refuse("unknown placeholder {\(name)}: known are \(URLTemplate.known)")
        }
        parts.append(.choice(words))
      }
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
    let hasRow = parts.contains(.row) || parts.contains(.rowFromSouth)
    if !parts.contains(.quadkey) {
      let missing = [
        parts.contains(.level) ? nil : "{z}", parts.contains(.column) ? nil : "{x}",
        hasRow ? nil : "{y}",
      ].compactMap { $0 }
      guard missing.isEmpty else {
        throw refuse(
          "has no \(missing.joined(separator: " and no ")): every tile needs its own address, by {z}, "
            + "{x} and {y} or by {quadkey}")
      }
    }
  }

  /// The words of `{a-c}` or `{switch:a,b,c}`; nil for another placeholder.
  private static func choice(_ name: String) -> [String]? {
    if name.hasPrefix("switch:") {
      let words = name.dropFirst(7).split(separator: ",").map(String.init)
      return words.isEmpty ? nil : words
    }
    let ends = Array(name.utf8)
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard ends.count == 3, ends[1] == UInt8(ascii: "-"), ends[0] <= ends[2],
      letters.contains(ends[0]) && letters.contains(ends[2])
        || digits.contains(ends[0]) && digits.contains(ends[2])
    else { return nil }
    return (ends[0]...ends[2]).map { String(Unicode.Scalar($0)) }
  }

  /// The address of tile `id`.
  public func filled(for id: TileID) -> String {
    var address = ""
    for part in parts {
      switch part {
      case .text(let text): address += text
      case .level: address += String(id.z)
      case .column: address += String(id.x)
      case .row: address += String(id.y)
      case .rowFromSouth: address += String(id.tmsRow)
      case .quadkey: address += id.quadkey
      case .choice(let words): address += words[(id.x + id.y) % words.count]
      }
    }
    return address
  }

  /// The text before the first placeholder that depends on the tile.
  var fixedStart: String {
    var start = ""
    for case .text(let text) in parts.prefix(while: { if case .text = $0 { true } else { false } })
    {
      start += text
    }
    return start
  }

  /// The file that `address` names: a path unchanged, or that of a `file://` URL (RFC 8089; RFC
  /// 3986, section 2.1).
  static func filePath(_ address: String, of template: String) throws(SourceError) -> String {
    func refuse(_ reason: String) -> SourceError { SourceError(file: template, reason: reason) }
    var bytes = Array(address.utf8)[...]
    guard removes("file://", from: &bytes) else {
      guard bytes.first == UInt8(ascii: "/") else {
        throw refuse(
          "a path that does not begin with '/', or a URL of a kind that is not known here")
      }
      return address
    }
    _ = removes("localhost", from: &bytes)
    guard bytes.first == UInt8(ascii: "/") else {
      throw refuse("file:// wants an absolute path: file:///srv/tiles/{z}/{x}/{y}.png")
    }
    let percent = UInt8(ascii: "%")
    guard bytes.contains(percent) else { return String(decoding: bytes, as: UTF8.self) }
    var path: [UInt8] = []
    while let byte = bytes.popFirst() {
      guard byte == percent else {
        path.append(byte)
        continue
      }
      guard bytes.count >= 2,
        let code = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16), code != 0
      else { throw refuse("a '%' that no two hexadecimal digits follow: write %25 for itself") }
      bytes = bytes.dropFirst(2)
      path.append(code)
    }
    return String(decoding: path, as: UTF8.self)
  }

  /// Removes `prefix`, ASCII in small letters, from the start of `bytes`, where it may be in
  /// capitals. Returns whether it was there.
  ///
  /// Works on bytes: a start with a thousand sources spent a quarter of its time on characters.
  private static func removes(_ prefix: String, from bytes: inout ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= prefix.utf8.count else { return false }
    for (byte, letter) in zip(bytes, prefix.utf8)
    where byte != letter && !((65...90).contains(byte) && byte + 32 == letter) {
      return false
    }
    bytes = bytes.dropFirst(prefix.utf8.count)
    return true
  }
}
