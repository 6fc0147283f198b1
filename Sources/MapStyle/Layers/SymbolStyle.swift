/// How a `symbol` layer is drawn: text and icons.
public final class SymbolStyle: Sendable {
  /// `symbol-placement`; at points.
  public let placement: StyleProperty<StyleSymbolPlacement>
  /// `symbol-spacing` in points between two symbols on a line; 250.
  public let spacing: StyleProperty<Double>
  /// `waypost:repeat` of the layer's metadata: how far from each other symbols with the same words
  /// are at least, in points; 0: as in MapLibre.
  public let repeatDistance: StyleProperty<Double>
  /// `symbol-avoid-edges`: whether symbols that cross a tile's edge are left out; false.
  public let avoidEdges: StyleProperty<Bool>
  /// `symbol-sort-key`: lower ones are placed first; none.
  public let sortKey: StyleProperty<Double?>
  /// `symbol-z-order`; auto.
  public let order: StyleProperty<StyleSymbolOrder>
  /// `icon-allow-overlap`; false.
  public let iconAllowOverlap: StyleProperty<Bool>
  /// `icon-overlap`: goes before `icon-allow-overlap`; none.
  public let iconOverlap: StyleProperty<StyleOverlap?>
  /// `icon-ignore-placement`: whether others may lie over it; false.
  public let iconIgnorePlacement: StyleProperty<Bool>
  /// `icon-optional`: whether the text is drawn without it; false.
  public let iconOptional: StyleProperty<Bool>
  /// `icon-rotation-alignment`; auto.
  public let iconRotationAlignment: StyleProperty<StyleRotationAlignment>
  /// `icon-size`: a factor of the image's size; 1.
  public let iconSize: StyleProperty<Double>
  /// `icon-text-fit`; none.
  public let iconTextFit: StyleProperty<StyleTextFit>
  /// `icon-text-fit-padding` in points; 0.
  public let iconTextFitPadding: StyleProperty<StylePadding>
  /// `icon-image`: an image's name; none.
  public let iconImage: StyleProperty<String?>
  /// `icon-rotate` in degrees, clockwise; 0.
  public let iconRotate: StyleProperty<Double>
  /// `icon-padding` in points around the icon, for collisions; 2.
  public let iconPadding: StyleProperty<StylePadding>
  /// `icon-keep-upright`; false.
  public let iconKeepUpright: StyleProperty<Bool>
  /// `icon-offset` in points times `icon-size`; none.
  public let iconOffset: StyleProperty<StyleOffset>
  /// `icon-anchor`; the middle.
  public let iconAnchor: StyleProperty<StyleAnchor>
  /// `text-rotation-alignment`; auto.
  public let textRotationAlignment: StyleProperty<StyleRotationAlignment>
  /// `text-field`: the text; empty.
  public let textField: StyleProperty<FormattedText>
  /// `text-font`: names of fonts, the most wanted first; Open Sans Regular.
  public let textFont: StyleProperty<[String]>
  /// `text-size` in points; 16.
  public let textSize: StyleProperty<Double>
  /// `text-max-width` in ems, where lines are broken; 10.
  public let textMaxWidth: StyleProperty<Double>
  /// `text-line-height` in ems; 1.2.
  public let textLineHeight: StyleProperty<Double>
  /// `text-letter-spacing` in ems; 0.
  public let textLetterSpacing: StyleProperty<Double>
  /// `text-justify`; centred.
  public let textJustify: StyleProperty<StyleTextJustify>
  /// `text-radial-offset` in ems, away from the point; 0.
  public let textRadialOffset: StyleProperty<Double>
  /// `text-variable-anchor`: anchors to try in this order; none.
  public let textVariableAnchor: StyleProperty<[StyleAnchor]>
  /// `text-variable-anchor-offset`: anchors to try with their offsets; none.
  public let textVariableAnchorOffset: StyleProperty<[StyleAnchorOffset]>
  /// `text-anchor`; the middle.
  public let textAnchor: StyleProperty<StyleAnchor>
  /// `text-max-angle` in degrees between two letters on a line; 45.
  public let textMaxAngle: StyleProperty<Double>
  /// `text-rotate` in degrees, clockwise; 0.
  public let textRotate: StyleProperty<Double>
  /// `text-padding` in points around the text, for collisions; 2.
  public let textPadding: StyleProperty<Double>
  /// `text-keep-upright`: whether text on a line is turned so that it can be read; true.
  public let textKeepUpright: StyleProperty<Bool>
  /// `text-transform`; none.
  public let textTransform: StyleProperty<StyleTextTransform>
  /// `text-offset` in ems; none.
  public let textOffset: StyleProperty<StyleOffset>
  /// `text-allow-overlap`; false.
  public let textAllowOverlap: StyleProperty<Bool>
  /// `text-overlap`: goes before `text-allow-overlap`; none.
  public let textOverlap: StyleProperty<StyleOverlap?>
  /// `text-ignore-placement`: whether others may lie over it; false.
  public let textIgnorePlacement: StyleProperty<Bool>
  /// `text-optional`: whether the icon is drawn without it; false.
  public let textOptional: StyleProperty<Bool>
  /// `icon-opacity`, 0 ... 1; 1.
  public let iconOpacity: StyleProperty<Double>
  /// `icon-color`: for images that are distance fields; black.
  public let iconColor: StyleProperty<StyleColor>
  /// `icon-halo-color`; clear.
  public let iconHaloColor: StyleProperty<StyleColor>
  /// `icon-halo-width` in points; 0.
  public let iconHaloWidth: StyleProperty<Double>
  /// `icon-halo-blur` in points; 0.
  public let iconHaloBlur: StyleProperty<Double>
  /// `icon-translate` in points; none.
  public let iconTranslate: StyleProperty<StyleOffset>
  /// `icon-translate-anchor`; the map.
  public let iconTranslateAnchor: StyleProperty<StyleTranslateAnchor>
  /// `text-opacity`, 0 ... 1; 1.
  public let textOpacity: StyleProperty<Double>
  /// `text-color`; black.
  public let textColor: StyleProperty<StyleColor>
  /// `text-halo-color`; clear.
  public let textHaloColor: StyleProperty<StyleColor>
  /// `text-halo-width` in points; 0.
  public let textHaloWidth: StyleProperty<Double>
  /// `text-halo-blur` in points; 0.
  public let textHaloBlur: StyleProperty<Double>
  /// `text-translate` in points; none.
  public let textTranslate: StyleProperty<StyleOffset>
  /// `text-translate-anchor`; the map.
  public let textTranslateAnchor: StyleProperty<StyleTranslateAnchor>

  init(_ reader: inout LayerReader) {
    placement = reader.choice("symbol-placement", .point, .zoom)
    spacing = reader.number("symbol-spacing", 250, .zoom)
    repeatDistance = reader.number("waypost:repeat", 0, .zoom)
    avoidEdges = reader.flag("symbol-avoid-edges", false, .zoom)
    sortKey = reader.sortKey("symbol-sort-key")
    order = reader.choice("symbol-z-order", .auto, .zoom)
    iconAllowOverlap = reader.flag("icon-allow-overlap", false, .zoom)
    iconOverlap = reader.optionalChoice("icon-overlap", .zoom)
    iconIgnorePlacement = reader.flag("icon-ignore-placement", false, .zoom)
    iconOptional = reader.flag("icon-optional", false, .zoom)
    iconRotationAlignment = reader.choice("icon-rotation-alignment", .auto, .zoom)
    iconSize = reader.number("icon-size", 1, .feature)
    iconTextFit = reader.choice("icon-text-fit", StyleTextFit.none, .zoom)
    iconTextFitPadding = reader.edges("icon-text-fit-padding", StylePadding(0), .zoom)
    iconImage = reader.image("icon-image", .feature)
    iconRotate = reader.number("icon-rotate", 0, .feature)
    iconPadding = reader.padding("icon-padding", StylePadding(2), .feature)
    iconKeepUpright = reader.flag("icon-keep-upright", false, .zoom)
    iconOffset = reader.offset("icon-offset", .feature)
    iconAnchor = reader.choice("icon-anchor", .center, .feature)
    textRotationAlignment = reader.choice("text-rotation-alignment", .auto, .zoom)
    reader.noteImages(in: "text-field")
    textField = reader.text("text-field", .feature)
    textFont = reader.strings(
      "text-font", ["Open Sans Regular", "Arial Unicode MS Regular"], .feature)
    textSize = reader.number("text-size", 16, .feature)
    textMaxWidth = reader.number("text-max-width", 10, .feature)
    textLineHeight = reader.number("text-line-height", 1.2, .zoom)
    textLetterSpacing = reader.number("text-letter-spacing", 0, .feature)
    textJustify = reader.choice("text-justify", .center, .feature)
    textRadialOffset = reader.number("text-radial-offset", 0, .feature)
    textVariableAnchor = reader.anchors("text-variable-anchor", .zoom)
    textVariableAnchorOffset = reader.anchorOffsets("text-variable-anchor-offset", .feature)
    textAnchor = reader.choice("text-anchor", .center, .feature)
    textMaxAngle = reader.number("text-max-angle", 45, .zoom)
    textRotate = reader.number("text-rotate", 0, .feature)
    textPadding = reader.number("text-padding", 2, .zoom)
    textKeepUpright = reader.flag("text-keep-upright", true, .zoom)
    textTransform = reader.choice("text-transform", StyleTextTransform.none, .feature)
    textOffset = reader.offset("text-offset", .feature)
    textAllowOverlap = reader.flag("text-allow-overlap", false, .zoom)
    textOverlap = reader.optionalChoice("text-overlap", .zoom)
    textIgnorePlacement = reader.flag("text-ignore-placement", false, .zoom)
    textOptional = reader.flag("text-optional", false, .zoom)
    iconOpacity = reader.number("icon-opacity", 1, .feature)
    iconColor = reader.color("icon-color", .black, .feature)
    iconHaloColor = reader.color("icon-halo-color", .clear, .feature)
    iconHaloWidth = reader.number("icon-halo-width", 0, .feature)
    iconHaloBlur = reader.number("icon-halo-blur", 0, .feature)
    iconTranslate = reader.offset("icon-translate", .zoom)
    iconTranslateAnchor = reader.choice("icon-translate-anchor", .map, .zoom)
    textOpacity = reader.number("text-opacity", 1, .feature)
    textColor = reader.color("text-color", .black, .feature)
    textHaloColor = reader.color("text-halo-color", .clear, .feature)
    textHaloWidth = reader.number("text-halo-width", 0, .feature)
    textHaloBlur = reader.number("text-halo-blur", 0, .feature)
    textTranslate = reader.offset("text-translate", .zoom)
    textTranslateAnchor = reader.choice("text-translate-anchor", .map, .zoom)
    // Without a pitch both come to the same.
    reader.ignore(["icon-pitch-alignment", "text-pitch-alignment"])
  }
}
