import Control
import Inputs
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk
@testable import MapOverlays

/// When the names of areas are placed for a view at rest.
@Suite struct LabelRestKioskTests: MarkerCase {
  private static let geoJSON = """
    {"type":"Feature","properties":{"name":"Fair"},"geometry":{"type":"Polygon",
    "coordinates":[[[9.75,39],[12.75,39],[12.75,43],[9.75,43],[9.75,39]]]}}
    """

  /// An area with several places for its name.
  private static let area: JSON = ["name": "fair", "label": "name", "geojson": .string(geoJSON)]

  @Test func aFingerThatIsDownKeepsNamesWhereTheyAre() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    _ = try kiosk.addOverlay(Self.area, trusted: true)
    try bench.settle()
    let markers = kiosk.overMap.markers
    #expect(markers.placedLabels.map(\.name) == ["Fair"])
    #expect(markers.isAtRest && !markers.isUnsettled)
    kiosk.handle(TouchEvent.began)
    kiosk.handle(TouchEvent.moved(dx: 40, dy: 10))
    frame(bench)
    #expect(!markers.isAtRest && markers.isUnsettled)
    // Nothing else asks for a frame once the finger is up.
    kiosk.handle(TouchEvent.ended(vx: 0, vy: 0))
    try bench.settle()
    #expect(markers.isAtRest && !markers.isUnsettled)
  }

  @Test func aMovementEndsWithNamesOfAViewAtRest() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    _ = try kiosk.addOverlay(Self.area, trusted: true)
    try bench.settle()
    var view = kiosk.goal
    view.bearing = 70
    kiosk.go(to: view, animate: true)
    try bench.settle()
    let markers = kiosk.overMap.markers
    #expect(markers.isAtRest && !markers.isUnsettled)
  }
}
