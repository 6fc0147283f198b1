import CLinux
import EventLoop
import Glibc
import Platform

/// Serves JSON-RPC 2.0 on a Unix stream socket: one request object or batch array a line, one
/// answer line each, in order per connection.
///
/// Each client has bounded buffers. Its socket is not read while one of its calls is unanswered or
/// more than 1 MiB of output is queued for it. Large answers are refused while more than
/// `queueLimit` bytes are queued for all clients together. No client can block the loop: one that
/// keeps it busy for more than 2 ms goes behind the others.
///
/// Belongs to the loop's thread.
public final class ControlServer {
  /// The server's figures, for `stats`.
  public struct Stats: Equatable, Sendable {
    /// The number of connected clients.
    public let clients: Int
    /// How many clients may be connected.
    public let maxClients: Int
    /// Bytes of answers and events that clients have not read yet.
    public let queuedBytes: Int
  }

  /// What happened to a client, for the log.
  public enum PeerEvent: Sendable {
    /// It connected.
    case connected(PeerCredentials)
    /// There were too many, so its connection was closed.
    case turnedAway(PeerCredentials)
    /// A call was refused, because this client is not allowed to make it.
    case refused(PeerCredentials, ControlError)
  }

  /// The most bytes of a request's line.
  public static let lineLimit = LineBuffer.limit
  /// While more bytes than these wait for all clients, answers of more than 64 KiB are refused, but
  /// not to root and the daemon's own user.
  public static let queueLimit = 16 << 20
  /// How many more clients may be connected if they are root's or the daemon's own user's: others
  /// cannot lock them out.
  public static let reserve = 2

  /// Called with what happens to clients, on the loop.
  public var onPeer: ((PeerEvent) -> Void)?

  private let loop: EventLoop
  private let listener: ControlListener
  private let maxClients: Int
  private let isTrusted: (PeerCredentials) -> Bool
  let handler: (ControlCall) -> Void
  /// Room for one read, shared by all connections.
  let scratch: UnsafeMutableRawBufferPointer
  private var connections: [ServerConnection] = []
  private var waiting: [ServerConnection] = []
  private var watch: Watch?
  private var resumeTimer: LoopTimer?
  private var acceptTimer: LoopTimer?

  /// Serves on `listener` until `close()`. The handler is called on the loop for each call and
  /// answers it then or later. It must answer unknown methods with `ControlError.method`.
  ///
  /// - Throws: `SystemError` if the loop cannot watch the listener.
  public init(
    loop: EventLoop, listener: ControlListener, maxClients: Int = 32,
    isTrusted: @escaping (PeerCredentials) -> Bool = { $0.isTrusted },
    handler: @escaping (ControlCall) -> Void
  ) throws(SystemError) {
    self.isTrusted = isTrusted
    self.loop = loop
    self.listener = listener
    self.maxClients = maxClients
    self.handler = handler
    scratch = .allocate(byteCount: LineBuffer.limit, alignment: 16)
    resumeTimer = loop.timer { [unowned self] in self.resumeWaiting() }
    acceptTimer = loop.timer { [unowned self] in self.watch?.interest = .readable }
    watch = try loop.watch(listener.fd, .readable) { [unowned self] _ in self.accept() }
  }

  /// Serves the methods of `routes` on `listener` until `close()`.
  ///
  /// - Throws: `SystemError` if the loop cannot watch the listener.
  public convenience init(
    loop: EventLoop, listener: ControlListener, maxClients: Int = 32, routes: Routes
  ) throws(SystemError) {
    try self.init(loop: loop, listener: listener, maxClients: maxClients) { routes.handle($0) }
  }

  deinit {
    close()
    scratch.deallocate()
  }

  /// The figures at this moment.
  public var stats: Stats {
    Stats(clients: connections.count, maxClients: maxClients, queuedBytes: queuedBytes)
  }

  /// Whether `answer` may be queued for `peer`.
  func hasRoom(for answer: [UInt8], _ peer: PeerCredentials) -> Bool {
    answer.count <= OutputQueue.smallAnswer || queuedBytes <= Self.queueLimit || isTrusted(peer)
  }

  private var queuedBytes: Int { connections.reduce(0) { $0 + $1.queuedBytes } }

  /// Sends an event to the clients that subscribed to it. `make` returns its members and is called
  /// only if there are any. Never blocks: a client that does not read its events loses them, and
  /// once it reads again an `overflow` event says how many.
  public func publish(_ type: EventType, _ make: () -> JSON) {
    var line: [UInt8]?
    for connection in connections where connection.client.subscriptions.contains(type) {
      let bytes = line ?? Wire.event(type.rawValue, make())
      line = bytes
      connection.send(event: bytes)
    }
  }

  /// Ends every connection, cancels unanswered calls, and removes the socket file unless it was
  /// replaced meanwhile.
  public func close() {
    watch?.cancel()
    watch = nil
    resumeTimer?.cancel()
    acceptTimer?.cancel()
    listener.close()
    let ended = connections
    connections = []
    waiting = []
    for connection in ended { connection.end() }
  }

  // MARK: Connections

  private func accept() {
    // A few at a time, so that a storm of connections does not delay the frame.
    for _ in 0..<16 {
      let fd = listener.accept()
      if fd < 0 {
        switch errno {
        case EAGAIN: return
        case ECONNABORTED, EINTR: continue
        default: return pauseAccepting()
        }
      }
      let peer = PeerCredentials(of: fd)
      guard connections.count < maxClients + (isTrusted(peer) ? Self.reserve : 0) else {
        refuse(fd)
        continue
      }
      let connection = ServerConnection(fd, server: self)
      do throws(SystemError) {
        try connection.start(on: loop)
        connections.append(connection)
        onPeer?(.connected(connection.client.peer))
      } catch {
        // The kernel is out of memory; the client sees the end of file.
        return pauseAccepting()
      }
    }
  }

  /// The process is out of descriptors or memory. The listener stays readable, so it is paused for
  /// a while to avoid a busy loop.
  private func pauseAccepting() {
    watch?.interest = []
    acceptTimer?.arm(after: 250_000_000)
  }

  private func refuse(_ fd: Int32) {
    onPeer?(.turnedAway(PeerCredentials(of: fd)))
    var output = OutputQueue()
    let error = ControlError(
      code: ControlError.tooManyClients,
      message:
        "\(maxClients) clients are connected already, and control.max_clients allows no more",
      data: ["max_clients": .int(Int64(maxClients))])
    output.append(line: Wire.error(error, id: .null))
    _ = recv(fd, scratch.baseAddress, scratch.count, Int32(MSG_DONTWAIT))
    _ = output.send(to: fd)
    Glibc.close(fd)
  }

  func forget(_ connection: ServerConnection) {
    connections.removeAll { $0 === connection }
    waiting.removeAll { $0 === connection }
  }

  /// Resumes the connection at the loop's next wake-up.
  func resume(_ connection: ServerConnection) {
    if !waiting.contains(where: { $0 === connection }) { waiting.append(connection) }
    resumeTimer?.arm(at: 0)
  }

  private func resumeWaiting() {
    let ready = waiting
    waiting.removeAll(keepingCapacity: true)
    for connection in ready { connection.advance() }
  }
}
