import ArgumentParser
import Packs
import TileSources

struct PackConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts a pack to another format.",
    discussion: """
      Tiles keep their bytes, and equal tiles are stored once. Name, attribution and other metadata \
      are copied; zooms and format are determined from the tiles.

      Examples:
        waypost pack convert alps.mbtiles alps.pmtiles
        waypost pack convert alps.pmtiles alps.mbtiles --force
        waypost pack convert tiles/ alps.pmtiles
      """)
  @OptionGroup var input: PackInput
  @OptionGroup var new: NewPack
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    try PackWork.copy(
      [input.path], to: new.path, kind: try PackWork.kind(of: new.path), title: "convert",
      force: new.force, json: daemon.json)
  }
}

struct PackImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Packs a folder of {z}/{x}/{y}.EXT into one file.",
    discussion: """
      Name, attribution and other metadata are read from the folder's metadata.json, in the format \
      that mbutil writes.

      Examples:
        waypost pack import tiles/ alps.pmtiles
        waypost pack import tiles/ alps.mbtiles
      """)
  @Argument(help: "The folder.", completion: .directory, transform: CommandWords.restore)
  var folder: String
  @OptionGroup var new: NewPackFile
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    let kind = try PackWork.kind(of: new.path)
    if kind == .folder {
      throw Failure(Failure.usage, "\(new.path): end its name with .mbtiles or .pmtiles")
    }
    guard try PackWork.kind(at: folder) == .folder else {
      throw Failure(
        Failure.usage, "\(folder): not a folder; use \"waypost pack convert\" for packs")
    }
    try PackWork.copy(
      [folder], to: new.path, kind: kind, title: "import", force: new.force, json: daemon.json)
  }
}

struct PackExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Unpacks a pack into a folder of {z}/{x}/{y}.EXT.",
    discussion: """
      Rows count from the north. Metadata are written to metadata.json.

      Examples:
        waypost pack export alps.pmtiles tiles/
      """)
  @OptionGroup var input: PackInput
  @Argument(help: "The new folder.", completion: .directory, transform: CommandWords.restore)
  var folder: String
  @Flag(help: "Replace the folder if it holds only tiles.") var force = false
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    try PackWork.copy(
      [input.path], to: folder, kind: .folder, title: "export", force: force,
      json: daemon.json)
  }
}

struct PackMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges several packs into one.",
    discussion: """
      If several packs have a tile, the first one named provides it. Attributions are joined. Packs \
      with different tile formats or sizes are refused.

      Examples:
        waypost pack merge valley.pmtiles canton.mbtiles alps.pmtiles
      """)
  @Argument(
    help: "Two packs or more, then the new one.", completion: .file(),
    transform: CommandWords.restore)
  var packs: [String]
  @OptionGroup var replacing: ReplaceOption
  @OptionGroup var daemon: SocketOptions

  func validate() throws {
    if packs.count < 3 {
      throw ValidationError("name at least two packs, and the new one last")
    }
  }

  func run() throws {
    let new = packs[packs.count - 1]
    try PackWork.copy(
      Array(packs.dropLast()), to: new, kind: try PackWork.kind(of: new), title: "merge",
      force: replacing.force, json: daemon.json)
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
