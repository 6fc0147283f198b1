import Testing

@testable import TileSources

/// Gzip data whose end says how long they are, truly or not.
@Suite struct GunzipTests {
  private let bytes = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }

  private func unpacked(_ data: [UInt8], limit: Int = 1 << 20) -> [UInt8]? {
    do throws(PackFault) {
      return try Unpacking.unpack(data, .gzip, limit: limit)
    } catch {
      return nil
    }
  }

  @Test func aMemberIsUnpacked() {
    #expect(unpacked(gzipStored(bytes)) == bytes)
    #expect(unpacked(gzipStored([])) == [])
  }

  @Test func severalMembersFollowEachOther() {
    let two = gzipStored(bytes) + gzipStored([1, 2, 3])
    #expect(unpacked(two) == bytes + [1, 2, 3])
    // The last member is as long as both.
    let alike = gzipStored([7, 8, 9]) + gzipStored([1, 2, 3])
    #expect(unpacked(alike) == [7, 8, 9, 1, 2, 3])
  }

  @Test func theLimitHolds() {
    let data = gzipStored(bytes)
    #expect(unpacked(data, limit: 9000) == bytes)
    #expect(unpacked(data, limit: 8999) == nil)
  }

  @Test(arguments: [0, 1, 8999, 9001, 1 << 20, Int(UInt32.max)])
  func aFalseLengthIsDamage(length: Int) {
    var data = gzipStored(bytes)
    for n in 0..<4 { data[data.count - 4 + n] = UInt8(truncatingIfNeeded: length >> (8 * n)) }
    #expect(unpacked(data) == nil)
    #expect(unpacked(data, limit: Int(UInt32.max)) == nil)
  }

  @Test func aChangedByteIsDamage() {
    var data = gzipStored(bytes)
    data[500] ^= 1
    #expect(unpacked(data) == nil)
  }
}
