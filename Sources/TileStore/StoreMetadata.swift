/// The `metadata` table of a store (MBTiles 1.3): names and values.
struct StoreMetadata {
  private let said, say, change: StoreDatabase.Statement

  /// - Throws: `StoreFault` if the table is not that.
  init(_ database: StoreDatabase) throws(StoreFault) {
    said = try database.prepare("SELECT value FROM metadata WHERE name = ?1")
    say = try database.prepare("INSERT OR REPLACE INTO metadata VALUES (?1, ?2)")
    // Leaves the index alone.
    change = try database.prepare("UPDATE metadata SET value = ?2 WHERE name = ?1")
  }

  /// The value of `name`; nil: there is none.
  subscript(name: String) -> String? {
    get throws(StoreFault) {
      said.bind(1, name)
      defer { said.reset() }
      return try said.step() ? said.text(0) : nil
    }
  }

  /// Writes those of `facts` that are not there yet.
  func state(_ facts: [String: String]) throws(StoreFault) {
    for (name, value) in facts {
      let present = try self[name]
      if present == value { continue }
      let statement = present == nil ? say : change
      statement.bind(1, name)
      statement.bind(2, value)
      try statement.run()
    }
  }
}
