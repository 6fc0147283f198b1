import Control
import Foundation
import TestSupport
import Testing

/// Several clients at once, events, refusals.
@Suite struct DaemonControlTests {
  /// A client that sends and looks for answers without waiting.
  private final class Talker {
    private let fd: Int32
    private(set) var lines: [JSON] = []
    private var rest: [UInt8] = []

    init(_ path: String) throws {
      fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(connected == 0)
    }

    deinit { close(fd) }

    func send(_ text: String) throws {
      let bytes = Array(text.utf8)
      try #require(Glibc.send(fd, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }

    /// Takes in what is there.
    func look() throws {
      var chunk = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = recv(fd, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if count <= 0 { break }
        rest += chunk[..<count]
      }
      while let end = rest.firstIndex(of: 10) {
        lines.append(try JSON.parse(Array(rest[..<end])))
        rest.removeSubrange(...end)
      }
    }
  }

  @Test func onlyItsOwnConnectionWaitsForSettle() throws {
    let daemon = try DaemonProcess()
    let other = try daemon.connect()
    try other.settled()
    // A movement takes a quarter of a second: a slow moment of this machine may miss it, so the
    // race is run until it is won once.
    var lon = 11.0
    let won = try waitUntil {
      let talker = try Talker(daemon.socket)
      lon = lon == 11 ? 12 : 11
      try talker.send(
        """
        {"jsonrpc":"2.0","id":1,"method":"view.set","params":{"lon":\(lon),"animate":true}}
        {"jsonrpc":"2.0","id":2,"method":"settle","params":{"timeout":300}}
        {"jsonrpc":"2.0","id":3,"method":"version"}

        """)
      // The view's answer says that the calls behind it are on their way.
      try #require(waitUntil { (try? talker.look()) != nil && !talker.lines.isEmpty })
      _ = try other.call("version")
      try talker.look()
      let waited = talker.lines.count == 1
      try #require(waitUntil { (try? talker.look()) != nil && talker.lines.count == 3 })
      #expect(talker.lines.map { $0["id"]?.int } == [1, 2, 3])
      #expect(talker.lines[1]["result"]?["complete"] == true)
      return waited
    }
    #expect(won)
  }

  @Test func aSettleWhoseTimeRunsOutSaysSo() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    try client.settled()
    let answer = try client.call(
      "settle", ["timeout": 0], timeout: 300)
    #expect(answer["complete"]?.bool != nil)
    #expect(client.refusal("settle", ["timeout": -1])?.data?["parameter"] == "timeout")
  }

  @Test func aMovementIsInterruptedByAnother() throws {
    let daemon = try DaemonProcess()
    let (one, two) = (try daemon.connect(), try daemon.connect())
    try one.settled()
    let target = ViewSetParams(lat: 41, lon: 11, zoom: 5)
    _ = try one.call(ViewSet.self, target)
    try one.settled()
    let still = try one.call(Screenshot.self, ScreenshotParams()).png()

    let far = try one.call(
      ViewSet.self, ViewSetParams(lat: 10, lon: -60, zoom: 3, bearing: 40, animate: true))
    #expect(far.lat == 10)
    #expect(far.zoom == 3)
    var back = target
    back.bearing = 0
    back.animate = true
    let goal = try two.call(ViewSet.self, back)
    #expect(goal.lat == 41)
    #expect(goal.bearing == 0)
    try two.settled()
    #expect(try one.call(ViewGet.self, NoParams()) == goal)
    let isStill = try one.call(Screenshot.self, ScreenshotParams()).png() == still
    #expect(isStill)
  }

  @Test func whoSubscribedIsToldOfViewAndSource() throws {
    let daemon = try DaemonProcess(
      sources: [("osm", DaemonProcess.tiles), ("sparse", DaemonProcess.packs + "/sparse-folder")])
    let (watcher, actor) = (try daemon.connect(), try daemon.connect())
    try actor.settled()
    let events = try watcher.call(Subscribe.self, SubscribeParams(events: [.view, .source]))
    #expect(events.events == [.view, .source])

    let view = try actor.call(ViewSet.self, ViewSetParams(lat: 42, lon: 12, zoom: 4.5))
    let moved = try #require(try watcher.event(.view))
    #expect(moved["lat"]?.double == view.lat)
    #expect(moved["zoom"]?.double == view.zoom)
    _ = try actor.call("source.next")
    #expect(try watcher.event(.source)?["name"] == "sparse")

    // A movement tells of more than its end.
    let far = try actor.call(ViewSet.self, ViewSetParams(lat: 0, lon: 0, animate: true))
    #expect(try watcher.event(.view) { $0["lat"]?.double == far.lat } != nil)

    let left = try watcher.call(Unsubscribe.self, SubscribeParams(events: [.view]))
    #expect(left.events == [.source])
    _ = try actor.call(ViewSet.self, ViewSetParams(lat: 20, lon: 20))
    try actor.settled()
    _ = try actor.call("source.previous")
    // Events of views from before may still lie there; none of this one.
    while let event = try watcher.nextEvent(timeout: 300) {
      #expect(event["lat"]?.double != 20)
      if event["type"] == "source", event["name"] == "osm" { return }
    }
    Issue.record("no source event came")
  }

  @Test(arguments: [
    ("view.set", #"{"lta":1}"#, "lta"), ("view.set", #"{"lat":"north"}"#, "lat"),
    ("view.set", #"{"lat":90.1}"#, "lat"), ("view.set", #"{"lon":-541}"#, "lon"),
    ("view.set", #"{"zoom":null}"#, "zoom"), ("view.set", #"{"animate":1}"#, "animate"),
    ("view.set", #"[46,7]"#, "params"), ("view.pan", #"{"direction":"north"}"#, "direction"),
    ("view.pan", #"{"dx":1e11,"dy":0}"#, "dx"), ("view.zoom", #"{}"#, "delta"),
    ("view.fit", #"{"bounds":[0,10,1,9]}"#, "bounds"), ("view.fit", #"{"bounds":[0,1]}"#, "bounds"),
    ("view.home", #"{"now":true}"#, "now"), ("settle", #"{"timeout":"long"}"#, "timeout"),
    ("source.use", #"{}"#, "name"), ("source.use", #"{"name":5}"#, "name"),
    ("cache.resize", #"{"bytes":-1}"#, "bytes"), ("cache.resize", #"{"bytes":1.5}"#, "bytes"),
    ("screenshot", #"{"format":"bmp"}"#, "format"), ("press", #"{"action":"jump"}"#, "action"),
    ("subscribe", #"{"events":["views"]}"#, "events[0]"), ("subscribe", #"{}"#, "events"),
    ("version", #"{"full":true}"#, "full"), ("status", #"{"a":1}"#, "a"),
    ("source.add", #"{"path":"/a","opake":1}"#, "opake"),
    ("source.add", #"{"name":"a"}"#, "path"),
    ("source.add", #"{"path":"/a","name":"a","paths":["/a"]}"#, "paths"),
    ("source.add", #"{"url":"file:///a/{z}/{x}/{y}.png"}"#, "name"),
    ("source.add", #"{"path":"a.mbtiles"}"#, "path"),
    ("source.add", #"{"path":"/a","opacity":"half"}"#, "opacity"),
    ("source.add", #"{"path":"/a","fallback":"none"}"#, "fallback"),
  ])
  func aParameterThatIsWrongIsNamed(_ method: String, _ params: String, _ name: String) throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    let before = try client.call(ViewGet.self, NoParams())
    let error = client.refusal(method, try JSON.parse(params))
    #expect(error?.code == ControlError.invalidParams)
    #expect(error?.data?["parameter"]?.string == name)
    #expect(error?.message.contains(name) == true)
    #expect(try client.call(ViewGet.self, NoParams()) == before)
  }

  @Test func unknownNamesAndMethodsHaveTheirOwnCodes() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    for method in ["source.use", "source.remove"] {
      let error = client.refusal(method, ["name": "osn"])
      #expect(error?.code == ControlError.unknownName)
      #expect(error?.data?["name"] == "osn")
      #expect(error?.message.contains("osm") == true)
    }
    #expect(client.refusal("press", ["action": "source:osn"])?.code == ControlError.unknownName)
    #expect(client.refusal("press", ["action": "select"])?.code == ControlError.notAvailable)
    #expect(client.refusal("view.sett")?.code == ControlError.methodNotFound)
  }

  @Test func everyMethodThatIsListedIsThere() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    for name in try client.call(Methods.self, NoParams()).names {
      do {
        _ = try client.call(name, timeout: 300)
      } catch {
        // Not as a pattern of the catch: Swift 6.0 fails on that.
        guard case ClientError.refused(let why) = error else { throw error }
        #expect(why.code == ControlError.invalidParams, "\(name): \(why)")
      }
    }
  }
}
