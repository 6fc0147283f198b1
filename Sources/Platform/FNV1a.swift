/// The 64-bit FNV-1a hash (Fowler, Noll and Vo; RFC 9923): a checksum against damage, and a
/// signature of what was drawn. It does not guard against attackers.
@frozen
public struct FNV1a: Equatable, Sendable {
  /// The hash of everything combined so far; at first the offset basis.
  public var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Creates the hash of nothing.
  @inlinable
  public init() {}

  /// The hash of `bytes`.
  @inlinable
  public init(_ bytes: some Sequence<UInt8>) {
    self.init()
    for byte in bytes { combine(UInt64(byte)) }
  }

  /// Adds a number in one step.
  ///
  /// - Parameter word: a byte, as in FNV-1a, or a larger number, which is added as a whole.
  @inlinable @inline(__always)
  public mutating func combine(_ word: UInt64) {
    value = (value ^ word) &* 0x100_0000_01b3
  }
}
