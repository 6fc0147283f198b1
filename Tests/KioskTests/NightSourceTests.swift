import Configuration
import Foundation
import MapGeometry
import MapLabels
import Pixels
import Testing
import TileLoading
import TileSources

@testable import Kiosk

/// What a source's `night` does to its colours.
@Suite struct NightSourceTests {

  private func bench(
    _ night: SourceSpec.Night, theme: [Filter] = [.dark], hasNight: Bool = false
  ) throws -> Bench {
    let bench = try Bench([], width: 320, height: 240) {
      $0.theme.mode = .night
      $0.theme.night = theme
    }
    var spec = SourceSpec(name: "white", location: .path("/nowhere"))
    spec.night = night
    let isAdded = bench.kiosk.book.sources.add(
      spec, make: { .success(PlainSource(PlainPainter(night: hasNight ? 0xFF00_2000 : nil))) })
    #expect(isAdded)
    try bench.settle()
    return bench
  }

  private func color(_ bench: Bench) -> UInt32 { bench.panel().words[120 * 320 + 160] & 0xFF_FFFF }

  /// The luminance of a grey (WCAG 2.1).
  private func luminance(_ grey: UInt32) -> Double {
    let value = Double(grey & 0xFF) / 255
    return value <= 0.04045 ? value / 12.92 : Foundation.pow((value + 0.055) / 1.055, 2.4)
  }

  @Test func dimIsDarkerThanTheNightsLimitButNotInverted() throws {
    let dim = color(try bench(.dim))
    #expect(luminance(dim) < 0.25)
    #expect(luminance(dim) > 0.2)
    // Paper becomes darker yet.
    #expect(color(try bench(.theme)) == 0x1C_1C1C)
  }

  @Test func keepLeavesTheDaysColours() throws {
    #expect(color(try bench(.keep)) == 0xFF_FFFF)
  }

  @Test func aRedNightLeavesNothingButReds() throws {
    #expect(color(try bench(.keep, theme: [.red])) == 0xFF_0000)
    #expect(color(try bench(.dim, theme: [.dark, .red])) == 0x87_0000)
  }

  @Test func aMapWithANightOfItsOwnShowsItUnlessItsSourceSaysOtherwise() throws {
    #expect(color(try bench(.theme, hasNight: true)) == 0x00_2000)
    #expect(color(try bench(.keep, hasNight: true)) == 0xFF_FFFF)
    let bench = try bench(.dim, hasNight: true)
    #expect(color(bench) == 0x87_8787)
    // By day nothing is dimmed.
    bench.kiosk.setTheme(.day)
    try bench.settle()
    #expect(color(bench) == 0xFF_FFFF)
  }

  @Test func wordsOfTheMapChangeAsItsTilesDo() throws {
    let dim = try bench(.dim)
    let tint = dim.kiosk.book.labelTint(theme: [.dark], isNight: true)
    #expect(tint == LabelTint(ColorTransform([.dim])))
    let keep = try bench(.keep)
    #expect(keep.kiosk.book.labelTint(theme: [.dark], isNight: true) == nil)
    let own = try bench(.theme, hasNight: true)
    #expect(own.kiosk.book.labelTint(theme: [.dark], isNight: true) == nil)
  }
}
