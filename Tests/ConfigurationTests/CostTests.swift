import Platform
import Testing
import TileSources

@testable import Configuration

/// What hostile configurations cost, counted in steps and findings.
@Suite struct CostTests {
  private func chain(_ count: Int, closed: Bool) -> [SourceSpec] {
    (0..<count).map { index in
      var source = SourceSpec(name: "a\(index)", location: .path("/x"))
      if closed || index < count - 1 { source.fallback = "a\((index + 1) % count)" }
      return source
    }
  }

  private func steps(_ sources: [SourceSpec]) -> Int {
    var check = FallbackCheck(sources)
    check.report({ [:] }, Findings())
    return check.steps
  }

  @Test(arguments: [false, true])
  func aChainOfFallbacksCostsItsLength(closed: Bool) {
    let (small, large) = (steps(chain(1000, closed: closed)), steps(chain(4000, closed: closed)))
    #expect(small <= 3 * 1000)
    #expect(large <= 4 * small + 4)
  }

  @Test func manyChainsIntoOneCostTheirLength() {
    var sources = chain(2000, closed: true)
    for index in 0..<2000 {
      var source = SourceSpec(name: "b\(index)", location: .path("/x"))
      source.fallback = "a0"
      sources.append(source)
    }
    #expect(steps(sources) <= 3 * 4000)
  }

  @Test func onlyTheSourcesOfACircleAreOnIt() {
    var sources = chain(3, closed: true)
    var outside = SourceSpec(name: "b", location: .path("/x"))
    outside.fallback = "a1"
    sources.append(outside)
    var check = FallbackCheck(sources)
    #expect(check.circles() == [true, true, true, false])
  }

  @Test func aLongCircleIsToldByItsBeginning() {
    let toml = (0..<500).map {
      "[[source]]\nname = \"a\($0)\"\npath = \"/x\"\nfallback = \"a\(($0 + 1) % 500)\"\n"
    }.joined()
    let result = load(toml)
    #expect(result.configuration == nil)
    #expect(result.findings.count == Findings.limit + 1)
    #expect(result.findings.allSatisfy { $0.text.utf8.count < 200 })
  }

  @Test func findingsEndAtALimitAndTheLastSaysSo() throws {
    let result = load((0..<5000).map { "k\($0) = 1\n" }.joined())
    #expect(result.configuration == nil)
    #expect(result.findings.count == Findings.limit + 1)
    #expect(result.findings.contains { $0.text == "there are more findings; 200 are shown" })
  }

  @Test func warningsBeyondTheLimitNeverMakeAConfigurationPass() {
    // A warning a source, and an error behind them all.
    let toml =
      (0..<300).map {
        "[[source]]\nname = \"a\($0)\"\npath = \"/x\"\nlevel = \"above-labels\"\n"
      }.joined() + "[zzz]\n"
    #expect(load(toml).configuration == nil)
  }

  @Test(arguments: [
    ("[[input.key]]\nkey = \"KEY_#\"\naction = \"home\"\n", Configuration.Input.mostKeys),
    ("[[gpio.button]]\nline = \"L#\"\naction = \"home\"\n", Configuration.Gpio.mostLines),
    ("[[source]]\npath = \"/m/#\"\n", Configuration.mostSources),
  ])
  func listsHaveALimit(_ element: String, _ limit: Int) {
    func isTooMany(_ count: Int) -> Bool {
      let toml = (0..<count).map { number in
        element.split(separator: "#").joined(separator: "\(number)")
      }
      let texts = load(toml.joined()).findings.map(\.text)
      return texts.contains { $0.contains("at most \(limit) are possible") }
    }
    #expect(!isTooMany(limit))
    #expect(isTooMany(limit + 1))
  }

  @Test func mergingFilesLooksUpKeysOnce() throws {
    func table(_ count: Int, _ value: Int) -> ConfigValue {
      ConfigValue(
        .table(
          (0..<count).map {
            .init(
              key: "k\($0)", line: $0 + 1,
              value: ConfigValue(.integer(value), origin: .init(file: "f", directory: nil)))
          }), origin: .init(file: "f", directory: nil))
    }
    let merged = ConfigurationMerge.merge(table(20_000, 1), table(20_001, 2))
    #expect(merged.table?.count == 20_001)
    #expect(merged.table?.allSatisfy { $0.value.integer == 2 } == true)
  }
}

@Suite struct PlaceTests {
  @Test func placesAreThoseOfTheFileThatHasTheLastWord() {
    let result = load([
      ("/a.toml", "[[source]]\npath = \"/m/topo.mbtiles\"\n\n[hud]\nfont = \"/x.ttf\"\n"),
      (
        "/b.toml",
        "[[overlay]]\nkind = \"grid\"\n[[input.key]]\naction = \"home\"\nkey = \"KEY_A\"\n"
      ),
    ])
    let places = result.places
    #expect(places.sources()["topo"]?.line == 1)
    #expect(places.overlays()["grid"]?.file == "/b.toml")
    #expect(places.inputKeys()["KEY_A"]?.line == 5)
    #expect(places.key("hud.font").line == 5)
    #expect(places.key("hud.nothing").line == 4)
    #expect(places.key("nothing").line == 1)
  }

  @Test func halfAByteIsAForgottenUnit() {
    #expect(load("[cache]\nmemory = \"0.5\"").configuration == nil)
    #expect(load("[cache]\nmemory = \"0.5MiB\"").configuration?.cache.memory == 1 << 19)
  }
}
