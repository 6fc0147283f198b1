import Pixels
import Testing
import TileSources

@testable import Configuration

/// `style`, `style_night` and `language`.
@Suite struct VectorKeyTests {
  private func source(_ keys: String, display: String = "") -> LoadResult {
    load("[display]\n\(display)\n[[source]]\npath = \"a.pmtiles\"\n\(keys)")
  }

  @Test func aStyleIsTrailheadOrAFileBesideTheConfiguration() throws {
    let none = try #require(source("").configuration)
    #expect(none.sources[0].style == nil)
    let own = try #require(source("style = \"trailhead\"").configuration)
    #expect(own.sources[0].style == .trailhead)
    let file = try #require(
      source("style = \"s/day.json\"\nstyle_night = \"/n/night.JSON\"").configuration)
    #expect(file.sources[0].style == .file("/etc/waypost/s/day.json"))
    #expect(file.sources[0].nightStyle == "/n/night.JSON")
    #expect(file.sources[0].styleFiles == ["/etc/waypost/s/day.json", "/n/night.JSON"])
  }

  @Test func theNightDarkensOrKeepsASourceThatAsksForIt() throws {
    let none = try #require(source("").configuration)
    #expect(none.sources[0].night == .theme)
    let dim = try #require(source("night = \"dim\"").configuration)
    #expect(dim.sources[0].night == .dim)
    let keep = try #require(source("night = \"keep\"").configuration)
    #expect(keep.sources[0].night == .keep)
    let idle = source("style = \"a.json\"\nstyle_night = \"n.json\"\nnight = \"dim\"")
    #expect(idle.configuration?.sources[0].night == .dim)
    #expect(idle.findings.count == 1 && idle.findings[0].severity == .warning)
    #expect(idle.findings[0].text.contains("style_night"))
  }

  @Test func aSourcesNightReplacesTheThemesFiltersButNeverRed() {
    let theme: [Filter] = [.dark, .red]
    #expect(SourceSpec.Night.theme.filters(theme) == theme)
    #expect(SourceSpec.Night.dim.filters(theme) == [.dim, .red])
    #expect(SourceSpec.Night.keep.filters(theme) == [.red])
    #expect(SourceSpec.Night.keep.filters([.dark]).isEmpty)
    // The command line draws the same.
    #expect(Filter.dim.colors == ColorFilter.dim)
  }

  @Test func theDisplaysLanguageHoldsForSourcesWithoutOne() throws {
    let plain = try #require(source("").configuration)
    #expect(plain.sources[0].language == nil)
    let both = try #require(source("", display: "language = \"DE-ch\"").configuration)
    #expect(both.display.language == "de-CH" && both.sources[0].language == "de-CH")
    let own = try #require(
      source("language = \"zh-hant\"", display: "language = \"de\"").configuration)
    #expect(own.sources[0].language == "zh-Hant")
    let local = try #require(
      source("language = \"local\"", display: "language = \"de\"").configuration)
    #expect(local.sources[0].language == "local")
  }

  @Test(arguments: [
    "style = 3", "style = \"bright\"", "style = \"\"", "style = \"a.json\\u0000\"",
    "style = [\"a.json\"]", "style_night = \"n.json\"",
    "style = \"trailhead\"\nstyle_night = \"n.json\"", "style = \"a.json\"\nstyle_night = \"n\"",
    "night = \"dark\"", "night = true", "night = [\"dim\"]", "night = \"\"",
    "language = \"\"", "language = \"d\"", "language = \"german\"", "language = \"de-\"",
    "language = \"d€\"", "language = \"de/../x\"", "language = 1", "language = \"{language}\"",
    "language = \"de-aaaaaaaaaa\"", "language = \"de-a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s\"",
  ])
  func wrongValuesAreErrorsThatNameTheKey(keys: String) {
    let result = source(keys)
    #expect(result.configuration == nil)
    let errors = result.findings.filter { $0.severity == .error }
    #expect(errors.count == 1 && errors[0].text.hasPrefix("source."))
  }
}
