import Platform
import TileSources

/// Why a pack cannot be read, written or made. Names the file.
package struct PackError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The pack, folder or address that it is about.
  package var file: String
  /// What is wrong and what would be right.
  package var reason: String
  /// The command asks for what cannot be done, and the data is not to blame: an existing target,
  /// say.
  package var isMisuse: Bool

  package init(file: String, reason: String, isMisuse: Bool = false) {
    self.file = file
    self.reason = reason
    self.isMisuse = isMisuse
  }

  package init(_ fault: PackFault, file: String) { self.init(file: file, reason: fault.reason) }

  package init(_ error: SourceError) { self.init(file: error.file, reason: error.reason) }

  package init(_ error: FileError) { self.init(file: error.file, reason: error.reason) }

  /// `what` failed on `file`, with the present errno.
  package init(file: String, failed what: String) {
    self.init(file: file, reason: "\(what): \(SystemError.text())")
  }

  /// The file and the reason.
  package var description: String { "\(file): \(reason)" }
}
