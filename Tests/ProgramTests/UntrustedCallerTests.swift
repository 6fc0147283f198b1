import Foundation
import TestSupport
import Testing

/// The words that run a program as nobody, with root's group, which may use the socket.
private let asNobody = ["--reuid=65534", "--regid=0", "--clear-groups"]

private func canCallAsNobody() -> Bool {
  guard geteuid() == 0 else { return false }
  let outcome = try? Program(path: "/usr/bin/setpriv").run(
    asNobody + ["/usr/bin/python3", "-c", "pass"])
  return outcome?.status == 0
}

/// What a program may add over the socket that runs as neither root nor the daemon's user.
@Suite(
  .enabled(if: canCallAsNobody(), "skipped: only root may run programs as others, here python3"),
  .enabled(if: !isEmulated, "skipped under emulation: it has no openat2"))
struct UntrustedCallerTests {
  /// The answer to one request of nobody's.
  private func answer(_ request: String, _ folder: TemporaryFolder) throws -> String {
    let call = """
      import socket, sys
      client = socket.socket(socket.AF_UNIX)
      client.connect(sys.argv[1])
      client.sendall(sys.argv[2].encode() + b"\\n")
      print(client.makefile().readline())
      """
    let outcome = try Program(path: "/usr/bin/setpriv").run(
      asNobody + ["/usr/bin/python3", "-c", call, folder["s"], request])
    return outcome.text
  }

  private func add(_ kind: String, _ path: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"\#(kind).add","params":{"name":"n","path":"\#(path)"}}"#
  }

  @Test func onlyWhatLiesBelowTheRootsIsOpenedForIt() throws {
    let folder = try TemporaryFolder()
    chmod(folder[""], 0o755)
    for name in ["roots", "secret"] { #expect(mkdir(folder[name], 0o700) == 0) }
    let point = #"{"type":"Point","coordinates":[0,0]}"#
    try folder.write(point, to: "roots/a.geojson")
    try folder.write(point, to: "secret/a.geojson")
    symlink("../secret", folder["roots/way"])
    try folder.write(
      DaemonProcess.head(folder).replacingOccurrences(
        of: "[control]", with: "[control]\nroots = [\"\(folder["roots"])\"]")
        + DaemonProcess.source("osm", DaemonProcess.tiles), to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    defer { withExtendedLifetime(daemon) {} }
    for path in ["secret", "roots/../secret"] {
      for (kind, name) in [("overlay", "/a.geojson"), ("source", "")] {
        let reply = try answer(add(kind, folder[path] + name), folder)
        #expect(reply.contains("-32007"), "\(kind) \(path): \(reply)")
      }
    }
    for url in ["/{z}/../../secret/{x}/{y}.png", "/%2e%2e/{z}/{x}/{y}.png"] {
      let request = add("source", "X").replacingOccurrences(
        of: #""path":"X""#, with: #""url":"file://\#(folder["roots"])\#(url)""#)
      let reply = try answer(request, folder)
      #expect(reply.contains("-32007"), "\(url): \(reply)")
    }
    let socket = add("source", folder["secret/socket"]).replacingOccurrences(
      of: #""path""#, with: #""provider""#)
    let provider = try answer(socket, folder)
    #expect(provider.contains("-32007"), "\(provider)")
    #expect(daemon.program.log.contains("control: user 65534, group 0, process "))
    // The way out is found when it is opened.
    let out = try answer(add("overlay", folder["roots/way/a.geojson"]), folder)
    #expect(out.contains("error"), "\(out)")
    let good = try answer(add("overlay", folder["roots/a.geojson"]), folder)
    #expect(good.contains("result"), "\(good)")
    // The same of root's.
    let own = try daemon.connect().call(
      "overlay.add", ["name": "m", "path": .string(folder["secret/a.geojson"])])
    #expect("\(own)".contains("m"))
  }
}
