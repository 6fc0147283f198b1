import EventLoop

/// A line of the kernel's, and which lines of the plan it is: one may be given by its offset here
/// and its name there.
final class GPIORequest {
  let line: GPIOLine
  let offset: Int
  var ids: [Int]
  var debouncer: Debouncer
  var sequence: UInt32 = 0
  var watch: Watch?

  init(_ line: GPIOLine, offset: Int, id: Int, period: UInt64) {
    self.line = line
    self.offset = offset
    ids = [id]
    debouncer = Debouncer(period: period, level: line.value ?? false)
  }
}
