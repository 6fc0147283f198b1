import CSQLite

/// Why the store's database did not do what it was asked for.
struct StoreFault: Error, Equatable {
  /// What can be done about it.
  enum Kind: Equatable {
    /// The file is no database, or a damaged one: it is set aside.
    case damaged
    /// The file is far over a limit that was lowered: it is set aside.
    case tooLarge
    /// The database has reached its limit in pages, or the medium is full.
    case full
    /// The file or its medium may not be written.
    case readOnly
    /// Another program writes it, perhaps until it has closed it.
    case taken
    /// Something else, such as a medium that fails.
    case failed
  }

  var kind: Kind
  var reason: String

  init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// Explains SQLite's `code` (sqlite.org/rescode.html).
  init(code: Int32, _ message: String) {
    switch code & 0xff {
    case SQLITE_CORRUPT, SQLITE_NOTADB: self.init(.damaged, message)
    case SQLITE_FULL: self.init(.full, "the medium is full")
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM:
      self.init(.readOnly, "cannot be written: \(message)")
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(.failed, "another program has locked it for writing")
    default: self.init(.failed, message)
    }
  }
}
