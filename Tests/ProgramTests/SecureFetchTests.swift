import Foundation
import TestSupport
import Testing

/// Runs openssl(1) to its end.
private func openSSL(_ words: [String]) throws -> Program.Outcome {
  try Program(path: "/usr/bin/env").run(["openssl"] + words)
}

private let hasTools =
  (try? Program.built("waypost-fetch").run(["--version"]).text.contains("libcurl/")) == true
  && (try? openSSL(["version"]).status) == 0

/// Tiles from an https server whose certificate nobody else has signed.
@Suite(.enabled(if: hasTools, "skipped: openssl or libcurl is not installed"))
struct SecureFetchTests {
  @Test func certificatesAreVerified() throws {
    let folder = try TemporaryFolder()
    let made = try openSSL([
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
      "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder["key.pem"], "-out",
      folder["cert.pem"],
    ])
    try #require(made.status == 0, "\(made.errors)")
    // What openssl serves: files of the present folder.
    for tile in ["0/0/0.png", "1/1/0.png", "2/2/1.png"] {
      let url = URL(fileURLWithPath: folder[tile])
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(PlainPNG.tile(1)).write(to: url)
    }
    let script =
      "cd \"$0\" && exec openssl s_server -accept 0 -cert cert.pem -key key.pem -WWW 1>&2"
    let server = try Program(path: "/bin/sh").start(["-c", script, folder.path])
    // "ACCEPT [::]:43210".
    func line() -> Substring? {
      server.log.split(separator: "\n").dropLast(server.log.hasSuffix("\n") ? 0 : 1)
        .first { $0.hasPrefix("ACCEPT") }
    }
    while line() == nil, !server.hasEnded { usleep(1000) }
    let accept = try #require(line(), "\(server.log)")
    let port = try #require(accept.split(separator: ":").last)
    func fetch(_ name: String, _ environment: [String: String]) throws -> Program.Outcome {
      let own = ["no_proxy": "127.0.0.1", "SSL_CERT_FILE": "", "CURL_CA_BUNDLE": ""]
      return try Program.built("waypost").run(
        [
          "pack", "fetch", "--url", "https://127.0.0.1:\(port)/{z}/{x}/{y}.png", "--around",
          "1,1,1", "--connections", "1", "--zoom", "0-2", folder[name],
        ], environment: own.merging(environment) { $1 })
    }
    let refused = try fetch("a.mbtiles", [:])
    #expect(refused.status == 75)
    #expect(refused.errors.contains("ca-certificates has those that are trusted"))
    #expect(refused.errors.contains("given up after 3 failures"), "\(refused.errors)")
    for (index, name) in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].enumerated() {
      let trusted = try fetch("\(index).pmtiles", [name: folder["cert.pem"]])
      #expect(trusted.status == 0, "\(trusted.errors)")
      #expect(trusted.text.contains("3 tiles, 1 of them different"), "\(trusted.text)")
    }
    kill(server.pid, SIGTERM)
  }
}
