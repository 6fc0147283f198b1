import Drawing
import MapGeometry
import Pixels
import TestSupport
import Testing

@testable import Features
@testable import MapOverlays

/// What many features, and features of many places, may cost.
@Suite struct FeatureCrowdTests {
  private static let places: [FeatureBuilder.Place] = (0..<40).map { number in
    let (lon, lat) = (number * 37 % 300 - 150, number * 23 % 140 - 70)
    return (Double(lon), Double(lat))
  }

  /// One feature of so many places, which are forty different ones.
  private func multipoint(_ count: Int) -> FeatureDrawing {
    var builder = FeatureBuilder(kind: .geojson, file: "crowd")
    for index in 0..<count { builder.addPoint(Self.places[index % Self.places.count]) }
    builder.endFeature(style: FeatureStyle(), label: nil)
    return FeatureDrawing(builder.finished())
  }

  /// So many features of a place each, in two styles that take turns by place.
  private func points(_ count: Int) -> FeatureDrawing {
    var builder = FeatureBuilder(kind: .geojson, file: "crowd")
    for index in 0..<count {
      let number = index % Self.places.count
      builder.addPoint(Self.places[number])
      var style = FeatureStyle()
      style.stroke = number % 2 == 0 ? 0xFF0000 : 0x0000FF
      builder.endFeature(style: style, label: nil)
    }
    return FeatureDrawing(builder.finished())
  }

  @Test func ofACrowdOfPlacesInOnePixelOneIsDrawn() throws {
    let few = try OverlayPicture.world(multipoint(Self.places.count), level: 1)
    let crowd = try OverlayPicture.world(multipoint(CrowdGrid.crowd + 1), level: 1)
    let isDrawn = few.words.contains { $0 != 0 }
    #expect(isDrawn)
    let isSame = crowd.words == few.words
    #expect(isSame)
  }

  @Test func ofACrowdOfSmallFeaturesInOnePixelOneOfEachStyleIsDrawn() throws {
    let few = try OverlayPicture.world(points(Self.places.count), level: 1)
    let crowd = try OverlayPicture.world(points(CrowdGrid.crowd + 1), level: 1)
    let isSame = crowd.words == few.words
    #expect(isSame)
  }

  @Test func aGridGivesAPixelToAStyleOnceInARow() {
    var grid = CrowdGrid(width: 256, margin: 4.5, scale: 2)
    func take(_ x: Double, _ y: Double, style: Int32 = 3) -> Bool {
      grid.take((x, y), style: style)
    }
    #expect(take(10.2, 7.9))
    #expect(!take(11.9, 6.0), "the same point of two pixels")
    #expect(take(12.0, 6.0), "the next point")
    #expect(take(11.9, 6.0, style: 4), "another style")
    #expect(take(11.9, 6.0), "over the other one")
    // Places left of and above the tile are theirs alone, and there are none far away.
    #expect(take(-0.1, 6.0))
    #expect(take(0.1, 6.0))
    #expect(take(519, 519))
    #expect(!take(-1e9, 0))
    #expect(!take(0, 1e9))
  }

  /// Areas as large as the world, each of its own colour.
  private func layers(_ count: Int) throws -> FeatureDrawing {
    var builder = FeatureBuilder(kind: .geojson, file: "layers")
    for index in 0..<count {
      try builder.addPolygon([[(-180, -85), (180, -85), (180, 85), (-180, 85)]])
      var style = FeatureStyle()
      (style.strokeWidth, style.fill, style.fillOpacity) = (0, UInt32(index + 1), 1)
      builder.endFeature(style: style, label: nil)
    }
    return FeatureDrawing(builder.finished())
  }

  @Test func aTileOfTooManyLayersHasItsUppermostOnes() throws {
    let drawing = try layers(6000)
    let box = FeatureBox(minX: 0, minY: 0, maxX: .max, maxY: .max)
    var budget = TileBudget(
      drawing.features, drawing.styles, box: box, width: 256, perStep: 256 / FeaturePoint.steps,
      scale: 1)
    let taken = (0..<6000).reversed().prefix { budget.take($0) }
    #expect(abs(taken.count - TileBudget.layers) < TileBudget.layers / 10)
    // Of a tile of a quarter of the width a quarter of the picture is drawn by each.
    var quarter = TileBudget(
      drawing.features, drawing.styles,
      box: FeatureBox(minX: 0, minY: 0, maxX: 1 << 30, maxY: 1 << 30), width: 256,
      perStep: 256 / FeaturePoint.steps, scale: 1)
    let isAll = (0..<6000).allSatisfy { quarter.take($0) }
    #expect(isAll)
  }

  @Test func drawingEndsAtTheNextFeatureWhenItIsCancelled() throws {
    let drawing = try layers(8)
    var words = [UInt32](repeating: 0, count: 256 * 256)
    var asked = 0
    let isDrawn = words.withUnsafeMutableBufferPointer { memory in
      guard let base = memory.baseAddress, let tile = TileID(z: 0, x: 0, y: 0) else { return true }
      return drawing.draw(
        tile, scale: 1, on: PixelCanvas(base, stride: 256, width: 256, height: 256),
        with: PathRasteriser()
      ) {
        asked += 1
        return asked > 3
      }
    }
    #expect(!isDrawn && asked == 4)
    // The third is the last that was painted.
    #expect(words[128 * 256 + 128] == 0xFF00_0003)
  }

  @Test func manyFeaturesAreFoundAsBySearchingAll() throws {
    var features: [String] = []
    for number in 0..<2_000 {
      let (x, y) = (
        Double(number * 7919 % 3600) / 10 - 180, Double(number * 104_729 % 1600) / 10 - 80
      )
      features.append("{\"type\": \"Point\", \"coordinates\": [\(x), \(y)]}")
    }
    let list = features.map { "{\"type\": \"Feature\", \"properties\": null, \"geometry\": \($0)}" }
    let set = try FeatureSet.text(
      "{\"type\": \"FeatureCollection\", \"features\": [\(list.joined(separator: ","))]}")
    let index = FeatureIndex(set)
    for number in 0..<50 {
      let start = UInt32(number) * 80_000_000
      let box = FeatureBox(
        minX: start, minY: start / 2, maxX: start + 60_000_000, maxY: start / 2 + 900_000_000)
      var found: [Int32] = []
      index.visit(box, set.features) {
        found.append($0)
        return true
      }
      let truth = set.features.indices.filter { set.features[$0].box.overlaps(box) }
      #expect(found.sorted() == truth.map { Int32($0) })
    }
  }

  @Test func tenThousandPolygonsStayWithinEightMebibytes() throws {
    var features: [String] = []
    for number in 0..<10_000 {
      let (x, y) = (Double(number % 100) * 3 - 150, Double(number / 100) - 50)
      let ring = (0..<24).map { step -> String in
        let turn = Double(step)
        return "[\(x + 0.02 * turn), \(y + 0.03 * (turn < 12 ? turn : 24 - turn))]"
      }
      features.append(
        "{\"type\":\"Feature\",\"properties\":{\"name\":\"Parcel \(number)\"},\"geometry\":"
          + "{\"type\":\"Polygon\",\"coordinates\":[[\(ring.joined(separator: ","))]]}}")
    }
    let text =
      "{\"type\":\"FeatureCollection\",\"features\":[" + features.joined(separator: ",") + "]}"
    let drawing = FeatureDrawing(try .text(text, label: "name"))
    #expect(drawing.features.features.count == 10_000)
    #expect(drawing.bytes < 4 << 20, "\(drawing.bytes)")
  }
}
