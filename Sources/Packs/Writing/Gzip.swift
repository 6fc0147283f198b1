import CDeflate

/// Gzip data (RFC 1952), made by libdeflate without a name or a time: the same bytes in give the
/// same bytes out.
package enum Gzip {
  /// `bytes` compressed.
  package static func compress(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    // Level 6 is what the field's tools take.
    guard let compressor = libdeflate_alloc_compressor(6) else { return stored(bytes) }
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_gzip_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { room, count in
      // An empty buffer may have no address, which libdeflate does not read then.
      count = libdeflate_gzip_compress(
        compressor, bytes.baseAddress, bytes.count, room.baseAddress, bound)
    }
  }

  /// `bytes` compressed.
  package static func compress(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes(compress) }

  /// Gzip data that compresses nothing, for want of memory (RFC 1951, section 3.2.4).
  private static func stored(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var out: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    var rest = bytes[...]
    repeat {
      let part = rest.prefix(65535)
      rest = rest.dropFirst(part.count)
      let count = UInt16(part.count)
      out.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] { out += [UInt8(number & 255), UInt8(number >> 8)] }
      out += part
    } while !rest.isEmpty
    let sum = libdeflate_crc32(0, bytes.baseAddress, bytes.count)
    for number in [sum, UInt32(truncatingIfNeeded: bytes.count)] {
      for shift in [0, 8, 16, 24] as [UInt32] { out.append(UInt8(number >> shift & 255)) }
    }
    return out
  }
}
