import CLinux
import EventLoop
import Glibc
import Testing

@testable import Control

/// A folder of its own for a test's sockets, removed with the value.
final class ScratchFolder {
  let path: String

  init() {
    var template = Array("/tmp/waypost-test-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in ["s", "t", "f", "folder/s", "l"] { unlink(path + "/" + name) }
    rmdir(path + "/folder")
    rmdir(path)
  }

  var socket: String { path + "/s" }
}

/// A server with a few methods, on a loop that the test itself turns: nothing happens unless the
/// test waits for it.
final class Bench {
  let folder = ScratchFolder()
  let loop: EventLoop
  private(set) var server: ControlServer!
  var calls: [String] = []
  /// Calls of "later", unanswered.
  var later: [ControlCall] = []
  var cancelled = 0
  private let subscriptions = Routes()

  /// `areTrusted`: whether clients count as root's.
  init(maxClients: Int = 32, areTrusted: Bool = false) throws {
    loop = try EventLoop()
    subscriptions.addSubscriptions()
    let listener = try ControlListener(path: folder.socket)
    server = try ControlServer(
      loop: loop, listener: listener, maxClients: maxClients, isTrusted: { _ in areTrusted },
      handler: { [unowned self] call in self.handle(call) })
  }

  private func handle(_ call: ControlCall) {
    calls.append(call.method)
    if subscriptions.names.contains(call.method) { return subscriptions.handle(call) }
    switch call.method {
    case "echo": call.succeed(call.params)
    case "later":
      call.onCancel = { [weak self] in self?.cancelled += 1 }
      later.append(call)
    case "drop": break
    case "twice":
      call.succeed(1)
      call.fail(.broken("second"))
    case "big":
      let size = Int(call.params["size"]?.int ?? 0)
      call.succeed(.string(String(repeating: "x", count: size)))
    case "work":
      let end = EventLoop.now() + 1_000_000
      while EventLoop.now() < end {}
      call.succeed(true)
    case "forbidden":
      call.fail(ControlError(code: ControlError.notAllowed, message: "not for you"))
    case "peer": call.succeed(.int(Int64(call.peer.pid)))
    default: call.fail(.method(call.method, known: ["echo", "later"]))
    }
  }

  func connect() -> RawClient { RawClient(folder.socket) }

  /// Turns the loop until `done`; false if that takes a minute.
  @discardableResult func run(until done: () -> Bool) -> Bool {
    let end = EventLoop.now() + 60_000_000_000
    while !done() {
      if EventLoop.now() > end { return false }
      loop.runOnce(timeout: 2_000_000)
    }
    return true
  }

  /// Turns the loop as long as it has something to do.
  func runDry() {
    while loop.runOnce(timeout: 20_000_000) {}
  }

  /// The client's next line, without its end; nil if the connection ends first.
  func line(_ client: RawClient) -> String? {
    var line: String?
    let done = run {
      line = client.takeLine()
      return line != nil || client.isAtEnd
    }
    #expect(done, "no line came")
    return line
  }

  /// The client's next line, parsed.
  func json(_ client: RawClient) throws -> JSON {
    try JSON.parse(try #require(line(client)))
  }

  /// Sends a line and gives the answer, parsed.
  func ask(_ client: RawClient, _ text: String) throws -> JSON {
    client.send(text + "\n")
    return try json(client)
  }
}

/// A client that nobody here wrote: bytes out, lines in.
final class RawClient {
  let fd: Int32
  private var input: [UInt8] = []
  private var scanned = 0
  private(set) var isAtEnd = false
  private var isOpen = true

  init(_ path: String) {
    fd = waypost_unix_socket(0)
    precondition(waypost_unix_connect(fd, path, path.utf8.count) == 0)
  }

  deinit { hangUp() }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(fd, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      sent += count
    }
  }

  /// As much as goes in without waiting.
  func trySend(_ bytes: ArraySlice<UInt8>) -> Int {
    max(
      0,
      bytes.withUnsafeBytes {
        Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      })
  }

  func finishSending() { shutdown(fd, Int32(SHUT_WR)) }

  func hangUp() {
    if isOpen { close(fd) }
    isOpen = false
  }

  func takeLine() -> String? {
    fill()
    let found = input.withUnsafeBytes { raw -> Int? in
      guard let base = raw.baseAddress, let hit = memchr(base + scanned, 0x0A, raw.count - scanned)
      else { return nil }
      return UnsafeRawPointer(hit) - base
    }
    scanned = input.count
    guard let end = found else { return nil }
    let line = String(decoding: input[..<end], as: UTF8.self)
    input.removeSubrange(...end)
    scanned = 0
    return line
  }

  private func fill() {
    var chunk = [UInt8](repeating: 0, count: 65536)
    while !isAtEnd {
      let count = recv(fd, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        input.append(contentsOf: chunk[..<count])
      } else {
        if count == 0 || errno != EAGAIN { isAtEnd = true }
        return
      }
    }
  }
}

func code(_ answer: JSON) -> Int64? { answer["error"]?["code"]?.int }
