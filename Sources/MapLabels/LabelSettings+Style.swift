import MapStyle

extension LabelSettings {
  /// Evaluates a symbol layer's properties for one feature.
  public init(_ style: SymbolStyle, _ context: StyleContext) {
    self.init()
    setLayout(style, context)
    setText(style, context)
    setIcon(style, context)
    setPaint(style, context)
  }

  private mutating func setLayout(_ style: SymbolStyle, _ context: StyleContext) {
    switch style.placement.value(context) {
    case .point: placement = .point
    case .line: placement = .line
    case .lineCenter: placement = .lineCenter
    }
    spacing = Float(style.spacing.value(context))
    repeatDistance = Float(style.repeatDistance.value(context))
    hasSortKey = style.sortKey.isSet
    switch style.order.value(context) {
    case .auto: zOrder = .auto
    case .viewportY: zOrder = .viewportY
    case .source: zOrder = .source
    }
  }

  private mutating func setText(_ style: SymbolStyle, _ context: StyleContext) {
    textFont = style.textFont.value(context)
    textSize = Float(style.textSize.value(context))
    // MapLibre Native measures a size that only depends on the zoom at the tile's.
    let hasManySizes = style.textSize.reads.feature
    var other = context
    other.zoom = context.zoom.rounded(.down)
    if placement != .point {
      var far = other
      if hasManySizes { far.zoom = 18 }
      textLargestSize = Float(style.textSize.value(far))
    }
    if hasManySizes { other.zoom += 1 }
    textRoomSize = Float(style.textSize.value(other))
    textMaxWidth = Float(style.textMaxWidth.value(context))
    textLineHeight = Float(style.textLineHeight.value(context))
    textLetterSpacing = Float(style.textLetterSpacing.value(context))
    switch style.textJustify.value(context) {
    case .auto: textJustify = .auto
    case .left: textJustify = .left
    case .center: textJustify = .center
    case .right: textJustify = .right
    }
    textAnchor = LabelAnchor(style.textAnchor.value(context))
    let pairs = style.textVariableAnchorOffset.value(context)
    if pairs.isEmpty {
      textVariableAnchors = style.textVariableAnchor.value(context).map { LabelAnchor($0) }
    } else {
      textVariableAnchors = pairs.map { LabelAnchor($0.anchor) }
      textVariableOffsets = pairs.map { LabelOffset($0.offset) }
    }
    let radius = style.textRadialOffset.value(context)
    if style.textRadialOffset.isSet, radius != 0 { textRadialOffset = Float(radius) }
    textOffset = LabelOffset(style.textOffset.value(context))
    textRotate = Float(style.textRotate.value(context))
    textPadding = Float(style.textPadding.value(context))
    textMaxAngle = Float(style.textMaxAngle.value(context))
    textKeepUpright = style.textKeepUpright.value(context)
    textOverlap = LabelOverlap(
      style.textOverlap.value(context), allowed: style.textAllowOverlap.value(context))
    textIgnorePlacement = style.textIgnorePlacement.value(context)
    textOptional = style.textOptional.value(context)
    textAlignment = LabelAlignment(style.textRotationAlignment.value(context))
  }

  private mutating func setIcon(_ style: SymbolStyle, _ context: StyleContext) {
    iconSize = Float(style.iconSize.value(context))
    iconAnchor = LabelAnchor(style.iconAnchor.value(context))
    iconOffset = LabelOffset(style.iconOffset.value(context))
    iconRotate = Float(style.iconRotate.value(context))
    iconPadding = LabelInsets(style.iconPadding.value(context))
    iconKeepUpright = style.iconKeepUpright.value(context)
    switch style.iconTextFit.value(context) {
    case .none: iconTextFit = .none
    case .width: iconTextFit = .width
    case .height: iconTextFit = .height
    case .both: iconTextFit = .both
    }
    iconTextFitPadding = LabelInsets(style.iconTextFitPadding.value(context))
    iconOverlap = LabelOverlap(
      style.iconOverlap.value(context), allowed: style.iconAllowOverlap.value(context))
    iconIgnorePlacement = style.iconIgnorePlacement.value(context)
    iconOptional = style.iconOptional.value(context)
    iconAlignment = LabelAlignment(style.iconRotationAlignment.value(context))
  }

  private mutating func setPaint(_ style: SymbolStyle, _ context: StyleContext) {
    textColor = style.textColor.value(context).word()
    textHaloColor = style.textHaloColor.value(context).word()
    textHaloWidth = Float(style.textHaloWidth.value(context))
    textHaloBlur = Float(style.textHaloBlur.value(context))
    textOpacity = Float(style.textOpacity.value(context))
    textTranslate = LabelOffset(style.textTranslate.value(context))
    textTranslatesOnScreen = style.textTranslateAnchor.value(context) == .viewport
    iconColor = style.iconColor.value(context).word()
    iconHaloColor = style.iconHaloColor.value(context).word()
    iconHaloWidth = Float(style.iconHaloWidth.value(context))
    iconHaloBlur = Float(style.iconHaloBlur.value(context))
    iconOpacity = Float(style.iconOpacity.value(context))
    iconTranslate = LabelOffset(style.iconTranslate.value(context))
    iconTranslatesOnScreen = style.iconTranslateAnchor.value(context) == .viewport
  }
}

extension LabelAnchor {
  /// The same anchor.
  init(_ anchor: StyleAnchor) {
    switch anchor {
    case .center: self = .center
    case .left: self = .left
    case .right: self = .right
    case .top: self = .top
    case .bottom: self = .bottom
    case .topLeft: self = .topLeft
    case .topRight: self = .topRight
    case .bottomLeft: self = .bottomLeft
    case .bottomRight: self = .bottomRight
    }
  }
}

extension LabelOffset {
  fileprivate init(_ offset: StyleOffset) { self.init(Float(offset.x), Float(offset.y)) }
}

extension LabelInsets {
  fileprivate init(_ padding: StylePadding) {
    self.init(
      top: Float(padding.top), right: Float(padding.right), bottom: Float(padding.bottom),
      left: Float(padding.left))
  }
}

extension LabelOverlap {
  fileprivate init(_ overlap: StyleOverlap?, allowed: Bool) {
    switch overlap {
    case .never: self = .never
    case .always: self = .always
    case .cooperative: self = .cooperative
    case nil: self = allowed ? .always : .never
    }
  }
}

extension LabelAlignment {
  fileprivate init(_ alignment: StyleRotationAlignment) {
    switch alignment {
    case .map: self = .map
    case .viewport, .viewportGlyph: self = .viewport
    case .auto: self = .auto
    }
  }
}
