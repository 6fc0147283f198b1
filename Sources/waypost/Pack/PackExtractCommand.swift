import ArgumentParser
import Control
import Packs
import TileSources

struct PackExtractCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Extracts a region of a pack into a new pack.",
    discussion: """
      Of a PMTiles archive only the header, the directories on the way and the wanted tiles are
      read. Such an extract goes on where it was cut when the same command is given again. The
      archive may lie on an http or https server; waypost-fetch reads it then.

      Examples:
        waypost pack extract planet.pmtiles valley.pmtiles --bbox 7.5,45.9,7.9,46.1 --zoom 0-15
        waypost pack extract planet.pmtiles tour.pmtiles --route tour.gpx,3km --dry-run
        waypost pack extract alps.mbtiles canton.mbtiles --polygon canton.geojson
        waypost pack extract https://example.org/planet.pmtiles valley.pmtiles \
          --around 46.02,7.75,20km --contact maps@example.org
      """)
  @Argument(
    help: "A pack, a folder of tiles, or the address of a PMTiles archive.", completion: .file(),
    transform: CommandWords.restore)
  var input: String
  @Argument(
    help: "The new pack: NAME.pmtiles, NAME.mbtiles, or NAME/ for a folder.",
    completion: .file(), transform: CommandWords.restore)
  var output: String
  @OptionGroup(title: "Region") var place: RegionOptions
  @Option(
    help: """
      Neighbours in an archive are read with one request where that takes at most this part more \
      than what is wanted: 0 to 10, else 0.05.
      """)
  var overfetch: Number?
  @Option(
    help: ArgumentHelp(
      "How the owner of a server can reach you: goes into the User-Agent.", valueName: "text"),
    transform: CommandWords.restore)
  var contact: String?
  @Flag(help: "Print the numbers of tiles and bytes without reading a tile.") var dryRun = false
  @Flag(help: "Replace the new pack if it exists.") var force = false
  @OptionGroup var daemon: SocketOptions

  func validate() throws {
    if let part = overfetch?.value, !(0...10).contains(part) {
      throw ValidationError("--overfetch: \(part), but it is 0 to 10, as in 0.05")
    }
  }

  func run() throws {
    let isFetched = PackExtractCommand.isAddress(input)
    do {
      let shown = isFetched ? ShownAddress.of(input) : input
      let work = try PackExtraction(
        input: input, output: output,
        selection: ExtractSelection(
          region: try place.region(), zooms: try place.zooms(), overfetch: overfetch?.value ?? 0.05),
        mayReplace: force,
        program: isFetched
          ? FetchedRangeReader.Program(path: FetchProgram.path, contact: contact)
          : nil,
        onRetry: { Output.error("waypost: \(shown): \($0)") })
      if dryRun {
        let preview = try work.preview()
        Output.line(
          daemon.json
            ? PackExtractCommand.object(preview).text : PackExtractCommand.text(preview))
        return
      }
      let unit: ProgressLine.Unit = work.isByRange ? .bytes : .tiles
      let result = try PackWork.run("extract", unit: unit, stopped: stopped(work)) {
        report throws(PackError) in try work.run(report: report)
      }
      for problem in result.problems.kinds {
        Output.error("waypost: \(PackTables.line(problem))")
      }
      let made = PackTables.made(
        output, tiles: result.tiles, contents: UInt64(clamping: result.contents),
        bytes: result.bytes, broken: result.broken)
      Output.line(daemon.json ? made.text : text(result))
      if result.broken > 0 {
        throw Failure(
          Failure.badData,
          "\(result.broken) tiles or parts of the index cannot be read; "
            + "the pack was made without them")
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

  private static func object(_ preview: PackExtraction.Preview) -> JSON {
    func number(_ value: UInt64) -> JSON { .int(Int64(clamping: value)) }
    var zooms: [JSON] = []
    for (zoom, count) in preview.tilesOfZoom.enumerated() where count > 0 {
      zooms.append(["zoom": .int(Int64(zoom)), "tiles": number(count)])
    }
    let archive = preview.archive
    return [
      "zooms": .array(zooms), "tiles": number(preview.tiles),
      "tile_bytes": archive.map { number($0.tiles) } ?? .null,
      "read_bytes": archive.map { number($0.read) } ?? .null,
      "requests": archive.map { .int(Int64($0.requests)) } ?? .null,
      "pmtiles_bytes": archive.map { number($0.written) } ?? .null,
    ]
  }

  private func text(_ result: ExtractResult) -> String {
    var text = "\(output): \(result.tiles) tiles, \(Tables.bytes(Int(clamping: result.bytes)))"
    if result.resumed > 0 { text += "; \(result.resumed) requests were complete from before" }
    return text
  }
}
