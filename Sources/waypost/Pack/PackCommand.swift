import ArgumentParser
import Packs

/// The commands that make and check packs. They need no daemon.
struct PackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Makes, cuts and checks packs of map tiles.",
    discussion: """
      Examples:
        waypost pack info alps.mbtiles
        waypost pack plan --around 46.02,7.75,20km --zoom 0-14
        waypost pack fetch --url https://tiles.example.org/{z}/{x}/{y}.png \
          --around 46.02,7.75,20km --zoom 0-14 alps.mbtiles
        waypost pack extract planet.pmtiles valley.pmtiles --bbox 7.5,45.9,7.9,46.1
        waypost pack convert alps.mbtiles alps.pmtiles
        waypost pack verify alps.pmtiles
      """,
    subcommands: [
      PackInfoCommand.self, PackPlanCommand.self, PackFetchCommand.self, PackExtractCommand.self,
      PackImportCommand.self, PackExportCommand.self, PackConvertCommand.self,
      PackMergeCommand.self, PackVerifyCommand.self, PackCoverageCommand.self,
    ])
}

extension Failure {
  /// The exit code and the message of work on a pack that failed.
  init(_ error: PackError) {
    self.init(error.isMisuse ? Failure.usage : Failure.badData, error.description)
  }
}
