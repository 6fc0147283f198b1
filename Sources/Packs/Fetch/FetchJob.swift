import MapGeometry
import RangeWire
import TileSources

/// What is to be fetched, and how.
package struct FetchJob: Sendable {
  /// The address of a tile, with placeholders (`URLTemplate`).
  package var url: String
  package var scheme = SourceSpec.Scheme.xyz
  /// For `{s}`.
  package var subdomains: [String] = []
  /// For `{scale}` and `{ratio}`, 1 to 3.
  package var scale = 1
  package var region: Region
  package var zooms: ClosedRange<Int>
  /// Lines of the requests' header, "Name: value"; they may be secret.
  package var headers: [String] = []
  /// For the User-Agent: how the one who fetches can be reached; nil: not said.
  package var contact: String?
  /// Connections, and requests at the same time, 1 to 6.
  package var connections = 2
  /// What the pack is called; nil: as its file.
  package var name: String?
  /// To whom the map's data belong.
  package var attribution: String?
  /// Whether to make the pack even if some tiles could not be fetched.
  package var allowsMissing = false

  package init(url: String, region: Region, zooms: ClosedRange<Int>) {
    (self.url, self.region, self.zooms) = (url, region, zooms)
  }

  /// The most tiles of a fetch: each takes a bit of memory, and at ten a second a third of a year.
  package static let mostTiles: UInt64 = 100_000_000

  /// The template, where it leads to servers that may be asked.
  ///
  /// - Throws: `PackError`, of misuse, where it is none, or leads to a server that prohibits it.
  func template() throws(PackError) -> URLTemplate {
    let template: URLTemplate
    do throws(SourceError) {
      template = try URLTemplate(url, scheme: scheme, subdomains: subdomains, scale: scale)
    } catch {
      throw PackError(file: "--url \(shownURL)", reason: error.reason, isMisuse: true)
    }
    // Several tiles, so that all of a few subdomains come.
    for x in 0..<8 {
      guard let tile = TileID(z: 3, x: x, y: 0) else { continue }
      let address = template.filled(for: tile)
      let start = address.prefix(8).lowercased()
      guard start.hasPrefix("http://") || start.hasPrefix("https://"),
        let host = TileServerPolicy.host(of: address),
        address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
      else {
        throw PackError(
          file: "--url \(shownURL)",
          reason: "is no address of tiles: https://HOST/{z}/{x}/{y}.png, without spaces",
          isMisuse: true)
      }
      if let reason = TileServerPolicy.refusal(host: host) {
        throw PackError(file: "--url \(shownURL)", reason: reason, isMisuse: true)
      }
    }
    return template
  }

  /// - Throws: `PackError`, of misuse, where a header is none.
  func checkHeaders() throws(PackError) {
    guard headers.allSatisfy(TileQuestion.isHeader), headers.count <= FetchJob.mostHeaders else {
      throw PackError(
        file: "--header",
        reason: "a line of a header is \"NAME: VALUE\", and there are at most "
          + "\(FetchJob.mostHeaders)", isMisuse: true)
    }
  }

  private static let mostHeaders = 64

  /// The tiles.
  ///
  /// - Throws: `PackError`, of misuse, where they are too many.
  func tiles() throws(PackError) -> TileSet {
    let tiles: TileSet
    do throws(TileSet.TooLarge) {
      tiles = try region.tiles(zooms: zooms)
    } catch {
      throw PackError(error)
    }
    guard tiles.count <= FetchJob.mostTiles else {
      throw PackError(
        file: "the region",
        reason: "has \(tiles.count) tiles, and a fetch takes at most \(FetchJob.mostTiles): "
          + "ask for a lower zoom, or for a part of it", isMisuse: true)
    }
    return tiles
  }

  /// Without what may be a secret.
  var shownURL: String { ShownAddress.of(url) }

  /// The options that must be the same for a fetch to continue, by name. Secrets are included only
  /// as a checksum.
  func terms(_ tiles: TileSet) -> [(name: String, value: String)] {
    let words = tiles.ranges.lazy.flatMap { [$0.lowerBound, $0.upperBound] }
    return [
      ("--url", shownURL),
      ("the query of --url", String(PlanChecksum.of(bytes: Array(url.utf8)), radix: 16)),
      ("--scheme", scheme.rawValue), ("--scale", "\(scale)"),
      ("--zoom", "\(zooms.lowerBound)-\(zooms.upperBound)"),
      ("the region", "\(tiles.count) tiles, \(String(PlanChecksum.of(words), radix: 16))"),
    ]
  }
}

/// What came of a fetch.
package struct FetchResult: Sendable {
  /// The pack; nil where it was not made, since tiles are missing.
  package var totals: PackTotals?
  /// Tiles that this run fetched, and their bytes.
  package var fetched: UInt64 = 0
  package var bytes: UInt64 = 0
  /// Tiles that were there from before.
  package var resumed: UInt64 = 0
  /// Tiles that the server does not have.
  package var absent: UInt64 = 0
  /// Requests that were repeated.
  package var repeated: UInt64 = 0
  /// Tiles that could not be fetched; why, with some of them.
  package var missing: UInt64 = 0
  package var problems = ProblemList()
  /// Why the fetch ended before all tiles were asked for; nil: it did not.
  package var stop: String?
}
