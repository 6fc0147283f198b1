import CLinux
import Control
import EventLoop
import Images
import Kiosk

/// Makes screenshots without blocking the loop: the loop copies the frame, and a worker encodes the
/// copy.
///
/// Requests are served one at a time, in order, and the frame is copied when a request's turn
/// comes, so there is never more than one copy. A client has at most one request in the queue. A
/// request whose client has gone is dropped.
///
/// Belongs to the loop's thread.
final class ScreenshotQueue {
  typealias Reply = ControlReply<Screenshot>
  typealias Encoding = @Sendable (FrameCopy) -> Result<EncodedPicture, ImageError>

  /// Encoding has a lower priority than the loop and the decode threads, which feed the screen.
  private static let niceness: Int32 = 15

  private let copy: () -> FrameCopy?
  private let encode: Encoding
  private let worker: Worker
  private var waiting: [Reply] = []
  /// Bytes of the copy that is being encoded; 0: none is.
  private(set) var bytes = 0

  /// - Parameters:
  ///   - loop: the loop that replies belong to.
  ///   - copy: copies the last frame presented; nil if the display cannot be read.
  ///   - encode: encodes a copy, on a thread of its own.
  init(
    loop: EventLoop, copy: @escaping () -> FrameCopy?, encode: @escaping Encoding = { $0.encode() }
  ) {
    self.copy = copy
    self.encode = encode
    worker = Worker("screenshot", loop: loop, capacity: 1)
  }

  /// Queues a request; `reply` is answered with a picture of the display in its turn.
  func add(_ reply: Reply) {
    guard reply.isAwaited else { return reply.fail(.broken("nobody waits for the screenshot")) }
    waiting.append(reply)
    startNext()
  }

  private func startNext() {
    waiting.removeAll { !$0.isAwaited }
    guard bytes == 0, !waiting.isEmpty else { return }
    let reply = waiting.removeFirst()
    guard let frame = copy() else {
      reply.fail(.broken("the display's frame cannot be read back"))
      return startNext()
    }
    let isTaken = worker.post(
      { [encode] in
        waypost_yield_thread(ScreenshotQueue.niceness)
        return encode(frame)
      }, then: { [weak self] in self?.finish(reply, $0) })
    if isTaken {
      bytes = frame.bytes
    } else {
      reply.fail(.broken("the picture could not be made: there is no room for another thread"))
      startNext()
    }
  }

  private func finish(_ reply: Reply, _ made: Result<EncodedPicture, ImageError>) {
    bytes = 0
    switch made {
    case .success(let picture):
      reply.succeed(
        ScreenshotResult(
          width: picture.width, height: picture.height, frame: picture.frame,
          base64: picture.base64))
    case .failure(let error): reply.fail(.broken("the picture could not be made: \(error)"))
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
