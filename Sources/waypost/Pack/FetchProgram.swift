import Glibc
import Platform

/// The program that reads from servers.
enum FetchProgram {
  /// waypost-fetch beside this program, else that of `PATH`.
  static var path: String {
    let name = "waypost-fetch"
    guard let program = FileIO.resolved("/proc/self/exe") else { return name }
    let beside = Paths.join(Paths.directory(of: program), name)
    return access(beside, X_OK) == 0 ? beside : name
  }
}
