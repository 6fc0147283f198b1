/// The 64-bit FNV-1a hash (Fowler, Noll and Vo; RFC 9923): a checksum against damage and a
/// signature of what was drawn. It guards against no attacker.
@frozen
public struct FNV1a: Equatable, Sendable {
  /// The hash of what was combined so far.
  public var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The hash of nothing.
  @inlinable
  public init() {}

  /// The hash of `bytes`.
  @inlinable
  public init(_ bytes: some Sequence<UInt8>) {
    self.init()
    for byte in bytes { combine(UInt64(byte)) }
  }

  /// Adds one word in a single step.
  ///
  /// - Parameter word: an octet, as FNV-1a has it, or a larger number, which then counts as one.
  @inlinable @inline(__always)
  public mutating func combine(_ word: UInt64) {
    value = (value ^ word) &* 0x100_0000_01b3
  }
}
