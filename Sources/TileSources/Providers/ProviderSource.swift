import MapGeometry
import Platform
import TileFormats

/// Tiles from another program, over its Unix socket; docs/providers.md describes the protocol.
///
/// A tile is requested when it is first read, and `.later` until the provider has answered. A
/// provider that hangs, lies or ends costs its own tiles only.
public final class ProviderSource: TileSource {
  /// What the provider says of itself.
  public internal(set) var info: SourceInfo
  /// The socket, for errors.
  public let file: String

  /// A provider may get a tile later that it does not have now: ten minutes.
  public var missingLifetime: Int? { ProviderSource.lifetime }
  private static let lifetime = 600

  /// The most tiles whose absence is remembered.
  private static let mostAbsent = 4096

  private let link: ProviderLink
  private let scale: Int
  /// Tiles that the provider lacks, with the time in milliseconds when it said so. The search for
  /// the nearest ancestor skips them.
  private var absent: [TileID: UInt64] = [:]

  /// Connects to the provider that listens at `socket`, and waits up to five seconds for what it
  /// says of itself.
  ///
  /// - Parameters:
  ///   - socket: The path of its socket.
  ///   - scale: The display's pixels per point, which requests name.
  ///   - trust: Which files may be opened.
  /// - Throws: `SourceError` if there is no provider, or if it speaks another protocol.
  public convenience init(
    socket: String, scale: Int = 1, trust: PathTrust = .anywhere
  ) throws(SourceError) {
    try self.init(
      socket: socket, scale: scale, trust: trust, patience: ProviderLink.usualPatience)
  }

  /// The same; `patience` is how long an answer may take, in milliseconds.
  init(socket: String, scale: Int, trust: PathTrust, patience: UInt64) throws(SourceError) {
    file = socket
    self.scale = scale
    do {
      link = try ProviderLink(socket, trust: trust, patience: patience)
      info = try link.info()
    } catch {
      throw SourceError(error, file: socket)
    }
  }

  deinit { link.close() }

  /// Reads a tile if the provider has answered for it, and requests it else.
  ///
  /// - Throws: `TileError` if the provider says so, does not answer or has ended. It may pass.
  public func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    guard (info.minZoom...max(info.minZoom, info.maxZoom)).contains(id.z) else { return .nothing }
    let answer: Result<ProviderLink.Answer, ProviderLink.Waiting>
    do {
      answer = try link.answer(for: id, scale: scale)
    } catch {
      throw TileError(error, file: file, tile: id)
    }
    switch answer {
    case .success(.tile(let bytes)):
      absent[id] = nil
      do {
        let room = try buffer.reserve(bytes.count)
        bytes.withUnsafeBytes { room.copyMemory(from: $0) }
        let isVector = info.format == TileFormat.mvt.rawValue
        return .payload(
          try buffer.payload(unpacking: StoredTile.Encoding(isDeclaredVector: isVector)))
      } catch {
        throw TileError(error, file: file, tile: id)
      }
    case .success(.none):
      if absent.count >= ProviderSource.mostAbsent { absent.removeAll() }
      absent[id] = ProviderClock.now()
      return .nothing
    case .success(.failed(let reason)):
      throw TileError(file: file, tile: id, reason: reason, isTransient: true)
    case .failure(let waiting): return .later(waiting.retry)
    }
  }

  /// Whether the provider may have the tile `id`: it did not say that it has not.
  ///
  /// - Throws: Nothing.
  public func contains(_ id: TileID) throws(TileError) -> Bool {
    guard (info.minZoom...max(info.minZoom, info.maxZoom)).contains(id.z) else { return false }
    guard let saidAt = absent[id] else { return true }
    return saidAt &+ UInt64(ProviderSource.lifetime) * 1000 <= ProviderClock.now()
  }
}

extension ProviderSource: AdjustableSource {}

extension ProviderSource: TroubledSource {
  package func whenTroubled(_ action: @escaping @Sendable (SourceError?) -> Void) {
    let file = file
    link.whenTroubled { text in
      action(text.map { SourceError(file: file, reason: "the provider says: \($0)") })
    }
  }
}
