import Glibc

/// The address of a gpsd on this machine.
///
/// The daemon connects to no other machine. Names are not looked up, which could block and needs a
/// network, and addresses other than the loopback's are refused. For a receiver elsewhere, a gpsd
/// on this machine can read from the one there (`gpsd gpsd://OTHER-HOST`).
public struct GPSDAddress: Sendable, Equatable, CustomStringConvertible {
  /// gpsd's registered port (IANA: gpsd 2947/tcp).
  public static let defaultPort: UInt16 = 2947

  /// Numeric addresses of the loopback in the order in which they are tried.
  public let hosts: [String]
  /// The TCP port, 1 to 65535; 2947 if the text has none.
  public let port: UInt16
  private let text: String

  /// The address as the configuration spells it.
  public var description: String { text }

  /// The valid forms, for the message about a value that has none of them.
  public static let form =
    "HOST:PORT of this machine, such as \"localhost:2947\", \"127.0.0.1:2947\" or \"[::1]:2947\""

  /// Reads `HOST`, `HOST:PORT` or `[IPv6]:PORT`, where HOST is "localhost" or a numeric address of
  /// the loopback (127.0.0.0/8, ::1). Nil for anything else.
  public init?(_ text: String) {
    var host = Substring(text)
    var port = Self.defaultPort
    func number(_ digits: Substring) -> UInt16? {
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }),
        let number = UInt16(digits), number > 0
      else { return nil }
      return number
    }
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      if !rest.isEmpty {
        guard rest.hasPrefix(":"), let given = number(rest.dropFirst()) else { return nil }
        port = given
      }
      guard host.contains(":") else { return nil }
    } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
      guard let given = number(text[text.index(after: colon)...]) else { return nil }
      port = given
      host = text[..<colon]
    }
    if host == "localhost" {
      hosts = ["::1", "127.0.0.1"]
    } else {
      let numeric = String(host)
      guard Self.isLoopback(numeric) else { return nil }
      hosts = [numeric]
    }
    self.port = port
    self.text = text
  }

  private static func isLoopback(_ host: String) -> Bool {
    var four = in_addr()
    if inet_pton(AF_INET, host, &four) == 1 {
      return UInt32(bigEndian: four.s_addr) >> 24 == 127
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
    return withUnsafeBytes(of: &six) { bytes in
      bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
  }
}
