import ArgumentParser
import Control
import Packs
import Platform
import TileSources

struct PackFetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Fetches the tiles of a region from a server into a pack.",
    discussion: """
      Ask the server's owner first: many prohibit this. If the fetch is interrupted, the same \
      command continues it and fetches nothing twice. The pack gets its name when it is complete. \
      The exit code is 75 if tiles are still missing.

      Examples:
        waypost pack fetch --url https://tiles.example.org/{z}/{x}/{y}.png \
          --around 46.02,7.75,20km --zoom 0-14 --contact maps@example.org alps.mbtiles
        waypost pack fetch --url 'https://{s}.example.org/{z}/{x}/{y}{ratio}.png' --scale 2 \
          --subdomains a,b --header-file key.txt --bbox 7.5,45.9,7.9,46.1 --zoom 8-15 alps.pmtiles
      """)
  @Option(
    help: ArgumentHelp(
      "A tile's address: {z} {x} {y} {-y} {quadkey} {s} {scale} {ratio}.", valueName: "template"),
    transform: CommandWords.restore)
  var url: String
  @OptionGroup(title: "Region") var place: RegionOptions
  @Option(
    help: ArgumentHelp("Names for {s}, as in a,b,c.", valueName: "a,b,c"),
    transform: CommandWords.restore)
  var subdomains: String?
  @Option(
    help: ArgumentHelp(
      "A header line for each request; visible to others in the process list.",
      valueName: "name: value"), transform: CommandWords.restore)
  var header: [String] = []
  @Option(
    help: ArgumentHelp("A file with such lines, for secrets.", valueName: "file"),
    completion: .file(), transform: CommandWords.restore)
  var headerFile: String?
  @Option(
    help: ArgumentHelp(
      "How the server's owner can reach you; sent in the User-Agent.", valueName: "text"),
    transform: CommandWords.restore)
  var contact: String?
  @Option(help: "How many tiles to fetch at a time, 1 to 6.") var connections = 2
  @Option(help: "How rows count: xyz from the north, or tms.", completion: .list(["xyz", "tms"]))
  var scheme = "xyz"
  @Option(help: "For {scale} and {ratio}: 1 to 3.") var scale = 1
  @Option(help: "The pack's name (default: that of its file).", transform: CommandWords.restore)
  var name: String?
  @Option(help: "Who owns the map's data.", transform: CommandWords.restore)
  var attribution: String?
  @Flag(help: "Make the pack even if some tiles cannot be fetched.")
  var allowMissing = false
  @Flag(help: "Print the number of tiles and their estimated size, without fetching any.")
  var dryRun = false
  @OptionGroup var new: NewPackFile
  @OptionGroup var daemon: SocketOptions

  /// Tiles are still missing, and may come another time (EX_TEMPFAIL).
  private static let incomplete: Int32 = 75

  func validate() throws {
    guard (1...6).contains(connections) else {
      throw ValidationError("--connections: \(connections), but it is 1 to 6")
    }
    guard (1...3).contains(scale) else {
      throw ValidationError("--scale: \(scale), but it is 1 to 3")
    }
    guard SourceSpec.Scheme(rawValue: scheme) != nil else {
      throw ValidationError("--scheme: \(scheme), but it is xyz or tms")
    }
    if let contact, !contact.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) {
      throw ValidationError("--contact: plain ASCII is needed, as in maps@example.org")
    }
  }

  func run() throws {
    do {
      let work = try PackFetch(
        try job(), output: new.path, mayReplace: new.force,
        onNote: { Output.error("waypost: \($0)") })
      let free = FreeSpace.bytes(at: new.path)
      let plan = work.plan
      if dryRun {
        try Output.line(
          daemon.json
            ? PackTables.planned(plan, new.path, free: free).text
            : PackTables.plan(plan, sample: nil, new.path, free: free))
        return
      }
      if contact == nil {
        Output.error(
          "waypost: --contact says how the server's owner can reach you before shutting you out")
      }
      if let free, free / 2 < plan.bytes {
        // What is fetched lies beside the pack that is made of it.
        Output.error(
          "waypost: \(new.path): \(plan.tiles) tiles may take \(Tables.bytes(Int(plan.bytes))), twice "
            + "while the pack is made, and \(Tables.bytes(Int(clamping: free))) are free")
      }
      let result = try PackWork.run(
        "fetch", stopped: "stopped; the same command goes on from here"
      ) { report throws(PackError) in
        try work.run(program: FetchProgram.path, report: report)
      }
      for problem in result.problems.kinds {
        Output.error("waypost: \(PackTables.line(problem))")
      }
      if let totals = result.totals { try say(result, totals) } else { throw unfinished(result) }
    } catch let error as PackError {
      throw Failure(error)
    }
  }

  private func job() throws -> FetchJob {
    guard let region = try place.region() else {
      throw Failure(
        Failure.usage, "a region is needed: --bbox, --around, --points, --polygon or --route")
    }
    guard let zooms = try place.zooms() else {
      throw Failure(Failure.usage, "--zoom A-B is needed, as in --zoom 0-14")
    }
    var job = FetchJob(url: url, region: region, zooms: zooms)
    job.scheme = SourceSpec.Scheme(rawValue: scheme) ?? .xyz
    job.subdomains =
      subdomains.map { $0.split(separator: ",").map { String($0) } } ?? []
    job.scale = scale
    job.headers = header + (try headerFile.map(PackFetchCommand.headers) ?? [])
    job.contact = contact
    job.connections = connections
    job.name = name
    job.attribution = attribution
    job.allowsMissing = allowMissing
    return job
  }

  /// The lines of a file of headers; empty ones and those after a # are none.
  private static func headers(_ path: String) throws -> [String] {
    let bytes: [UInt8]
    do {
      bytes = try FileIO.read(path, limit: 64 << 10)
    } catch {
      throw Failure(Failure.usage, "--header-file \(error.description)")
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { String($0) }
      .filter { !$0.hasPrefix("#") && $0.contains { $0 != " " && $0 != "\t" } }
  }

  private func say(_ result: FetchResult, _ totals: PackTotals) throws {
    if daemon.json { return try Output.line(object(result).text) }
    var text = "\(new.path): \(totals.addressed) tiles, \(totals.contents) of them different, "
    text += Tables.bytes(Int(clamping: totals.bytes))
    if result.absent > 0 { text += "; \(result.absent) are not on the server" }
    if result.missing > 0 { text += "; \(result.missing) are missing" }
    if result.resumed > 0 { text += "; \(result.resumed) were there from before" }
    try Output.line(text)
    if attribution == nil {
      Output.error(
        "waypost: \(new.path): names no attribution, which most maps require: use "
          + "--attribution")
    }
  }

  private func object(_ result: FetchResult) -> JSON {
    func number(_ value: UInt64) -> JSON { .int(Int64(clamping: value)) }
    let totals = result.totals
    return [
      "pack": totals == nil ? .null : .string(new.path),
      "tiles": number(totals?.addressed ?? 0), "contents": number(totals?.contents ?? 0),
      "bytes": number(totals?.bytes ?? 0), "fetched": number(result.fetched),
      "resumed": number(result.resumed), "absent": number(result.absent),
      "missing": number(result.missing),
    ]
  }

  private func unfinished(_ result: FetchResult) -> Failure {
    var text = result.stop.map { "\($0); " } ?? ""
    text += "\(result.missing) tiles are missing; the same command fetches them"
    if result.stop == nil { text += ", and --allow-missing makes the pack without them" }
    return Failure(
      PackFetchCommand.incomplete, text, json: daemon.json ? object(result) : nil)
  }
}
