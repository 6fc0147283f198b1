import EventLoop
import Glibc
import TestSupport
import Testing

@testable import TileServing

/// Who may connect, and when.
@Suite struct TileListenerTests {
  @Test func withoutDescriptorsItSleepsAndTriesAgain() throws {
    let folder = try TemporaryFolder()
    let loop = try EventLoop()
    var (tries, taken) = (0, 0)
    var pause: UInt64 = 3_600_000_000_000
    let listener = try TileListener(
      "a.sock", in: folder.path, loop: loop, pause: pause,
      take: { _ in
        tries += 1
        errno = EMFILE
        return -1
      }, accepted: { _ in taken += 1 })
    let client = LineSocket(folder["a.sock"])
    while loop.runOnce(timeout: 0), tries < 100 {}
    #expect(tries == 1)
    listener.end()
    client.hangUp()

    // When the pause is over, who waits is taken.
    (tries, pause) = (0, 1)
    let other = try TileListener(
      "b.sock", in: folder.path, loop: loop, pause: pause,
      take: { descriptor in
        tries += 1
        guard tries == 1 else { return accept(descriptor, nil, nil) }
        errno = EMFILE
        return -1
      },
      accepted: {
        taken += 1
        close($0)
      })
    let second = LineSocket(folder["b.sock"])
    let end = EventLoop.now() + 30_000_000_000
    while taken == 0, EventLoop.now() < end { loop.runOnce(timeout: 10_000_000) }
    #expect(taken == 1)
    second.hangUp()
    other.end()
  }
}
