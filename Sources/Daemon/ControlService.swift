import Configuration
import Control
import EventLoop
import Kiosk
import Platform

/// Serves the control socket: its methods act on the kiosk, and the kiosk's events go to whoever
/// subscribed. What each method does is in `Routes/`, a file for each concern.
///
/// Belongs to the loop's thread.
public final class ControlService {
  let kiosk: Kiosk
  let routes = Routes()
  var server: ControlServer?
  /// Has the configuration read again, and tells its warnings.
  let reload: (@escaping (Result<[String], ControlError>) -> Void) -> Void
  let log: Logger?
  /// Calls that wait until a source or an overlay is open.
  var openings = SourceOpenings()
  var overlayOpenings: [String: OverlayOpening] = [:]
  /// Refuses those of them that wait too long.
  let deadlines: CallDeadlines
  let screenshots: ScreenshotQueue
  /// Decides what of the health is logged.
  var healthLog = HealthLog()

  /// Makes the routes. Nothing is served yet.
  ///
  /// - Parameters:
  ///   - kiosk: what the methods act on. Its events are the service's from here on.
  ///   - log: takes what is worth a line; nil: nothing is logged.
  ///   - patience: how long a call waits for a source or an overlay to open, in seconds.
  ///   - reload: has the configuration read again and calls what it is given with its warnings.
  public init(
    kiosk: Kiosk, log: Logger? = nil, patience: Double = 10,
    reload: @escaping (@escaping (Result<[String], ControlError>) -> Void) -> Void
  ) {
    self.kiosk = kiosk
    self.log = log
    deadlines = CallDeadlines(loop: kiosk.loop, patience: patience)
    self.reload = reload
    screenshots = ScreenshotQueue(loop: kiosk.loop) { [unowned kiosk] in kiosk.copyFrame() }
    addDaemonRoutes()
    addViewRoutes()
    addSourceRoutes()
    addOverlayRoutes()
    addSelectionRoutes()
    addMarkerRoutes()
    addNoticeRoutes()
    addPositionRoutes()
    addDisplayRoutes()
    addCacheRoutes()
    routes.addSubscriptions()
    logHealth()
    kiosk.onEvent = { [unowned self] in publish($0) }
    kiosk.onSourceOpened = { [unowned self] in sourceOpened($0) }
    kiosk.onOverlayOpened = { [unowned self] in overlayOpened($0) }
  }

  /// Serves on `listener` until `close()`.
  ///
  /// - Throws: where the loop cannot watch the listener.
  public func serve(on listener: ControlListener) throws(SystemError) {
    server = try ControlServer(
      loop: kiosk.loop, listener: listener,
      maxClients: kiosk.configuration.control.maxClients, routes: routes)
    server?.onPeer = { [log] in log?.peer($0) }
  }

  /// Ends every connection; calls that are not answered yet are dropped.
  public func close() { server?.close() }
}
