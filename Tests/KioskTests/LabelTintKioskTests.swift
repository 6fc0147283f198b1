import Drawing
import MapGeometry
import MapLabels
import MapScene
import MapStyle
import Testing
import TileLoading
import TileSources

@testable import Configuration
@testable import Kiosk

/// The labels of a painted base map have the colours of its tiles by night, and `hud.font`.
@Suite struct LabelTintKioskTests {
  /// Dark words in white halos.
  private static func source(hasNight: Bool) -> PlainSource {
    var settings = LabelSettings()
    settings.textSize = 24
    settings.textColor = 0xFF10_3060
    settings.textHaloColor = 0xFFFF_FFFF
    settings.textHaloWidth = 2
    return PlainSource(night: hasNight ? 0xFFFF_FFFF : nil, settings) { "\($0)" }
  }

  private func bench(_ night: [Filter], hasNight: Bool) throws -> Bench {
    let bench = try Bench([], width: 640, height: 480) {
      $0.view.zoom = 4.3
      $0.view.center = GeoPoint(lat: 20.123, lon: 10.456)
      $0.theme.mode = .night
      $0.theme.night = night
    }
    #expect(bench.kiosk.addSource("names") { .success(Self.source(hasNight: hasNight)) })
    try bench.settle()
    #expect(!bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    return bench
  }

  private func count(_ bench: Bench, _ isMeant: (UInt32) -> Bool) -> Int {
    bench.panel().words.count { isMeant($0) }
  }

  /// Whether a pixel has the style's colour of words.
  private static func isInk(_ pixel: UInt32) -> Bool {
    pixel >> 16 & 0xFF < 0x18 && 0x28...0x38 ~= pixel >> 8 & 0xFF && 0x58...0x68 ~= pixel & 0xFF
  }

  @Test func whereTheThemeDarkensTheMapWordsAreLight() throws {
    let bench = try bench([.dark], hasNight: false)
    #expect(count(bench) { $0 >> 8 & 0xFF > 0x90 } > 200)
    // The halos are no lighter than the paper.
    #expect(count(bench) { $0 >> 8 & 0xFF < 0x30 } > 640 * 480 * 8 / 10)
  }

  @Test(arguments: [true, false], [[Filter.red], [.dark, .red]])
  func redLeavesNothingButRedsInWords(_ hasNight: Bool, _ night: [Filter]) throws {
    let bench = try bench(night, hasNight: hasNight)
    #expect(count(bench) { $0 & 0xFFFF != 0 } == 0)
    // There are words: several lightnesses of red.
    #expect(count(bench) { $0 >> 16 & 0xFF < 0x60 } > 200)
    #expect(count(bench) { $0 >> 16 & 0xFF > 0x80 } > 200)
  }

  @Test func aMapWithANightOfItsOwnKeepsItsWords() throws {
    let bench = try bench([.dark], hasNight: true)
    #expect(count(bench, Self.isInk) > 100)
  }

  @Test func theChangeOfDayAndNightRecoloursWords() throws {
    let bench = try bench([.dark], hasNight: false)
    let night = bench.panel()
    bench.kiosk.setTheme(.day)
    try bench.settle()
    #expect(count(bench, Self.isInk) > 100)
    bench.kiosk.setTheme(.night)
    try bench.settle()
    #expect(bench.panel() == night)
  }

  @Test func labelsAreDrawnWithTheFontsOfTheHudOnceTheyAreRead() throws {
    let bench = try bench([.dark], hasNight: false)
    let file = FontFile("/nowhere/a.ttf")
    bench.kiosk.overMap.setFontReading { _ in [file] }
    var new = bench.kiosk.configuration
    new.hud.fonts = [file.path]
    bench.kiosk.apply(new)
    for _ in 0..<200 where bench.kiosk.overMap.fontFiles.isEmpty {
      bench.loop.runOnce(timeout: 50_000_000)
    }
    try bench.settle()
    #expect(bench.kiosk.baseLabels.files.first === file)
    #expect(!bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
  }

  @Test(
    .enabled(
      if: !ScriptFonts.read(for: ["ja"]).isEmpty,
      "skipped: no font for Japanese is installed (`make test-packages` does it)"))
  func theLanguageOfAMapsNamesHasAFontToo() throws {
    let bench = try bench([.dark], hasNight: false)
    #expect(bench.kiosk.overMap.fontFiles.isEmpty)
    var new = bench.kiosk.configuration
    new.display.language = "ja"
    bench.kiosk.apply(new)
    for _ in 0..<200 where bench.kiosk.overMap.fontFiles.isEmpty {
      bench.loop.runOnce(timeout: 50_000_000)
    }
    #expect(bench.kiosk.overMap.fontFiles.count == 1)
  }
}
