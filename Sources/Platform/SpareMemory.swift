import CLinux
import Glibc

/// Memory that the system may refuse.
///
/// Swift's arrays end the program when memory runs out. Whatever untrusted input can make large is
/// allocated here, or checked here before an array takes it, so that only one tile fails.
package enum SpareMemory {
  /// The largest allocation that is granted; lowered in tests, which cannot force a refusal
  /// otherwise.
  @TaskLocal package static var most = Int.max

  /// Smaller sizes are not checked first: every tile needs about this much anyway.
  package static let small = 32 << 10

  /// Memory of `count` bytes, to be freed with `free`; nil: there is none.
  package static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    guard count >= 0, count <= most else { return nil }
    return malloc(max(count, 1))
  }

  /// `memory` with `count` bytes, to be freed with `free`; nil: there is none, and `memory` stays.
  package static func reallocate(
    _ memory: UnsafeMutableRawPointer?, _ count: Int
  ) -> UnsafeMutableRawPointer? {
    guard count >= 0, count <= most else { return nil }
    return realloc(memory, max(count, 1))
  }

  /// Whether an array may take `count` bytes now. Allocates and frees them; the array allocates
  /// them again.
  package static func has(_ count: Int) -> Bool {
    count < small || (count <= most && waypost_has_memory(count))
  }

  /// Bytes before the elements of an array.
  private static let header = 32

  /// Whether there is memory for an array of `count` elements of `bytes` bytes each; false if the
  /// total overflows.
  package static func has(_ count: Int, of bytes: Int) -> Bool {
    let (elements, overflow) = count.multipliedReportingOverflow(by: bytes)
    let (all, isTooMuch) = elements.addingReportingOverflow(header)
    return !overflow && !isTooMuch && has(all)
  }

  /// Whether there is memory for a hash table of `capacity` elements, `bytes` bytes each, to grow:
  /// to twice its slots, of which at most three quarters are used.
  fileprivate static func hasTable(_ capacity: Int, of bytes: Int) -> Bool {
    has(3 * capacity, of: bytes)
  }
}

extension Array {
  /// Whether there is memory for `count` more elements. If the array must grow, it doubles its
  /// capacity, or takes what it needs if that is more.
  package func hasMemory(forMore count: Int = 1) -> Bool {
    let (needed, isTooMuch) = self.count.addingReportingOverflow(count)
    if isTooMuch { return false }
    if needed <= capacity { return true }
    return SpareMemory.has(Swift.max(2 * capacity, needed), of: MemoryLayout<Element>.stride)
  }
}

extension Set {
  /// Whether there is memory for one more element, if that makes the set grow.
  package func hasMemory() -> Bool {
    count < capacity || SpareMemory.hasTable(capacity, of: MemoryLayout<Element>.stride)
  }
}

extension Dictionary {
  /// Whether there is memory for one more value, if that makes the dictionary grow.
  package func hasMemory() -> Bool {
    let bytes = MemoryLayout<Key>.stride + MemoryLayout<Value>.stride
    return count < capacity || SpareMemory.hasTable(capacity, of: bytes)
  }
}
