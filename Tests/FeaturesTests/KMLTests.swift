import TestSupport
import Testing

@testable import Features

@Suite struct KMLTests {
  private func kml(_ body: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
    <Document>\(body)</Document></kml>
    """
  }

  @Test func allGeometriesOfAPlacemarkAreOneFeature() throws {
    let set = try FeatureSet.text(
      kml(
        """
        <Folder><Placemark><name>All</name><MultiGeometry>
        <Point><coordinates>8,47,400</coordinates></Point>
        <LineString><coordinates>
          8,47,0
          8.1,47.1,0   8.2,47.2
        </coordinates></LineString>
        <Polygon><innerBoundaryIs><LinearRing><coordinates>8.2,47.2 8.2,47.4 8.4,47.4 8.2,47.2
        </coordinates></LinearRing></innerBoundaryIs><outerBoundaryIs><LinearRing><coordinates>
        8,47 9,47 9,48 8,48 8,47</coordinates></LinearRing></outerBoundaryIs></Polygon>
        <LinearRing><coordinates>1,1 2,1 2,2</coordinates></LinearRing>
        </MultiGeometry></Placemark></Folder>
        """), label: "name")
    #expect(set.kind == .kml)
    #expect(set.features.count == 1 && set.label(of: set.features[0]) == "All")
    #expect(set.kinds == [.point: 1, .line: 2, .ring: 2])
    #expect(set.parts.map { $0.kind } == [.point, .line, .ring, .ring, .line])
  }

  @Test func tracksAreLines() throws {
    let set = try FeatureSet.text(
      kml(
        """
        <Placemark><gx:Track><when>2020-01-01T00:00:00Z</when>
        <gx:coord>8 47 400</gx:coord><gx:coord>8.1 47.1 410</gx:coord></gx:Track></Placemark>
        """))
    #expect(set.kinds == [.line: 1] && set.points.count == 2)
  }

  @Test func stylesAreFoundByURLAndByMapWhereverTheyStand() throws {
    let line = "<LineString><coordinates>1,1 2,2</coordinates></LineString>"
    let set = try FeatureSet.text(
      kml(
        """
        <Placemark><styleUrl>#map</styleUrl>\(line)</Placemark>
        <Placemark><styleUrl>#one</styleUrl>
        <Style><LineStyle><width>9</width></LineStyle></Style>\(line)</Placemark>
        <Placemark><styleUrl>#loop</styleUrl>\(line)</Placemark>
        <Placemark><styleUrl>#none</styleUrl>\(line)</Placemark>
        <Style id="one"><LineStyle><color>7fff0000</color><width>2</width></LineStyle>
        <PolyStyle><color>ff0000ff</color><outline>0</outline><fill>0</fill></PolyStyle>
        <IconStyle><color>ff00ff00</color><scale>2</scale></IconStyle></Style>
        <StyleMap id="map"><Pair><key>highlight</key><styleUrl>#other</styleUrl></Pair>
        <Pair><key>normal</key><styleUrl>#one</styleUrl></Pair></StyleMap>
        <StyleMap id="loop"><Pair><key>normal</key><styleUrl>#loop</styleUrl></Pair></StyleMap>
        """))
    let style = set.style(0)
    #expect(style.stroke == 0x0000FF, "aabbggrr: blue")
    #expect(abs((style.strokeOpacity ?? 0) - 127.0 / 255) < 1e-6)
    #expect(style.fill == 0xFF0000 && style.fillOpacity == 0 && style.strokeWidth == 0)
    #expect(style.markerColor == 0x00FF00 && style.markerScale == 2)
    #expect(set.style(1).stroke == 0x0000FF && set.style(1).strokeWidth == 9)
    #expect(set.style(2) == FeatureStyle() && set.style(3) == FeatureStyle())
  }

  @Test func labelsComeFromElementsAndFromData() throws {
    let text = kml(
      """
      <Placemark><name>N</name><ExtendedData><Data name="kind"><value>spring</value></Data>
      <SchemaData><SimpleData name="depth">3</SimpleData></SchemaData></ExtendedData>
      <Point><coordinates>1,1</coordinates></Point></Placemark>
      """)
    for (key, value) in [("name", "N"), ("kind", "spring"), ("depth", "3")] {
      let set = try FeatureSet.text(text, label: key)
      #expect(set.label(of: set.features[0]) == value)
    }
    #expect(try FeatureSet.text(text, label: "value").features[0].hasLabel == false)
  }

  @Test func wrongPlacemarksAreLeftOutAndHiddenOnesStayHidden() throws {
    let set = try FeatureSet.text(
      kml(
        """
        <Placemark><Point><coordinates>nowhere</coordinates></Point></Placemark>
        <Placemark><Point><coordinates>1</coordinates></Point></Placemark>
        <Placemark><Point><coordinates>47,-122</coordinates></Point></Placemark>
        <Placemark><visibility>0</visibility><Point><coordinates>1,1</coordinates></Point></Placemark>
        <Placemark><Point><coordinates></coordinates></Point></Placemark>
        <Placemark><name>No geometry</name></Placemark>
        <Placemark><Point><coordinates> 1,1 </coordinates></Point></Placemark>
        """))
    #expect(set.features.count == 1)
    #expect(set.warningCount == 3 && set.warnings[2].reason.contains("longitude comes first"))
  }

  @Test func coordinatesMayBeLongerThanAnyBuffer() throws {
    let places = (0..<50_000).map { "\(Double($0) / 1000),\(Double($0 % 80))" }
    let set = try FeatureSet.text(
      kml(
        "<Placemark><LineString><coordinates>\(places.joined(separator: "\n"))</coordinates>"
          + "</LineString></Placemark>"))
    #expect(set.points.count == 50_000)
  }
}
