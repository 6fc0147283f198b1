import Foundation
import Glibc

/// The real gpsd as a process of its own, fed with a receiver's log over TCP on the loopback.
public final class ReceiverFeed {
  /// gpsd's program; nil where it is not installed (Debian: gpsd).
  public static let program: String? = ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd", "/usr/bin/gpsd"]
    .first { access($0, X_OK) == 0 }

  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// Where it serves clients.
  public let port: UInt16
  private let process = Process()
  private let receiver: Int32

  /// Starts it, and waits until it reads from the feed and serves.
  ///
  /// - Parameter wanted: Where it serves clients, like one that has ended; nil: anywhere.
  public init(port wanted: UInt16? = nil) throws {
    guard let program = ReceiverFeed.program else { throw Failure(description: "no gpsd") }
    let (listener, feed) = try ReceiverFeed.listen()
    defer { close(listener) }
    let port = try wanted ?? ReceiverFeed.freePort()
    self.port = port
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-N", "-n", "-S", "\(port)", "tcp://127.0.0.1:\(feed)"]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var poller = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, 60_000) == 1 else {
      kill(process.processIdentifier, SIGKILL)
      throw Failure(description: "gpsd does not connect to the receiver")
    }
    receiver = accept(listener, nil, nil)
  }

  deinit {
    close(receiver)
    // It may have inherited a mask of signals in which the polite one is blocked.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The receiver says these bytes.
  public func say(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(receiver, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      sent += count
    }
  }

  /// The sentences of a log, its comments left out, with their ends.
  public static func sentences(of file: String) throws -> [String] {
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.map { $0 + "\r\n" }
  }

  /// The sentences of a log by moments: a new one begins when the time in RMC or GGA differs.
  public static func moments(of file: String) throws -> [String] {
    var moments: [String] = []
    var time = ""
    for sentence in try sentences(of: file) {
      let fields = sentence.split(separator: ",", omittingEmptySubsequences: false)
      if let kind = fields.first, kind.hasSuffix("RMC") || kind.hasSuffix("GGA"), fields.count > 1,
        fields[1] != time
      {
        time = String(fields[1])
        moments.append("")
      }
      if moments.isEmpty { moments.append("") }
      moments[moments.count - 1] += sentence
    }
    return moments
  }

  /// The places that a log's own sentences name (RMC, GGA, GLL and GNS), in order, as `place`
  /// writes them.
  public static func places(of file: String) throws -> [String] {
    func degrees(_ value: Substring, _ side: Substring) -> Double? {
      let point = value.firstIndex(of: ".") ?? value.endIndex
      guard value.distance(from: value.startIndex, to: point) > 2 else { return nil }
      let minutes = value.index(point, offsetBy: -2)
      guard let whole = Double(value[..<minutes]), let part = Double(value[minutes...]) else {
        return nil
      }
      return (whole + part / 60) * (side == "S" || side == "W" ? -1 : 1)
    }
    let first = ["RMC": 3, "GGA": 2, "GLL": 1, "GNS": 2]
    return try sentences(of: file).compactMap { sentence in
      let fields = sentence.split(separator: ",", omittingEmptySubsequences: false)
      guard fields[0].hasPrefix("$"), let at = first[String(fields[0].suffix(3))],
        fields.count > at + 3, let lat = degrees(fields[at], fields[at + 1]),
        let lon = degrees(fields[at + 2], fields[at + 3])
      else { return nil }
      return place(lat, lon)
    }
  }

  /// A moment of a receiver that stands at 10.5° N 20.25° E, which no log does: once gpsd reports
  /// that place, it has read all that was said before.
  public static let elsewhere = (lat: 10.5, lon: 20.25)
  public static func elsewhere(second: Int) -> String {
    let time = String(format: "1200%02d.00", second % 60)
    return [
      "GPRMC,\(time),A,1030.0000,N,02015.0000,E,0.0,0.0,010126,,",
      "GPGGA,\(time),1030.0000,N,02015.0000,E,1,08,1.0,100.0,M,0.0,M,,",
      "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.0,1.0,1.0",
    ].map { body in
      String(format: "$%@*%02X\r\n", body, body.utf8.reduce(0) { $0 ^ $1 })
    }.joined()
  }

  /// A place in degrees, to nine decimals, as gpsd gives them.
  public static func place(_ lat: Double, _ lon: Double) -> String {
    String(format: "%.9f %.9f", lat, lon)
  }

  private static func freePort() throws -> UInt16 {
    let (free, port) = try listen()
    close(free)
    return port
  }

  private static func listen() throws -> (Int32, UInt16) {
    let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let done = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(fd, $0, size) == 0 && Glibc.listen(fd, 8) == 0 && getsockname(fd, $0, &size) == 0
      }
    }
    guard fd >= 0, done else { throw Failure(description: "no port on the loopback is free") }
    return (fd, UInt16(bigEndian: address.sin_port))
  }
}
