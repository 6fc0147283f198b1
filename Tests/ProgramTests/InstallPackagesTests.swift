import Foundation
import Glibc
import TestSupport
import Testing

/// Whether the script can be given folders of its own: not in a tree that is no file system's root.
private let canIsolate =
  geteuid() == 0
  && (try? Program(path: "/usr/bin/unshare").run(["--mount", "true"]))?.status == 0

/// board/install-packages, with an apt-get that installs nothing.
@Suite(.enabled(if: canIsolate, "skipped: only root can mount folders, and not in every tree"))
struct InstallPackagesTests {
  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("board/install-packages").path

  @Test func aPackageStartsNoServiceAndEnablesNone() throws {
    let folder = try TemporaryFolder()
    let units = folder["units/multi-user.target.wants"]
    for path in [units, folder["bin"], folder["sbin"]] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: units + "/mine.service", withDestinationPath: "/lib/systemd/system/mine.service")
    // What dpkg and gpsd's scripts do: ask whether services may be started, and enable a socket.
    let apt = """
      #!/bin/sh
      case " $* " in *" install "*)
        /usr/sbin/policy-rc.d; echo $? >"$REPORT"
        mkdir /etc/systemd/system/sockets.target.wants
        ln -s /lib/systemd/system/gpsd.socket /etc/systemd/system/sockets.target.wants/ ;;
      esac
      """
    for (name, text) in [("apt-get", apt), ("dpkg-query", "#!/bin/sh"), ("apt-cache", "#!/bin/sh")]
    {
      try folder.writeProgram(text + "\n", to: "bin/" + name)
    }
    let isolated =
      "mount --bind '\(folder["units"])' /etc/systemd/system"
      + " && mount --bind '\(folder["sbin"])' /usr/sbin"
      + " && PATH='\(folder["bin"])':$PATH '\(InstallPackagesTests.script)' test"
    let outcome = try Program(path: "/usr/bin/unshare").run(
      ["--mount", "sh", "-c", isolated], environment: ["REPORT": folder["report"]])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("installing"), "\(outcome.errors)")
    #expect(outcome.errors.contains("not enabling gpsd.socket"), "\(outcome.errors)")
    let policy = try String(contentsOfFile: folder["report"], encoding: .utf8)
    #expect(policy == "101\n")
    let sockets = try FileManager.default.contentsOfDirectory(
      atPath: folder["units/sockets.target.wants"])
    #expect(sockets == [])
    // What was enabled before stays, and the policy of the installation does not.
    let kept = try FileManager.default.contentsOfDirectory(atPath: units)
    #expect(kept == ["mine.service"])
    let policies = try FileManager.default.contentsOfDirectory(atPath: folder["sbin"])
    #expect(policies == [])
  }
}
