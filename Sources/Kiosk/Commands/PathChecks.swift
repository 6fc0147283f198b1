import Configuration
import Control
import EventLoop
import Platform
import TileSources

/// Checks where the files are that callers name. Links must be followed, and a medium that they
/// lead to may hang, so that is done beside the loop.
extension Kiosk {
  /// The most checks that may wait at once for one medium.
  static let mostPathChecks = 16

  /// Checks whether an untrusted caller may name the files of `source.add`. Runs beside the loop,
  /// and calls `done` on the loop with the error; nil: there is none.
  package func checkPaths(
    ofSource table: JSON, _ done: @escaping (ControlError?) -> Void
  ) {
    // A table that is wrong otherwise is refused when it is added.
    guard let spec = try? SocketTable.source(table) else { return done(nil) }
    let (roots, looks) = (configuration.control.roots, book.files.looks)
    check(
      spec.files, { () throws(ControlError) in try SocketTable.check(spec, roots: roots, looks) },
      done)
  }

  /// Checks whether an untrusted caller may name the file of `overlay.add`; see the function above.
  package func checkPaths(
    ofOverlay table: JSON, _ done: @escaping (ControlError?) -> Void
  ) {
    guard let spec = try? SocketTable.overlay(table), case .file(let path) = spec.content else {
      return done(nil)
    }
    let (roots, looks) = (configuration.control.roots, book.files.looks)
    check(
      [path], { () throws(ControlError) in try SocketTable.check([path], roots: roots, looks) },
      done)
  }

  /// Runs `check` of `paths` beside the loop. If too many checks wait, calls `done` at once with an
  /// error.
  private func check(
    _ paths: [String], _ check: @escaping @Sendable () throws(ControlError) -> Void,
    _ done: @escaping (ControlError?) -> Void
  ) {
    let isTaken = pathChecks.post(
      on: Mounts().media(of: paths),
      { () -> ControlError? in
        do throws(ControlError) {
          try check()
          return nil
        } catch {
          return error
        }
      }, then: done)
    if isTaken { return }
    done(
      ControlError(
        code: ControlError.notAvailable,
        message: "other paths are being looked at, and their medium hangs"))
  }
}
