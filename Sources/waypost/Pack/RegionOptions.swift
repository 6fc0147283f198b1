import ArgumentParser
import MapGeometry
import Packs

/// The options by which a region is named, the same for all commands. Several are joined.
struct RegionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A box in degrees; W greater than E: across the dateline.", valueName: "w,s,e,n"),
    transform: CommandWords.restore)
  var bbox: [String] = []
  @Option(
    help: ArgumentHelp(
      "All places within RADIUS of one, on the ground: metres, or with a unit as in 5km.",
      valueName: "lat,lon,radius"), transform: CommandWords.restore)
  var around: [String] = []
  @Option(
    help: ArgumentHelp(
      "The places of a file, each with RADIUS around it: CSV with columns lat, lon; GeoJSON; GPX.",
      valueName: "file[,radius]"), completion: .file(), transform: CommandWords.restore)
  var points: [String] = []
  @Option(
    help: ArgumentHelp("The polygons of a GeoJSON file.", valueName: "file"),
    completion: .file(), transform: CommandWords.restore)
  var polygon: [String] = []
  @Option(
    help: ArgumentHelp(
      "A corridor of WIDTH, half of it to each side, along the lines of a GPX or GeoJSON file.",
      valueName: "file,width"), completion: .file(), transform: CommandWords.restore)
  var route: [String] = []
  @Option(
    help: ArgumentHelp("Tile zooms, 0 to \(TileID.maxLevel): A-B, or one.", valueName: "a-b"),
    transform: CommandWords.restore)
  var zoom: String?

  /// The region, and nil if no option names one. What of its files was left out goes to standard
  /// error.
  func region() throws -> Region? {
    var region = Region()
    var notes: [String] = []
    do {
      for text in bbox { region.add(try RegionText.box(text)) }
      for text in around {
        let circle = try RegionText.circle(text)
        region.add(center: circle.center, radius: circle.radius)
      }
      for text in points {
        let (file, radius) = RegionText.fileAndLength(text)
        notes += try region.addPoints(file: file, radius: radius ?? 0)
      }
      for file in polygon { notes += try region.addPolygons(file: file) }
      for text in route {
        let (file, length) = RegionText.fileAndLength(text)
        guard let width = length, width > 0, width <= 1_000_000 else {
          throw Failure(
            Failure.usage,
            "--route \(text): a corridor is FILE,WIDTH, as in tour.gpx,2km, of at most 1000 km"
          )
        }
        notes += try region.addRoutes(file: file, width: width)
      }
    } catch let error as RegionText.Misuse {
      throw Failure(Failure.usage, error.description)
    } catch let error as PackError {
      throw Failure(error)
    }
    for note in notes { Output.error("waypost: \(note)") }
    let isNamed = ![bbox, around, points, polygon, route].allSatisfy(\.isEmpty)
    if isNamed, region.isEmpty {
      throw Failure(
        Failure.usage,
        "the region is outside the map, which ends at 85.0511 degrees north and south")
    }
    return isNamed ? region : nil
  }

  /// The zooms; nil if none are named.
  func zooms() throws -> ClosedRange<Int>? {
    do {
      return try zoom.map { text throws(RegionText.Misuse) in try RegionText.zooms(text) }
    } catch {
      throw Failure(Failure.usage, "--zoom \(error)")
    }
  }
}

extension Failure {
  /// A region that is too intricate.
  init(_ error: TileSet.TooLarge) { self.init(Failure.usage, error.description) }
}
