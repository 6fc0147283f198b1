import ArgumentParser
import Glibc
import Packs

struct PackInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Shows what a pack is and what it covers.",
    discussion: """
      Its index is read, and one tile; "waypost pack verify" reads all of them.

      Examples:
        waypost pack info alps.mbtiles
        waypost --json pack info alps.pmtiles
      """)
  @Argument(
    help: "A pack or a folder of tiles.", completion: .file(), transform: CommandWords.restore)
  var file: String
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    let report = try PackWork.run("info") { progress throws(PackError) in
      try PackSurvey.run(file, report: progress)
    }
    Output.line(daemon.json ? report.json : PackTables.info(report))
  }
}

struct PackVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Decodes every tile of a pack and reports what is wrong.",
    discussion: """
      Checks tiles, index and metadata, and what is missing of the stated area. The checksum is the
      same for the same tiles in whatever kind of pack. Exit code 65 where the pack is bad.

      Examples:
        waypost pack verify alps.mbtiles
        waypost --json pack verify alps.pmtiles
      """)
  @Argument(
    help: "A pack or a folder of tiles.", completion: .file(), transform: CommandWords.restore)
  var file: String
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    let report = try PackWork.run("verify") { progress throws(PackError) in
      try PackVerifier.run(file, report: progress)
    }
    Output.line(daemon.json ? report.json : PackTables.verification(report))
    guard let found = report.verification, found.isGood else {
      throw Failure(Failure.badData, "\(file): the pack is bad")
    }
  }
}

struct PackCoverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Draws which tiles of a pack exist, zoom by zoom, into a PNG file.",
    discussion: """
      Examples:
        waypost pack coverage alps.mbtiles -o coverage.png
      """)
  @Argument(
    help: "A pack or a folder of tiles.", completion: .file(), transform: CommandWords.restore)
  var file: String
  @Option(
    name: [.short, .long], help: "The PNG file; - is standard output.", completion: .file(),
    transform: CommandWords.restore)
  var output = "coverage.png"
  @Flag(help: "Replace the PNG file if it exists.") var force = false

  func run() throws {
    var status = stat()
    if !force, stat(output, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      throw Failure(
        Failure.usage, "\(output): already exists: give another name, or --force to replace it")
    }
    let picture = try PackWork.run("coverage") { progress throws(PackError) in
      try CoveragePicture.draw(file, report: progress)
    }
    try OutputFile.write(picture, to: output)
  }
}
