import Glibc
import Platform

/// The sockets on which `waypost-fetch serve` answers for http(s) sources.
package enum FetchSocket {
  /// Where they are: `$WAYPOST_FETCH_SOCKETS`, which tests set, or `/run/waypost-fetch`.
  package static let folder =
    getenv("WAYPOST_FETCH_SOCKETS").map { String(cString: $0) } ?? "/run/waypost-fetch"

  /// A longer name is cut, and made unique by its hash.
  private static let longestStem = 60

  /// The socket's name for the source `name`: that name, with what is no letter, digit, '-', '_' or
  /// '.' as `%XX`.
  package static func name(for name: String) -> String {
    var stem = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        stem.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: ".") where !stem.isEmpty: stem += "."
      default: stem += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    if stem.utf8.count > longestStem {
      stem = stem.prefix(longestStem - 17) + "~" + String(FNV1a(name.utf8).value, radix: 16)
    }
    return stem + ".sock"
  }

  /// The path of the socket for the source `name`.
  package static func path(for name: String) -> String { "\(folder)/\(self.name(for: name))" }
}

extension SourceSpec {
  /// The most bytes of `store` if the configuration does not say.
  public static let usualStoreLimit = 256 << 20
  /// The least that `store_limit` may be: a batch and its log need room.
  public static let smallestStoreLimit = 16 << 20

  /// Whether its tiles come over http or https, through `waypost-fetch serve`.
  public var isFetched: Bool {
    guard case .url(let template) = location else { return false }
    let start = template.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// Whether its tiles are in a PMTiles archive on an http(s) server: the address has no
  /// placeholder, and its path ends with .pmtiles.
  public var isRemoteArchive: Bool {
    guard isFetched, case .url(let address) = location else { return false }
    return SourceSpec.namesArchive(address)
  }

  /// Whether an address has no placeholder, and a path that ends with .pmtiles; what follows the
  /// path, a query, does not count.
  public static func namesArchive(_ address: String) -> Bool {
    guard !address.utf8.contains(UInt8(ascii: "{")) else { return false }
    let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return path.hasSuffix(".pmtiles") && !path.hasSuffix("/.pmtiles")
  }

  /// Whether another program has its tiles.
  public var isProvided: Bool {
    if case .provider = location { return true }
    return isFetched
  }
}
