import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Packs

/// Regions as people write them: on the command line and in files.
@Suite struct RegionFileTests {
  private func points(_ text: String, radius: Double = 0) throws -> (Region, [String]) {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "points.csv")
    var region = Region()
    let notes = try region.addPoints(file: path, radius: radius)
    return (region, notes)
  }

  private var two: Region {
    var region = Region()
    region.add(center: GeoPoint(lat: 46.02, lon: 7.75), radius: 0)
    region.add(center: GeoPoint(lat: -33.9, lon: 18.4), radius: 0)
    return region
  }

  @Test(arguments: [
    "lat,lon\n46.02,7.75\n-33.9,18.4\n", "name,Longitude,Latitude\r\nA,7.75,46.02\r\nB,18.4,-33.9",
    "\u{feff}id;lat;lng\n1;46,02;7,75\n\n2;-33,9;18,4\n", "y\tx\n46.02\t7.75\n-33.9\t18.4\n",
    "\"name\",\"lat\",\"lon\"\n\"a \"\"b\"\", c\",46.02, 7.75\n\"line\nbreak\",-33.9,\"18.4\"\n",
    #"{"type":"MultiPoint","coordinates":[[7.75,46.02],[18.4,-33.9]]}"#,
    #"<gpx><wpt lat="46.02" lon="7.75"/><wpt lat="-33.9" lon="18.4"/></gpx>"#,
  ])
  func placesOfFiles(_ text: String) throws {
    let (region, _) = try points(text)
    #expect(try region.tiles(zooms: 0...18) == two.tiles(zooms: 0...18))
  }

  @Test func linesWithoutAPlaceAreSaid() throws {
    let (region, notes) = try points("lat,lon\n46.02,7.75\n,\nx,y\n-33.9,18.4\n95,3\n")
    #expect(try region.tiles(zooms: 0...12) == two.tiles(zooms: 0...12))
    #expect(notes.count == 1 && notes[0].contains("points.csv:3: 3 lines"))
  }

  @Test(arguments: [
    ("", "neither"), ("a,b\n1,2\n", "names no columns lat and lon"), ("lat,lon\n", "no line"),
    (#"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, "use --route"),
  ])
  func filesWithoutPlacesAreRefused(_ text: String, _ reason: String) throws {
    let error = packError { try points(text) }
    #expect(error?.description.contains(reason) == true || text.isEmpty)
  }

  @Test func routesNeedLinesAndPolygonsAreas() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(#"{"type":"Point","coordinates":[7,46]}"#, to: "a.geojson")
    var region = Region()
    #expect(throws: PackError.self) { try region.addRoutes(file: path, width: 100) }
    #expect(throws: PackError.self) { try region.addPolygons(file: path) }
    #expect(throws: PackError.self) { try region.addPolygons(file: folder["none.geojson"]) }
    let table = try folder.write("lat,lon\n46,7\n", to: "a.csv")
    for error in [
      packError { try region.addRoutes(file: table, width: 100) },
      packError { try region.addPolygons(file: table) },
    ] {
      #expect(error?.reason.contains("use --points") == true)
    }
    let track = try folder.write(
      """
      <gpx><trk><trkseg><trkpt lat="46" lon="7"/><trkpt lat="46.1" lon="7.1"/></trkseg></trk></gpx>
      """, to: "a.gpx")
    _ = try region.addRoutes(file: track, width: 100)
    #expect(try region.tiles(zooms: 14...14).count > 5)
  }

  @Test func aPlaceWithARadiusOfItsOwnIsACircle() throws {
    let (region, _) = try points(
      """
      {"type":"Feature","properties":{"radius":5000},
      "geometry":{"type":"Point","coordinates":[7.75,46.02]}}
      """)
    #expect(try region.tiles(zooms: 14...14).count > 20)
  }

  // MARK: Words

  @Test func boxesAreWestSouthEastNorth() throws {
    let box = try RegionText.box("5.9, 45.8,10.5,47.8")
    #expect(box == GeoBounds(west: 5.9, south: 45.8, east: 10.5, north: 47.8))
    for text in [
      "", "1,2,3", "1,2,3,4,5", "1,50,3,40", "1,2,3,nan", "45.8,5.9,47.8,100", "a,b,c,d",
    ] {
      #expect(throws: RegionText.Misuse.self) { try RegionText.box(text) }
    }
  }

  @Test func lengthsAreMetresOrHaveAUnit() {
    #expect(RegionText.length("5000") == 5000 && RegionText.length("5km") == 5000)
    #expect(RegionText.length("1.5 km") == 1500 && RegionText.length("2NMI") == 3704)
    #expect(RegionText.length("10m") == 10 && RegionText.length("1mi") == 1609.344)
    for text in ["", "km", "-5", "5 parsecs", "1e9", "inf", "0x10"] {
      #expect(RegionText.length(text) == nil)
    }
  }

  @Test func circlesAndZooms() throws {
    let circle = try RegionText.circle("-33.9,18.4,2km")
    #expect(circle.center == GeoPoint(lat: -33.9, lon: 18.4) && circle.radius == 2000)
    for text in ["", "1,2", "91,0,5", "1,2,x"] {
      #expect(throws: RegionText.Misuse.self) { try RegionText.circle(text) }
    }
    let (one, two) = (try RegionText.zooms("0-14"), try RegionText.zooms("7"))
    #expect(one == 0...14 && two == 7...7)
    for text in ["", "a", "5-3", "0-25", "1-2-3", "-3"] {
      #expect(throws: RegionText.Misuse.self) { try RegionText.zooms(text) }
    }
  }

  @Test func aFilesNameMayHoldCommas() {
    let parts = RegionText.fileAndLength("a,b.gpx,2km")
    #expect(parts.file == "a,b.gpx" && parts.length == 2000)
    #expect(RegionText.fileAndLength("a,b.gpx").file == "a,b.gpx")
  }
}
