import Drawing
import Features
import MapGeometry
import Pixels
import Testing
import TileLoading

@testable import MapOverlays

/// Casings, dashes and the width of lines.
@Suite struct LineTests {
  private func lines(_ coordinates: [[(Double, Double)]], _ style: OverlayStyle) throws
    -> FeatureDrawing
  {
    let features = coordinates.map { line in
      let points = line.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
      return "{\"type\":\"Feature\",\"properties\":{},\"geometry\":"
        + "{\"type\":\"LineString\",\"coordinates\":[\(points)]}}"
    }
    let text = "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
    return FeatureDrawing(try .text(text), style: style)
  }

  private func style(_ width: Double, casing: OverlayStyle.Casing = .none, dash: [Double] = [])
    -> OverlayStyle
  {
    var style = OverlayStyle(stroke: 0xFFFF_0000, strokeWidth: width)
    style.casing = casing
    style.dash = dash
    return style
  }

  /// The line's cross-section, as opaque pixels that are not transparent.
  private func width(_ picture: OverlayPicture, column: Int) -> Double {
    (0..<picture.edge).reduce(0) { $0 + Double(picture[column, $1] >> 24) / 255 }
  }

  @Test func aCasingIsThreePointsWiderThanItsLine() throws {
    let line = [(-80.0, 0.0), (80.0, 0.0)]
    for scale in [1, 2] {
      let plain = try OverlayPicture.world(
        lines([line], style(4)), level: 0, tileEdge: 256 * scale)
      let cased = try OverlayPicture.world(
        lines([line], style(4, casing: .color(0xFF00_00FF))), level: 0, tileEdge: 256 * scale)
      #expect(abs(width(plain, column: 128 * scale) - 4 * Double(scale)) < 0.05)
      #expect(abs(width(cased, column: 128 * scale) - 7 * Double(scale)) < 0.05)
    }
  }

  @Test func noCasingLiesOverAnotherLineOfTheOverlay() throws {
    // The second line crosses the first: at the crossing both are whole.
    let drawing = try lines(
      [[(-90, 0), (90, 0)], [(0, -60), (0, 60)]], style(4, casing: .color(0xFF00_00FF)))
    let picture = try OverlayPicture.world(drawing, level: 0)
    for offset in -12...12 {
      #expect(picture[128 + offset, 128] == 0xFFFF_0000, "\(offset)")
      #expect(picture[128, 128 + offset] == 0xFFFF_0000, "\(offset)")
    }
  }

  @Test func theThemesCasingIsForLinesThatAreWideEnough() throws {
    let square = [(-90.0, -60.0), (90, -60), (90, 60), (-90, 60), (-90, -60)]
    let thick = try OverlayPicture.world(lines([square], style(3, casing: .theme)), level: 0)
    let thin = try OverlayPicture.world(lines([square], style(1, casing: .theme)), level: 0)
    #expect(abs(width(thick, column: 128) - 2 * (3 + 3 * 0.85)) < 0.1)
    #expect(abs(width(thin, column: 128) - 2) < 0.05)
    let ring = square.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
    let text =
      "{\"type\":\"Feature\",\"properties\":{\"fill-opacity\":0},\"geometry\":"
      + "{\"type\":\"Polygon\",\"coordinates\":[[\(ring)]]}}"
    let area = FeatureDrawing(try .text(text), style: style(3, casing: .theme))
    #expect(abs(width(try OverlayPicture.world(area, level: 0), column: 128) - 6) < 0.1)
  }

  @Test func dashesGoOnAcrossTilesAndOutOfView() throws {
    // 512 points long at level 3, with many points far from the tiles that are drawn.
    let line = (0...4000).map { (-180 + Double($0) * 0.09, 0.0) }
    let drawing = try lines([line], style(4, dash: [8, 5]))
    let picture = try OverlayPicture.tiles(drawing, level: 3, x: 3..<5, y: 3..<5)
    var runs: [(isDash: Bool, length: Int)] = []
    for x in 0..<picture.edge {
      let isDash = picture[x, 255] >> 24 > 127
      if runs.last?.isDash == isDash {
        runs[runs.count - 1].length += 1
      } else {
        runs.append((isDash, 1))
      }
    }
    #expect(runs.count > 70)
    for run in runs.dropFirst().dropLast() {
      #expect(abs(run.length - (run.isDash ? 8 : 5)) <= 1, "\(run)")
    }
    // As if the whole world were one line: the phase of a tile is that of its neighbour's.
    let later = try OverlayPicture.tiles(drawing, level: 3, x: 4..<5, y: 3..<4)
    for x in 0..<256 { #expect(later[x, 255] == picture[256 + x, 255]) }
  }

  @Test func aLineIsEquallyWideAtEveryZoom() throws {
    let drawing = try lines([[(-80, 0.001), (80, 0.001)]], style(6))
    for scale in [1, 2] {
      for zoom in [4.0, 4.25, 4.49, 4.51, 4.75, 5] {
        let view = Viewport(
          center: GeoPoint(lat: 0, lon: 0), zoom: zoom, width: 256, height: 256, scale: scale)
        let level = view.restingLevel
        // Of a map of 256-point tiles that are shown scaled, and of one painted for its zoom.
        for edge in [256 * scale, view.restingCell] {
          let unit = FeatureLook.unit(edge: edge, level: level, zoom: zoom, scale: scale)
          var words = [UInt32](repeating: 0, count: edge * edge)
          let tile = try #require(TileID(z: level, x: 1 << (level - 1), y: (1 << (level - 1)) - 1))
          words.withUnsafeMutableBufferPointer { words in
            guard let base = words.baseAddress else { return }
            let canvas = PixelCanvas(base, stride: edge, width: edge, height: edge)
            _ = drawing.draw(
              tile, scale: scale, look: FeatureLook(unit: unit), on: canvas,
              with: PathRasteriser())
          }
          // The upper half is on this tile.
          let half = (0..<edge).reduce(0.0) { $0 + Double(words[$1 * edge + 9] >> 24) / 255 }
          let shown = 2 * half * Double(view.restingCell) / Double(edge) / Double(scale)
          #expect(abs(shown - 6) < 0.15, "zoom \(zoom), edge \(edge): \(shown)")
        }
      }
    }
  }

  @Test func aDashedLineEndsWithADashAtEveryLength() throws {
    for degrees in stride(from: 3.0, through: 80, by: 0.7) {
      let drawing = try lines(
        [[(0, 0), (degrees, 0)]], style(4, casing: .color(0xFF00_00FF), dash: [3, 5]))
      let picture = try OverlayPicture.world(drawing, level: 0)
      let end = 128 + Int((degrees / 360 * 256).rounded(.down)) - 1
      // Half of a pixel may belong to the gap or to the casing's round end.
      #expect(picture[end, 127] >> 16 & 255 > 100, "\(degrees)")
    }
  }

  @Test func dashesAreStretchedByAFewPercentToFit() {
    let pattern = DashPattern([8, 5])
    // 8 + 13 n.
    #expect(pattern.fitted(to: 138, isRound: false) == pattern)
    let shrunk = pattern.fitted(to: 133, isRound: false)
    #expect(abs(10 * shrunk.period + shrunk.lengths[0] - 133) < 1e-9)
    #expect(shrunk.period < 13 && shrunk.period > 12)
    // Around an area or a circle, the last gap meets the first dash.
    let round = pattern.fitted(to: 131, isRound: true)
    #expect(abs(10 * round.period - 131) < 1e-9)
    // Hardly longer than a dash, the line has no gap.
    #expect(pattern.fitted(to: 10, isRound: false) == DashPattern([]))
    #expect(DashPattern([1, 2, 3]).lengths == [1, 2, 3, 1, 2, 3])
    #expect(DashPattern([0, 0]).fitted(to: 10, isRound: false) == DashPattern([0, 0]))
  }

  @Test func oddDashesDrawTheLineOrNothingButNeverFail() throws {
    for dash in [[0.0, 0], [5], [0, 5], [1e-9, 1e-9], [1000, 1000], [1, 2, 3]] {
      let drawing = try lines([[(-80, 0), (80, 0)], [(0, 0), (0, 0)]], style(4, dash: dash))
      _ = try OverlayPicture.world(drawing, level: 1)
    }
  }

  @Test func aColouredTrackIsCasedAndDrawnInTheOrderOfItsPath() throws {
    let points = (0..<60).map { index in
      "<trkpt lat=\"\(Double(index % 30) / 100)\" lon=\"\(Double(index) / 100)\">"
        + "<ele>\(index * 10)</ele></trkpt>"
    }
    let text = "<gpx><trk><name>Up</name><trkseg>\(points.joined())</trkseg></trk></gpx>"
    var options = FeatureOptions(labelKey: "name")
    options.colorBy = .elevation
    let set = try FeatureSet(bytes: Array(text.utf8), name: "inline", options: options)
    let styles = set.features.map { set.styles[Int($0.style)] }
    #expect(styles.first?.lines == .casing)
    #expect(set.label(of: set.features[0]) == "Up")
    #expect(set.features[0].hasLabel && set.features.dropFirst().allSatisfy { !$0.hasLabel })
    // Each stretch begins where the last one ended.
    let stretches = set.features.indices.filter { styles[$0].lines == .ink }
    #expect(stretches.count == 16)
    for (a, b) in zip(stretches, stretches.dropFirst()) {
      let end = set.pointRange(set.features[a].partRange.lowerBound).upperBound - 1
      let start = set.pointRange(set.features[b].partRange.lowerBound).lowerBound
      #expect(set.points[end] == set.points[start])
    }
    #expect(set.features.suffix(2).allSatisfy { set.parts[Int($0.firstPart)].kind == .point })
    let ramp = try #require(set.ramp)
    #expect(ramp.key == .elevation && ramp.least >= 0 && ramp.most <= 600 && ramp.least < ramp.most)
    // Noise about the border of two colours does not make a stretch of every point.
    let noisy = (0..<400).map { index in
      "<trkpt lat=\"0\" lon=\"\(Double(index) / 1000)\">"
        + "<ele>\(index == 0 ? 0 : index == 1 ? 160 : index % 2 == 0 ? 79 : 81)</ele></trkpt>"
    }
    let other = try FeatureSet(
      bytes: Array("<gpx><trk><trkseg>\(noisy.joined())</trkseg></trk></gpx>".utf8),
      name: "inline", options: options)
    #expect(other.features.count < 20)
  }

  @Test func aDashedLineIsCutIntoPiecesThatContinueEachOther() {
    let cut = FeatureCut(limit: FeaturePainter.far)
    var pieces = VisiblePieces(cut: cut, seen: -10...266, most: 1000)
    var starts: [Double] = []
    var counts: [Int] = []
    func note(_ path: Path, _ start: Double) {
      starts.append(start)
      counts.append(path.points.count)
    }
    // To and fro in view, then far out, and back again: 5,000 steps of one pixel in view.
    for n in 0...5000 {
      let x = n / 200 % 2 == 0 ? n % 200 : 200 - n % 200
      pieces.take((Double(x), Double(n / 200)), note)
    }
    pieces.take((1e6, 25), note)
    pieces.take((0, 30), note)
    pieces.end(note)
    #expect((counts.max() ?? 0) <= 1001)
    #expect(counts.count >= 6)
    #expect(starts.first == 0)
    let isOrdered = starts == starts.sorted()
    #expect(isOrdered)
    // The next line begins anew.
    pieces.take((0, 0), note)
    pieces.take((5, 0), note)
    pieces.end(note)
    #expect(starts.last == 0)
  }
}
