import ArgumentParser

/// The pack that a command reads.
struct PackInput: ParsableArguments {
  @Argument(
    help: ArgumentHelp("An MBTiles or PMTiles file, or a folder of tiles.", valueName: "pack"),
    completion: .file(), transform: CommandWords.restore)
  var path: String
}

/// The pack that a command makes, of any kind.
struct NewPack: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The new pack: NAME.pmtiles, NAME.mbtiles, or NAME/ for a folder.", valueName: "new"),
    completion: .file(), transform: CommandWords.restore)
  var path: String
  @OptionGroup var replacing: ReplaceOption

  var force: Bool { replacing.force }
}

/// The pack that a command makes, in one file.
struct NewPackFile: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The new pack: NAME.pmtiles or NAME.mbtiles.", valueName: "new"),
    completion: .file(), transform: CommandWords.restore)
  var path: String
  @OptionGroup var replacing: ReplaceOption

  var force: Bool { replacing.force }
}

/// Whether what is there may be replaced.
struct ReplaceOption: ParsableArguments {
  @Flag(help: "Replace the target if it exists.") var force = false
}
