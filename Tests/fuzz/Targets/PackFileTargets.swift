import CSQLite
import Glibc

@testable import TileSources

/// A pack's file as it is examined when a medium brings it, and what may lie beside it.
///
/// The first byte of an input says what the rest is: the file itself, or what is beside an intact
/// one. A stray `-wal` or `-shm` is not looked at, but a `-journal` counts.
extension FuzzTarget {
  static let packFiles: [FuzzTarget] = [
    FuzzTarget(
      "pack-file",
      of: [
        "TileSources/PackWholeness.swift", "TileSources/PackKind.swift", "TileSources/MBTiles",
        "TileSources/Bytes",
      ],
      longest: 8192, mebibytes: 96, seconds: 20
    ) { bytes in
      guard let first = bytes.first else { return }
      let file = ScratchFile("pack")
      let beside = ["-journal", "-wal", "-shm"].map { ScratchFile("pack" + $0) }
      // They are removed with the objects.
      defer { withExtendedLifetime((file, beside)) {} }
      let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
      let (isBeside, kind) = (first & 4 != 0, Int(first & 3))
      if isBeside {
        try IntactPack.bytes(isWAL: first & 8 != 0).withUnsafeBytes(file.write)
        if kind < beside.count { try beside[kind].write(rest) }
      } else {
        try file.write(rest)
      }
      let isFaulty = isRefused(file.path)
      let isJournal = isBeside && kind == 0 && rest.starts(with: IntactPack.journal)
      if isJournal { try promise(isFaulty, "a write that is under way is not seen") }
      guard let pack = try? MBTilesSource(path: file.path) else { return }
      var buffer = TileBuffer()
      for tile in pack.sampleTiles(upTo: 4) {
        if case .payload(let payload)? = try? pack.read(tile, into: &buffer) {
          buffer.reuse(payload)
        }
      }
    }
  ]

  /// Whether the file at `path` is refused.
  private static func isRefused(_ path: String) -> Bool {
    (try? PackWholeness.check(path: path, trust: .anywhere)) == nil
  }
}

/// A small pack of MBTiles.
private enum IntactPack {
  /// What a rollback journal begins with (sqlite.org/fileformat2.html, section 3).
  static let journal: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// Its bytes, with the header of a database in WAL mode or without.
  static func bytes(isWAL: Bool) -> [UInt8] {
    var bytes = made
    // sqlite.org/fileformat2.html, section 1.3.3.
    if isWAL, bytes.count > 20 { (bytes[18], bytes[19]) = (2, 2) }
    return bytes
  }

  private static let made: [UInt8] = {
    let file = ScratchFile("intact")
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open(file.path, &handle) == SQLITE_OK else { return [] }
    sqlite3_exec(
      handle,
      "PRAGMA page_size=512;PRAGMA journal_mode=OFF;CREATE TABLE metadata(name,value);"
        + "CREATE TABLE tiles(zoom_level,tile_column,tile_row,tile_data);"
        + "INSERT INTO tiles VALUES(0,0,0,x'89504e47');", nil, nil, nil)
    guard let stream = fopen(file.path, "r") else { return [] }
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = fread(&bytes, 1, bytes.count, stream)
    return Array(bytes.prefix(count))
  }()
}
