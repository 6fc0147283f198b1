import Foundation
import TestSupport
import Testing

/// The path of a program; nil where it is not installed.
private func installed(_ name: String) -> String? {
  let places = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
  return places.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
}

private let hasTools =
  (try? Program.built("waypost-fetch").run(["--version"]).text.contains("libcurl/")) == true
  && installed("openssl") != nil
  && installed("python3").flatMap { try? Program(path: $0).run(["-c", "import ssl"]).status } == 0

/// Tiles from an https server whose certificate nobody has signed.
@Suite(.enabled(if: hasTools, "skipped: openssl, python3 or libcurl is not installed"))
struct SecureFetchTests {
  private static let server = """
    import http.server, ssl, sys
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = open(sys.argv[2], 'rb').read()
            self.send_response(200)
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def log_message(self, *words): pass
    server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1] + '/cert.pem', sys.argv[1] + '/key.pem')
    server.socket = context.wrap_socket(server.socket, server_side=True,
                                        do_handshake_on_connect=False)
    print('port', server.server_address[1], 'is open', file=sys.stderr, flush=True)
    server.serve_forever()
    """

  @Test func certificatesAreVerified() throws {
    let folder = try TemporaryFolder()
    let made = try Program(path: try #require(installed("openssl"))).run([
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
      "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder["key.pem"], "-out",
      folder["cert.pem"],
    ])
    try #require(made.status == 0, "\(made.errors)")
    try Data(PlainPNG.tile(1)).write(to: URL(fileURLWithPath: folder["tile.png"]))
    let server = try Program(path: try #require(installed("python3"))).start([
      "-c", SecureFetchTests.server, folder.path, folder["tile.png"],
    ])
    while !server.log.contains("is open"), !server.hasEnded { usleep(1000) }
    let port = try #require(server.log.split(separator: " ").dropFirst().first, "\(server.log)")
    func fetch(_ name: String, _ environment: [String: String]) throws -> Program.Outcome {
      let own = ["no_proxy": "127.0.0.1", "SSL_CERT_FILE": "", "CURL_CA_BUNDLE": ""]
      return try Program.built("waypost").run(
        [
          "pack", "fetch", "--url", "https://127.0.0.1:\(port)/{z}/{x}/{y}.png", "--around",
          "1,1,1",
          "--zoom", "0-2", folder[name],
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
