import Glibc

/// Where gpsd listens: a port of this machine.
///
/// The daemon speaks to no other machine: names are not looked up (that could block, and needs a
/// network), and what is not the loopback is refused. A receiver elsewhere is brought here by a
/// gpsd of this machine (`gpsd gpsd://OTHER-HOST`).
public struct GPSDAddress: Sendable, Equatable, CustomStringConvertible {
  /// gpsd's port (IANA: gpsd 2947/tcp).
  public static let defaultPort: UInt16 = 2947

  /// Numeric addresses of the loopback in the order in which they are tried.
  public let hosts: [String]
  /// The TCP port, 2947 unless given.
  public let port: UInt16
  private let text: String

  /// The address as the configuration writes it.
  public var description: String { text }

  /// The message for a configuration that names something else.
  public static let form =
    "HOST:PORT of this machine, such as \"localhost:2947\", \"127.0.0.1:2947\" or \"[::1]:2947\""

  /// `HOST`, `HOST:PORT` or `[IPv6]:PORT` where HOST is "localhost" or a numeric address of the
  /// loopback (127.0.0.0/8, ::1). Nil for anything else.
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
