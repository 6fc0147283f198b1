import CDeflate
import Glibc
import Images
import Pixels
import Platform
import TileFormats
import TileSources

/// Decodes tiles one by one, within the limits of the image readers. Belongs to one thread.
final class TileCheck {
  /// What one tile is.
  struct Verdict: Sendable {
    /// Why it cannot be drawn; nil: it can.
    var fault: String?
    /// What it is, unpacked.
    var format: TileFormat
    /// What it is as stored.
    var stored: TileFormat
    /// How it is packed.
    var compression = PackCompression.none
    /// The edge in pixels; 0 for vector tiles and where it is not known.
    var pixels: Int
    /// The SHA-256 of the unpacked tile.
    var digest: [UInt8]
  }

  /// A small tile that was looked at before: seas and forests come again and again.
  private struct Known {
    var bytes: [UInt8]
    var encoding: StoredTile.Encoding
    var verdict: Verdict
  }

  private let decoder = TileDecoder()
  private var room: [UInt32] = []
  private var known = [Known?](repeating: nil, count: TileCheck.slots)

  /// Pictures of more pixels than this are decoded one at a time, whatever thread they come to.
  private static let usual = 512 * 512
  private static let large = Gate(())

  private static let slots = 256
  private static let small = 4096

  /// Decodes a tile as stored.
  func check(_ bytes: UnsafeRawBufferPointer, _ encoding: StoredTile.Encoding) -> Verdict {
    guard bytes.count <= TileCheck.small else { return decode(bytes, encoding) }
    let slot = Int(libdeflate_crc32(0, bytes.baseAddress, bytes.count)) & (TileCheck.slots - 1)
    if let known = known[slot], known.bytes.count == bytes.count, known.encoding == encoding,
      known.bytes.elementsEqual(bytes)
    {
      return known.verdict
    }
    let verdict = decode(bytes, encoding)
    known[slot] = Known(bytes: [UInt8](bytes), encoding: encoding, verdict: verdict)
    return verdict
  }

  private func decode(
    _ bytes: UnsafeRawBufferPointer, _ encoding: StoredTile.Encoding
  ) -> Verdict {
    let stored = TileFormat(sniffing: bytes)
    var verdict = Verdict(
      fault: nil, format: stored, stored: stored, pixels: 0, digest: [])
    if stored.isDrawn {
      verdict.digest = SHA256.digest(bytes)
      draw(bytes, &verdict)
      return verdict
    }
    let tile: UnpackedTile?
    do throws(PackFault) {
      tile = try encoding.unpacked(bytes, stored)
    } catch {
      verdict.digest = SHA256.digest(bytes)
      verdict.fault = error.reason
      return verdict
    }
    if let tile { (verdict.format, verdict.compression) = (tile.format, tile.compression) }
    let raw = tile?.bytes ?? bytes
    verdict.digest = SHA256.digest(raw)
    switch verdict.format {
    case .png, .jpeg, .webp: draw(raw, &verdict)
    case .mvt: verdict.fault = VectorTileCheck.fault(of: raw)
    // A vector tile without layers has no bytes.
    case .empty where tile != nil || encoding.isDeclaredVector: verdict.format = .mvt
    default:
      verdict.fault =
        encoding.isDeclaredVector && !verdict.format.isMapTile
        ? "no vector tile although the pack says so: \(verdict.format.rawValue)"
        : verdict.format.refusal ?? "not a tile"
    }
    // `raw` is the tile's memory.
    return withExtendedLifetime(tile) { verdict }
  }

  /// Decodes a picture; nil, or why it cannot be.
  private func decode(_ bytes: UnsafeRawBufferPointer, edge: Int) -> ImageError? {
    if room.count < edge * edge { room = [UInt32](repeating: 0, count: edge * edge) }
    return room.withUnsafeMutableBytes { target in
      do throws(ImageError) {
        _ = try decoder.decode(bytes, edge: edge, opaque: .xrgb8888, into: target)
      } catch {
        return error
      }
      return nil
    }
  }

  private func draw(_ bytes: UnsafeRawBufferPointer, _ verdict: inout Verdict) {
    do throws(ImageError) {
      let info = try decoder.probe(bytes)
      let edge = max(info.width, info.height)
      verdict.pixels = edge
      let failure =
        edge * edge <= TileCheck.usual
        ? decode(bytes, edge: edge)
        : TileCheck.large.locked { _ in
          defer { room = [] }
          return decode(bytes, edge: edge)
        }
      if let failure { throw failure }
      if info.width != info.height {
        verdict.fault = "\(info.width)x\(info.height) px: a tile is square"
      }
    } catch {
      verdict.fault = error.reason
    }
  }
}
