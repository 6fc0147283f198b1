import ArgumentParser
import Control

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Prints events, one per line, until the daemon ends.",
    discussion: """
      Without EVENT all are shown: view source overlay marker notice button display position tile-error
      health. "overflow" says how many were lost because this end was too slow.

      Examples:
        waypost watch
        waypost watch view source --json
      """)
  @Argument(help: "Which events.") var events: [EventType] = []
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    let connection = try daemon.connect()
    do {
      let wanted = events.isEmpty ? EventType.allCases : events
      _ = try connection.call(Subscribe.self, SubscribeParams(events: wanted))
      while let event = try connection.nextEvent() {
        try Output.line(daemon.json ? event.text : Self.describe(event))
      }
    } catch let error as ClientError {
      throw daemon.failure(error)
    }
  }

  /// The type, then name=value for each member.
  private static func describe(_ event: JSON) -> String {
    var words = [event["type"]?.string ?? "?"]
    for (name, value) in event.object?.members ?? [] where name != "type" {
      words.append("\(name)=\(value.text)")
    }
    return words.joined(separator: " ")
  }
}
