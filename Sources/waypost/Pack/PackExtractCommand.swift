import ArgumentParser
import Packs
import TileSources

struct PackExtractCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Takes a region out of a pack into a new one.",
    discussion: """
      Of a PMTiles archive only the header, the directories on the way and the wanted tiles are
      read. Such an extract goes on where it was cut when the same command is given again.

      Examples:
        waypost pack extract planet.pmtiles valley.pmtiles --bbox 7.5,45.9,7.9,46.1 --zoom 0-15
        waypost pack extract planet.pmtiles tour.pmtiles --route tour.gpx,3km --dry-run
        waypost pack extract alps.mbtiles canton.mbtiles --polygon canton.geojson
      """)
  @Argument(
    help: "A pack or a folder of tiles.", completion: .file(), transform: CommandWords.restore)
  var input: String
  @Argument(
    help: "The new pack; its ending says what it is: .pmtiles, .mbtiles, or a folder.",
    completion: .file(), transform: CommandWords.restore)
  var output: String
  @OptionGroup(title: "Region") var place: RegionOptions
  @Option(
    help: """
      Neighbours in an archive are read with one request where that takes at most this part more \
      than what is wanted: 0 to 10, else 0.05.
      """)
  var overfetch: Number?
  @Flag(help: "Say tiles and bytes, and stop: no tile is read.") var dryRun = false
  @Flag(help: "Replace the new pack if it is there.") var force = false

  func validate() throws {
    if let part = overfetch?.value, !(0...10).contains(part) {
      throw ValidationError("--overfetch: \(part), but it is 0 to 10, as in 0.05")
    }
  }

  func run() throws {
    if PackExtractCommand.isAddress(input) {
      throw Failure(
        Failure.usage,
        "\(input): not in this version: archives on a server. Download it, and name the file"
      )
    }
    do {
      let work = try PackExtraction(
        input: input, output: output,
        selection: ExtractSelection(
          region: try place.region(), zooms: try place.zooms(), overfetch: overfetch?.value ?? 0.05),
        mayReplace: force)
      if dryRun {
        Output.line(PackExtractCommand.text(try work.preview()))
        return
      }
      let unit: ProgressLine.Unit = work.isByRange ? .bytes : .tiles
      let result = try PackWork.run("extract", unit: unit, stopped: stopped(work)) {
        report throws(PackError) in try work.run(report: report)
      }
      for problem in result.problems.kinds {
        Output.error("waypost: \(PackTables.line(problem))")
      }
      Output.line(text(result))
      if result.broken > 0 {
        throw Failure(
          Failure.badData,
          "\(result.broken) tiles cannot be read; the pack was made without them")
      }
    } catch let error as PackError {
      throw Failure(error)
    }
  }

  private func stopped(_ work: PackExtraction) -> String {
    work.isByRange
      ? "stopped; the same command goes on from here" : "stopped; nothing was written"
  }

  private static func isAddress(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  private static func text(_ preview: PackExtraction.Preview) -> String {
    var rows = [["ZOOM", "TILES"]]
    for (zoom, count) in preview.tilesOfZoom.enumerated() where count > 0 {
      rows.append(["\(zoom)", "\(count)"])
    }
    rows.append(["all", "\(preview.tiles)"])
    var text = Tables.columns(rows)
    if let archive = preview.archive {
      text += "\ntiles: \(archive.tiles) bytes"
      text += "\nto read: \(archive.read) bytes with \(archive.requests) requests"
      text += "\nto write as .pmtiles: \(archive.written) bytes"
    } else {
      text += "\nbytes: not known before the tiles are read"
    }
    return text
  }

  private func text(_ result: ExtractResult) -> String {
    var text = "\(output): \(result.tiles) tiles, \(Tables.bytes(Int(clamping: result.bytes)))"
    if result.resumed > 0 { text += "; \(result.resumed) requests were complete from before" }
    return text
  }
}
