import EventLoop
import Platform
import TileFormats
import TileSources

/// Reads what is needed of an archive before its first tile: header, root directory and metadata.
/// In nearly all archives the first 16 KiB have them (PMTiles 3, section 2).
final class ArchiveOpening {
  typealias Done = (Result<RemoteArchive, ArchiveFault>) -> Void

  static let firstRead = 16_384
  /// The most bytes of a directory as it is stored. The reference writer keeps leaves below 100 KB.
  static let directoryLimit = 1 << 20
  /// Longer metadata, as they are stored, are not fetched: the map can be shown without its name.
  static let metadataLimit = 256 << 10

  private let reader: ArchiveReader
  private let worker: Worker
  private let cache: DirectoryCache
  private let done: Done

  private init(
    _ reader: ArchiveReader, _ worker: Worker, _ cache: DirectoryCache, _ done: @escaping Done
  ) {
    (self.reader, self.worker, self.cache, self.done) = (reader, worker, cache, done)
  }

  /// Opens the archive.
  ///
  /// - Parameters:
  ///   - reader: Reads it.
  ///   - worker: Unpacks directories.
  ///   - cache: Keeps leaf directories.
  ///   - done: Gets the archive.
  static func open(
    _ reader: ArchiveReader, worker: Worker, cache: DirectoryCache, _ done: @escaping Done
  ) {
    let opening = ArchiveOpening(reader, worker, cache, done)
    reader.read(at: 0, firstRead, of: nil) { result in
      switch result {
      case .success(let start): opening.take(start)
      case .failure(let fault): done(.failure(fault))
      }
    }
  }

  private func take(_ start: FetchOutcome.Part) {
    let header: PMTilesHeader
    do throws(PackFault) {
      header = try PMTilesHeader(PrefixReader(start.bytes, size: start.size))
    } catch {
      return done(.failure(.damaged(error.reason)))
    }
    section(header.root, start, limit: ArchiveOpening.directoryLimit) { [self] root in
      guard case .success(let root) = root else { return fail(root) }
      let limit = ArchiveOpening.metadataLimit
      let hasMetadata = header.metadata.length > 0 && header.metadata.length <= UInt64(limit)
      guard hasMetadata else { return decode(header, start, root, []) }
      section(header.metadata, start, limit: limit) { [self] metadata in
        switch metadata {
        case .success(let metadata): decode(header, start, root, metadata)
        case .failure(.damaged): decode(header, start, root, [])
        case .failure: fail(metadata)
        }
      }
    }
  }

  private func fail(_ result: Result<[UInt8], ArchiveFault>) {
    if case .failure(let fault) = result { done(.failure(fault)) }
  }

  /// The bytes of a section, which `start` has already if it is that near the beginning.
  private func section(
    _ section: PMTilesHeader.Section, _ start: FetchOutcome.Part, limit: Int,
    _ taken: @escaping (Result<[UInt8], ArchiveFault>) -> Void
  ) {
    guard section.length > 0, section.length <= UInt64(limit) else {
      return taken(
        .failure(
          .damaged("has a directory of \(section.length) bytes: 1 to \(limit) are read")))
    }
    guard section.offset <= start.size, section.length <= start.size - section.offset else {
      return taken(.failure(.damaged("states more bytes than it has: it is damaged")))
    }
    let end = section.offset + section.length
    if end <= UInt64(start.bytes.count) {
      return taken(.success(Array(start.bytes[Int(section.offset)..<Int(end)])))
    }
    reader.read(at: section.offset, Int(section.length), of: ArchiveVersion(start)) {
      taken($0.map(\.bytes))
    }
  }

  private func decode(
    _ header: PMTilesHeader, _ start: FetchOutcome.Part, _ root: [UInt8], _ metadata: [UInt8]
  ) {
    let compression = header.directoryCompression
    let isTaken = worker.post(
      { () -> Decoded in
        var decoded = Decoded(root: RemoteArchive.directory(root, compression))
        let limit = Int(PMTilesSource.metadataLimit)
        if let text = try? Unpacking.unpack(metadata, compression, limit: limit) {
          let keys = ["name", "attribution"]
          decoded.metadata = (try? PackMetadata.strings(ofJSON: text, keys: keys)) ?? [:]
        }
        return decoded
      },
      then: { [self] decoded in
        switch decoded.root {
        case .failure(let fault): done(.failure(.damaged(fault.reason)))
        case .success(let directory):
          done(
            .success(
              RemoteArchive(
                header, root: directory, metadata: decoded.metadata, start: start, reader: reader,
                worker: worker, cache: cache)))
        }
      })
    if !isTaken { done(.failure(.refused(RemoteArchive.busy))) }
  }

  private struct Decoded: Sendable {
    var root: Result<PMTilesDirectory, PackFault>
    var metadata: [String: String] = [:]
  }
}
