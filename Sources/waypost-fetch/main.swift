// The entry point of `waypost-fetch`, the only program of Waypost with network code.
import Fetching
import Glibc
import Platform

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "--help", "-h":
  print(FetchOptions.help, terminator: "")
case "--version":
  print("waypost-fetch \(Release.version), \(HTTPClient.curlVersion)")
case "ranges":
  serve { () throws(FetchOptions.Misuse) in
    let service = RangeService(try FetchOptions(Array(words.dropFirst())))
    return service.map { service in { service.run() } }
  }
case "tiles":
  serve { () throws(FetchOptions.Misuse) in
    let service = TileService(try TileOptions(Array(words.dropFirst())))
    return service.map { service in { service.run() } }
  }
case "serve" where words.contains("--help"):
  print(ServeOptions.help, terminator: "")
case "serve":
  do throws(FetchOptions.Misuse) {
    exit(ServeCommand.run(try ServeOptions(Array(words.dropFirst()))))
  } catch {
    Complaint.print(error.text)
    exit(ExitCode.usage)
  }
default:
  Complaint.print("\"ranges URL\", \"tiles\" or \"serve\" is needed; --help says more")
  exit(ExitCode.usage)
}

/// Runs a service to its end, and then ends this program.
///
/// - Parameter make: reads the command line and gives what serves; nil where libcurl is not there.
func serve(_ make: () throws(FetchOptions.Misuse) -> (() -> Int32)?) -> Never {
  // Ignore Ctrl-C and hangups of the terminal: the program that started this one handles them, and
  // then closes the input.
  signal(SIGINT, SIG_IGN)
  signal(SIGHUP, SIG_IGN)
  signal(SIGPIPE, SIG_IGN)
  do throws(FetchOptions.Misuse) {
    guard let run = try make() else {
      Complaint.print("libcurl cannot be loaded; install libcurl4t64 (Debian 12: libcurl4)")
      exit(ExitCode.unavailable)
    }
    exit(run())
  } catch {
    Complaint.print(error.text)
    exit(ExitCode.usage)
  }
}
