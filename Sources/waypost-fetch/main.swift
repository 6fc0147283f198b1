// The entry point of `waypost-fetch`, the only program of Waypost with network code.
import CCurl
import Glibc
import Platform

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "--help", "-h":
  print(FetchOptions.help, terminator: "")
case "--version":
  print("waypost-fetch \(Release.version), \(String(cString: waypost_curl_version()))")
case "ranges":
  // Ctrl-C in a terminal is for the program that started this one, which closes the input then.
  signal(SIGINT, SIG_IGN)
  signal(SIGPIPE, SIG_IGN)
  do throws(FetchOptions.Misuse) {
    let options = try FetchOptions(Array(words.dropFirst()))
    guard let service = RangeService(options) else {
      Complaint.print("libcurl cannot be loaded; install libcurl4t64 (Debian 12: libcurl4)")
      exit(ExitCode.unavailable)
    }
    exit(service.run())
  } catch {
    Complaint.print(error.text)
    exit(ExitCode.usage)
  }
default:
  Complaint.print("ranges URL is needed; --help says more")
  exit(ExitCode.usage)
}
