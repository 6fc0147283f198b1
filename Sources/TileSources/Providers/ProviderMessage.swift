import MapGeometry
import TileFormats

/// A provider's answer to a request, as the line that begins it says; see docs/providers.md.
enum ProviderMessage: Equatable {
  /// The tile, whose `count` bytes follow.
  case tile(Int, count: Int)
  /// There is no such tile.
  case none(Int)
  /// The tile may be requested again after so many seconds.
  case later(Int, seconds: Int)
  /// The tile exists but cannot be had: why.
  case error(Int, String)
  /// What is wrong with the provider although it answers; empty: nothing any more.
  case problem(String)

  /// The longest line, in bytes.
  static let longestLine = 4096
  /// For how long a provider may put a request off, in seconds.
  static let delays = 1...3600

  /// Parses a line without its line feed.
  ///
  /// - Throws: A fault that quotes the line if it is none of the protocol's.
  init(_ line: [UInt8]) throws(PackFault) {
    let text = String(decoding: line, as: UTF8.self)
    if text == "problem" || text.hasPrefix("problem ") {
      self = .problem(PlainText.stripping(html: String(text.dropFirst(8)), limit: 500))
      return
    }
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, let number = Int(words[1]), number > 0 else {
      throw ProviderMessage.fault(text)
    }
    let rest = words.count > 2 ? words[2] : nil
    switch words[0] {
    case "tile":
      guard let count = rest.flatMap({ Int($0) }), count >= 0 else {
        throw ProviderMessage.fault(text)
      }
      guard count <= StoredTile.sizeLimit else {
        throw PackFault("sent a tile of \(count) bytes: at most \(StoredTile.sizeLimit) are read")
      }
      self = .tile(number, count: count)
    case "none" where rest == nil:
      self = .none(number)
    case "later":
      guard let seconds = rest.flatMap({ Int($0) }), seconds >= 0 else {
        throw ProviderMessage.fault(text)
      }
      self = .later(
        number,
        seconds: min(
          max(seconds, ProviderMessage.delays.lowerBound), ProviderMessage.delays.upperBound))
    case "error":
      self = .error(number, PlainText.stripping(html: String(rest ?? "no reason given")))
    default:
      throw ProviderMessage.fault(text)
    }
  }

  private static func fault(_ line: String) -> PackFault {
    PackFault(
      "sent \"\(PlainText.stripping(html: line, limit: 80))\": expected \"tile N BYTES\", "
        + "\"none N\", \"later N SECONDS\", \"error N TEXT\" or \"problem TEXT\"")
  }
}

/// What a provider says of itself when a program connects.
struct ProviderGreeting {
  /// The first line: the protocol and its version.
  static let title = "waypost-tiles 1"
  /// The most lines.
  static let mostLines = 32

  /// What the lines say.
  private(set) var info = SourceInfo(kind: "provider")
  /// Whether it tells problems to those who ask for them.
  private(set) var tellsProblems = false

  /// Reads the lines between the title and the empty line. Unknown keys are for later versions and
  /// count for nothing.
  ///
  /// - Throws: A fault that names the line if the title or a value is wrong.
  init(_ lines: [String]) throws(PackFault) {
    guard lines.first == ProviderGreeting.title else {
      throw PackFault(
        "is no provider of this version: its first line is not \"\(ProviderGreeting.title)\"")
    }
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { throw ProviderGreeting.fault(line) }
      let value = String(words[1])
      switch words[0] {
      case "min_zoom": info.minZoom = try ProviderGreeting.level(value, line)
      case "max_zoom": info.maxZoom = try ProviderGreeting.level(value, line)
      case "name": info.title = PlainText.stripping(html: value)
      case "attribution": info.attribution = PlainText.stripping(html: value)
      case "format": info.format = TileFormat(rawValue: value)?.rawValue
      case "bounds":
        guard let bounds = LenientPlace.numbers(value).flatMap(LenientPlace.bounds) else {
          throw ProviderGreeting.fault(line)
        }
        info.bounds = bounds
      case "problems": tellsProblems = value == "on-request"
      default: break
      }
    }
    guard info.minZoom <= info.maxZoom else {
      throw PackFault("says min_zoom \(info.minZoom) and max_zoom \(info.maxZoom)")
    }
  }

  private static func level(_ value: String, _ line: String) throws(PackFault) -> Int {
    guard let level = Int(value), (0...TileID.maxLevel).contains(level) else { throw fault(line) }
    return level
  }

  private static func fault(_ line: String) -> PackFault {
    PackFault(
      "says of itself \"\(PlainText.stripping(html: line, limit: 80))\": expected min_zoom, "
        + "max_zoom (0 to \(TileID.maxLevel)), bounds W,S,E,N, format, name or attribution, and a "
        + "value")
  }
}
