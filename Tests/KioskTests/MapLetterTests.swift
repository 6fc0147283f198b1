import Drawing
import MapGeometry
import MapLabels
import Testing

@testable import Configuration
@testable import EventLoop
@testable import Kiosk

/// Names on the map in scripts that the bundled fonts lack.
@Suite struct MapLetterTests {
  /// Each tile has a label that begins with this name.
  private static func source(_ name: String) -> PlainSource {
    var settings = LabelSettings()
    settings.textSize = 24
    return PlainSource(night: nil, settings) { "\(name) \($0)" }
  }

  private func bench(_ name: String) throws -> Bench {
    let bench = try Bench([], width: 640, height: 480) {
      $0.view.zoom = 4.3
      $0.view.center = GeoPoint(lat: 20.123, lon: 10.456)
    }
    #expect(bench.kiosk.addSource("names") { .success(Self.source(name)) })
    try bench.settle()
    return bench
  }

  private func problem(_ bench: Bench) -> String? {
    bench.kiosk.health.entries.first { $0.what == "map.letters" }?.detail
  }

  @Test(
    .enabled(
      if: !ScriptFonts.read(for: ["zh"]).isEmpty,
      "skipped: no font for Chinese is installed (`make test-packages` does it)"))
  func namesInAnotherScriptBringAFontThatHasIt() throws {
    let bench = try bench("東京")
    while bench.kiosk.overMap.fontFiles.isEmpty { bench.loop.runOnce(timeout: 50_000_000) }
    #expect(bench.kiosk.overMap.fontFiles.count == 1)
    try bench.settle()
    #expect(bench.kiosk.baseLabels.files.count == 1)
    #expect(bench.kiosk.baseLabels.lackingLanguages.isEmpty)
    #expect(!bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    #expect(problem(bench) == nil)
  }

  @Test(
    .enabled(
      if: ScriptFonts.read(for: ["dz"]).isEmpty, "skipped: a font for Tibetan is installed"))
  func aScriptForWhichThereIsNoFontIsReportedWithWhatHelps() throws {
    let bench = try bench("ཀཁ")
    while problem(bench) == nil { bench.loop.runOnce(timeout: 50_000_000) }
    #expect(problem(bench)?.contains("fonts-noto-core") == true)
    try bench.settle()
    #expect(!bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
  }

  @Test func lettersThatTheBundledFontsHaveBringNoFont() throws {
    let bench = try bench("Ωμέγα Жанна قهوة")
    #expect(bench.kiosk.baseLabels.lackingLanguages.isEmpty)
    #expect(bench.kiosk.overMap.fontFiles.isEmpty)
  }

  @Test func fontsForScriptsAreLimitedAndLookedForOnce() throws {
    let loop = try EventLoop()
    var reads = 0
    let fonts = HudFonts(loop: loop) { reads += 1 }
    let languages: Set = ["bn", "pa", "gu", "or", "ta", "te", "kn", "ml", "si", "dz", "my", "am"]
    fonts.needLetters(of: languages)
    while fonts.isReading { loop.runOnce(timeout: 50_000_000) }
    #expect(fonts.undrawn.count + fonts.files.count <= HudFonts.mostMet)
    #expect(reads == 1)
    fonts.needLetters(of: languages)
    #expect(!fonts.isReading)
  }
}
