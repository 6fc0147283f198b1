import Glibc
import TestSupport
import Testing

/// A built program, run as from a shell.
struct Program {
  struct Outcome {
    let status: Int32
    let output: [UInt8]
    let errors: String
    var text: String { String(decoding: output, as: UTF8.self) }
  }

  let path: String

  /// The program of that name in the folder `$WAYPOST_PROGRAMS`, else beside the tests' own
  /// executable.
  static func built(_ name: String) throws -> Program {
    if let folder = getenv("WAYPOST_PROGRAMS") {
      let path = String(cString: folder) + "/" + name
      guard access(path, X_OK) == 0 else { throw NotBuilt(name: path) }
      return Program(path: path)
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let length = buffer.withUnsafeMutableBytes {
      readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    var folder = String(decoding: buffer.prefix(max(length, 0)), as: UTF8.self)
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      let candidate = folder + "/" + name
      var info = stat()
      if stat(candidate, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
        access(candidate, X_OK) == 0
      {
        return Program(path: candidate)
      }
    }
    throw NotBuilt(name: name)
  }

  struct NotBuilt: Error { let name: String }

  /// Runs it to its end. `environment` is added to the tests' own.
  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    try start(arguments, environment: environment).outcome()
  }

  /// Starts it. `descriptor`, if given, is its descriptor 3.
  func start(
    _ arguments: [String], environment: [String: String] = [:], descriptor: Int32? = nil
  ) throws -> RunningProgram {
    let output = ScratchFile()
    let errors = ScratchFile()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output.path, O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, errors.path, O_WRONLY, 0)
    // The threads that run tests have signals blocked, which programs would inherit.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, 3) }

    var variables: [String] = []
    var entry = environ
    while let text = entry.pointee {
      let variable = String(cString: text)
      if environment[String(variable.prefix { $0 != "=" })] == nil { variables.append(variable) }
      entry += 1
    }
    variables += environment.map { "\($0.key)=\($0.value)" }
    var argv = ([path] + arguments).map { strdup($0) } + [nil]
    var envp = variables.map { strdup($0) } + [nil]
    defer { for text in argv + envp { free(text) } }
    var pid = pid_t()
    try #require(posix_spawn(&pid, path, &actions, &attributes, &argv, &envp) == 0)
    return RunningProgram(pid: pid, output: output, errors: errors)
  }
}

/// A program that was started; killed with its owner if it still runs.
final class RunningProgram {
  let pid: pid_t
  private let output: ScratchFile
  private let errors: ScratchFile
  /// As `Program.Outcome.status`; nil while it runs.
  private var status: Int32?

  fileprivate init(pid: pid_t, output: ScratchFile, errors: ScratchFile) {
    self.pid = pid
    self.output = output
    self.errors = errors
  }

  deinit {
    if hasEnded { return }
    kill(pid, SIGKILL)
    wait(options: 0)
  }

  /// What it wrote to its standard error so far.
  var log: String { String(decoding: errors.bytes, as: UTF8.self) }

  var hasEnded: Bool {
    wait(options: WNOHANG)
    return status != nil
  }

  /// Waits for its end, and returns the most memory that it had, in bytes.
  func peakUntilItsEnd() -> Int {
    var peak = 0
    // The kernel keeps the peak as long as the process runs. What waitpid(2) gives afterwards is no
    // less than the peak of this process, which started it.
    while true {
      let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      if let kibibytes = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first {
        peak = max(peak, (Int(kibibytes) ?? 0) << 10)
      }
      if hasEnded { break }
      usleep(2000)
    }
    return peak
  }

  /// Waits for its end.
  func outcome() -> Program.Outcome {
    wait(options: 0)
    return Program.Outcome(status: status ?? -1, output: output.bytes, errors: log)
  }

  private func wait(options: Int32) {
    if status != nil { return }
    var word: Int32 = 0
    var ended = waitpid(pid, &word, options)
    while ended < 0 && errno == EINTR { ended = waitpid(pid, &word, options) }
    // WEXITSTATUS and WTERMSIG (wait(2)).
    if ended == pid { status = word & 0x7F == 0 ? word >> 8 & 0xFF : -(word & 0x7F) }
  }
}

/// A file for a program's output: unlike a pipe, nothing that another test starts can hold it open.
private final class ScratchFile {
  let path: String

  init() {
    var template = Array("/tmp/waypost-output-XXXXXX".utf8CString)
    let fd = mkstemp(&template)
    precondition(fd >= 0)
    close(fd)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { unlink(path) }

  var bytes: [UInt8] {
    let fd = open(path, O_RDONLY)
    defer { close(fd) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(fd, &chunk, chunk.count)
      if count <= 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}

extension TemporaryFolder {
  /// Writes a program to `name`.
  ///
  /// Another process writes it. Whatever a test beside this one starts has this process's open
  /// files for a moment, and the system runs no file that is open for writing (execve(2), ETXTBSY).
  func writeProgram(_ text: String, to name: String) throws {
    let outcome = try Program(path: "/bin/sh").run(
      ["-c", "printf '%s' \"$2\" >\"$1\" && chmod 755 \"$1\"", "sh", self[name], text])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
