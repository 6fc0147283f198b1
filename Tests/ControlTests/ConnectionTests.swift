import CLinux
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Control

/// The blocking client against a server on a thread of its own.
@Suite struct ConnectionTests {
  /// Serves on `path` until its method "quit" is called.
  private func serve(_ path: String, maxClients: Int = 8) throws -> JoinedThread {
    // Made here, so that the client may connect at once.
    let listener = try ControlListener(path: path)
    let box = Transfer(listener)
    return JoinedThread {
      do {
        let loop = try EventLoop()
        let routes = Routes()
        routes.addSubscriptions()
        var server: ControlServer?
        func isRoot(_: PeerCredentials) -> Bool { false }
        server = try ControlServer(
          loop: loop, listener: box.value, maxClients: maxClients, isTrusted: isRoot
        ) { call in
          switch call.method {
          case ViewSet.name:
            call.answer { () throws(ControlError) -> JSON in
              let params = try ViewSetParams(call.params)
              server?.publish(.view) { params.json }
              return ViewState(
                lat: params.lat ?? 0, lon: params.lon ?? 0, zoom: 1, bearing: 0,
                bounds: [0, 0, 1, 1], width: 10, height: 10
              ).json
            }
          case "big": call.succeed(.string(String(repeating: "x", count: 600_000)))
          case "never": call.onCancel = { _ = call }
          case "quit":
            call.succeed(true)
            loop.stop()
          default: routes.handle(call)
          }
        }
        loop.run()
        server?.close()
        server = nil
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  @Test func callsEventsAndErrorsComeThrough() throws {
    let folder = ScratchFolder()
    let thread = try serve(folder.socket)
    let connection = try ControlConnection(path: folder.socket)
    #expect(try connection.call(Subscribe.self, SubscribeParams(events: [.view])).events == [.view])
    let view = try connection.call(ViewSet.self, ViewSetParams(lat: -33.92, lon: 18.42))
    #expect(view.lat == -33.92 && view.lon == 18.42)
    #expect(try connection.nextEvent(timeout: 10) == ["type": "view", "lat": -33.92, "lon": 18.42])
    #expect(try connection.nextEvent(timeout: 0.01) == nil)
    #expect(try connection.call("big").string?.utf8.count == 600_000)
    do {
      _ = try connection.call("view.set", ["lat": 100])
      Issue.record("taken")
    } catch {
      guard case .refused(let why) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(why.code == -32602)
      #expect(error.description == "\"lat\" must be a number from -90 to 90, not 100")
    }
    let waiting = try ControlConnection(path: folder.socket)
    #expect(throws: ClientError.timedOut(seconds: 0.05)) {
      try waiting.call("never", timeout: 0.05)
    }
    #expect(try connection.call("quit") == true)
    #expect(throws: ClientError.closed) { try connection.nextEvent(timeout: 10) }
    thread.join()
  }

  @Test func oneTooManyIsToldWhy() throws {
    let folder = ScratchFolder()
    let thread = try serve(folder.socket, maxClients: 1)
    let first = try ControlConnection(path: folder.socket)
    _ = try first.call(ViewSet.self, ViewSetParams())
    let second = try ControlConnection(path: folder.socket)
    do {
      _ = try second.call("view.get")
      Issue.record("served")
    } catch {
      guard case .refused(let why) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(why.code == -32006)
    }
    #expect(try first.call("quit") == true)
    thread.join()
  }

  @Test(arguments: ["/nonexistent/s", "/dev/null", "/tmp"]) func noDaemonIsSaidSo(_ path: String) {
    do {
      _ = try ControlConnection(path: path)
      Issue.record("connected")
    } catch {
      guard case .noDaemon(path, _) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}

/// Hands a value that one thread makes and another one uses over between them.
private struct Transfer<Value>: @unchecked Sendable {  // used by one thread at a time
  let value: Value
  init(_ value: Value) { self.value = value }
}
