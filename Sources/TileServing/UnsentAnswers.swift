/// Counts the answers that connected programs have not read yet, those of all sources together. If
/// they are too many, the connection with the most of them is closed. Belongs to the loop's thread.
final class UnsentAnswers {
  private struct Entry {
    weak var connection: TileConnection?
    var bytes: Int
  }

  private let limit: Int
  private var entries: [ObjectIdentifier: Entry] = [:]

  /// The bytes of all of them.
  private(set) var bytes = 0

  /// - Parameter limit: The most bytes.
  init(limit: Int = 64 << 20) { self.limit = limit }

  /// `connection` has `count` bytes that its program has not read.
  func note(_ count: Int, of connection: TileConnection) {
    let key = ObjectIdentifier(connection)
    bytes += count - (entries[key]?.bytes ?? 0)
    entries[key] = count == 0 ? nil : Entry(connection: connection, bytes: count)
    while bytes > limit, let most = entries.max(by: { $0.value.bytes < $1.value.bytes }) {
      guard let connection = most.value.connection else {
        bytes -= most.value.bytes
        entries[most.key] = nil
        continue
      }
      // It notes that it has none any more.
      connection.end()
    }
  }
}
