import Foundation
import Glibc

/// Another client of the same gpsd: it hears what Waypost's client hears, and reads it with another
/// JSON parser.
public final class ReceiverWitness {
  private let fd: Int32
  private var heard = Data()

  /// Connects to gpsd at `port` of this machine and waits until it is told of every report.
  public init(port: UInt16) throws {
    fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard fd >= 0, connected == 0 else {
      throw ReceiverFeed.Failure(description: "gpsd takes no second client")
    }
    let watch = "?WATCH={\"enable\":true,\"json\":true};\n"
    _ = watch.withCString { send(fd, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    while !heard.contains(Data("\"class\":\"WATCH\"".utf8)) {
      guard read(wait: true) else {
        throw ReceiverFeed.Failure(description: "gpsd closes the second client's connection")
      }
    }
  }

  deinit { close(fd) }

  /// Takes what gpsd has said meanwhile, so that it does not wait for this client.
  public func listen() { while read(wait: false) {} }

  /// The reports with a place and a mode of 2 or 3, each as "lat lon mode".
  public var fixes: [String] {
    heard.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let object = try? JSONSerialization.jsonObject(with: Data(line)),
        let report = object as? [String: Any], report["class"] as? String == "TPV",
        let lat = report["lat"] as? Double, let lon = report["lon"] as? Double,
        let mode = report["mode"] as? Int, mode >= 2
      else { return nil }
      return "\(ReceiverFeed.place(lat, lon)) \(mode)"
    }
  }

  private func read(wait: Bool) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = recv(fd, &bytes, bytes.count, wait ? 0 : Int32(MSG_DONTWAIT))
    if count > 0 { heard.append(contentsOf: bytes[..<count]) }
    return count > 0
  }
}
