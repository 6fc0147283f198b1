import EventLoop
import Testing

@testable import Displays

@Test func onlyVirtualTerminalsCount() {
  #expect(Console.terminal(device: 4 << 8 | 1) == 1)
  #expect(Console.terminal(device: 4 << 8 | 63) == 63)
  // /dev/tty0 is whichever is shown; ttyS0, a pseudo-terminal, /dev/tty, /dev/console.
  for device: UInt32 in [4 << 8, 4 << 8 | 64, 136 << 8 | 1, 5 << 8, 5 << 8 | 1] {
    #expect(Console.terminal(device: device) == nil)
  }
}
