import Control
import Kiosk
import MapGeometry

/// `view.*` and `settle`.
extension ControlService {
  func addViewRoutes() {
    routes.on(ViewGet.self) { [unowned self] _ in viewState }
    routes.on(ViewSet.self) { [unowned self] params in
      var new = kiosk.goal
      if let lat = params.lat { new.center.lat = lat }
      if let lon = params.lon { new.center.lon = lon }
      if let zoom = params.zoom { new.zoom = zoom }
      if let bearing = params.bearing { new.bearing = bearing }
      kiosk.go(to: new, animate: params.animate)
      return viewState
    }
    routes.on(ViewPan.self) { [unowned self] params in
      switch params.way {
      case .by(let dx, let dy): kiosk.pan(dx: dx, dy: dy, animate: params.animate)
      case .direction(let direction): kiosk.pan(direction, animate: params.animate)
      }
      return viewState
    }
    routes.on(ViewZoom.self) { [unowned self] params in
      kiosk.zoom(
        by: params.delta, about: params.anchor.map { ($0.x, $0.y) }, animate: params.animate)
      return viewState
    }
    routes.on(ViewFit.self) { [unowned self] params in
      let box = params.bounds
      kiosk.fit(
        GeoBounds(west: box[0], south: box[1], east: box[2], north: box[3]),
        padding: params.padding)
      return viewState
    }
    routes.on(ViewHome.self) { [unowned self] _ in
      kiosk.home(animate: false)
      return viewState
    }
    routes.onLater(Settle.self) { [unowned self] params, reply in
      kiosk.settle(timeout: params.timeout, isCancelled: { !reply.isAwaited }) {
        reply.succeed(SettleResult(frame: $0.frame, complete: $0.complete, missing: $0.missing))
      }
    }
  }

  /// The view that the kiosk is going to: where an animation will end.
  var viewState: ViewState { state(of: kiosk.goal) }

  func state(of v: Viewport) -> ViewState {
    ViewState(
      lat: v.center.lat, lon: WebMercator.wrapLongitude(v.center.lon), zoom: v.zoom,
      bearing: v.bearing, bounds: v.bounds.array, width: Double(v.width) / Double(v.scale),
      height: Double(v.height) / Double(v.scale))
  }
}
