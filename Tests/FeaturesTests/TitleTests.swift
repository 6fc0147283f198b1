import Testing

@testable import Features

/// The name that a file gives itself.
@Suite struct TitleTests {
  @Test(
    arguments: [
      ("<gpx version=\"1.1\"><metadata><name>Valley\n trails</name></metadata>", "Valley trails"),
      ("<gpx version=\"1.0\"><name>Old</name>", "Old"),
      ("<gpx version=\"1.1\"><metadata><author><name>Ann</name></author></metadata>", nil),
    ] as [(String, String?)])
  func ofGPXItIsTheFilesNotItsAuthorsOrATracks(head: String, title: String?) throws {
    let text =
      head + "<wpt lat=\"47\" lon=\"8\"><name>Hut</name></wpt><trk><name>Walk</name></trk></gpx>"
    #expect(try FeatureSet.text(text, label: "name").title == title)
  }

  @Test func ofKMLItIsTheDocuments() throws {
    let place =
      "<Placemark><name>Hut</name><Point><coordinates>8,47</coordinates></Point></Placemark>"
    let whole = "<kml><Document><name>Huts</name><Folder><name>East</name>\(place)"
    #expect(try FeatureSet.text(whole + "</Folder></Document></kml>").title == "Huts")
    #expect(try FeatureSet.text("<kml><Document>\(place)</Document></kml>").title == nil)
  }

  @Test func ofGeoJSONItIsTheCollections() throws {
    let feature =
      #"{"type":"Feature","name":"x","properties":{"name":"y"},"geometry":"#
      + #"{"type":"Point","coordinates":[8,47]}}"#
    func title(_ member: String) throws -> String? {
      try FeatureSet.text(#"{"type":"FeatureCollection",\#(member)"features":[\#(feature)]}"#).title
    }
    #expect(try title(#""name":"Trails","#) == "Trails")
    #expect(try title("") == nil)
    #expect(try title(#""name":7,"#) == nil)
    #expect(try title(#""name":{"a":[1]},"#) == nil)
    #expect(try title(#""name":"   ","#) == nil)
    let long = String(repeating: "é", count: 1000)
    let cut = try #require(try title("\"name\":\"\(long)\","))
    #expect(cut.utf8.count <= 256 && long.hasPrefix(cut))
  }
}
