import Glibc
import MapGeometry
import Platform

/// Keeps visited tiles in an MBTiles file of limited size, and evicts the least recently visited
/// ones first. All tiles of a store have one scale: that of the first tile kept.
///
/// New tiles are kept in memory and written in batches: `keep` never writes, `write` does. Another
/// program may open the file as a map at any time. All functions may wait for the medium, so call
/// them off the loop's thread.
package final class TileStore: Sendable {
  /// The largest tile that is kept, in bytes.
  static let largestTile: Int32 = 2 << 20
  /// The longest time in seconds for which a tile may be fresh: one that is fresh for longer was
  /// kept while the clock was wrong.
  package static let longestLifetime: Int64 = 365 * 86_400
  /// The smallest `limit`: below it there is no room for a batch and its log.
  package static let smallestLimit = 16 << 20
  /// The most bytes that are written in an hour, unless told otherwise. A card of 16 GB that takes
  /// 1,000 writes of each block lasts for 25 years of that.
  package static let usualHourlyLimit = 64 << 20

  /// What a store is made with.
  package struct Options: Sendable, Equatable {
    /// The file.
    package var path: String
    /// The most bytes of the file and its log together.
    package var limit: Int
    /// The most bytes that are written in an hour.
    package var hourlyLimit = TileStore.usualHourlyLimit
    /// Visits that are noted in memory at most.
    var mostVisits = 32_768
    /// What the map is called, for other programs that read it.
    package var title: String
    /// Its attribution, likewise; nil: what the file has stays.
    package var attribution: String?

    package init(path: String, limit: Int, title: String = "", attribution: String? = "") {
      self.path = path
      self.limit = max(limit, TileStore.smallestLimit)
      self.title = title
      self.attribution = attribution
    }
  }

  /// A tile, or that there is none, as its server said.
  package struct Tile: Sendable, Equatable {
    /// The tile; empty: the server does not have it.
    package var bytes: [UInt8]
    /// The server's ETag; empty: none.
    package var tag: String
    /// The server's Last-Modified; empty: none.
    package var modified: String
    /// When it is to be asked for again, in seconds since 1970.
    package var expires: Int64
    /// Tells the tiles of one address from those of another.
    package var variant: Int64

    package init(
      bytes: [UInt8], tag: String = "", modified: String = "", expires: Int64, variant: Int64
    ) {
      self.bytes = bytes
      self.tag = tag
      self.modified = modified
      self.expires = expires
      self.variant = variant
    }
  }

  /// Something that its owner should know.
  package struct Note: Sendable, Equatable {
    package var level: LogLevel
    package var text: String
    /// Whether it says that `News.trouble` began or ended.
    package var isOfTrouble = false
  }

  /// What there is to know of the store.
  package struct News: Sendable {
    /// What has happened since the last time.
    package var notes: [Note] = []
    /// Why tiles are not kept at present; nil: they are.
    package var trouble: String?
  }

  private let state: Gate<StoreState>

  /// Creates the store. Nothing is opened yet.
  package init(_ options: Options) { state = Gate(StoreState(options)) }

  /// The tile `id`, also if it is expired, unless it is of another scale. Counts as a visit.
  ///
  /// - Parameters:
  ///   - id: The tile.
  ///   - scale: The scale that its server was asked for.
  ///   - now: The present time.
  /// - Returns: The tile; nil if nothing is known of it.
  package func tile(_ id: TileID, scale: Int = 1, at now: StoreTime = .now()) -> Tile? {
    state.locked { $0.tile(id, scale: scale, at: now) }
  }

  /// Keeps what the server said of `id` until the next batch.
  ///
  /// - Parameters:
  ///   - tile: What it said.
  ///   - id: The tile's address.
  ///   - scale: Its scale: a tile of another scale than the store's is not kept.
  ///   - now: The present time.
  /// - Returns: Whether a batch should be written now: it has its size.
  package func keep(
    _ tile: Tile, for id: TileID, scale: Int = 1, at now: StoreTime = .now()
  ) -> Bool {
    state.locked { $0.keep(tile, for: id, scale: scale, at: now) }
  }

  /// The server confirmed what is stored of `id`, until `expires`.
  package func confirm(_ id: TileID, until expires: Int64) {
    state.locked { $0.confirm(id, until: expires) }
  }

  /// What `keep(archive:facts:)` kept last; nil: nothing.
  ///
  /// - Parameter now: The present time.
  /// - Returns: The text as it was given.
  package func archive(at now: StoreTime = .now()) -> String? {
    state.locked { $0.archive(at: now) }
  }

  /// Keeps, with the next batch, what is known of the archive that its tiles are of.
  ///
  /// - Parameters:
  ///   - archive: Any text.
  ///   - facts: Metadata for other programs that read the file (MBTiles 1.3).
  package func keep(archive: String, facts: [String: String]) {
    state.locked { $0.keep(archive: archive, facts: facts) }
  }

  /// Whether `write` has something to do beside tiles that were kept.
  package var isDue: Bool { state.locked { $0.isDue } }

  /// Writes a batch if there is one, and visits if there are many, and the hour allows it. Where
  /// the limit has become smaller, makes the file smaller by some steps.
  ///
  /// - Parameter now: The present time.
  package func write(at now: StoreTime = .now()) { state.locked { $0.write(at: now) } }

  /// Writes what can be written, and closes the file.
  ///
  /// - Parameter now: The present time.
  package func close(at now: StoreTime = .now()) { state.locked { $0.close(at: now) } }

  /// What has happened since the last call.
  package func takeNotes() -> [Note] { takeNews().notes }

  /// What has happened since the last call, and the present trouble.
  package func takeNews() -> News {
    state.locked { News(notes: $0.takeNotes(), trouble: $0.trouble) }
  }

  /// Called between two steps of writing; for tests.
  func betweenSteps(_ body: @escaping @Sendable () -> Void) {
    state.locked { $0.betweenSteps = body }
  }

  /// Bytes that were counted against the hour's limit; for tests.
  func writtenBytes(at now: StoreTime = .now()) -> Int {
    state.locked { $0.budget.used(at: now.steady) }
  }
}

/// The time by two clocks.
package struct StoreTime: Sendable {
  /// Seconds since 1970, which jump when the clock is set.
  package var wall: Int64
  /// Seconds that never jump.
  package var steady: Int64

  package init(wall: Int64, steady: Int64) {
    self.wall = wall
    self.steady = steady
  }

  package static func now() -> StoreTime {
    var (wall, steady) = (timespec(), timespec())
    clock_gettime(CLOCK_REALTIME, &wall)
    clock_gettime(CLOCK_MONOTONIC, &steady)
    return StoreTime(wall: Int64(wall.tv_sec), steady: Int64(steady.tv_sec))
  }
}
