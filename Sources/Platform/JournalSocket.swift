import CLinux

/// A field of an entry in the journal, beside its message: an upper-case name and its text.
public struct LogField: Sendable, Equatable {
  var name: String
  var value: String

  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// The journal's own protocol: a datagram of fields for each entry
/// (systemd.io/JOURNAL_NATIVE_PROTOCOL).
struct JournalSocket: Sendable {
  /// Where the journal listens.
  static let path = "/run/systemd/journal/socket"

  var path = JournalSocket.path

  /// Sends an entry of the program `name`; `message` is one line. Returns false if the journal did
  /// not take it: it is not there, or its queue is full.
  func send(
    _ level: LogLevel, _ message: String, of name: String, _ fields: [LogField] = []
  ) -> Bool {
    var entry: [UInt8] = []
    func add(_ name: String, _ value: String) {
      // A text of one line needs no length.
      entry += Array("\(name)=\(value)\n".utf8)
    }
    add("MESSAGE", message)
    add("PRIORITY", String(level.priority))
    add("SYSLOG_IDENTIFIER", name)
    for field in fields { add(field.name, field.value.escaped) }
    return entry.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        waypost_send_datagram(path, path.utf8.count, $0.baseAddress, $0.count, -1) == 0
      }
    }
  }
}
