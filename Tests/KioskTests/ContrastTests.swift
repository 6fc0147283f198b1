import Foundation
import Inputs
import MapGeometry
import MapOverlays
import MapScene
import Pixels
import TestSupport
import Testing
import TileSources

@testable import Configuration
@testable import Kiosk

/// Words and the position are legible on real maps, by day, at night and in red: the contrast of
/// WCAG 2.1 of what is on the screen, at the edges of the letters.
@Suite struct ContrastTests {
  @Test(arguments: Scene.carried)
  func wordsAndThePositionAreLegible(_ scene: Scene) throws { try checkWords(scene) }

  @Test(.enabled(if: TestData.large != nil, "needs the data set"), arguments: Scene.large)
  func wordsAndThePositionAreLegibleOnMapsOfTheDataSet(_ scene: Scene) throws {
    try checkWords(scene)
  }

  private func checkWords(_ scene: Scene) throws {
    let theme = PictureTheme.of(scene.theme)
    let bench = try scene.bench {
      $0.view.bearing = 20
      $0.hud.attribution = true
      $0.hud.scaleBar = true
      $0.hud.coordinates = true
      $0.hud.north = true
      $0.hud.buttons = true
      $0.sources[0].attribution = "© the makers of this map"
      $0.gpio.buttons = [.init(line: .offset(17), action: .zoomIn, hold: .action(.home))]
      let (lat, lon) = (scene.center.lat, scene.center.lon)
      $0.markers = [
        .init(id: "a", place: GeoPoint(lat: lat + 3, lon: lon - 4), label: "A hut in the woods"),
        .init(id: "here", place: GeoPoint(lat: lat - 3, lon: lon), label: "You are here"),
      ]
      // Two that are one cluster, 150 points from the rest.
      let far = 150 * 360 / (256 * exp2(scene.zoom))
      for id in ["b", "c"] {
        $0.markers.append(.init(id: id, place: GeoPoint(lat: lat, lon: lon + far), label: id))
      }
      $0.position.follow = false
    }
    try bench.settle()
    bench.kiosk.take(
      Fix(place: GeoPoint(lat: scene.center.lat + 2, lon: scene.center.lon + 5)), from: .socket)
    try bench.settle()
    let picture = try bench.picture()
    let over = bench.kiosk.overMap
    // By day words over a dark part of the map are light.
    let words = scene.theme == .day ? [theme.label, PictureTheme.night.label] : [theme.label]
    let white = theme.kind == .night ? theme.label : theme.shown(0xFFFF_FFFF)
    // Only the legend is as wide as the screen.
    let isLegend = { (sprite: Sprite) in sprite.image.width == picture.width }
    // Icons have the label's ink, too, on colours of their own.
    let isLabel = { (sprite: Sprite) in sprite.image.width > 60 }
    let isDark = { (sprite: Sprite) in ContrastTests.isDark(sprite, theme) }
    let labels = over.sprites(on: .markers).filter(isLabel)
    let darkLabels = labels.filter(isDark)
    let isCluster = { (sprite: Sprite) in sprite.image.width == 35 && sprite.image.height == 35 }
    let looks: [Look] = [
      Look("plates", over.sprites(on: .hud).filter { !isLegend($0) }, theme.ink, 150),
      Look("legend", over.sprites(on: .hud).filter(isLegend), theme.legendInk, 40),
      Look("labels", labels.filter { !isDark($0) }, words, darkLabels.isEmpty ? 100 : 0),
      Look("dark labels", darkLabels, theme.halo, darkLabels.isEmpty ? 0 : 50),
      Look("clusters", over.sprites(on: .markers).filter(isCluster), white, 6, inset: 8),
      Look("position", over.sprites(on: .position), theme.position, 10),
    ]
    for look in looks { look.expectLegible(on: picture) }
  }

  @Test(arguments: Scene.carried)
  func calloutsAreLegible(_ scene: Scene) throws { try checkCallout(scene) }

  @Test(.enabled(if: TestData.large != nil, "needs the data set"), arguments: Scene.large)
  func calloutsAreLegibleOnMapsOfTheDataSet(_ scene: Scene) throws { try checkCallout(scene) }

  /// What an open callout says: the name and the text below it.
  private func checkCallout(_ scene: Scene) throws {
    let theme = PictureTheme.of(scene.theme)
    let bench = try scene.bench {
      $0.markers = [
        .init(id: "a", place: scene.center, label: "Lookout café", text: "Open daily from 9 to 5.")
      ]
    }
    try bench.settle()
    #expect(bench.kiosk.press(.select) == nil)
    try bench.settle()
    let picture = try bench.picture()
    let sprites = bench.kiosk.overMap.sprites(on: .callout)
    #expect(!sprites.isEmpty)
    Look("name", sprites, theme.ink, 40).expectLegible(on: picture)
    Look("text", sprites, theme.secondInk, 40).expectLegible(on: picture)
  }
}
