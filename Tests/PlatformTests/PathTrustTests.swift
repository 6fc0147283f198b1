import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite(.enabled(if: PathTrust.isEnforced, "this kernel has no openat2"))
struct PathTrustTests {
  /// A folder with `root/a`, `root2/a` and `secret`.
  private func folder() throws -> String {
    let path = NSTemporaryDirectory() + "waypost-trust-" + UUID().uuidString
    for name in ["root", "root2"] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)", withIntermediateDirectories: true)
      try Data([1]).write(to: URL(fileURLWithPath: "\(path)/\(name)/a"))
    }
    try Data([2]).write(to: URL(fileURLWithPath: path + "/secret"))
    return path
  }

  /// errno of an opening, 0 where it worked.
  private func code(_ path: String, _ roots: String...) -> Int32 {
    do throws(SystemError) {
      close(try PathTrust.beneath(roots).open(path))
      return 0
    } catch {
      return error.code
    }
  }

  @Test func whatLiesBelowARootIsOpenedAndNothingElse() throws {
    let path = try folder()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let root = path + "/root"
    #expect(code("\(root)/a", root) == 0)
    #expect(code("\(root)//./a", root) == 0)
    #expect(code("\(root)", root) == 0)
    #expect(code("\(root)/a", path + "/none", root) == 0)
    #expect(code("\(root)/b", root) == ENOENT)
    #expect(code("\(root)/../secret", root) == EXDEV)
    #expect(code("\(path)/root2/a", root) == EXDEV, "a name that begins like the root's")
    #expect(code("\(path)/secret", root) == EXDEV)
    #expect(code("/etc/hostname", root) == EXDEV)
    #expect(code("\(root)/a") == EXDEV, "no root at all")
  }

  @Test func aLinkThatLeadsOutIsRefusedAlsoInTheMiddle() throws {
    let path = try folder()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let root = path + "/root"
    symlink("../secret", root + "/link")
    symlink("..", root + "/up")
    symlink("a", root + "/inside")
    #expect(code(root + "/link", root) == EXDEV)
    #expect(code(root + "/up/secret", root) == EXDEV)
    #expect(code(root + "/inside", root) == 0)
    #expect(throws: SystemError.self) { try PathTrust.beneath([root]).exists(root + "/link") }
    #expect(try PathTrust.beneath([root]).exists(root + "/a"))
    #expect(try !PathTrust.beneath([root]).exists(root + "/b"))
  }

  @Test func aRootMayBeALinkAndIsNamedEitherWay() throws {
    let path = try folder()
    defer { try? FileManager.default.removeItem(atPath: path) }
    symlink("root", path + "/media")
    #expect(code(path + "/media/a", path + "/media") == 0)
    // As realpath(3) gives it.
    #expect(code(path + "/root/a", path + "/media") == 0)
  }

  @Test func aFIFODoesNotHoldUpTheOpening() throws {
    let path = try folder()
    defer { try? FileManager.default.removeItem(atPath: path) }
    mkfifo(path + "/root/pipe", 0o600)
    #expect(code(path + "/root/pipe", path + "/root") == 0)
  }

  @Test func theReasonNamesTheRootsAndNotTheFile() {
    let text = PathTrust.beneath(["/media"]).explanation(of: EXDEV)
    #expect(text == "leads out of /media, where it must lie")
  }
}
