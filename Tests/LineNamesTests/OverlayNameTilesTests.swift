import Features
import MapGeometry
import MapLabels
import MapOverlays
import Platform
import Testing

@testable import LineNames

/// The candidates for names along the lines of overlays.
@Suite struct OverlayNameTilesTests {
  private static func line(
    _ name: String, _ positions: [(Double, Double)], color: String = "#c62828"
  ) -> String {
    let list = positions.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
    return "{\"type\":\"Feature\",\"properties\":{\"name\":\"\(name)\",\"stroke\":\"\(color)\"},"
      + "\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\(list)]}}"
  }

  private let straight = OverlayNameTilesTests.line("Ridge trail", [(-30, -3), (30, 3)])

  private func tiles(
    _ view: Viewport, _ features: String, theme: PictureTheme = .day, size: Double = 1
  ) throws -> [LabelTile] {
    let set = try FeatureSet(
      bytes: Array(features.utf8), name: "inline", options: FeatureOptions(labelKey: "name"))
    let words = OverlayNames.Words(theme: theme, isGroundDark: false, size: size, distance: 300)
    let lines = [OverlayLines(FeatureDrawing(set), minZoom: 0)]
    let names = try #require(OverlayNames(lines, zoom: view.zoom, words))
    var tiles = OverlayNameTiles()
    return tiles.tiles(LabelRequest(tiles: [], view: view), names)
  }

  private func view(_ lon: Double, zoom: Double) -> Viewport {
    Viewport(
      center: GeoPoint(lat: 0, lon: lon), zoom: zoom, bearing: 0, width: 800, height: 480)
  }

  @Test func namesHaveTheColoursOfTheThemeAndTheSizeOfTheHud() throws {
    let day = try #require(tiles(view(0, zoom: 5), straight).first)
    let night = try #require(tiles(view(0, zoom: 5), straight, theme: .night, size: 3).first)
    let (a, b) = (day.labels.candidate(0).look.settings, night.labels.candidate(0).look.settings)
    #expect(a.textHaloColor == PictureTheme.day.halo && b.textHaloColor == PictureTheme.night.halo)
    #expect(a.textColor != b.textColor && a.keepsColors && b.keepsColors)
    #expect(a.textSize == 15 && b.textSize == 45)
    let red = try #require(tiles(view(0, zoom: 5), straight, theme: .red).first)
    #expect(red.labels.candidate(0).look.settings.textColor & 0xFFFF == 0)
  }

  @Test func acrossTheAntimeridianTheTilesAreThoseOfBothWorlds() throws {
    let trail = Self.line("Date line", [(170, 0), (190, 0)])
    let found = try tiles(view(180, zoom: 5), trail)
    #expect(Set(found.map(\.world)) == [0, 1])
    let other = try tiles(view(-180, zoom: 5), trail)
    #expect(Set(other.map(\.world)) == [-1, 0])
    #expect(try tiles(view(0, zoom: 5), trail).isEmpty)
  }

  @Test func everyZoomHasAFewTiles() throws {
    let trail = Self.line("Equator", [(-170, 0), (0, 0), (170, 0)])
    for zoom in [0, 0.4, 1, 2.5, 7.3, 12, 18.9, 24] {
      let found = try tiles(view(10, zoom: zoom), trail)
      #expect((1...24).contains(found.count), "\(found.count) at zoom \(zoom)")
      #expect(found.allSatisfy { $0.group == 1 })
    }
  }

  @Test func whatFoundNoMemoryIsMadeWhenItIsAskedForAgain() throws {
    let features = (0..<2000).map {
      Self.line("Line \($0)", [(0, Double($0) / 50), (10, Double($0) / 50)])
    }
    let text = "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
    let set = try FeatureSet(
      bytes: Array(text.utf8), name: "inline", options: FeatureOptions(labelKey: "name"))
    let words = OverlayNames.Words(theme: .day, isGroundDark: false, size: 1, distance: 300)
    let lines = [OverlayLines(FeatureDrawing(set), minZoom: 0)]
    let view = view(5, zoom: 3)
    let names = try #require(OverlayNames(lines, zoom: view.zoom, words))
    var tiles = OverlayNameTiles()
    let few = SpareMemory.$most.withValue(40_000) {
      tiles.tiles(LabelRequest(tiles: [], view: view), names)
    }
    #expect(tiles.lacksMemory)
    let all = tiles.tiles(LabelRequest(tiles: [], view: view), names)
    #expect(!tiles.lacksMemory)
    #expect(all.reduce(0) { $0 + $1.labels.count } > few.reduce(0) { $0 + $1.labels.count })
    #expect(all.contains { $0.labels.count > 1000 })
  }

  @Test func aSearchFindsLinesWhereTheViewShowsThem() throws {
    let set = try FeatureSet(
      bytes: Array(straight.utf8), name: "inline", options: FeatureOptions(labelKey: "name"))
    let drawing = FeatureDrawing(set)
    let lines = [OverlayLines(drawing, minZoom: 0)]
    for bearing in [0.0, 35, 180] {
      var view = view(0, zoom: 5)
      view.bearing = bearing
      view.scale = 2
      let search = try #require(OverlayLineSearch(lines, selected: nil, in: view))
      func cross(_ lat: Double, _ lon: Double, high: Float = 4) -> Bool {
        let at = view.screen(GeoPoint(lat: lat, lon: lon))
        return search.cross(
          LabelPatch(x: Float(at.x) * 2, y: Float(at.y) * 2, halfWidth: 4, halfHeight: high))
      }
      #expect(cross(0, 0) && cross(1, 10) && !cross(3, 0) && !cross(0, 20))
      #expect(!search.hasSelected)
      let chosen = try #require(
        OverlayLineSearch([], selected: SelectedLine(drawing, line: 0..<1), in: view))
      let middle = LabelPatch(x: 400, y: 240, halfWidth: 2, halfHeight: 2)
      #expect(chosen.hasSelected && chosen.cross(middle) && chosen.selectedCrosses(middle))
      #expect(!search.selectedCrosses(middle))
    }
    #expect(OverlayLineSearch([], selected: nil, in: view(0, zoom: 5)) == nil)
  }

  @Test func namesKeepClearOfTheLinesThatAreShown() throws {
    let set = try FeatureSet(
      bytes: Array(straight.utf8), name: "inline", options: FeatureOptions(labelKey: "name"))
    let named = [OverlayLines(FeatureDrawing(set), minZoom: 0)]
    let all = named + [OverlayLines(FeatureDrawing(set), minZoom: 6)]
    let words = OverlayNames.Words(theme: .day, isGroundDark: false, size: 1, distance: 300)
    #expect(OverlayNames(named, among: all, zoom: 5, words)?.lines == named)
    #expect(OverlayNames(named, among: all, zoom: 6, words)?.lines == all)
    #expect(OverlayNames(named, zoom: 6, words)?.lines == named)
  }

  @Test func theNameOfTheSelectedLineKeepsClearOfTheRingAroundIt() throws {
    let other = Self.line("Lake loop", [(-30, 6), (30, 12)])
    let text = "{\"type\":\"FeatureCollection\",\"features\":[\(straight),\(other)]}"
    let set = try FeatureSet(
      bytes: Array(text.utf8), name: "inline", options: FeatureOptions(labelKey: "name"))
    let drawing = FeatureDrawing(set)
    let words = OverlayNames.Words(theme: .day, isGroundDark: false, size: 1, distance: 300)
    /// How far from their lines the two names stand, in points.
    func distances(_ selected: SelectedLine?) throws -> [Float] {
      let view = view(0, zoom: 5)
      let names = try #require(
        OverlayNames(
          [OverlayLines(drawing, minZoom: 0)], selected: selected, zoom: view.zoom, words))
      var tiles = OverlayNameTiles()
      let all = tiles.tiles(LabelRequest(tiles: [], view: view), names).flatMap { tile in
        (0..<tile.labels.count).map { tile.labels.candidate($0) }
      }
      return try (0..<2).map { feature in
        let along = all.first { $0.order == feature && $0.look.settings.naming == .beside }
        return try #require(along).look.settings.textOffset.y * -15
      }
    }
    let line = SelectedLine(drawing, line: 0..<1)
    let reach = Float(try #require(line.reach(of: 0, in: drawing)))
    #expect(line.reach(of: 1, in: drawing) == nil)
    let (plain, selected) = (try distances(nil), try distances(line))
    #expect(plain[0] < reach && abs(selected[0] - reach - 1) < 0.01)
    #expect(plain[1] == selected[1])
  }

  @Test func anUprightNameHasSidesBesideTheLine() throws {
    let all = try tiles(view(0, zoom: 5), straight).flatMap { tile in
      (0..<tile.labels.count).map { tile.labels.candidate($0) }
    }
    let upright = try #require(all.first { $0.points.count == 1 })
    let settings = upright.look.settings
    #expect(settings.naming == .upright && settings.textVariableAnchors.count == 16)
    #expect(settings.textVariableOffsets.count == 16)
    // None is on the line.
    #expect(settings.textVariableOffsets.allSatisfy { abs($0.x) + abs($0.y) > 0.2 })
  }
}
