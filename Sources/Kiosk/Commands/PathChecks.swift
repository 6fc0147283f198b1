import Configuration
import Control
import EventLoop

/// Checks where the files lie that callers name, on a thread of its own: links are followed, and a
/// medium that they lead to may hang.
///
/// Belongs to the loop's thread.
final class PathChecks {
  /// So many wait at once at most.
  private static let capacity = 16

  private let loop: EventLoop
  private var worker: FileWorker<ControlError?>?
  /// Those who wait, in the order in which they asked.
  private var waiting: [(ControlError?) -> Void] = []

  init(loop: EventLoop) { self.loop = loop }

  /// Tells `done` what `check` finds wrong.
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
  /// Checks whether a caller who is not trusted may name the files of `source.add`. Beside the
  /// loop; `done` is called on it, with what is wrong.
  package func checkPaths(
    ofSource table: JSON, _ done: @escaping (ControlError?) -> Void
  ) {
    // A table that is wrong otherwise is refused when it is added.
    guard let spec = try? SocketTable.source(table) else { return done(nil) }
    let (roots, looks) = (configuration.control.roots, book.looks)
    pathChecks.run(
      { () throws(ControlError) in try SocketTable.check(spec, roots: roots, looks) }, done)
  }

  /// Checks whether a caller who is not trusted may name the file of `overlay.add`. As above.
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
