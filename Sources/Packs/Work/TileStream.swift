import TileFormats
import TileSources

/// The tiles of one pack as they come, those that cannot be read left out.
final class TileStream {
  let reader: any PackReader
  /// The stretch that is next; nil after the last.
  private(set) var current: PackStretch?
  /// Its bytes as stored.
  private(set) var buffer = TileBuffer()
  /// What the first tile is, unpacked; nil without any.
  private(set) var format: TileFormat?
  /// How it is packed.
  private(set) var compression = PackCompression.none
  /// Its edge in pixels; nil if its header does not say.
  private(set) var pixels: Int?
  /// Tiles that cannot be read.
  private(set) var broken = ProblemList()
  private(set) var brokenCount: UInt64 = 0

  /// Opens the first tile.
  init(_ reader: any PackReader) throws(PackError) {
    self.reader = reader
    try advance()
    guard let current else { return }
    let tile = StoredTile(bytes: [UInt8](buffer.bytes), encoding: current.encoding)
    let shown = tile.format
    format = shown.isMapTile ? shown : nil
    if let unpacked = try? tile.opened() { compression = unpacked.compression }
    pixels = (try? tile.unpacked()).flatMap { PictureSize(header: $0)?.width }
  }

  /// Goes on to the next stretch that can be read.
  func advance() throws(PackError) {
    while true {
      current = try reader.next(into: &buffer)
      guard let stretch = current else { return }
      var fault = stretch.fault
      if fault == nil, buffer.count == 0 { fault = "the tile is empty: 0 bytes" }
      guard let fault else { return }
      broken.add(
        "tiles cannot be read and are skipped",
        "\(HilbertID.tile(stretch.first).map { "\($0)" } ?? "?"): \(fault)", count: stretch.count)
      brokenCount += stretch.count
    }
  }

  /// Leaves out tiles before `number`.
  func skip(to number: UInt64) throws(PackError) {
    while let stretch = current, stretch.first < number {
      let end = stretch.first + stretch.count
      if end <= number {
        try advance()
      } else {
        current?.first = number
        current?.count = end - number
      }
    }
  }
}
