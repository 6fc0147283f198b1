import MapGeometry
import Testing

/// Nothing that a caller can pass ends the process, and what has a range keeps it.
@Suite struct AbsurdNumbersTests {
  @Test func anyPlaceLiesOnATileOfTheMap() {
    for lat in absurdNumbers {
      for lon in absurdNumbers {
        for level in [-1, 0, 13, 24, 99] {
          let tile = WebMercator.tile(at: GeoPoint(lat: lat, lon: lon), level: level)
          #expect(tile.z == min(max(level, 0), 24))
          #expect(TileID(z: tile.z, x: tile.x, y: tile.y) == tile)
        }
        let place = WebMercator.unproject(WorldPoint(x: lon, y: lat))
        #expect(place.lat.isNaN || abs(place.lat) <= WebMercator.maxLatitude)
        #expect(place.lon.isNaN || (place.lon >= -180 && place.lon < 180))
        let world = WebMercator.project(GeoPoint(lat: lat, lon: lon))
        #expect(world.y.isNaN || (world.y >= 0 && world.y <= 1))
        #expect(WebMercator.metersPerPoint(lat: lat, zoom: lon).sign != .minus || abs(lat) > 90)
      }
    }
  }

  @Test(arguments: [0, 1, 720, -5, Int.max, Int.min])
  func anyViewHasAnOriginAndBounds(size: Int) {
    for lat in absurdNumbers {
      for zoom in absurdNumbers {
        for bearing in [0.0, 33, .nan, .infinity, -1e300] {
          for scale in [1, 0, -1, Int.max, Int.min] {
            var view = Viewport(
              center: GeoPoint(lat: lat, lon: zoom), zoom: zoom, bearing: bearing, width: size,
              height: size, scale: scale)
            #expect(view.bearing >= 0 && view.bearing < 360)
            let origin = view.origin
            #expect(abs(origin.x) <= 1 << 53 && abs(origin.y) <= 1 << 53)
            view.bearing = bearing
            let box = view.bounds
            #expect(box.north.isNaN || abs(box.north) <= WebMercator.maxLatitude)
            for place in [
              WebMercator.unproject(view.world(x: lat, y: zoom)),
              view.panned(dx: lat, dy: zoom).center,
              view.zoomed(to: lat, keeping: zoom, lat).center, box.center,
              view.fitting(box, padding: lat, minZoom: zoom, maxZoom: 20).center,
            ] {
              // A centre that did not move is the one that was given.
              #expect(!(abs(place.lat) > 90) || place.lat == lat)
            }
          }
        }
      }
    }
  }

  @Test func anyBoxCanBeFittedAndKeptTo() {
    let view = Viewport(
      center: GeoPoint(lat: 46, lon: 7), zoom: 8, bearing: 30, width: 640, height: 480)
    for a in absurdNumbers {
      for b in absurdNumbers {
        for box in [
          GeoBounds(west: a, south: b, east: b, north: a),
          GeoBounds(west: 5, south: a, east: 8, north: b),
          GeoBounds(west: a, south: 40, east: b, north: 50),
        ] {
          let fitted = view.fitting(box, padding: 0, minZoom: 0, maxZoom: 20)
          #expect(fitted.zoom >= 0 && fitted.zoom <= 20)
          let kept = view.kept(inside: box)
          #expect(!(abs(kept.center.lat) > 90) && kept.zoom == 8)
          #expect(!box.contains(GeoPoint(lat: .nan, lon: 0)))
        }
      }
    }
  }
}
