import CSQLite
import Foundation
import TestSupport

/// Other programs, as tests need them.
enum Shell {
  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  /// Runs SQL on a database.
  static func sqlite(_ path: String, _ sql: String) throws {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    guard sqlite3_open(path, &connection) == SQLITE_OK,
      sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
    else { throw Failed(description: String(cString: sqlite3_errmsg(connection))) }
  }

  /// What a Python program prints; nil where there is no Python, or not what `needs` imports.
  static func python(_ program: String, _ arguments: [String], needs: String) throws -> String? {
    guard let python = find("python3"),
      (try? run(python, ["-c", "import \(needs)"])) != nil
    else { return nil }
    return try run(python, ["-c", program] + arguments)
  }

  private static func find(_ name: String) -> String? {
    let places = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    return places.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  private static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(description: String(decoding: said, as: UTF8.self))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
