import Control
import Kiosk

/// `overlay.select` and `selection.*`.
extension ControlService {
  func addSelectionRoutes() {
    routes.on(OverlaySelect.self) { [unowned self] params throws(ControlError) in
      guard kiosk.overlayIndex(params.name) != nil else { throw unknownOverlay(params.name) }
      let reason = kiosk.selectLine(
        of: params.name, feature: params.feature, named: params.featureName)
      if let reason {
        throw .parameter("feature", reason)
      }
      return selection
    }
    routes.on(SelectionGet.self) { [unowned self] _ in selection }
    routes.on(SelectionClear.self) { [unowned self] _ in
      kiosk.clearSelection()
      return selection
    }
  }

  private var selection: SelectionInfo {
    var info = SelectionInfo()
    guard let (overlay, feature, facts) = kiosk.selectedLine else { return info }
    (info.overlay, info.feature, info.name) = (overlay, feature, facts.name)
    (info.length, info.ascent, info.descent) = (facts.length, facts.ascent, facts.descent)
    (info.lowest, info.highest) = (facts.lowest, facts.highest)
    (info.seconds, info.along) = (facts.seconds, facts.along)
    info.isClosed = facts.isClosed
    for text in facts.texts { info.properties[text.key] = text.text }
    return info
  }
}
