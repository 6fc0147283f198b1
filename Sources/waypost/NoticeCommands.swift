import ArgumentParser
import Control
import Platform

struct NoticeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notice", abstract: "Sets, removes and lists notices: banners over the map.",
    discussion: """
      Examples:
        waypost notice set bridge "Bridge closed until June" --severity warning
        waypost notice list
        waypost notice remove bridge
      """,
    subcommands: [SetCommand.self, RemoveCommand.self, ListCommand.self])

  struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Sets a notice, or replaces the one with the same name.",
      discussion: """
        Examples:
          waypost notice set bridge "Bridge closed until June" --until 2027-06-01
          waypost notice set rocks "Ridge path closed: falling rocks" --severity danger \\
            --closes trails --feature "Ridge path"
          waypost notice set burnt "Burnt area closed" --severity danger --area burnt.geojson
          waypost notice set fire "No open fires" --translation de="Kein offenes Feuer"
        """)
    @Argument(help: "The notice's name, for later commands.", transform: CommandWords.restore)
    var id: String
    @Argument(help: "What it says.", transform: CommandWords.restore) var text: String
    @Option(
      help: "info, warning or danger.", completion: .list(["info", "warning", "danger"]),
      transform: CommandWords.restore) var severity: String?
    @Option(
      help: "A date, through which it stays, or an RFC 3339 time.",
      transform: CommandWords.restore) var until: String?
    @Option(
      help: "The overlay that is drawn as closed.", completion: Completions.overlays,
      transform: CommandWords.restore) var closes: String?
    @Option(
      help: "The name of the feature in it that is closed; else all of it.",
      transform: CommandWords.restore) var feature: String?
    @Option(
      help: "A GeoJSON file with the lines and areas that are drawn as closed.",
      completion: .file(extensions: ["geojson", "json"]), transform: CommandWords.restore)
    var area: String?
    @Option(
      help: ArgumentHelp("The text in another language.", valueName: "language=text"),
      transform: CommandWords.restore) var translation: [String] = []
    @OptionGroup var daemon: SocketOptions

    func validate() throws {
      if area != nil, closes != nil {
        throw ValidationError("a notice closes either an overlay (--closes) or an --area FILE")
      }
      try TranslationOption.check(translation, keys: ["text"])
    }

    func run() throws {
      var notice: JSONObject = ["id": .string(id), "text": .string(text)]
      if let severity { notice["severity"] = .string(severity) }
      if let until { notice["until"] = .string(until) }
      if let closes { notice["closes"] = .string(closes) }
      if let feature { notice["feature"] = .string(feature) }
      if let area { notice["geojson"] = try Self.features(area) }
      TranslationOption.add(translation, keys: ["text"], to: &notice)
      try daemon.perform(NoticeSet.self, RawParams(notice)) { Tables.notices([$0]) }
    }

    /// The features of a file as they go over the socket.
    private static func features(_ path: String) throws -> JSON {
      let bytes: [UInt8]
      do throws(FileError) {
        bytes = try FileIO.read(path, limit: 1 << 20)
      } catch {
        throw Failure(Failure.badData, "\(error)")
      }
      do {
        return try JSON.parse(bytes)
      } catch {
        throw Failure(Failure.badData, "\(path): \(error)")
      }
    }
  }

  struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Removes a notice.",
      discussion: """
        Examples:
          waypost notice remove bridge
        """)
    @Argument(
      help: "The notice's id.", completion: Completions.notices, transform: CommandWords.restore)
    var id: String
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(NoticeRemove.self, IDParams(id: id)) { _ in nil }
    }
  }

  struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the notices.",
      discussion: """
        Examples:
          waypost notice list
          waypost notice list --json
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(NoticeListMethod.self, NoParams()) { Tables.notices($0.elements) }
    }
  }
}

extension Tables {
  static func notices(_ notices: [NoticeInfo]) -> String {
    columns(
      [["ID", "SEVERITY", "UNTIL", "CLOSES", "TEXT"]]
        + notices.map { notice in
          let closes = [notice.closes, notice.feature].compactMap { $0 }.joined(separator: "/")
          return [
            notice.id, notice.severity, notice.until ?? "-", closes.isEmpty ? "-" : closes,
            notice.text,
          ]
        })
  }
}
