import Configuration
import Control
import EventLoop

/// Checks on its own thread where the files are that callers name: links must be followed, and a
/// medium that they lead to may hang.
///
/// Use it on the loop's thread.
final class PathChecks {
  /// The most checks that may wait at once.
  private static let capacity = 16

  private let loop: EventLoop
  private var worker: FileWorker<ControlError?>?
  /// The callbacks of waiting checks, in the order of the requests.
  private var waiting: [(ControlError?) -> Void] = []

  init(loop: EventLoop) { self.loop = loop }

  /// Runs `check` on the thread, then calls `done` on the loop with its error; nil: there is none.
  /// If too many checks wait, calls `done` at once with an error.
  func run(
    _ check: @escaping @Sendable () throws(ControlError) -> Void,
    _ done: @escaping (ControlError?) -> Void
  ) {
    if worker == nil {
      worker = FileWorker("paths", loop: loop, capacity: Self.capacity) { [weak self] in
        self?.finish($0)
      }
    }
    let isTaken = worker?.post {
      do throws(ControlError) {
        try check()
        return nil
      } catch {
        return error
      }
    }
    guard isTaken == true else {
      return done(
        ControlError(
          code: ControlError.notAvailable,
          message: "other paths are being looked at, and their medium hangs"))
    }
    waiting.append(done)
  }

  private func finish(_ error: ControlError?) { waiting.removeFirst()(error) }
}

extension Kiosk {
  /// Checks whether an untrusted caller may name the files of `source.add`. Runs beside the loop,
  /// and calls `done` on the loop with the error; nil: there is none.
  package func checkPaths(
    ofSource table: JSON, _ done: @escaping (ControlError?) -> Void
  ) {
    // A table that is wrong otherwise is refused when it is added.
    guard let spec = try? SocketTable.source(table) else { return done(nil) }
    let (roots, looks) = (configuration.control.roots, book.looks)
    pathChecks.run(
      { () throws(ControlError) in try SocketTable.check(spec, roots: roots, looks) }, done)
  }

  /// Checks whether an untrusted caller may name the file of `overlay.add`; see the function above.
  package func checkPaths(
    ofOverlay table: JSON, _ done: @escaping (ControlError?) -> Void
  ) {
    guard let spec = try? SocketTable.overlay(table), case .file(let path) = spec.content else {
      return done(nil)
    }
    let (roots, looks) = (configuration.control.roots, book.looks)
    pathChecks.run(
      { () throws(ControlError) in try SocketTable.check([path], roots: roots, looks) }, done)
  }
}
