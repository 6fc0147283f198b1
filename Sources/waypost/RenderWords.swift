import Features
import LineNames
import MapGeometry
import MapLabels
import MapOverlays
import MapScene

extension StillRequest {
  /// Reads the files of the overlays, the lowest first.
  func readOverlays() throws -> [FeatureDrawing] {
    var options = FeatureOptions(labelKey: label)
    options.setLanguage(language)
    return try overlays.map { file in
      do throws(FeatureError) {
        return FeatureDrawing(try FeatureSet(path: file, options: options))
      } catch {
        throw Failure(Failure.badData, error.description)
      }
    }
  }
}

/// The words of overlays on a picture, as on a display.
struct RenderWords {
  /// The labels of points and areas, the lowest first.
  let labels: [Sprite]
  /// The names along lines, which are placed with the labels of the map.
  let names: [LabelTile]
  /// The lines that those keep clear of; nil: there are none.
  let lines: (any LabelLines)?

  /// Places the labels, and collects the names.
  init(
    _ overlays: [FeatureDrawing], _ painter: SpritePainter, in view: Viewport,
    avoiding rects: [PixelRect]
  ) {
    let layer = MarkerLayer(painter)
    layer.isAtRest = true
    layer.labelSources = overlays.reversed().filter(\.hasLabels).map {
      FeatureLabelSource($0, version: 1, minZoom: 0, namesLines: false)
    }
    layer.lines = overlays.map { OverlayLines($0, minZoom: 0) }
    repeat { _ = layer.update(view, avoiding: rects) } while layer.isPlacing
    labels = layer.labelSprites
    let named = overlays.reversed().filter(\.hasNamedLines).map { OverlayLines($0, minZoom: 0) }
    let words = OverlayNames.Words(
      theme: painter.theme, isGroundDark: painter.isGroundDark,
      size: painter.unit / Double(view.scale), view: view)
    guard let given = OverlayNames(named, among: layer.lines, zoom: view.zoom, words) else {
      (names, lines) = ([], nil)
      return
    }
    lines = OverlayLineSearch(given.lines, selected: nil, in: view)
    var tiles = OverlayNameTiles()
    names = tiles.tiles(LabelRequest(tiles: [], view: view), given)
  }
}
