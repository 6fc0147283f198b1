import ArgumentParser
import Packs
import TileSources

struct PackPlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Counts the tiles of a region and estimates their size.",
    discussion: """
      The number of tiles is exact. Their bytes are estimated from a sample of a pack, or as 100 KB \
      per tile if no pack is given.

      Examples:
        waypost pack plan --around 46.02,7.75,20km --around 46.5,8.1,20km --zoom 0-15
        waypost pack plan alps.mbtiles --route tour.gpx,2km --zoom 8-16 --target /media/card
      """)
  @Argument(
    help: "A pack to sample.", completion: .file(), transform: CommandWords.restore)
  var pack: String?
  @Option(
    help: "The pack to sample, as an option.", completion: .file(), transform: CommandWords.restore)
  var source: String?
  @OptionGroup(title: "Region") var place: RegionOptions
  @Option(
    help: "Where the pack will be stored: a file or a folder.", completion: .file(),
    transform: CommandWords.restore)
  var target = "."
  @OptionGroup var daemon: SocketOptions

  func validate() throws {
    if pack != nil, source != nil { throw ValidationError("give the pack to sample only once") }
  }

  func run() throws {
    let zooms = try place.zooms()
    let sample = try (pack ?? source).map(PackPlanCommand.open)
    guard
      let zooms = zooms ?? sample.map({ $0.info.minZoom...max($0.info.minZoom, $0.info.maxZoom) })
    else { throw Failure(Failure.usage, "--zoom A-B is needed, as in --zoom 0-14, or a pack") }
    guard let region = try place.region() else {
      throw Failure(
        Failure.usage, "a region is needed: --bbox, --around, --points, --polygon or --route")
    }
    let plan: PackPlan
    do {
      let tiles = try region.tiles(zooms: zooms)
      let sizes = try sample.map { try TileSizes(of: $0, tiles: tiles) } ?? TileSizes()
      plan = PackPlan(tiles, zooms: zooms, sizes: sizes)
    } catch let error as TileSet.TooLarge {
      throw Failure(error)
    } catch let error as PackError {
      throw Failure(error)
    }
    let free = FreeSpace.bytes(at: target)
    try Output.line(
      daemon.json
        ? PackTables.planned(plan, target, free: free).text
        : PackTables.plan(plan, sample: pack ?? source, target, free: free))
  }

  private static func open(_ path: String) throws -> any TileSource {
    do {
      return try SourceSpec(name: path, location: .path(path)).open()
    } catch {
      throw Failure(Failure.badData, error.description)
    }
  }
}
