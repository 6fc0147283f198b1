import EventLoop

/// A requested line of the kernel, and the lines of the plan that it stands for. There may be two,
/// one given by offset and one by name.
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
