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
}
