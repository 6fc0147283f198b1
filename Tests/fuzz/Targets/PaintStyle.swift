import MapLabels
import MapStyle
import TileSources

@testable import VectorMaps
@testable import VectorPainting

/// A style that `vector-paint` paints in: trailhead for each schema, in their order, and one for
/// what trailhead does not use. `FuzzPaintTests` checks that none is missing.
struct PaintStyle: Sendable {
  let painter: VectorPainter
  let icons: LabelIcons

  static let all: [PaintStyle] =
    VectorSchema.allCases.compactMap { schema in
      Trailhead.json(schema, isNight: false).flatMap { try? PaintStyle(MapStyle(json: $0)) }
    } + [try? PaintStyle(MapStyle(json: Array(everything.utf8)))].compactMap { $0 }

  private init(_ style: MapStyle) {
    let images = SpriteImages.trailhead(isNight: false, scale: 1)
    painter = VectorPainter(style: style, images: images)
    icons = images.icons
  }

  /// Draws the layer "hello", as the fixtures of the specification call theirs.
  private static let everything = """
    {"version": 8, "sources": {}, "layers": [
      {"id": "ground", "type": "background",
       "paint": {"background-color": "#eee", "background-opacity": 0.5}},
      {"id": "area", "type": "fill", "source-layer": "hello", "filter": ["==", "$type", "Polygon"],
       "layout": {"fill-sort-key": ["get", "n"]},
       "paint": {"fill-color": ["to-color", ["get", "color"], "#8ca"], "fill-opacity": 0.7,
                 "fill-outline-color": "#f00", "fill-translate": [3, -2]}},
      {"id": "pattern", "type": "fill", "source-layer": "hello",
       "paint": {"fill-pattern": ["coalesce", ["image", ["get", "icon"]], ["image", "oneway"]]}},
      {"id": "casing", "type": "line", "source-layer": "hello",
       "layout": {"line-join": "round", "line-cap": "round"},
       "paint": {"line-gap-width": ["number", ["get", "w"], 4], "line-width": 2,
                 "line-offset": ["number", ["get", "o"], 3], "line-blur": 1}},
      {"id": "dash", "type": "line", "source-layer": "hello",
       "layout": {"line-join": "miter", "line-cap": "square", "line-miter-limit": 3},
       "paint": {"line-dasharray": [2, 1.5, 0.25], "line-color": "#00f",
                 "line-width": ["interpolate", ["linear"], ["zoom"], 0, ["number", ["get", "w"], 1], 22, 40],
                 "line-opacity": 0.5}},
      {"id": "offset-dash", "type": "line", "source-layer": "hello", "layout": {"line-cap": "butt"},
       "paint": {"line-dasharray": [0, 2], "line-width": 5, "line-offset": -6}},
      {"id": "line-pattern", "type": "line", "source-layer": "hello",
       "paint": {"line-pattern": ["coalesce", ["image", ["get", "icon"]], ["image", "shield"]],
                 "line-width": ["number", ["get", "w"], 6]}},
      {"id": "dot", "type": "circle", "source-layer": "hello",
       "paint": {"circle-radius": ["number", ["get", "w"], 3], "circle-stroke-width": 1,
                 "circle-blur": 0.5, "circle-translate": [1, 1]}},
      {"id": "along", "type": "symbol", "source-layer": "hello",
       "layout": {"symbol-placement": "line", "symbol-spacing": 40, "text-max-angle": 60,
                  "text-field": ["coalesce", ["get", "name"], ["geometry-type"]],
                  "text-size": ["number", ["get", "w"], 11], "text-letter-spacing": 0.1,
                  "icon-image": ["coalesce", ["get", "icon"], "oneway"], "text-optional": true,
                  "symbol-sort-key": ["get", "n"]},
       "paint": {"text-halo-width": 2, "text-halo-color": "#fff", "text-halo-blur": 1}},
      {"id": "middle", "type": "symbol", "source-layer": "hello",
       "layout": {"symbol-placement": "line-center", "text-field": "{name}", "icon-image": "shield",
                  "icon-text-fit": "both", "icon-text-fit-padding": [1, 2, 3, 4],
                  "text-rotation-alignment": "viewport"}},
      {"id": "point", "type": "symbol", "source-layer": "hello",
       "layout": {"text-field": ["format", ["coalesce", ["get", "name"], "a"], {"font-scale": 1.2},
                                 "\\n", {}, ["to-string", ["get", "n"]], {"text-color": "red"}],
                  "text-variable-anchor": ["top", "bottom-left", "right"], "text-radial-offset": 1,
                  "text-justify": "auto", "text-max-width": 4, "icon-image": "peak",
                  "icon-rotate": ["number", ["get", "w"], 45], "icon-allow-overlap": true,
                  "text-font": ["Noto Sans Italic"], "text-transform": "uppercase"},
       "paint": {"icon-opacity": 0.5, "text-translate": [2, 2]}}
    ]}
    """
}
