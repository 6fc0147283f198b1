import Control
import Testing

/// What `waypost status` calls well.
@Suite struct StatusTextTests {
  private func status(_ set: (inout JSONObject) -> Void) throws -> Program.Outcome {
    let daemon = try Daemon()
    var answer = try #require(Samples.results["status"]).get().object ?? [:]
    set(&answer)
    daemon.answer("status", .success(.object(answer)))
    return try daemon.waypost("status", "--check")
  }

  @Test(arguments: [("fix", "ok "), ("lost", "-  "), ("none", "-  ")])
  func onlyAPresentPositionIsOK(_ state: String, _ mark: String) throws {
    var position = PositionInfo(state: state)
    (position.lat, position.lon, position.age) = (1, 2, 38)
    let outcome = try status { $0["position"] = position.json }
    let line = outcome.text.split(separator: "\n").first { $0.contains("position") }
    #expect(line?.hasPrefix(mark) == true, "\(outcome.text)")
    #expect(outcome.status == 0)
  }

  @Test func buttonsInputDevicesAndTheStateAreSaidToBeWell() throws {
    func lines(
      _ lines: Int64, _ devices: Int64, _ file: String, _ health: [HealthItem] = []
    ) throws -> [Substring] {
      try status {
        $0["gpio_lines"] = .int(lines)
        $0["input_devices"] = .int(devices)
        $0["state_file"] = .string(file)
        $0["health"] = .array(health.map(\.json))
      }.text.split(separator: "\n")
    }
    let well = try lines(4, 1, "/s.json")
    #expect(well.contains { $0.hasPrefix("ok ") && $0.hasSuffix(" 4 lines") }, "\(well)")
    #expect(well.contains { $0.hasPrefix("ok ") && $0.hasSuffix(" 1 device") }, "\(well)")
    #expect(well.contains { $0.hasPrefix("ok ") && $0.hasSuffix(" is kept in /s.json") })
    let none = try lines(0, 0, "")
    for what in ["gpio", "input", "state"] {
      #expect(none.contains { $0.hasPrefix("-  ") && $0.contains("  \(what) ") }, "\(none)")
    }
    let ill = try lines(
      4, 1, "/s.json",
      ["gpio 17", "input.key", "state"].map { HealthItem(what: $0, state: "warning", detail: "no") }
    )
    #expect(!ill.contains { $0.hasPrefix("ok ") && $0.contains(" line") }, "\(ill)")
    #expect(!ill.contains { $0.contains(" device") || $0.contains("is kept") }, "\(ill)")
    // A daemon of an earlier version says nothing of them.
    let old = try status { _ in }.text
    #expect(!old.contains("gpio") && !old.contains("input") && !old.contains("state"), "\(old)")
  }

  @Test(arguments: [
    ("overlay trails", "/t.geojson: cannot be opened: No such file or directory", "copy the file"),
    ("overlay trails", "/t.geojson: cannot be opened: Permission denied", "who may read"),
    ("overlay trails", "/t.geojson:812: a Feature without geometry", "correct the file"),
    ("source topo", "/t.mbtiles: cannot be opened: No such file or directory", "copy the file"),
    ("source topo", "/mine.json: cannot be opened: No such file or directory", "copy the file"),
    (
      "source net",
      "/run/waypost-fetch/net.sock: waypost-fetch is not running, or has not read this source: "
        + "there is no provider: No such file or directory. As a service: systemctl enable --now "
        + "waypost-fetch", "systemctl status waypost-fetch"
    ),
    ("source own", "/a.sock: there is no provider: No such file or directory", "start the program"),
    ("source topo", "/t.mbtiles: damaged", "waypost pack verify FILE"),
    (
      "source net",
      "/run/waypost-fetch/net.sock: the provider says: /s.mbtiles: cannot be opened: No such file "
        + "or directory; tiles are shown but not kept, and that is tried again",
      "the source's store"
    ),
  ])
  func theAdviceOnALayerFitsWhatIsWrong(
    _ what: String, _ detail: String, _ advice: String
  ) throws {
    let outcome = try status {
      $0["health"] = [HealthItem(what: what, state: "warning", detail: detail).json]
    }
    let line = outcome.text.split(separator: "\n").first { $0.contains("To do: ") }
    #expect(line?.contains(advice) == true, "\(outcome.text)")
    #expect(what.hasPrefix("source") || line?.contains("pack") == false, "\(outcome.text)")
  }

  @Test func aStyleForOtherMapsIsNoMatterOfTheFile() throws {
    let detail =
      "/a.json: none of its layers (b) is in the map, which has c: give the map a style for its own layers"
    let outcome = try status {
      $0["health"] = [
        HealthItem(what: "source topo", state: "warning", detail: detail).json
      ]
    }
    #expect(outcome.text.contains("WARNING  source topo"))
    #expect(!outcome.text.contains("To do:"), "\(outcome.text)")
  }

  @Test(arguments: [
    ("/s.json: damaged; set aside as /s.json.damaged; the view begins as it is configured", nil),
    ("/s.json: damaged; set aside as /s.json.damaged; the view begins with the state before", nil),
    ("/s.json: cannot be opened: Permission denied; the view begins as it is", "state.path"),
    ("/no/s.json: No such file or directory; the view will not outlast", "make the folder"),
    ("/s.json: No space left on device; the view will not outlast a restart", "df -h"),
  ])
  func theAdviceOnTheStateFitsWhatIsWrong(_ detail: String, _ advice: String?) throws {
    let outcome = try status {
      $0["health"] = [HealthItem(what: "state", state: "warning", detail: detail).json]
    }
    #expect(outcome.text.contains("WARNING  state"))
    #expect(outcome.text.contains("To do:") == (advice != nil), "\(outcome.text)")
    #expect(outcome.text.contains(advice ?? "state"), "\(outcome.text)")
  }

  @Test(arguments: [
    ("display", "/dev/dri/card0: another program holds the display (a desktop)", nil),
    ("display", "/dev/dri/card0: making a buffer: Cannot allocate memory", "ps aux"),
    ("display", "/dev/dri/card0: no screen is connected", "check the cable"),
    ("media", "/media/a/b.mbtiles: damaged; there is more than is looked at: 64 packs", "copy the"),
    ("media", "there is more than is looked at: 64 packs on 16 media", nil),
    ("media", "sda1 is not mounted: its file system is ntfs, but only vfat is mounted", "FAT32"),
    ("media", "sda1 is not mounted: the device does not answer", "plug it in again"),
    ("source topo", "/t.mbtiles: cannot be read: there is no memory for it", "ps aux"),
    ("media", "sda1 is not mounted: /media has folders of its names already: A", "remove those"),
    ("media", "sda1 is not mounted: its folder /media/A cannot be made: no room", "df -h"),
    ("source topo", "/t.mbtiles: cannot be opened: Too many open files", "it is opened again"),
    ("overlay trail", "/t.gpx: cannot be opened: Too many open files", "it is opened again"),
    ("overlay trail", "/t.gpx: cannot be read: there is no memory for it", "ps aux"),
    ("packs", "the program crashed while /t.mbtiles was being opened", "pack verify"),
    ("gpsd", "localhost:2947: gpsd answers, but no fix has come for 30 minutes", "antenna"),
    ("gpsd", "localhost:2947: Connection refused; is gpsd running?", "systemctl status gpsd"),
    ("clock", "the clock cannot be trusted: with theme.mode = \"auto\" it is day", "time service"),
  ])
  func theAdviceFitsWhatIsWrong(_ what: String, _ detail: String, _ advice: String?) throws {
    let outcome = try status {
      $0["health"] = [HealthItem(what: what, state: "warning", detail: detail).json]
    }
    #expect(outcome.text.contains("WARNING  \(what)"), "\(outcome.text)")
    #expect(outcome.text.contains("To do:") == (advice != nil), "\(outcome.text)")
    #expect(outcome.text.contains(advice ?? what), "\(outcome.text)")
  }

  @Test func noSourceIsAProblemWithAdvice() throws {
    let outcome = try status {
      $0["source"] = .null
      $0["health"] = [HealthItem(what: "map", state: "error", detail: "there is no source").json]
    }
    #expect(outcome.status == 2)
    #expect(outcome.text.contains("FAILED   map      there is no source"), "\(outcome.text)")
    #expect(outcome.text.contains("To do: \"waypost source add FILE\""))
    #expect(outcome.text.contains("1 problem: 1 not working."))
  }
}
