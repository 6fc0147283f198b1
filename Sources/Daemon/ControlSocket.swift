import Configuration
import Control
import EventLoop
import Kiosk
import Platform

/// The daemon's control socket: passed in by the service manager, or made here.
///
/// With `--keep-going` a socket that cannot be made is not the end: the map is shown, the log and
/// the health say why nobody can connect, and it is tried again.
final class ControlSocket {
  /// The name of the matter in the health.
  private static let matter = "control"
  /// The first and the longest pause between attempts, in nanoseconds.
  private static let pauses: (first: UInt64, longest: UInt64) = (1_000_000_000, 60_000_000_000)

  private let control: ControlService
  private let settings: Configuration.Control
  private let options: DaemonOptions
  private let kiosk: Kiosk
  private let log: Logger
  private var timer: LoopTimer?
  private var pause = ControlSocket.pauses.first

  init(
    _ control: ControlService, _ settings: Configuration.Control, _ options: DaemonOptions,
    _ kiosk: Kiosk, _ log: Logger
  ) {
    self.control = control
    self.settings = settings
    self.options = options
    self.kiosk = kiosk
    self.log = log
  }

  /// Serves the socket, now or later.
  ///
  /// - Throws: `ListenError` if it cannot be made and the daemon does not keep going, or if another
  ///   process serves it; `SystemError` if the loop cannot watch it.
  func open() throws {
    do {
      try serve(waits: true)
    } catch let error as ListenError {
      // Without a process nobody is known to serve it: its turn is taken, or its queue is full.
      if case .inUse(_, let pid) = error, pid != 0 { throw error }
      guard options.keepGoing else { throw error }
      timer = kiosk.loop.timer { [weak self] in self?.tryAgain() }
      failed(error)
    }
  }

  func close() {
    timer?.cancel()
    control.close()
  }

  /// `waits`: see `ControlListener`. Later, that would hold up the map.
  private func serve(waits: Bool) throws {
    let listener = try listener(waits)
    try control.serve(on: listener)
    log.info("serving \(listener.address)")
  }

  private func tryAgain() {
    // What is wrong with the group is told anew.
    kiosk.reportHealth(ControlSocket.matter, .error, nil)
    do { try serve(waits: false) } catch { failed(error) }
  }

  private func failed(_ error: any Error) {
    kiosk.reportHealth(
      ControlSocket.matter, .error, "\(error); nobody can connect until the socket can be made")
    timer?.arm(after: pause)
    pause = min(2 * pause, ControlSocket.pauses.longest)
  }

  private func listener(_ waits: Bool) throws(ListenError) -> ControlListener {
    if let inherited = try ControlListener.inherited() { return inherited }
    let c = settings
    let isDemo = options.demo && options.socket == nil
    do throws(ListenError) {
      return try ControlListener(
        path: c.socket, mode: c.mode, group: c.group, createFolder: isDemo, waits: waits)
    } catch {
      switch error {
      case .unknownGroup where options.keepGoing:
        // Fewer users than intended get in, and the maintainer still does.
        kiosk.reportHealth(
          "control", .error, "control.group: \(error); the socket has the daemon's own group")
        return try ControlListener(path: c.socket, mode: c.mode, waits: waits)
      case .system(let error) where options.keepGoing && error.call == "chown":
        // A service's sandbox forbids it; with waypostd.socket, the service manager sets the group.
        let reason = "\(error); set SocketGroup= in waypostd.socket"
        kiosk.reportHealth(
          "control", .error, "control.group: \(reason); the socket has the daemon's own group")
        return try ControlListener(path: c.socket, mode: c.mode, waits: waits)
      case .cannotMakeFolder(let folder, let reason) where isDemo:
        throw .cannotMakeFolder(
          folder: folder,
          reason: "\(reason) (from XDG_RUNTIME_DIR: unset it where it is an earlier session's)")
      default: throw error
      }
    }
  }
}
