import ArgumentParser
import Control
import Glibc

extension SourceCommand {
  struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Adds a source.",
      discussion: """
        PATH is a pack (.mbtiles, .pmtiles) or a folder of {z}/{x}/{y} files, or a template with
        {z}, {x} and {y} in it. Several paths become one map.

        Examples:
          waypost source add /media/stick/valley.pmtiles
          waypost source add valley.pmtiles canton.mbtiles --name region --fallback world
          waypost source add 'file:///srv/tiles/{z}/{x}/{y}.png' --name own --scheme tms
          waypost source add --provider /run/tiles.sock --name live
        """)
    @Argument(
      help: "A pack, a folder or a template.", completion: .file(), transform: CommandWords.restore)
    var path: [String] = []
    @Option(
      help: "The socket of a program that has the tiles, instead of PATH.", completion: .file(),
      transform: CommandWords.restore) var provider: String?
    @Option(
      help: ArgumentHelp("What {s} of a template stands for.", valueName: "a,b,c"),
      transform: CommandWords.restore) var subdomains: String?
    @Option(help: "Its name; else the file's, without its ending.", transform: CommandWords.restore)
    var name: String?
    @Option(help: "xyz or tms.", transform: CommandWords.restore) var scheme: String?
    @Option(help: "256 or 512.") var tileSize: Int?
    @Option(help: "The shallowest tile level.") var minZoom: Int?
    @Option(help: "The deepest tile level.") var maxZoom: Int?
    @Option(help: "base, overlay, labels or style.", transform: CommandWords.restore)
    var role: String?
    @Option(
      help: "above-roads or above-labels (for an overlay).", completion: Completions.levels,
      transform: CommandWords.restore) var level: String?
    @Option(help: "0 to 1.") var opacity: Number?
    @Option(
      help: ArgumentHelp(
        "tint:#rrggbbaa, grayscale, invert, dark, red, brightness:0.6 or mosaic:0.2; may be given repeatedly."
      ),
      transform: CommandWords.restore)
    var filter: [String] = []
    @Option(
      help: ArgumentHelp(
        "How vector tiles are drawn: trailhead or a style's file (.json).", valueName: "style"),
      completion: .file(), transform: CommandWords.restore) var style: String?
    @Option(
      help: "The style's file for the night.", completion: .file(),
      transform: CommandWords.restore) var styleNight: String?
    @Option(
      help: "What the night does to it: theme, dim (for satellite pictures) or keep.",
      transform: CommandWords.restore) var night: String?
    @Option(
      help: "The language of names on vector tiles, such as de; local: as written at the place.",
      transform: CommandWords.restore) var language: String?
    @Option(help: "Who made the map.", transform: CommandWords.restore) var attribution: String?
    @Option(
      help: "The source that is shown where this one has nothing.", completion: Completions.sources,
      transform: CommandWords.restore) var fallback: String?
    @OptionGroup var daemon: SocketOptions

    func validate() throws {
      if path.isEmpty == (provider == nil) {
        throw ValidationError("a source is either at least one PATH or a --provider")
      }
      for path in path {
        try PathArgument.check(path, "PATH", "a pack, a folder or a template")
      }
      try PathArgument.check(provider, "--provider", "the path of the program's socket")
      for path in path.map({ $0.lowercased() })
      where path.hasPrefix("http://") || path.hasPrefix("https://") {
        throw ValidationError(
          "an http(s) source belongs in waypost.toml, since waypost-fetch reads it there; PATH is "
            + "a file, a folder or a template that begins with file://")
      }
    }

    func run() throws {
      var source = JSONObject()
      source["name"] = name.map { .string($0) }
      if let provider {
        source["provider"] = .string(Self.absolute(provider))
      } else if path.count > 1 {
        source["paths"] = .array(path.map { .string(Self.absolute($0)) })
      } else if path[0].contains("{") || path[0].contains("://") {
        source["url"] = .string(path[0])
      } else {
        source["path"] = .string(Self.absolute(path[0]))
      }
      if let subdomains {
        let names = subdomains.split(separator: ",", omittingEmptySubsequences: false)
        source["subdomains"] = .array(names.map { .string(String($0)) })
      }
      source["scheme"] = scheme.map { .string($0) }
      source["tile_size"] = tileSize.map { .int(Int64($0)) }
      source["min_zoom"] = minZoom.map { .int(Int64($0)) }
      source["max_zoom"] = maxZoom.map { .int(Int64($0)) }
      source["role"] = role.map { .string($0) }
      source["level"] = level.map { .string($0) }
      source["opacity"] = opacity.map { .double($0.value) }
      if !filter.isEmpty { source["filters"] = .array(filter.map { .string($0) }) }
      source["style"] = style.map { .string($0 == "trailhead" ? $0 : Self.absolute($0)) }
      source["style_night"] = styleNight.map { .string(Self.absolute($0)) }
      source["night"] = night.map { .string($0) }
      source["language"] = language.map { .string($0) }
      source["attribution"] = attribution.map { .string($0) }
      source["fallback"] = fallback.map { .string($0) }
      try daemon.perform(SourceAdd.self, RawParams(source), show: SourceCommand.short)
    }

    /// The daemon has another working directory, so a relative path is resolved here.
    static func absolute(_ path: String) -> String {
      if path.hasPrefix("/") { return path }
      guard let folder = getcwd(nil, 0) else { return path }
      defer { free(folder) }
      return String(cString: folder) + "/" + path
    }
  }
}
