import Glibc
import TileSources

/// How far a piece of work is.
package struct WorkProgress: Equatable, Sendable {
  /// What is being done: "converting".
  package var what: String
  /// Tiles that are done.
  package var done: UInt64
  /// All of them; nil while that is not known.
  package var total: UInt64?
  /// Bytes that were written or read.
  package var bytes: UInt64

  package init(what: String, done: UInt64, total: UInt64? = nil, bytes: UInt64 = 0) {
    (self.what, self.done, self.total, self.bytes) = (what, done, total, bytes)
  }
}

/// Hears how far a piece of work is; gives false to stop it.
package typealias WorkReport = (WorkProgress) -> Bool

/// Calls a report once in a while.
struct WorkMeter {
  private let report: WorkReport
  private var next = 0
  private static let every = 64

  init(_ report: @escaping WorkReport) { self.report = report }

  /// - Throws: `WorkStopped` if the report says so.
  mutating func tell(
    _ progress: @autoclosure () -> WorkProgress, now: Bool = false
  ) throws(PackError) {
    next += 1
    guard now || next % WorkMeter.every == 0 else { return }
    guard report(progress()) else { throw PackError.stopped }
  }
}

extension PackError {
  /// The error of work that was asked to stop.
  package static let stopped = PackError(file: "", reason: "stopped", isMisuse: false)
}
