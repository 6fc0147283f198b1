import Testing

@testable import Control

/// What each method takes, and what it says about anything else.
@Suite struct MessageTests {
  private static var methods: [any ControlMethod.Type] {
    [
      Status.self, ViewGet.self, ViewSet.self, ViewPan.self, ViewZoom.self, ViewFit.self,
      ViewHome.self, Settle.self, SourceListMethod.self, SourceUse.self, SourceAdd.self,
      SourceRemove.self,
      Press.self, PositionGet.self, PositionSet.self, CacheResize.self, CacheClear.self,
      Screenshot.self, Subscribe.self, Unsubscribe.self, Stats.self, ConfigReload.self,
      Version.self,
      Methods.self,
    ]
  }

  @Test(arguments: [
    ("view.get", "null"), ("view.get", "{}"), ("view.set", "{}"),
    ("view.set", #"{"lat":-90,"lon":540}"#),
    ("view.set", #"{"lat":46,"lon":7.5,"zoom":-3,"bearing":-720,"animate":true}"#),
    ("view.pan", #"{"dx":-10,"dy":5.5}"#), ("view.pan", #"{"direction":"up","animate":true}"#),
    ("view.zoom", #"{"delta":-1}"#), ("view.zoom", #"{"delta":1,"x":0,"y":10}"#),
    ("view.fit", #"{"bounds":[170,-20,-170,10]}"#),
    ("view.fit", #"{"bounds":[5,45,10,47],"padding":20}"#),
    ("view.home", "null"), ("settle", "{}"), ("settle", #"{"timeout":0.5}"#), ("source.list", "{}"),
    ("source.use", #"{"name":"topo"}"#), ("source.add", #"{"name":"a","path":"/b","anything":1}"#),
    ("source.remove", #"{"name":""}"#), ("press", #"{"action":"zoom-in"}"#),
    ("cache.resize", #"{"bytes":4194304}"#), ("cache.resize", #"{"bytes":1e6}"#),
    ("cache.clear", "null"),
    ("screenshot", "null"), ("screenshot", #"{"format":"png"}"#),
    ("subscribe", #"{"events":["view","tile-error"]}"#), ("unsubscribe", #"{"events":[]}"#),
    ("stats", "null"), ("config.reload", "null"), ("version", "null"), ("methods", "{}"),
    ("status", "null"), ("position.get", "null"), ("position.set", #"{"lat":-90,"lon":540}"#),
    (
      "position.set",
      #"{"lat":46.02,"lon":7.75,"heading":359.5,"speed":13.9,"accuracy":4}"#
    ),
  ])
  func theseParametersAreTaken(_ method: String, _ params: String) throws {
    let type = try #require(Self.methods.first { $0.name == method })
    let sent = try JSON.parse(params)
    let read = try readParams(type, sent)
    // What it writes, it reads again as the same.
    #expect(try readParams(type, read.json).json == read.json)
  }

  @Test(arguments: [
    ("view.get", #"{"lat":1}"#, "lat"), ("view.get", "[]", "params"),
    ("view.set", "[46,7]", "params"), ("view.set", #"{"lat":90.1}"#, "lat"),
    ("view.set", #"{"lat":"46"}"#, "lat"), ("view.set", #"{"lat":null}"#, "lat"),
    ("view.set", #"{"lat":true}"#, "lat"), ("view.set", #"{"lon":-540.5}"#, "lon"),
    ("view.set", #"{"zom":3}"#, "zom"), ("view.set", #"{"animate":1}"#, "animate"),
    ("view.set", #"{"zoom":[1]}"#, "zoom"), ("view.set", #"{"bearing":{}}"#, "bearing"),
    ("view.pan", "{}", "dx"), ("view.pan", #"{"dx":1}"#, "dy"), ("view.pan", #"{"dy":1}"#, "dx"),
    ("view.pan", #"{"direction":"north"}"#, "direction"),
    ("view.pan", #"{"direction":"up","dx":1,"dy":1}"#, "direction"),
    ("view.pan", #"{"dx":1e300,"dy":0}"#, "dx"), ("view.zoom", "{}", "delta"),
    ("view.zoom", #"{"delta":1,"x":3}"#, "y"), ("view.zoom", #"{"delta":"in"}"#, "delta"),
    ("view.fit", "{}", "bounds"), ("view.fit", #"{"bounds":[1,2,3]}"#, "bounds"),
    ("view.fit", #"{"bounds":[1,2,3,"4"]}"#, "bounds[3]"),
    ("view.fit", #"{"bounds":[1,2,3,91]}"#, "bounds[3]"),
    ("view.fit", #"{"bounds":[1,20,3,10]}"#, "bounds"),
    ("view.fit", #"{"bounds":[-541,2,3,4]}"#, "bounds[0]"),
    ("view.fit", #"{"bounds":[1,2,3,4],"padding":-1}"#, "padding"),
    ("settle", #"{"timeout":-1}"#, "timeout"),
    ("settle", #"{"timeout":1e9}"#, "timeout"), ("source.use", "{}", "name"),
    ("source.use", #"{"name":7}"#, "name"),
    ("source.add", "null", "params"), ("press", "{}", "action"),
    ("press", #"{"action":"home","x":1}"#, "x"),
    ("cache.resize", "{}", "bytes"), ("cache.resize", #"{"bytes":-1}"#, "bytes"),
    ("cache.resize", #"{"bytes":1.5}"#, "bytes"), ("cache.resize", #"{"bytes":1e300}"#, "bytes"),
    ("screenshot", #"{"format":"bmp"}"#, "format"), ("subscribe", "{}", "events"),
    ("subscribe", #"{"events":"view"}"#, "events"),
    ("subscribe", #"{"events":["view",1]}"#, "events[1]"),
    ("stats", #"{"a":1}"#, "a"), ("position.get", #"{"lat":1}"#, "lat"),
    ("position.set", "{}", "lat"), ("position.set", #"{"lat":1}"#, "lon"),
    ("position.set", #"{"lat":90.5,"lon":0}"#, "lat"),
    ("position.set", #"{"lat":0,"lon":541}"#, "lon"),
    ("position.set", #"{"lat":"0","lon":1}"#, "lat"),
    ("position.set", #"{"lat":0,"lon":1,"heading":361}"#, "heading"),
    ("position.set", #"{"lat":0,"lon":1,"heading":null}"#, "heading"),
    ("position.set", #"{"lat":0,"lon":1,"speed":-1}"#, "speed"),
    ("position.set", #"{"lat":0,"lon":1,"accuracy":-1}"#, "accuracy"),
    ("position.set", #"{"lat":0,"lon":1,"altitude":5}"#, "altitude"),
  ])
  func whatIsWrongIsRefusedByName(_ method: String, _ params: String, _ culprit: String) throws {
    let type = try #require(Self.methods.first { $0.name == method })
    let sent = try JSON.parse(params)
    do {
      _ = try readParams(type, sent)
      Issue.record("taken")
    } catch {
      #expect(error.code == -32602)
      #expect(error.data?["parameter"]?.string == culprit)
      #expect(error.message.contains(culprit))
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func numbersThatAreNoneAreRefused(_ number: Double) {
    #expect(throws: ControlError.self) { try ViewSetParams(["zoom": .double(number)]) }
  }

  @Test func messagesSayWhatWouldBeRight() {
    func message(_ params: JSON) -> String {
      do {
        _ = try ViewSetParams(params)
        return "taken"
      } catch { return error.message }
    }
    #expect(message(["lat": 91]) == "\"lat\" must be a number from -90 to 90, not 91")
    #expect(message(["zom": 3]) == "unknown parameter \"zom\"; did you mean \"zoom\"?")
    #expect(
      message(["colour": 3])
        == "unknown parameter \"colour\"; known are lat, lon, zoom, bearing, animate")
    #expect(message(["animate": "yes"]) == "\"animate\" must be true or false, not \"yes\"")
  }

  @Test func resultsComeBackAsTheyWere() throws {
    let view = ViewState(
      lat: 46.0207, lon: -180, zoom: 13.25, bearing: 359.5, bounds: [170, -20, -170, 10],
      width: 640.5, height: 360)
    #expect(try ViewState(view.json) == view)
    let source = SourceStatus(
      name: "topo", kind: "mbtiles", paths: ["/a"], format: "png", minZoom: 0, maxZoom: 14,
      bounds: [5, 45, 10, 47], attribution: "©", role: "base", active: true, healthy: false,
      error: "why")
    #expect(try SourceStatus(source.json) == source)
    let unknown = SourceStatus(name: "packs", kind: "packs", paths: ["/a", "/b"])
    #expect(try SourceStatus(unknown.json) == unknown)
    #expect(unknown.json["path"] == ["/a", "/b"])
    #expect(unknown.json["min_zoom"] == .null)
    let cache = CacheStats(
      bytes: 1, limit: 2, floor: 3, tiles: 4, hits: 5, misses: 6, evictions: 7, decodes: 8,
      decodeErrors: 9)
    #expect(try CacheStats(cache.json) == cache)
    let status = StatusResult(
      version: "1", uptime: 1.5, pid: 7,
      display: DisplayInfo(backend: "headless", width: 1280, height: 720, format: "xrgb8888"),
      source: source, view: view, cache: cache,
      health: [HealthItem(what: "display", state: "error", since: 1e9, detail: "none")])
    #expect(try StatusResult(status.json) == status)
    #expect(
      status.json.object?.keys
        == ["version", "uptime", "pid", "display", "source", "view", "position", "cache", "health"])
    // A daemon of an earlier version says nothing of these.
    var more = status
    (more.gpioLines, more.inputDevices, more.stateFile) = (4, 0, "")
    #expect(try StatusResult(more.json) == more)
    #expect(more.json["gpio_lines"] == 4 && more.json["state_file"] == "")
    var position = PositionInfo(state: "lost", following: true)
    (position.lat, position.lon, position.age) = (46, 7, 12.5)
    #expect(try PositionInfo(position.json) == position)
    var stats = StatsResult()
    stats.frames.presented = 3
    stats.frames.p999 = 1.25
    stats.frames.max = 1.5
    stats.decode.max = 31
    stats.input.pressToFrameP50 = 8
    stats.input.pressToFrameMax = 40.5
    stats.memory = [.init("cache", 5), .init("clients", 6)]
    stats.limits = [.init("cache_bytes", 9), .init("markers", 20_000)]
    stats.clients.count = 3
    stats.clients.limit = 32
    stats.clients.trustedLimit = 34
    stats.clients.unread = 70
    stats.clients.unreadLimit = 80
    stats.pressure.means = "psi"
    stats.pressure.count = 2
    stats.pressure.limit = 9
    #expect(try StatsResult(stats.json) == stats)
    let picture = ScreenshotResult(
      width: 1, height: 2, frame: 3, base64: Base64.encode([0, 255, 1]))
    #expect(try ScreenshotResult(picture.json) == picture)
  }

  @Test func resultsOfALaterVersionAreReadAsFarAsTheyAreKnown() throws {
    let json = try JSON.parse(#"{"frame":3,"complete":true,"missing":null,"more":{"x":1}}"#)
    #expect(try SettleResult(json) == SettleResult(frame: 3, complete: true, missing: 0))
  }

}

/// Opens the existential: a method's parameters as it reads them.
private func readParams<Method: ControlMethod>(
  _ method: Method.Type, _ json: JSON
) throws(ControlError) -> any ControlMessage {
  try Method.Params(json)
}
