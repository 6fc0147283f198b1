import ArgumentParser
import Control
import Glibc

/// The options of every command that talks to the daemon, and the connection to it.
struct SocketOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The daemon's control socket (else $WAYPOST_SOCKET, \(ControlSocketPath.system), or a demo's).",
      valueName: "path"), completion: .file(), transform: CommandWords.restore)
  var socket: String?

  @Flag(help: "Print the result as JSON.")
  var json = false

  func validate() throws {
    try PathArgument.check(
      socket, "--socket", "the path of the daemon's socket, such as \(ControlSocketPath.system)")
  }

  func connect() throws -> ControlConnection {
    do throws(ClientError) {
      return try ControlConnection(path: ControlSocketPath.find(given: socket))
    } catch {
      throw failure(error)
    }
  }

  /// An error as the command's user sees it.
  func failure(_ error: ClientError) -> Failure { Failure(error, wantsJSON: json) }

  /// Calls a method, over `connection` or a new one, and prints its result: as it is with `--json`,
  /// otherwise as `show` formats it (nil: prints nothing).
  @discardableResult
  func perform<Method: ControlMethod>(
    _ method: Method.Type, _ params: Method.Params, timeout: Double = 30,
    over connection: ControlConnection? = nil, show: (Method.Result) -> String?
  ) throws -> Method.Result {
    let connection = try connection ?? connect()
    do {
      let answer = try connection.call(Method.name, params.json, timeout: timeout)
      let result = try Method.Result(answer)
      if json {
        try Output.line(answer.text)
      } else if let text = show(result) {
        try Output.line(text)
      }
      return result
    } catch let error as ClientError {
      throw failure(error)
    } catch let error as ControlError {
      throw Failure(Failure.badData, "the daemon's answer to \(Method.name): \(error.message)")
    }
  }
}

/// Finds the path of the control socket.
enum ControlSocketPath {
  static let system = "/run/waypost/control.sock"

  /// The given path; else the environment's; else the first existing one of the system daemon and
  /// this user's demo; else the system daemon's.
  static func find(given: String?) -> String {
    if let given { return given }
    if let named = variable("WAYPOST_SOCKET") { return named }
    var candidates = [system]
    if let runtime = variable("XDG_RUNTIME_DIR") {
      candidates.append(runtime + "/waypost/control.sock")
    }
    candidates.append("/tmp/waypost-\(getuid())/control.sock")
    return candidates.first { access($0, F_OK) == 0 } ?? system
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
