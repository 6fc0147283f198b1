import ArgumentParser
import Control

struct OverlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overlay", abstract: "Lists, adds, removes, shows, hides and reorders overlays.",
    discussion: """
      An overlay lies over the map: features of a GeoJSON, GPX or KML file, or the tile grid.

      Examples:
        waypost overlay list
        waypost overlay add trails.geojson --stroke '#c0392b' --label name
        waypost overlay add --grid
        waypost overlay hide trails
      """,
    subcommands: [
      ListCommand.self, AddCommand.self, RemoveCommand.self, ShowCommand.self, HideCommand.self,
      RaiseCommand.self, LowerCommand.self, SelectCommand.self, DeselectCommand.self,
    ])

  static func short(_ overlay: OverlayInfo) -> String { Tables.overlays([overlay]) }

  struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the overlays in drawing order, the lowest first.",
      discussion: """
        Examples:
          waypost overlay list
          waypost overlay list --json
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(OverlayListMethod.self, NoParams()) { Tables.overlays($0.elements) }
    }
  }

  struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Adds an overlay, or replaces the one of that name.",
      discussion: """
        FILE is GeoJSON, GPX or KML; colours and widths that it says itself win over the options.

        Examples:
          waypost overlay add trails.geojson --stroke '#c0392b' --stroke-width 3 --label name
          waypost overlay add tour.gpx --level above-labels
          waypost overlay add ridge.gpx --title "Ridge path" --card difficulty --travel cycling
          waypost overlay add ridge.gpx --title "Ridge path" --translation de=Gratweg
          waypost overlay add ridge.gpx --card sac=Difficulty --translation sac.de=Schwierigkeit
          waypost overlay add --grid
        """)
    @Argument(
      help: "A GeoJSON, GPX or KML file.", completion: .file(), transform: CommandWords.restore)
    var file: String?
    @Flag(help: "The tile grid instead of a file.") var grid = false
    @Option(help: "Its name; else the file's, without its ending.", transform: CommandWords.restore)
    var name: String?
    @Option(
      help: "above-roads or above-labels.", completion: Completions.levels,
      transform: CommandWords.restore) var level: String?
    @Option(help: "The colour of lines: #rrggbb or #rrggbbaa.", transform: CommandWords.restore)
    var stroke: String?
    @Option(help: "The width of lines in points.") var strokeWidth: Number?
    @Option(help: "The colour of areas: #rrggbb or #rrggbbaa.", transform: CommandWords.restore)
    var fill: String?
    @Option(help: "The property that is drawn as text.", transform: CommandWords.restore) var label:
      String?
    @Option(
      help: "What tracks of GPX are coloured by: speed or elevation.",
      transform: CommandWords.restore) var colorBy: String?
    @Option(
      help: "The line under lines: a colour, auto or none.", transform: CommandWords.restore)
    var casing: String?
    @Option(
      help: "Points drawn and left out, such as 8,5; or trail, closed, boundary.",
      transform: CommandWords.restore) var dash: String?
    @Option(help: "Shown on the screen while it is.", transform: CommandWords.restore)
    var attribution: String?
    @Option(help: "The zoom from which on it is shown.") var minZoom: Number?
    @Option(
      help: "What people read of it, on cards and the map key.", transform: CommandWords.restore)
    var title: String?
    @Option(
      help: ArgumentHelp(
        "The title in another language, or as PROPERTY.LANGUAGE=TEXT the name of a property on "
          + "cards; may be repeated.", valueName: "language=text"),
      transform: CommandWords.restore) var translation: [String] = []
    @Option(
      help: ArgumentHelp(
        "A property that the card of a line shows, with =NAME what cards call it; may be repeated.",
        valueName: "property=name"),
      transform: CommandWords.restore) var card: [String] = []
    @Option(
      help: "What the times on cards are for: hiking, cycling or none.",
      completion: Completions.travels, transform: CommandWords.restore) var travel: String?
    @Option(help: "Kilometres an hour on level ground, 0.1 to 200.") var travelSpeed: Number?
    @OptionGroup var daemon: SocketOptions

    /// The texts that have translations.
    private var translated: [String] { ["title"] + CardOption.properties(card) }

    func validate() throws {
      if grid == (file != nil) { throw ValidationError("an overlay is either a FILE or --grid") }
      try PathArgument.check(file, "FILE", "a GeoJSON, GPX or KML file")
      try CardOption.check(card)
      try TranslationOption.check(translation, keys: translated)
    }

    func run() throws {
      var overlay = JSONObject()
      overlay["name"] = name.map { .string($0) }
      if let file {
        overlay["path"] = .string(SourceCommand.AddCommand.absolute(file))
      } else {
        overlay["kind"] = .string("grid")
      }
      overlay["level"] = level.map { .string($0) }
      overlay["stroke"] = stroke.map { .string($0) }
      overlay["stroke_width"] = strokeWidth.map { .double($0.value) }
      overlay["fill"] = fill.map { .string($0) }
      overlay["label"] = label.map { .string($0) }
      overlay["color_by"] = colorBy.map { .string($0) }
      overlay["casing"] = casing.map { .string($0) }
      overlay["dash"] = dash.map(Self.dashes)
      overlay["attribution"] = attribution.map { .string($0) }
      overlay["min_zoom"] = minZoom.map { .double($0.value) }
      overlay["title"] = title.map { .string($0) }
      var translations = JSONObject()
      TranslationOption.add(translation, keys: translated, to: &translations)
      CardOption.add(card, translations: translations, to: &overlay)
      overlay["travel"] = travel.map { .string($0) }
      overlay["travel_speed"] = travelSpeed.map { .double($0.value) }
      try daemon.perform(OverlayAdd.self, RawParams(overlay), show: OverlayCommand.short)
    }

    /// Dashes as they go over the socket: "8,5" as a list of numbers, else the text.
    private static func dashes(_ text: String) -> JSON {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Double($0.filter { $0 != " " }) }
      return numbers.count == parts.count ? .array(numbers.map { .double($0) }) : .string(text)
    }
  }

  struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Removes an overlay.",
      discussion: """
        Examples:
          waypost overlay remove trails
        """)
    @Argument(
      help: "The overlay's name.", completion: Completions.overlays, transform: CommandWords.restore
    ) var name: String
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(OverlayRemove.self, NameParams(name: name)) { _ in nil }
    }
  }

  struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Shows an overlay that was hidden.",
      discussion: """
        Examples:
          waypost overlay show trails
        """)
    @Argument(
      help: "The overlay's name.", completion: Completions.overlays, transform: CommandWords.restore
    ) var name: String
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(OverlayShow.self, NameParams(name: name), show: OverlayCommand.short)
    }
  }

  struct HideCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hide", abstract: "Hides an overlay; it keeps its place.",
      discussion: """
        Examples:
          waypost overlay hide trails
        """)
    @Argument(
      help: "The overlay's name.", completion: Completions.overlays, transform: CommandWords.restore
    ) var name: String
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(OverlayHide.self, NameParams(name: name), show: OverlayCommand.short)
    }
  }

  struct RaiseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "raise", abstract: "Puts an overlay above the next one, or above another.",
      discussion: """
        It takes the level of the one that it is put above.

        Examples:
          waypost overlay raise trails
          waypost overlay raise trails --above huts
        """)
    @Argument(
      help: "The overlay's name.", completion: Completions.overlays, transform: CommandWords.restore
    ) var name: String
    @Option(
      help: "The overlay to lie directly above.", completion: Completions.overlays,
      transform: CommandWords.restore) var above: String?
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      guard let other = try above ?? OverlayCommand.neighbour(of: name, 1, daemon) else { return }
      try daemon.perform(OverlayMove.self, OverlayMoveParams(name: name, .above(other))) {
        Tables.overlays($0.elements)
      }
    }
  }

  struct LowerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "lower", abstract: "Puts an overlay below the one under it, or below another.",
      discussion: """
        It takes the level of the one that it is put below.

        Examples:
          waypost overlay lower trails
          waypost overlay lower trails --below huts
        """)
    @Argument(
      help: "The overlay's name.", completion: Completions.overlays, transform: CommandWords.restore
    ) var name: String
    @Option(
      help: "The overlay to lie directly below.", completion: Completions.overlays,
      transform: CommandWords.restore) var below: String?
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      guard let other = try below ?? OverlayCommand.neighbour(of: name, -1, daemon) else { return }
      try daemon.perform(OverlayMove.self, OverlayMoveParams(name: name, .below(other))) {
        Tables.overlays($0.elements)
      }
    }
  }

  struct SelectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "select", abstract: "Selects a line of an overlay and shows its card.",
      discussion: """
        Without FEATURE, it is the line nearest to the centre of the view.

        Examples:
          waypost overlay select trails
          waypost overlay select trails 12
          waypost overlay select trails "Ridge path"
        """)
    @Argument(
      help: "The overlay's name.", completion: Completions.overlays, transform: CommandWords.restore
    ) var name: String
    @Argument(
      help: "The line's number among the overlay's features, from 0, or else its name.",
      transform: CommandWords.restore) var feature: String?
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      let number = feature.flatMap { Int($0) }
      let params = SelectParams(
        name: name, feature: number, featureName: number == nil ? feature : nil)
      try daemon.perform(OverlaySelect.self, params) {
        SelectionText.lines($0)
      }
    }
  }

  struct DeselectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "deselect", abstract: "Closes the card of the selected line.",
      discussion: """
        Examples:
          waypost overlay deselect
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(SelectionClear.self, NoParams()) { _ in nil }
    }
  }

  /// The overlay directly above (1) or below (-1); if there is none, prints the list and returns
  /// nil. An unknown name is left for the daemon to refuse.
  private static func neighbour(
    of name: String, _ step: Int, _ daemon: SocketOptions
  ) throws -> String? {
    let list: [OverlayInfo]
    let answer: JSON
    let connection = try daemon.connect()
    do throws(ClientError) {
      answer = try connection.call(OverlayListMethod.name, JSON.null, timeout: 30)
    } catch {
      throw Failure(error)
    }
    do {
      list = try ListResult<OverlayInfo>(answer).elements
    } catch {
      throw Failure(Failure.badData, "the daemon's answer to \(OverlayListMethod.name): \(error)")
    }
    guard let at = list.firstIndex(where: { $0.name == name }) else { return name }
    guard list.indices.contains(at + step) else {
      try Output.line(daemon.json ? answer.text : Tables.overlays(list))
      return nil
    }
    return list[at + step].name
  }
}
