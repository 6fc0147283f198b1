import Foundation
import MapGeometry

/// Tiles decoded by another program (netpbm's `pngtopam`), put side by side: the truth that pictures
/// are compared with.
public final class Mosaic {
  /// Where the program lies; nil where netpbm is not installed.
  public static let program: String? = ["/usr/bin/pngtopam", "/usr/local/bin/pngtopam"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let folder: String
  private var tiles: [TileID: [UInt32]] = [:]

  /// - Parameter folder: PNG tiles as `{z}/{x}/{y}.png`.
  public init(folder: String) { self.folder = folder }

  /// 256 × 256 words 0xFFRRGGBB, nil where there is no tile.
  public func tile(_ id: TileID) throws -> [UInt32]? {
    if let known = tiles[id] { return known.isEmpty ? nil : known }
    let path = "\(folder)/\(id.z)/\(id.x)/\(id.y).png"
    guard FileManager.default.fileExists(atPath: path) else {
      tiles[id] = []
      return nil
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Mosaic.program ?? "/usr/bin/pngtopam")
    process.arguments = [path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let words = try Mosaic.words(ofPNM: [UInt8](data))
    tiles[id] = words
    return words
  }

  struct BadImage: Error {}

  /// The pixels of a binary PNM picture of 8 bits a sample (netpbm's ppm(5), pgm(5)).
  static func words(ofPNM bytes: [UInt8]) throws -> [UInt32] {
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
    if kind == "P4" {
      at += 1
      let rowBytes = (width + 7) / 8
      return (0..<width * height).map {
        let (y, x) = ($0 / width, $0 % width)
        return bytes[at + y * rowBytes + x / 8] >> UInt8(7 - x % 8) & 1 == 1
          ? 0xFF00_0000 : 0xFFFF_FFFF
      }
    }
    let scale = Int(token()) ?? 0
    guard scale > 0, scale < 256 else { throw BadImage() }
    at += 1
    let channels = kind == "P6" ? 3 : 1
    guard bytes.count - at >= width * height * channels else { throw BadImage() }
    // Samples are of `scale` steps; the tiles' own bits are replicated to 8.
    func sample(_ i: Int) -> UInt32 { UInt32(Int(bytes[i]) * 255 / scale) }
    return (0..<width * height).map { i in
      let p = at + i * channels
      let (r, g, b) =
        channels == 3 ? (sample(p), sample(p + 1), sample(p + 2)) : (sample(p), sample(p), sample(p))
      return 0xFF00_0000 | r << 16 | g << 8 | b
    }
  }

  /// The picture of a view of `width` × `height` pixels whose upper left corner is the world pixel
  /// (x, y) of `level`. Nil for a pixel where no tile lies, or beyond the world's edge.
  public func picture(level: Int, x: Int, y: Int, width: Int, height: Int) throws -> [UInt32?] {
    var picture = [UInt32?](repeating: nil, count: width * height)
    for row in Int((Double(y) / 256).rounded(.down))...((y + height - 1) >> 8) {
      for column in (x >> 8)...((x + width - 1) >> 8) {
        guard let id = TileID(z: level, wrapping: column, row: row), let tile = try tile(id) else {
          continue
        }
        for ty in max(0, y - row * 256)..<min(256, y + height - row * 256) {
          for tx in max(0, x - column * 256)..<min(256, x + width - column * 256) {
            picture[(row * 256 + ty - y) * width + column * 256 + tx - x] = tile[ty * 256 + tx]
          }
        }
      }
    }
    return picture
  }
}
