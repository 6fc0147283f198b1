import ArgumentParser
import Control

struct DisplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "display",
    abstract: "Shows and sets the display: power, brightness, theme, language, HUD.",
    discussion: """
      Examples:
        waypost display get
        waypost display off
        waypost display brightness 40
        waypost display language de
      """,
    subcommands: [
      GetCommand.self, OnCommand.self, OffCommand.self, BrightnessCommand.self, ThemeCommand.self,
      LanguageCommand.self, HudCommand.self,
    ])

  struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get", abstract: "Shows what the display is and how it is set.",
      discussion: """
        Examples:
          waypost display get
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws { try daemon.perform(DisplayGet.self, NoParams(), show: Tables.display) }
  }

  struct OnCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "on", abstract: "Turns the display on.",
      discussion: """
        Examples:
          waypost display on
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(DisplaySet.self, DisplaySetParams(isOn: true), show: Tables.display)
    }
  }

  struct OffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "off", abstract: "Turns the display off; a press or touch turns it on again.",
      discussion: """
        Examples:
          waypost display off
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(DisplaySet.self, DisplaySetParams(isOn: false), show: Tables.display)
    }
  }

  struct BrightnessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "brightness", abstract: "Sets the backlight's brightness.",
      discussion: """
        Examples:
          waypost display brightness 40
        """)
    @Argument(help: "Per cent, 0 to 100.", transform: CommandWords.restore) var percent: String
    @OptionGroup var daemon: SocketOptions

    func validate() throws {
      guard let value = Int(percent), (0...100).contains(value) else {
        throw ValidationError("brightness is 0 to 100 (per cent), not \(percent)")
      }
    }

    func run() throws {
      try daemon.perform(
        DisplaySet.self, DisplaySetParams(brightness: Int(percent)), show: Tables.display)
    }
  }

  struct ThemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "theme", abstract: "Sets the theme.",
      discussion: """
        Examples:
          waypost display theme night
        """)
    @Argument(
      help: "day, night or auto.", completion: Completions.themes, transform: CommandWords.restore)
    var theme: String
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(DisplaySet.self, DisplaySetParams(theme: theme), show: Tables.display)
    }
  }

  struct LanguageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "language", abstract: "Sets the language, one of hud.languages.",
      discussion: """
        Examples:
          waypost display language de
        """)
    @Argument(help: "The language, such as de.", transform: CommandWords.restore)
    var language: String
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      var params = DisplaySetParams()
      params.language = language
      try daemon.perform(DisplaySet.self, params, show: Tables.display)
    }
  }

  struct HudCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hud", abstract: "Shows or hides a part of the HUD.",
      discussion: """
        PART is a key of [hud]: \(DisplaySetParams.hudParts.joined(separator: ", ")).

        Examples:
          waypost display hud coordinates on
        """)
    @Argument(
      help: "The part.", completion: .list(DisplaySetParams.hudParts),
      transform: CommandWords.restore) var part: String
    @Argument(
      help: "on or off.", completion: .list(["on", "off"]), transform: CommandWords.restore)
    var state: String
    @OptionGroup var daemon: SocketOptions

    func validate() throws {
      guard DisplaySetParams.hudParts.contains(part) else {
        throw ValidationError(
          "a part of the HUD is one of \(DisplaySetParams.hudParts.joined(separator: ", ")), "
            + "not \(part)")
      }
      guard state == "on" || state == "off" else {
        throw ValidationError("a part of the HUD is on or off, not \(state)")
      }
    }

    func run() throws {
      try daemon.perform(
        DisplaySet.self, DisplaySetParams(hud: [part: state == "on"]), show: Tables.display)
    }
  }
}
