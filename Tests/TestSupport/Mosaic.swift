import Foundation
import MapGeometry

/// Tiles decoded by another program (netpbm's `pngtopam`), put side by side: the truth that
/// pictures are compared with.
public final class Mosaic {
  /// Where the program lies; nil where netpbm is not installed.
  public static let program: String? = ["/usr/bin/pngtopam", "/usr/local/bin/pngtopam"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let folder: String
  private let edge: Int
  private let ending: String
  private var tiles: [TileID: [UInt32]] = [:]

  /// - Parameters:
  ///   - folder: PNG tiles as `{z}/{x}/{y}` and `ending`.
  ///   - edge: a tile's edge in pixels, a power of 2.
  public init(folder: String, edge: Int = 256, ending: String = ".png") {
    self.folder = folder
    self.edge = edge
    self.ending = ending
  }

  /// `edge` × `edge` words 0xFFRRGGBB, nil where there is no tile.
  public func tile(_ id: TileID) throws -> [UInt32]? {
    if let known = tiles[id] { return known.isEmpty ? nil : known }
    let path = "\(folder)/\(id.z)/\(id.x)/\(id.y)\(ending)"
    guard FileManager.default.fileExists(atPath: path) else {
      tiles[id] = []
      return nil
    }
    let words = try Mosaic.decode(file: path).words
    tiles[id] = words
    return words
  }

  /// The pixels of a PNG file as the other program decodes it.
  public static func decode(file: String) throws -> (width: Int, height: Int, words: [UInt32]) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Mosaic.program ?? "/usr/bin/pngtopam")
    process.arguments = [file]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try words(ofPNM: [UInt8](data))
  }

  struct BadImage: Error {}

  /// The pixels of a binary PNM picture of 8 bits a sample (netpbm's ppm(5), pgm(5)).
  static func words(ofPNM bytes: [UInt8]) throws -> (width: Int, height: Int, words: [UInt32]) {
    var at = 0
    func token() -> String {
      while at < bytes.count, bytes[at] <= 32 { at += 1 }
      var text = ""
      while at < bytes.count, bytes[at] > 32 {
        text.append(Character(UnicodeScalar(bytes[at])))
        at += 1
      }
      return text
    }
    let kind = token()
    guard kind == "P6" || kind == "P5" || kind == "P4", let width = Int(token()),
      let height = Int(token())
    else { throw BadImage() }
    var words = [UInt32](repeating: 0xFF00_0000, count: width * height)
    if kind == "P4" {
      at += 1
      let rowBytes = (width + 7) / 8
      for i in words.indices {
        let (y, x) = (i / width, i % width)
        if bytes[at + y * rowBytes + x / 8] >> UInt8(7 - x % 8) & 1 == 0 { words[i] = 0xFFFF_FFFF }
      }
      return (width, height, words)
    }
    let scale = Int(token()) ?? 0
    guard scale > 0, scale < 256 else { throw BadImage() }
    at += 1
    let channels = kind == "P6" ? 3 : 1
    guard bytes.count - at >= width * height * channels else { throw BadImage() }
    // Samples are of `scale` steps; the tiles' own bits are replicated to 8.
    let wide = (0..<256).map { UInt32($0 * 255 / scale) }
    bytes.withUnsafeBufferPointer { samples in
      words.withUnsafeMutableBufferPointer { out in
        var p = at
        for i in out.indices {
          let (r, g, b) = (samples[p], samples[p + channels / 2], samples[p + channels - 1])
          out[i] = 0xFF00_0000 | wide[Int(r)] << 16 | wide[Int(g)] << 8 | wide[Int(b)]
          p += channels
        }
      }
    }
    return (width, height, words)
  }

  /// The picture of a view of `width` × `height` pixels whose upper left corner is the world pixel
  /// (x, y) of `level`. Nil for a pixel where no tile lies, or beyond the world's edge.
  public func picture(level: Int, x: Int, y: Int, width: Int, height: Int) throws -> [UInt32?] {
    var picture = [UInt32?](repeating: nil, count: width * height)
    let shift = edge.trailingZeroBitCount
    for row in (y >> shift)...((y + height - 1) >> shift) {
      for column in (x >> shift)...((x + width - 1) >> shift) {
        guard let id = TileID(z: level, wrapping: column, row: row), let tile = try tile(id) else {
          continue
        }
        for ty in max(0, y - row * edge)..<min(edge, y + height - row * edge) {
          for tx in max(0, x - column * edge)..<min(edge, x + width - column * edge) {
            picture[(row * edge + ty - y) * width + column * edge + tx - x] = tile[ty * edge + tx]
          }
        }
      }
    }
    return picture
  }
}
