import Foundation
import TestSupport
import Testing

/// The owners of the kiosk's state know neither each other nor the kiosk: read from the sources.
@Suite struct OwnersTests {
  /// Each owner's folder below Sources/Kiosk.
  static let owners = [
    "LayerBook": "Layers", "FrameScheduler": "Frame", "ViewController": "View",
    "InputInterpreter": "Inputs", "OverMap": "OverMap", "ThemeClock": "Theme",
    "ScreenPower": "Power", "StateStore": "State", "HealthBoard": "Health",
  ]

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/Kiosk")

  /// The code of a file, without comments and texts.
  private static func code(_ file: URL) throws -> String {
    try String(contentsOf: file, encoding: .utf8)
      .replacing(/"(?:\\.|[^"\\])*"/, with: "\"\"")
      .replacing(/\/\/.*/, with: "")
  }

  private static func files(in folder: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: self.folder.appendingPathComponent(folder), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "swift" }
  }

  /// Every file of the module, in whatever folder, that declares or extends one of `types`.
  private static func files(of types: Set<String>) throws -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var found: [URL] = []
    while let file = all?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let declared = try code(file).matches(of: /\b(?:class|extension) ([A-Z][A-Za-z]*)/)
      if declared.contains(where: { types.contains(String($0.output.1)) }) { found.append(file) }
    }
    return found
  }

  /// The files of an owner: its folder's, and those elsewhere that extend one of its classes.
  private static func files(of owner: String) throws -> Set<URL> {
    guard let folder = owners[owner] else { return [] }
    // The pipeline is no owner's, though it lies in a folder of one.
    let classes = try classes(in: folder).subtracting(["Pipeline"])
    return Set((try files(in: folder) + files(of: classes)).map(\.standardizedFileURL))
  }

  private static func words(_ code: String) -> Set<String> {
    Set(code.matches(of: /[A-Za-z_][A-Za-z_0-9]*/).map { String($0.output) })
  }

  /// The classes that a folder's files declare: what could be held and called.
  private static func classes(in folder: String) throws -> Set<String> {
    Set(
      try files(in: folder).flatMap { file in
        try code(file).matches(of: /\bclass ([A-Z][A-Za-z]*)/).map { String($0.output.1) }
      })
  }

  @Test func everyOwnerIsThereInItsFolder() throws {
    for (owner, folder) in Self.owners {
      #expect(try Self.classes(in: folder).contains(owner), "\(folder)")
    }
  }

  @Test func noOwnerMentionsAnotherOneOrTheKiosk() throws {
    for (owner, folder) in Self.owners {
      var foreign: Set = ["Kiosk"]
      for other in Self.owners.values where other != folder {
        foreign.formUnion(try Self.classes(in: other))
      }
      // Below all of them: what lies between the sources and a display.
      foreign.remove("Pipeline")
      for file in try Self.files(of: owner) {
        let found = Self.words(try Self.code(file)).intersection(foreign).sorted()
        #expect(found == [], "\(owner): \(file.lastPathComponent)")
      }
    }
  }

  @Test func ownersStoredPropertiesArePrivateOrConstant() throws {
    for owner in Self.owners.keys {
      for file in try Self.files(of: [owner]) {
        for line in try Self.code(file).split(separator: "\n") {
          // Of the type itself: two blanks; computed ones have a body on the line.
          guard line.hasPrefix("  var "), !line.contains("{") else { continue }
          Issue.record("\(owner), \(file.lastPathComponent): \(line)")
        }
      }
    }
  }

  @Test func theKioskOnlyWires() throws {
    let lines = try String(
      contentsOf: Self.folder.appendingPathComponent("Kiosk.swift"), encoding: .utf8
    ).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count < 300)
  }
}
