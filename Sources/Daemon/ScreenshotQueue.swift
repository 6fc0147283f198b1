import CLinux
import Control
import EventLoop
import Images
import Kiosk
import Platform
import Synchronization

/// Makes screenshots without blocking the loop: the loop copies the frame, and a separate thread
/// encodes the copy.
///
/// Requests are served one at a time, in order, and the frame is copied when a request's turn
/// comes, so there is never more than one copy. A client has at most one request in the queue. A
/// request whose client has gone is dropped.
///
/// Belongs to the loop's thread.
final class ScreenshotQueue {
  typealias Reply = ControlReply<Screenshot>
  typealias Encoding = @Sendable (FrameCopy) -> Result<EncodedPicture, ImageError>

  /// What the encoding thread hands over.
  private final class Outcome: Sendable {
    let result = Mutex<Result<EncodedPicture, ImageError>?>(nil)
  }

  private let copy: () -> FrameCopy?
  private let encode: Encoding
  private var waiting: [Reply] = []
  private var current: Reply?
  private let outcome = Outcome()
  private var waker: Waker?

  /// - Parameters:
  ///   - loop: the loop that replies belong to.
  ///   - copy: copies the last frame presented; nil where the display cannot be read.
  ///   - encode: encodes a copy, on a thread of its own.
  /// - Throws: where the kernel has no descriptor for the wake-up.
  init(
    loop: EventLoop, copy: @escaping () -> FrameCopy?, encode: @escaping Encoding = { $0.encode() }
  ) throws(SystemError) {
    self.copy = copy
    self.encode = encode
    waker = try loop.waker { [weak self] in self?.finish() }
  }

  /// Bytes of the copy that is being encoded.
  private(set) var bytes = 0

  /// Queues a request; `reply` is answered with a picture of the display in its turn.
  func add(_ reply: Reply) {
    guard reply.isAwaited else { return reply.fail(.broken("nobody waits for the screenshot")) }
    waiting.append(reply)
    startNext()
  }

  private func startNext() {
    waiting.removeAll { !$0.isAwaited }
    guard current == nil, !waiting.isEmpty else { return }
    let reply = waiting.removeFirst()
    guard let frame = copy() else {
      reply.fail(.broken("the display's frame cannot be read back"))
      return startNext()
    }
    current = reply
    bytes = frame.bytes
    guard let waker else { return }
    let encodes = startThread(named: "screenshot") { [outcome, encode] in
      waypost_yield_thread(ScreenshotQueue.niceness)
      let made = encode(frame)
      outcome.result.withLock { $0 = made }
      waker.wake()
    }
    if !encodes {
      outcome.result.withLock { $0 = .failure(ImageError("there is no room for another thread")) }
      waker.wake()
    }
  }

  /// Encoding has a lower priority than the loop and the decode threads, which feed the screen.
  private static let niceness: Int32 = 15

  private func finish() {
    guard let made = outcome.result.withLock({ $0.take() }) else { return }
    bytes = 0
    if let reply = current {
      current = nil
      switch made {
      case .success(let picture):
        reply.succeed(
          ScreenshotResult(
            width: picture.width, height: picture.height, frame: picture.frame,
            base64: picture.base64))
      case .failure(let error): reply.fail(.broken("the picture could not be made: \(error)"))
      }
    }
    startNext()
  }
}

/// A screenshot as it goes over the wire.
struct EncodedPicture: Sendable {
  let width, height, frame: Int
  /// A PNG file in base64.
  let base64: String
}

extension FrameCopy {
  /// Encodes the copy as PNG in base64, on any thread.
  func encode() -> Result<EncodedPicture, ImageError> {
    do throws(ImageError) {
      let picture = try png()
      return .success(
        EncodedPicture(
          width: picture.width, height: picture.height, frame: picture.frame,
          base64: Base64.encode(picture.png)))
    } catch {
      return .failure(error)
    }
  }
}
