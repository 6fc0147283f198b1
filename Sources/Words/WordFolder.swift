import Glibc
import Platform

/// The files of a folder that correct Waypost's words: `de.txt` for German, and so on.
public struct WordFolder: Sendable, Equatable {
  /// What is wrong with a file or a line of it.
  public struct Problem: Sendable, Equatable, CustomStringConvertible {
    /// The file's or the folder's path.
    public var file: String
    /// The line, from 1; nil: the whole file.
    public var line: Int?
    /// What is wrong, and what would be right.
    public var reason: String

    /// "/etc/waypost/words/de.txt:3: there is no word …".
    public var description: String {
      line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)"
    }
  }

  /// The files by the tags of their languages.
  public private(set) var files: [String: WordFile] = [:]
  /// What cannot be used.
  public private(set) var problems: [Problem] = []

  /// Reads the files of some languages. Blocks as long as the medium needs.
  ///
  /// - Parameters:
  ///   - folder: The folder's path.
  ///   - languages: The languages' tags. English is always read.
  public init(_ folder: String, languages: [String]) {
    guard access(folder, R_OK | X_OK) == 0 else {
      let reason = SystemError("access", on: folder).text
      problems = [Problem(file: folder, line: nil, reason: "cannot be read: \(reason)")]
      return
    }
    for tag in Set(["en"] + languages + languages.map { Words.code(of: $0) }).sorted() {
      let path = "\(folder)/\(tag).txt"
      guard access(path, F_OK) == 0 else { continue }
      do throws(FileError) {
        let file = WordFile(try FileIO.read(path, limit: WordFile.sizeLimit))
        files[tag] = file
        problems += file.problems.map { Problem(file: path, line: $0.line, reason: $0.reason) }
      } catch {
        problems.append(Problem(file: path, line: nil, reason: error.reason))
      }
    }
    for tag in languages where !Words.languages.contains(Words.code(of: tag)) {
      let names = Set([tag, Words.code(of: tag)]).sorted().map { "\($0).txt" }
      guard names.allSatisfy({ access("\(folder)/\($0)", F_OK) != 0 }) else { continue }
      let missing = names.joined(separator: " or ")
      problems.append(
        Problem(
          file: folder, line: nil,
          reason: "has no \(missing), and Waypost no words in \"\(tag)\": it says its own in "
            + "English"))
    }
  }
}
