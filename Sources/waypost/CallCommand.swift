import ArgumentParser
import Control

struct CallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call", abstract: "Calls any method of the control socket, and prints its result.",
    discussion: """
      Examples:
        waypost call view.get
        waypost call view.set '{"lat": -33.92, "lon": 18.42, "zoom": 12}'
      """)
  @Argument(
    help: "The method's name; \"waypost methods\" lists them.", completion: Completions.methods,
    transform: CommandWords.restore) var method: String
  @Argument(help: "Its parameters, a JSON object.", transform: CommandWords.restore) var params:
    String?
  @Option(help: "Seconds to wait for the answer.") var timeout: Number?
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    var parameters = JSON.null
    if let params {
      do throws(JSONError) {
        parameters = try JSON.parse(params)
      } catch {
        throw Failure(Failure.badData, "the parameters are not JSON: \(error)")
      }
    }
    let connection = try daemon.connect()
    let answer: JSON
    do throws(ClientError) {
      answer = try connection.call(method, parameters, timeout: timeout?.value ?? 60)
    } catch {
      throw daemon.failure(error)
    }
    try Output.line(answer.text)
  }
}
