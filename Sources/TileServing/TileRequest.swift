import MapGeometry

/// A request of the provider protocol, version 1 (docs/providers.md).
struct TileRequest: Equatable {
  var number: Int
  var tile: TileID
  var scale: Int

  /// The longest line, in bytes.
  static let longestLine = 4096

  /// What a line asks for.
  enum Line: Equatable {
    case get(TileRequest)
    /// The program wants to be told of problems.
    case problems
    /// A command of a later version, which is ignored.
    case unknown
    case malformed
  }

  /// Reads a line without its end.
  static func parse(_ line: String) -> Line {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    if words == ["problems"] { return .problems }
    guard words.first == "get" else { return .unknown }
    let numbers = words.dropFirst().map { Int($0) }
    guard numbers.count == 5, let number = numbers[0], number > 0, let z = numbers[1],
      let x = numbers[2], let y = numbers[3], let scale = numbers[4], (1...4).contains(scale),
      let tile = TileID(z: z, x: x, y: y)
    else { return .malformed }
    return .get(TileRequest(number: number, tile: tile, scale: scale))
  }
}

/// What a request is answered with.
enum ProviderAnswer: Equatable {
  case tile([UInt8])
  case none
  case later(Int)
  case error(String)

  /// The answer to the request `number`, as it is sent.
  func bytes(for number: Int) -> [UInt8] {
    switch self {
    case .tile(let bytes): Array("tile \(number) \(bytes.count)\n".utf8) + bytes
    case .none: Array("none \(number)\n".utf8)
    case .later(let seconds): Array("later \(number) \(min(max(seconds, 1), 3600))\n".utf8)
    case .error(let text): Array("error \(number) \(ProviderAnswer.line(text))\n".utf8)
    }
  }

  /// `text` without what would end a line, cut to 500 bytes.
  static func line(_ text: String) -> String {
    let bytes = text.utf8.prefix(500).map { $0 < 0x20 || $0 == 0x7f ? UInt8(ascii: " ") : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
