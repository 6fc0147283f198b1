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
    "MediaFinder": "Media", "BaseLabels": "BaseLabels", "NoticeBoard": "Notices",
    "TourGuide": "Tour", "LineSelection": "Selection",
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

  /// Stored properties that are neither private nor constant: those that an owner's protocol or the
  /// extensions of its own folder change, and times that tests shorten.
  private static let open: [String: Set<String>] = [
    "LayerBook": ["entries", "reopenings", "onBase", "replacedBy", "rewritePause", "looks"],
    "MediaFinder": ["touch"],
  ]

  /// The stored properties of a file's classes that other files may change.
  private static func openProperties(of file: URL) throws -> Set<String> {
    var found: Set<String> = []
    var isClass = false
    for line in try code(file).split(separator: "\n") {
      if line.contains(/^[a-z].*\bclass [A-Z]/) { isClass = true }
      if line.hasPrefix("}") { isClass = false }
      guard isClass, let match = line.firstMatch(of: /^  (?:package |public |weak )*var (\w+)(.*)$/)
      else { continue }
      // A computed property has a body, and no value before it.
      let rest = match.output.2
      let body = rest.firstIndex(of: "{") ?? rest.endIndex
      if body != rest.endIndex, !rest[..<body].contains("="), !rest.contains("didSet") { continue }
      found.insert(String(match.output.1))
    }
    return found
  }

  @Test func ownersStoredPropertiesArePrivateOrConstant() throws {
    for (owner, folder) in Self.owners {
      let open = Self.open[owner] ?? []
      var found: Set<String> = []
      for file in try Self.files(of: owner) where file.lastPathComponent != "Pipeline.swift" {
        found.formUnion(try Self.openProperties(of: file))
      }
      #expect(found == open, "\(owner)")
      let all = FileManager.default.enumerator(at: Self.folder, includingPropertiesForKeys: nil)
      while let file = all?.nextObject() as? URL {
        let isOwn = file.deletingLastPathComponent().lastPathComponent == folder
        guard file.pathExtension == "swift", !isOwn else { continue }
        for name in open {
          let change = try Regex("\\.\(name)\\b(\\[[^\\]]*\\])?(\\.\\w+)* *[-+]?= ")
          let lines = try Self.code(file).split(separator: "\n").filter { $0.contains(change) }
          #expect(lines == [], "\(file.lastPathComponent) changes \(name) of \(owner)")
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
