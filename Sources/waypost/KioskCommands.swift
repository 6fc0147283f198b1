import ArgumentParser
import Control

struct PressCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "press", abstract: "Performs an action, as a button does.",
    discussion: """
      Examples:
        waypost press zoom-in
        waypost press source:topo
      """)
  @Argument(
    help: "pan-left, zoom-in, home, source-next, source:NAME and so on.",
    completion: Completions.actions, transform: CommandWords.restore)
  var action: String
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    try daemon.perform(Press.self, PressParams(action: action)) { _ in nil }
  }
}

struct SettleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settle", abstract: "Waits until nothing moves and every tile is drawn.",
    discussion: """
      Exits with 1 if the time runs out first.

      Examples:
        waypost goto 46.02 7.75 13 && waypost settle && waypost screenshot map.png
      """)
  @Option(help: "Seconds to wait at most.") var timeout: Number?
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    let params = SettleParams(timeout: timeout?.value ?? 5)
    let patience = max(0, min(params.timeout, 3600)) + 10
    let result = try daemon.perform(Settle.self, params, timeout: patience) { result in
      result.complete
        ? "frame \(result.frame) is complete, \(result.missing) tiles are missing" : nil
    }
    if !result.complete {
      throw Failure(Failure.refused, "the time ran out before the view was complete")
    }
  }
}

struct ScreenshotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screenshot", abstract: "Writes what is on the display to a PNG file.",
    discussion: """
      Examples:
        waypost screenshot map.png
        waypost screenshot - | display
      """)
  @Argument(
    help: "The file; - is standard output.", completion: .file(extensions: ["png"]),
    transform: CommandWords.restore)
  var file: String
  @OptionGroup var daemon: SocketOptions

  func validate() throws {
    try PathArgument.check(
      file, "FILE", "the PNG file, such as map.png, or - for standard output")
    if let fault = OutputFile.fault(ofPicture: file) { throw ValidationError(fault) }
  }

  func run() throws {
    let connection = try daemon.connect()
    let shot: ScreenshotResult
    do throws(ClientError) {
      shot = try connection.call(Screenshot.self, ScreenshotParams(), timeout: 60)
    } catch {
      throw daemon.failure(error)
    }
    let picture: [UInt8]
    do throws(ControlError) {
      picture = try shot.png()
    } catch {
      throw Failure(Failure.badData, "the daemon's answer to \(Screenshot.name): \(error.message)")
    }
    try OutputFile.write(picture, to: file)
    if file == "-" { return }
    if daemon.json {
      let json: JSON = [
        "width": .int(Int64(shot.width)), "height": .int(Int64(shot.height)),
        "frame": .int(Int64(shot.frame)), "file": .string(file),
      ]
      try Output.line(json.text)
    } else {
      try Output.line("\(file): frame \(shot.frame), \(shot.width)x\(shot.height) pixels")
    }
  }
}

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Makes the daemon reload its configuration.",
    discussion: """
      Examples:
        waypost config reload
      """,
    subcommands: [ReloadCommand.self])

  struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reload",
      abstract: "Reloads the configuration; one with an error changes nothing.",
      discussion: """
        Examples:
          waypost config reload
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(ConfigReload.self, NoParams()) { result in
        result.warnings.isEmpty ? nil : result.warnings.joined(separator: "\n")
      }
    }
  }
}
