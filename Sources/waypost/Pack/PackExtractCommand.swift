import ArgumentParser
import Control
import Packs
import TileSources

struct PackExtractCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Extracts a region of a pack into a new pack.",
    discussion: """
      From a PMTiles archive, only the header, the directories that lead to the wanted tiles, and \
      those tiles are read. The archive may be on an http or https server. If such an extract is \
      interrupted, the same command continues it.

      Examples:
        waypost pack extract planet.pmtiles valley.pmtiles --bbox 7.5,45.9,7.9,46.1 --zoom 0-15
        waypost pack extract planet.pmtiles tour.pmtiles --route tour.gpx,3km --dry-run
        waypost pack extract alps.mbtiles canton.mbtiles --polygon canton.geojson
        waypost pack extract https://example.org/planet.pmtiles valley.pmtiles \
          --around 46.02,7.75,20km --contact maps@example.org
      """)
  @Argument(
    help: ArgumentHelp(
      "A pack, a folder of tiles, or the address of a PMTiles archive.", valueName: "pack"),
    completion: .file(), transform: CommandWords.restore)
  var input: String
  @OptionGroup var new: NewPack
  @OptionGroup(title: "Region") var place: RegionOptions
  @Option(
    help: ArgumentHelp(
      """
      How many more bytes may be read than are wanted, to save requests: 0 to 10 (default: 0.05, \
      or 5 %).
      """, valueName: "ratio"))
  var overfetch: Number?
  @Option(
    help: ArgumentHelp(
      "How the server's owner can reach you; sent in the User-Agent.", valueName: "text"),
    transform: CommandWords.restore)
  var contact: String?
  @Flag(help: "Print how many tiles and bytes there are, reading at most a sample.")
  var dryRun = false
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
      let (region, zooms) = (try place.region(), try place.zooms())
      let work = try PackExtraction(
        input: input, output: new.path,
        selection: ExtractSelection(
          region: region, zooms: zooms, overfetch: overfetch?.value ?? 0.05),
        mayReplace: new.force,
        program: isFetched
          ? FetchedRangeReader.Program(path: FetchProgram.path, contact: contact)
          : nil,
        onRetry: { Output.error("waypost: \(shown): \($0)") })
      if dryRun {
        let preview = try work.preview()
        let guess = preview.archive == nil ? estimate(preview, region) : nil
        try Output.line(
          daemon.json
            ? PackExtractCommand.object(preview, guess).text
            : PackExtractCommand.text(preview, guess))
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
        new.path, tiles: result.tiles, contents: UInt64(clamping: result.contents),
        bytes: result.bytes, broken: result.broken)
      try Output.line(daemon.json ? made.text : text(result))
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

  /// What the bytes of a pack that has no index of them were estimated to be.
  private struct Estimate {
    var bytes: UInt64
    /// How many tiles were read for it.
    var sampled: Int
  }

  /// Reads some tiles, as `pack plan` does; nil if that tells nothing.
  private func estimate(
    _ preview: PackExtraction.Preview, _ region: Region?
  ) -> Estimate? {
    guard let low = preview.tilesOfZoom.firstIndex(where: { $0 > 0 }),
      let high = preview.tilesOfZoom.lastIndex(where: { $0 > 0 }),
      let source = try? SourceSpec(name: input, location: .path(input)).open(),
      let tiles = try? (region ?? .world).tiles(zooms: low...high),
      let sizes = try? TileSizes(of: source, tiles: tiles),
      let bytes = sizes.bytes(of: preview.tilesOfZoom)
    else { return nil }
    return Estimate(bytes: bytes, sampled: sizes.found)
  }

  private static func isAddress(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  private static func text(_ preview: PackExtraction.Preview, _ guess: Estimate?) -> String {
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
    } else if let guess {
      let bytes = Tables.bytes(Int(clamping: guess.bytes))
      text += "\ntiles: about \(bytes), estimated from \(guess.sampled) of them"
    } else {
      text += "\nbytes: not known before the tiles are read"
    }
    return text
  }

  private static func object(_ preview: PackExtraction.Preview, _ guess: Estimate?) -> JSON {
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
      "estimated_bytes": guess.map { number($0.bytes) } ?? .null,
      "sampled": guess.map { .int(Int64($0.sampled)) } ?? .null,
    ]
  }

  private func text(_ result: ExtractResult) -> String {
    var text = "\(new.path): \(result.tiles) tiles, \(Tables.bytes(Int(clamping: result.bytes)))"
    if result.resumed > 0 { text += "; \(result.resumed) requests were complete from before" }
    return text
  }
}
