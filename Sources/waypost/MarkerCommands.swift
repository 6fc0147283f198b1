import ArgumentParser
import Control

struct MarkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "marker", abstract: "Sets, removes and lists markers: places with a name.",
    discussion: """
      Examples:
        waypost marker set hut 46.02 7.75 --label "Schönbielhütte" --icon hut
        waypost marker list
        waypost marker remove hut
      """,
    subcommands: [SetCommand.self, RemoveCommand.self, ListCommand.self])

  struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Sets a marker, or replaces the one with the same name.",
      discussion: """
        A marker with the icon or the id "here" shows where the display is. It is drawn large.

        Icons: here, pin, dot, star, flag, info, parking, camp, water, summit, viewpoint, toilet,
        first-aid, shelter, bus, hut, danger, food, picnic, train, photo, bike, boat, tree.

        Examples:
          waypost marker set here 46.02 7.75 --label "You are here"
          waypost marker set hut 46.02 7.75 --label "Hut" --translation de="Hütte"
          waypost marker set p1 -33.92 18.42 --icon parking --text "40 places, free of charge"
        """)
    @Argument(help: "The marker's name, for later commands.", transform: CommandWords.restore)
    var id: String
    @Argument(help: "Degrees north.") var lat: Number
    @Argument(help: "Degrees east.") var lon: Number
    @Option(help: "A label beside it.", transform: CommandWords.restore) var label: String?
    @Option(help: "A text shown when it is tapped or selected.", transform: CommandWords.restore)
    var text: String?
    @Option(
      help: "#rgb, #rrggbb or #rrggbbaa; else the icon's own.", transform: CommandWords.restore)
    var color: String?
    @Option(help: "Its icon; else a pin.", transform: CommandWords.restore)
    var icon: String?
    @Option(
      help: ArgumentHelp(
        "The label in another language, or as text.LANGUAGE=TEXT the text; may be repeated.",
        valueName: "language=label"),
      transform: CommandWords.restore) var translation: [String] = []
    @OptionGroup var daemon: SocketOptions

    /// The texts that have translations.
    private static let texts = ["label", "text"]

    func validate() throws {
      try PlaceArguments.check(lat: lat, lon: lon)
      try TranslationOption.check(translation, keys: Self.texts)
    }

    func run() throws {
      var marker: JSONObject = [
        "id": .string(id), "lat": .double(lat.value), "lon": .double(lon.value),
      ]
      if let label { marker["label"] = .string(label) }
      if let text { marker["text"] = .string(text) }
      if let color { marker["color"] = .string(color) }
      if let icon { marker["icon"] = .string(icon) }
      TranslationOption.add(translation, keys: Self.texts, to: &marker)
      try daemon.perform(MarkerSet.self, RawParams(marker)) { Tables.markers([$0]) }
    }
  }

  struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Removes a marker.",
      discussion: """
        Examples:
          waypost marker remove hut
        """)
    @Argument(
      help: "The marker's id.", completion: Completions.markers, transform: CommandWords.restore)
    var id: String
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(MarkerRemove.self, IDParams(id: id)) { _ in nil }
    }
  }

  struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the markers.",
      discussion: """
        Examples:
          waypost marker list
          waypost marker list --json
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(MarkerListMethod.self, NoParams()) { Tables.markers($0.elements) }
    }
  }
}

extension Tables {
  static func markers(_ markers: [MarkerInfo]) -> String {
    columns(
      [["ID", "LAT", "LON", "ICON", "LABEL"]]
        + markers.map {
          [$0.id, number($0.lat), number($0.lon), $0.icon, $0.label ?? "-"]
        })
  }
}
