import ArgumentParser
import Glibc
import Packs

struct PackInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Shows a pack's format, zooms, bounds and size.",
    discussion: """
      Reads the index and one tile. "waypost pack verify" reads all tiles.

      Examples:
        waypost pack info alps.mbtiles
        waypost --json pack info alps.pmtiles
      """)
  @OptionGroup var input: PackInput
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    let report = try PackWork.run("info") { progress throws(PackError) in
      try PackSurvey.run(input.path, report: progress)
    }
    try Output.line(daemon.json ? report.json : PackTables.info(report))
  }
}

struct PackVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Decodes every tile of a pack and reports what is wrong.",
    discussion: """
      Checks the tiles, the index and the metadata, and lists tiles that are missing from the \
      stated area. The checksum depends only on the tiles, not on the kind of pack. The exit code \
      is 65 if the pack is bad.

      Examples:
        waypost pack verify alps.mbtiles
        waypost --json pack verify alps.pmtiles
      """)
  @OptionGroup var input: PackInput
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    let report = try PackWork.run("verify") { progress throws(PackError) in
      try PackVerifier.run(input.path, report: progress)
    }
    try Output.line(daemon.json ? report.json : PackTables.verification(report))
    guard let found = report.verification, found.isGood else {
      throw Failure(Failure.badData, "\(input.path): the pack is bad")
    }
  }
}

struct PackCoverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Draws a map of a pack's tiles, zoom by zoom, as a PNG file.",
    discussion: """
      Examples:
        waypost pack coverage alps.mbtiles -o coverage.png
      """)
  @OptionGroup var input: PackInput
  @Option(
    name: [.short, .long], help: "The PNG file, or - for standard output.", completion: .file(),
    transform: CommandWords.restore)
  var output = "coverage.png"
  @Flag(help: "Replace the PNG file if it exists.") var force = false

  func validate() throws {
    if let fault = OutputFile.fault(ofPicture: output) { throw ValidationError("-o: \(fault)") }
  }

  func run() throws {
    var status = stat()
    if !force, stat(output, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      throw Failure(
        Failure.usage, "\(output): already exists: give another name, or --force to replace it")
    }
    let picture = try PackWork.run("coverage") { progress throws(PackError) in
      try CoveragePicture.draw(input.path, report: progress)
    }
    try OutputFile.write(picture, to: output)
  }
}
