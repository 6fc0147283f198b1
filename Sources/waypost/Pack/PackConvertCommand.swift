import ArgumentParser
import Packs
import TileSources

struct PackConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts a pack to another format.",
    discussion: """
      The tiles keep their bytes; equal ones are stored once. Name, attribution and other metadata go
      along; zooms and the format are those of the tiles.

      Examples:
        waypost pack convert alps.mbtiles alps.pmtiles
        waypost pack convert alps.pmtiles alps.mbtiles --force
        waypost pack convert tiles/ alps.pmtiles
      """)
  @Argument(
    help: "A pack or a folder of tiles.", completion: .file(), transform: CommandWords.restore)
  var input: String
  @Argument(
    help: "The new pack: NAME.pmtiles, NAME.mbtiles, or NAME/ for a folder.",
    completion: .file(), transform: CommandWords.restore)
  var output: String
  @Flag(help: "Replace the new pack if it exists.") var force = false
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    try PackWork.copy(
      [input], to: output, kind: try PackWork.kind(of: output), title: "convert", force: force,
      json: daemon.json)
  }
}

struct PackImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Packs a folder of {z}/{x}/{y}.EXT into one file.",
    discussion: """
      A metadata.json in the folder, as mbutil writes it, says name and attribution.

      Examples:
        waypost pack import tiles/ alps.pmtiles
        waypost pack import tiles/ alps.mbtiles
      """)
  @Argument(help: "The folder.", completion: .directory, transform: CommandWords.restore)
  var folder: String
  @Argument(
    help: "The new pack, .pmtiles or .mbtiles.", completion: .file(),
    transform: CommandWords.restore)
  var file: String
  @Flag(help: "Replace the new pack if it exists.") var force = false
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    let kind = try PackWork.kind(of: file)
    if kind == .folder {
      throw Failure(Failure.usage, "\(file): end its name with .mbtiles or .pmtiles")
    }
    guard try PackWork.kind(at: folder) == .folder else {
      throw Failure(
        Failure.usage, "\(folder): is not a folder; \"waypost pack convert\" takes packs as well")
    }
    try PackWork.copy(
      [folder], to: file, kind: kind, title: "import", force: force, json: daemon.json)
  }
}

struct PackExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Unpacks a pack into a folder of {z}/{x}/{y}.EXT.",
    discussion: """
      Rows count from the north. Name, attribution and other metadata go into metadata.json.

      Examples:
        waypost pack export alps.pmtiles tiles/
      """)
  @Argument(help: "The pack.", completion: .file(), transform: CommandWords.restore)
  var file: String
  @Argument(help: "The new folder.", completion: .directory, transform: CommandWords.restore)
  var folder: String
  @Flag(help: "Replace the folder if it holds tiles.") var force = false
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    try PackWork.copy(
      [file], to: folder, kind: .folder, title: "export", force: force, json: daemon.json)
  }
}

struct PackMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Joins several packs into one.",
    discussion: """
      Where several packs have a tile, the one named first gives it. Attributions are joined. Packs of
      different formats or tile sizes are refused.

      Examples:
        waypost pack merge valley.pmtiles canton.mbtiles alps.pmtiles
      """)
  @Argument(
    help: "Two packs or more, and the new one last.", completion: .file(),
    transform: CommandWords.restore)
  var packs: [String]
  @Flag(help: "Replace the new pack if it exists.") var force = false
  @OptionGroup var daemon: SocketOptions

  func validate() throws {
    if packs.count < 3 {
      throw ValidationError("name at least two packs, and the new one last")
    }
  }

  func run() throws {
    let output = packs[packs.count - 1]
    try PackWork.copy(
      Array(packs.dropLast()), to: output, kind: try PackWork.kind(of: output), title: "merge",
      force: force, json: daemon.json)
  }
}

extension PackWork {
  /// The kind that the name of a new pack says.
  static func kind(of path: String) throws -> PackKind {
    do throws(PackError) {
      return try PackTarget.kind(of: path)
    } catch {
      throw Failure(error)
    }
  }

  /// The kind of what lies at `path`.
  static func kind(at path: String) throws -> PackKind {
    do throws(PackFault) {
      return try PackKind(path: path)
    } catch {
      throw Failure(PackError(error, file: path))
    }
  }
}
