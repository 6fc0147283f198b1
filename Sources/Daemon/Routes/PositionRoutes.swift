import Control
import Kiosk

/// `position.*`.
extension ControlService {
  func addPositionRoutes() {
    routes.on(PositionGet.self) { [unowned self] _ in kiosk.positionInfo }
    routes.on(PositionSet.self) { [unowned self] params in
      kiosk.setPosition(params)
      return kiosk.positionInfo
    }
  }
}
