/// Why Waypost draws a render test of MapLibre's otherwise than MapLibre.
enum RenderFailure: String {
  case scale = "five or more pixels per point, or half a pixel: Waypost has whole ones, up to four"
  case hcl = "the test's HCL is that of MapLibre 3; Waypost's is the style specification's of today"
  case viewportAnchor = "the shift turns with the map"
  case patternZoom =
    "patterns keep their size between whole zooms, to stay crisp, and begin at whole pixels"
  case overlap = "a line is not darker where it crosses itself"
  case dashes =
    "dashes begin where the line does, not where MapLibre cut it into tiles; and round ends differ"
  case blur = "a blur is made of a few steps"
  case labelsAbove = "labels lie above all areas"
  case edges = "the half covered pixels of edges differ by a little more than the tolerance"
  case turned = "on a turned map other labels are chosen among those that collide"
  case spacing = "text-letter-spacing by zoom and feature: other labels find room"
  case crossSource = "labels of all sources collide with each other"
  case fonts = "another typeface, whose lines are wider, or which lacks the script"
  case lineLabels =
    "labels along lines stand at other distances: lines are not cut into tiles"

  /// The tests that fail, by their names.
  static let all: [String: RenderFailure] = [
    "icon-pixelratio-mismatch/default": .scale,
    "pixel-ratio/veryhigh": .scale,
    "regressions/mapbox-gl-js#7066": .scale,
    "background-color/colorSpace-hcl": .hcl,
    "fill-translate-anchor/viewport": .viewportAnchor,
    "fill-pattern/wrapping-with-interpolation": .patternZoom,
    "fill-pattern/zoomed": .patternZoom,
    "line-gap-width/function": .overlap,
    "line-opacity/function": .overlap,
    "line-opacity/literal": .overlap,
    "line-dasharray/literal/line-width-constant": .dashes,
    "line-dasharray/overscaled": .dashes,
    "line-dasharray/round/segments": .dashes,
    "line-dasharray/round/zero-gap-width": .dashes,
    "line-dasharray/slant": .dashes,
    "line-join/property-function-dasharray": .dashes,
    "line-blur/property-function": .blur,
    "combinations/symbol-translucent--background-opaque": .labelsAbove,
    "fill-opacity/opaque-fill-over-symbol-layer": .labelsAbove,
    "combinations/fill-opaque--fill-opaque": .edges,
    "fill-outline-color/opacity": .edges,
    "fill-outline-color/property-function": .edges,
    "sparse-tileset/vectorbase": .edges,
    "zoomed-fill/default": .edges,
    "zoomed-fill/negative-zoom": .edges,
    "text-variable-anchor/rotated-with-map": .turned,
    "text-letter-spacing/function-close": .spacing,
    "text-letter-spacing/function-far": .spacing,
    "text-letter-spacing/zoom-and-property-function": .spacing,
    "text-no-cross-source-collision/default": .crossSource,
    "is-supported-script/filter": .fonts,
    "symbol-placement/line-center-buffer": .lineLabels,
  ]

  /// Whether it is only labels that differ: other ones, or elsewhere.
  var isOfLabels: Bool {
    switch self {
    case .turned, .spacing, .crossSource, .fonts, .lineLabels:
      true
    default: false
    }
  }
}
