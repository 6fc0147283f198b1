import MapLabels
import MapStyle

extension SymbolStyle {
  /// What a symbol's text, icon and place in the order depend on.
  var contentReads: StyleReads {
    StyleReads(textField.reads, textTransform.reads, iconImage.reads, sortKey.reads)
  }

  /// What a symbol's settings depend on.
  var settingsReads: StyleReads {
    StyleReads(
      iconSize.reads, iconRotate.reads, iconPadding.reads, iconOffset.reads, iconAnchor.reads,
      textFont.reads, textSize.reads, textMaxWidth.reads, textLetterSpacing.reads,
      textJustify.reads, textRadialOffset.reads, textVariableAnchorOffset.reads, textAnchor.reads,
      textRotate.reads, textOffset.reads, iconOpacity.reads, iconColor.reads, iconHaloColor.reads,
      iconHaloWidth.reads, iconHaloBlur.reads, textOpacity.reads, textColor.reads,
      textHaloColor.reads, textHaloWidth.reads, textHaloBlur.reads)
  }

  /// The settings of a symbol.
  func settings(_ context: StyleContext) -> LabelSettings {
    var settings = LabelSettings()
    setSymbol(&settings, context)
    setTextLayout(&settings, context)
    setIconLayout(&settings, context)
    setPaint(&settings, context)
    return settings
  }

  private func setSymbol(_ settings: inout LabelSettings, _ context: StyleContext) {
    switch placement.value(context) {
    case .point: settings.placement = .point
    case .line: settings.placement = .line
    case .lineCenter: settings.placement = .lineCenter
    }
    settings.spacing = Float(spacing.value(context))
    switch order.value(context) {
    case .auto: settings.zOrder = .auto
    case .viewportY: settings.zOrder = .viewportY
    case .source: settings.zOrder = .source
    }
    settings.hasSortKey = sortKey.isSet
  }

  private func setTextLayout(_ settings: inout LabelSettings, _ context: StyleContext) {
    settings.textFont = textFont.value(context)
    settings.textSize = Float(textSize.value(context))
    settings.textMaxWidth = Float(textMaxWidth.value(context))
    settings.textLineHeight = Float(textLineHeight.value(context))
    settings.textLetterSpacing = Float(textLetterSpacing.value(context))
    switch textJustify.value(context) {
    case .auto: settings.textJustify = .auto
    case .left: settings.textJustify = .left
    case .center: settings.textJustify = .center
    case .right: settings.textJustify = .right
    }
    settings.textAnchor = LabelAnchor(textAnchor.value(context))
    let pairs = textVariableAnchorOffset.value(context)
    if pairs.isEmpty {
      settings.textVariableAnchors = textVariableAnchor.value(context).map { LabelAnchor($0) }
    } else {
      settings.textVariableAnchors = pairs.map { LabelAnchor($0.anchor) }
      settings.textVariableOffsets = pairs.map { LabelOffset($0.offset) }
    }
    if textRadialOffset.isSet {
      settings.textRadialOffset = Float(textRadialOffset.value(context))
    }
    settings.textOffset = LabelOffset(textOffset.value(context))
    settings.textRotate = Float(textRotate.value(context))
    settings.textPadding = Float(textPadding.value(context))
    settings.textMaxAngle = Float(textMaxAngle.value(context))
    settings.textKeepUpright = textKeepUpright.value(context)
    settings.textOverlap = LabelOverlap(
      textOverlap.value(context), allows: textAllowOverlap.value(context))
    settings.textIgnorePlacement = textIgnorePlacement.value(context)
    settings.textOptional = textOptional.value(context)
    settings.textAlignment = LabelAlignment(textRotationAlignment.value(context))
  }

  private func setIconLayout(_ settings: inout LabelSettings, _ context: StyleContext) {
    settings.iconSize = Float(iconSize.value(context))
    settings.iconAnchor = LabelAnchor(iconAnchor.value(context))
    settings.iconOffset = LabelOffset(iconOffset.value(context))
    settings.iconRotate = Float(iconRotate.value(context))
    settings.iconPadding = LabelInsets(iconPadding.value(context))
    settings.iconKeepUpright = iconKeepUpright.value(context)
    switch iconTextFit.value(context) {
    case .none: settings.iconTextFit = .none
    case .width: settings.iconTextFit = .width
    case .height: settings.iconTextFit = .height
    case .both: settings.iconTextFit = .both
    }
    settings.iconTextFitPadding = LabelInsets(iconTextFitPadding.value(context))
    settings.iconOverlap = LabelOverlap(
      iconOverlap.value(context), allows: iconAllowOverlap.value(context))
    settings.iconIgnorePlacement = iconIgnorePlacement.value(context)
    settings.iconOptional = iconOptional.value(context)
    settings.iconAlignment = LabelAlignment(iconRotationAlignment.value(context))
  }

  private func setPaint(_ settings: inout LabelSettings, _ context: StyleContext) {
    settings.textColor = textColor.value(context).word()
    settings.textHaloColor = textHaloColor.value(context).word()
    settings.textHaloWidth = Float(textHaloWidth.value(context))
    settings.textHaloBlur = Float(textHaloBlur.value(context))
    settings.textOpacity = Float(textOpacity.value(context))
    settings.textTranslate = LabelOffset(textTranslate.value(context))
    settings.textTranslatesOnScreen = textTranslateAnchor.value(context) == .viewport
    settings.iconColor = iconColor.value(context).word()
    settings.iconHaloColor = iconHaloColor.value(context).word()
    settings.iconHaloWidth = Float(iconHaloWidth.value(context))
    settings.iconHaloBlur = Float(iconHaloBlur.value(context))
    settings.iconOpacity = Float(iconOpacity.value(context))
    settings.iconTranslate = LabelOffset(iconTranslate.value(context))
    settings.iconTranslatesOnScreen = iconTranslateAnchor.value(context) == .viewport
  }
}

extension LabelAnchor {
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
  init(_ offset: StyleOffset) { self.init(Float(offset.x), Float(offset.y)) }
}

extension LabelInsets {
  init(_ padding: StylePadding) {
    self.init(
      top: Float(padding.top), right: Float(padding.right), bottom: Float(padding.bottom),
      left: Float(padding.left))
  }
}

extension LabelOverlap {
  init(_ overlap: StyleOverlap?, allows: Bool) {
    switch overlap {
    case .never: self = .never
    case .always: self = .always
    case .cooperative: self = .cooperative
    case nil: self = allows ? .always : .never
    }
  }
}

extension LabelAlignment {
  init(_ alignment: StyleRotationAlignment) {
    switch alignment {
    case .auto: self = .auto
    case .map: self = .map
    case .viewport, .viewportGlyph: self = .viewport
    }
  }
}
