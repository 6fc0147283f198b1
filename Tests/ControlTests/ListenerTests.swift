import CLinux
import EventLoop
import Glibc
import Platform
import Testing

@testable import Control

@Suite struct ListenerTests {
  private func mode(_ path: String) -> UInt32 {
    var info = stat()
    return stat(path, &info) == 0 ? UInt32(info.st_mode & 0o7777) : 0
  }

  @Test(arguments: [0o660, 0o600, 0o666] as [UInt32])
  func theFileHasItsModeAndGroup(_ wanted: UInt32) throws {
    let folder = ScratchFolder()
    let listener = try ControlListener(
      path: folder.socket, mode: wanted, group: String(getegid()))
    #expect(mode(folder.socket) == wanted)
    listener.close()
    #expect(access(folder.socket, F_OK) != 0)
  }

  @Test func anUnknownGroupIsAnErrorAndLeavesNothing() {
    let folder = ScratchFolder()
    #expect(throws: ListenError.unknownGroup("no-such-group")) {
      try ControlListener(path: folder.socket, group: "no-such-group")
    }
    #expect(access(folder.socket, F_OK) != 0)
  }

  @Test func aStaleSocketIsReplaced() throws {
    let folder = ScratchFolder()
    let fd = waypost_unix_socket(0)
    #expect(waypost_unix_bind(fd, folder.socket, folder.socket.utf8.count) == 0)
    listen(fd, 1)
    close(fd)
    #expect(access(folder.socket, F_OK) == 0)
    let listener = try ControlListener(path: folder.socket)
    let client = RawClient(folder.socket)
    let accepted = listener.accept()
    #expect(accepted >= 0)
    close(accepted)
    client.hangUp()
  }

  @Test func aLiveSocketIsAnErrorThatSaysWho() throws {
    let folder = ScratchFolder()
    let first = try ControlListener(path: folder.socket)
    do {
      _ = try ControlListener(path: folder.socket)
      Issue.record("it was replaced")
    } catch {
      #expect(error == .inUse(path: folder.socket, pid: getpid()))
      #expect(error.description.contains("process \(getpid()) serves it already"))
    }
    _ = RawClient(folder.socket)
    withExtendedLifetime(first) {}
  }

  @Test func aFolderInWhichAnotherMakesItsSocketIsNotWaitedForIfAsked() throws {
    let folder = ScratchFolder()
    let held = open(folder.socket + ".lock", O_RDWR | O_CREAT, 0o600)
    #expect(flock(held, LOCK_EX) == 0)
    let before = try sleeps()
    #expect(throws: ListenError.inUse(path: folder.socket, pid: 0)) {
      try ControlListener(path: folder.socket, waits: false)
    }
    // Waiting, it would sleep a hundred times.
    #expect(try sleeps() - before < 50)
    close(held)
  }

  @Test func othersCannotHoldUpASocketByLockingItsFolder() throws {
    let folder = ScratchFolder()
    let held = open(Paths.directory(of: folder.socket), O_RDONLY | O_DIRECTORY)
    #expect(flock(held, LOCK_EX) == 0)
    let listener = try ControlListener(path: folder.socket, waits: false)
    _ = RawClient(folder.socket)
    // The file that is locked instead is gone, also one that was left over.
    #expect(FileIdentity(unfollowed: folder.socket + ".lock") == nil)
    listener.close()
    try FileIO.replace(folder.socket + ".lock", with: [])
    let next = try ControlListener(path: folder.socket, waits: false)
    #expect(FileIdentity(unfollowed: folder.socket + ".lock") == nil)
    withExtendedLifetime(next) {}
    close(held)
  }

  /// How often this thread slept (proc_pid_status(5)).
  private func sleeps() throws -> Int {
    let status = try FileIO.read("/proc/thread-self/status", limit: 1 << 16)
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return try #require(line.flatMap { Int($0.split(separator: "\t")[1]) })
  }

  @Test func aLiveSocketWhoseQueueIsFullIsNotStale() throws {
    let folder = ScratchFolder()
    let fd = waypost_unix_socket(0)
    #expect(waypost_unix_bind(fd, folder.socket, folder.socket.utf8.count) == 0)
    #expect(listen(fd, 0) == 0)
    // Nobody accepts: soon one more connection finds no room.
    var clients: [Int32] = []
    var isFull = false
    for _ in 0..<64 where !isFull {
      let client = waypost_unix_socket(Int32(SOCK_NONBLOCK.rawValue))
      clients.append(client)
      if waypost_unix_connect(client, folder.socket, folder.socket.utf8.count) != 0 {
        isFull = errno == EAGAIN
      }
    }
    #expect(isFull)
    var before = stat()
    #expect(lstat(folder.socket, &before) == 0)
    #expect(throws: ListenError.inUse(path: folder.socket, pid: 0)) {
      try ControlListener(path: folder.socket)
    }
    var after = stat()
    #expect(lstat(folder.socket, &after) == 0 && after.st_ino == before.st_ino)
    for descriptor in clients + [fd] { close(descriptor) }
  }

  @Test func whatIsNoSocketIsNeverRemoved() throws {
    let folder = ScratchFolder()
    let file = open(folder.socket, O_CREAT | O_WRONLY, 0o600)
    #expect(write(file, "precious", 8) == 8)
    close(file)
    #expect(throws: ListenError.notASocket(path: folder.socket)) {
      try ControlListener(path: folder.socket)
    }
    var info = stat()
    #expect(stat(folder.socket, &info) == 0 && info.st_size == 8)
    // A link is no socket either, whatever it leads to.
    let link = folder.path + "/l"
    #expect(symlink(folder.path + "/t", link) == 0)
    #expect(throws: ListenError.notASocket(path: link)) { try ControlListener(path: link) }
    #expect(throws: ListenError.notASocket(path: folder.path)) {
      try ControlListener(path: folder.path)
    }
  }

  @Test func aMissingFolderIsNamed() {
    let folder = ScratchFolder()
    let path = folder.path + "/folder/s"
    #expect(throws: ListenError.noFolder(path: path, folder: folder.path + "/folder")) {
      try ControlListener(path: path)
    }
  }

  @Test func theFolderIsMadeForOneUserAloneIfAsked() throws {
    let folder = ScratchFolder()
    let path = folder.path + "/folder/s"
    let listener = try ControlListener(path: path, createFolder: true)
    #expect(mode(folder.path + "/folder") == 0o700)
    listener.close()
    // An existing one that others may write to is not trusted.
    chmod(folder.path + "/folder", 0o777)
    #expect(throws: ListenError.unsafeFolder(folder: folder.path + "/folder")) {
      try ControlListener(path: path, createFolder: true)
    }
  }

  @Test func aPathThatDoesNotFitIsRefused() {
    let long = "/tmp/" + String(repeating: "x", count: 103)
    #expect(throws: ListenError.tooLong(path: long)) { try ControlListener(path: long) }
    #expect(throws: ListenError.tooLong(path: "")) { try ControlListener(path: "") }
  }

  @Test func onClosingOnlyTheOwnFileIsRemoved() throws {
    let folder = ScratchFolder()
    let first = try ControlListener(path: folder.socket)
    unlink(folder.socket)
    let second = try ControlListener(path: folder.socket)
    first.close()
    _ = RawClient(folder.socket)
    second.close()
    #expect(access(folder.socket, F_OK) != 0)
  }

  @Test func aSocketPassedInIsTakenAndItsFileStays() throws {
    let folder = ScratchFolder()
    let fd = waypost_unix_socket(0)
    #expect(waypost_unix_bind(fd, folder.socket, folder.socket.utf8.count) == 0)
    #expect(listen(fd, 5) == 0)
    // Numbers of its own, so that a test beside this one cannot take them.
    let base: Int32 = 700
    let file = open("/dev/null", O_RDONLY)
    #expect(dup2(file, base) == base)
    #expect(dup2(fd, base + 1) == base + 1)
    close(file)
    close(fd)
    let pid = String(getpid())
    let passed = try ControlListener.inherited(
      from: PassedDescriptors(pid: pid, count: "2", names: nil, first: base))
    let listener = try #require(passed)
    #expect(listener.fd == base + 1)
    #expect(listener.path == nil && listener.address == folder.socket)
    let loop = try EventLoop()
    let server = try ControlServer(loop: loop, listener: listener) { $0.succeed("served") }
    let client = RawClient(folder.socket)
    client.send(#"{"jsonrpc":"2.0","id":1,"method":"x"}"# + "\n")
    var line: String?
    for _ in 0..<100 where line == nil {
      loop.runOnce(timeout: 100_000_000)
      line = client.takeLine()
    }
    #expect(line == #"{"jsonrpc":"2.0","id":1,"result":"served"}"#)
    server.close()
    #expect(access(folder.socket, F_OK) == 0)
    close(base)
  }

  @Test func variablesForAnotherProcessAreNotOurs() throws {
    #expect(
      try ControlListener.inherited(
        from: PassedDescriptors(pid: nil, count: nil, names: nil, first: 3)) == nil)
    #expect(
      try ControlListener.inherited(
        from: PassedDescriptors(pid: "1", count: "1", names: nil, first: 3)) == nil)
    let pid = String(getpid())
    #expect(
      try ControlListener.inherited(
        from: PassedDescriptors(pid: pid, count: "0", names: nil, first: 3)) == nil)
    #expect(
      try ControlListener.inherited(
        from: PassedDescriptors(pid: pid, count: "x", names: nil, first: 3)) == nil)
  }

  @Test func descriptorsThatAreNoListenersAreAnError() throws {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    #expect(dup2(ends[0], 720) == 720)
    #expect(throws: ListenError.noSocketPassed(count: 1)) {
      try ControlListener.inherited(
        from: PassedDescriptors(pid: String(getpid()), count: "1", names: nil, first: 720))
    }
    for fd in [720, ends[0], ends[1]] { close(fd) }
  }
}
