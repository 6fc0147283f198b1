import CBrotli
import CDeflate
import CZlib
import CZstd
import Glibc
import Platform

/// The compression of a pack's bytes, with PMTiles' numbers (PMTiles 3, section 3.3).
public enum PackCompression: UInt8, Sendable, CaseIterable {
  case unknown = 0
  case none = 1
  case gzip = 2
  case brotli = 3
  case zstd = 4
}

/// Decompression with a limit, so that a few bytes cannot fill the memory.
package enum Unpacking {
  /// Unpacks `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: The compressed data.
  ///   - compression: Their compression.
  ///   - limit: The most bytes to unpack to.
  /// - Returns: The unpacked bytes.
  /// - Throws: A fault if the data are damaged, cut off, or unpack to more than `limit` bytes, or
  ///   if there is no memory.
  package static func unpack(
    _ bytes: [UInt8], _ compression: PackCompression, limit: Int
  ) throws(PackFault) -> [UInt8] {
    if compression == .none, bytes.count <= limit { return bytes }
    let output = TileBytes()
    let result = bytes.withUnsafeBytes { input -> Result<Void, PackFault> in
      do throws(PackFault) {
        return .success(try unpack(input, compression, limit: limit, into: output))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    guard SpareMemory.has(output.count) else { throw PackFault.noMemory(output.count) }
    return [UInt8](output.bytes)
  }

  /// Unpacks `bytes` into `output`, which is empty.
  ///
  /// - Throws: A fault as `unpack(_:_:limit:)` does; `output` is then of no use.
  static func unpack(
    _ bytes: UnsafeRawBufferPointer, _ compression: PackCompression, limit: Int,
    into output: TileBytes
  ) throws(PackFault) {
    switch compression {
    case .none:
      guard bytes.count <= limit else { throw PackFault("is larger than \(limit) bytes") }
      guard let room = output.room(for: bytes.count) else { throw PackFault.noMemory(bytes.count) }
      room.copyMemory(from: bytes)
    case .unknown:
      throw PackFault("is compressed in a way that its header does not name")
    case .gzip: try gunzip(bytes, limit: limit, output)
    case .brotli: try unbrotli(bytes, limit: limit, output)
    case .zstd: try unzstd(bytes, limit: limit, output)
    }
  }

  /// The result of one call of a decoder.
  private enum Step {
    /// That many bytes were produced, and there may be more.
    case more(Int)
    case done(Int)
    case fault(String)
    /// The decoder was refused memory of its own.
    case noMemory
  }

  /// What a decoder lacks that has no memory for itself. It does not say how much.
  private static var noMemory: PackFault { PackFault.noMemory("for unpacking it") }

  /// The least room that a decoder is given, unless less is left of the limit.
  private static let chunk = 32 * 1024

  /// Calls `step` with room for output until it is done or has produced more than `limit` bytes.
  private static func collect(
    limit: Int, _ output: TileBytes, _ step: (UnsafeMutableBufferPointer<UInt8>) -> Step
  ) throws(PackFault) {
    while true {
      // A byte more than allowed shows whether there is more.
      let left = limit - output.count + 1
      let least = min(max(chunk, output.count), left)
      guard let tail = output.tail(output.capacity - output.count > 0 ? 1 : least) else {
        throw PackFault.noMemory(output.count + least)
      }
      let room = UnsafeMutableRawBufferPointer(rebasing: tail.prefix(min(left, 1 << 30)))
      let produced: Int
      let isDone: Bool
      switch step(room.bindMemory(to: UInt8.self)) {
      case .more(let count): (produced, isDone) = (count, false)
      case .done(let count): (produced, isDone) = (count, true)
      case .fault(let reason): throw PackFault(reason)
      case .noMemory: throw noMemory
      }
      guard produced < left else { throw PackFault("unpacks to more than \(limit) bytes") }
      output.count += produced
      if isDone { return output.fit() }
    }
  }

  /// Unpacks gzip data (RFC 1952), which may have several members.
  private static func gunzip(
    _ input: UnsafeRawBufferPointer, limit: Int, _ output: TileBytes
  ) throws(PackFault) {
    guard let count = UInt32(exactly: input.count),
      let start = input.bindMemory(to: UInt8.self).baseAddress
    else { throw PackFault("is empty where gzip data should be") }
    if try gunzipAtOnce(input, limit: limit, output) { return }
    // The stream must not move: zlib compares its address with that at initialisation.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    stream.pointee.zalloc = { _, count, size in
      SpareMemory.allocate(Int(count) &* Int(size))
    }
    stream.pointee.zfree = { _, memory in free(memory) }
    let gzipOnly: Int32 = 15 + 16
    let begun = inflateInit2_(
      stream, gzipOnly, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if begun == Z_MEM_ERROR { throw noMemory }
    guard begun == Z_OK else { throw PackFault("cannot be unpacked: zlib did not start") }
    defer { inflateEnd(stream) }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
    stream.pointee.avail_in = count
    try collect(limit: limit, output) { room in
      stream.pointee.next_out = room.baseAddress
      stream.pointee.avail_out = UInt32(room.count)
      let code = inflate(stream, Z_NO_FLUSH)
      let produced = room.count - Int(stream.pointee.avail_out)
      switch code {
      case Z_STREAM_END:
        let rest = Int(stream.pointee.avail_in)
        if rest >= 2, let next = stream.pointee.next_in, next[0] == 0x1f, next[1] == 0x8b,
          inflateReset(stream) == Z_OK
        {
          return .more(produced)
        }
        return .done(produced)
      case Z_OK where produced > 0 || stream.pointee.avail_in > 0:
        return .more(produced)
      case Z_OK, Z_BUF_ERROR:
        return .fault("holds gzip data that is cut off")
      case Z_MEM_ERROR: return .noMemory
      default:
        return .fault("holds damaged gzip data")
      }
    }
  }

  /// The most that a byte of deflated data can become.
  private static let mostPerByte = 1032

  /// Unpacks a single gzip member whose trailer states its true length. libdeflate takes half the
  /// time of zlib and needs the size in advance. False: it is something else; zlib unpacks it or
  /// reports what is wrong.
  private static func gunzipAtOnce(
    _ input: UnsafeRawBufferPointer, limit: Int, _ output: TileBytes
  ) throws(PackFault) -> Bool {
    guard input.count >= 18 else { return false }
    let size = input.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard size > 0, size <= limit, size / mostPerByte <= input.count,
      let inflater = libdeflate_alloc_decompressor()
    else { return false }
    defer { libdeflate_free_decompressor(inflater) }
    guard let room = output.tail(size) else { throw PackFault.noMemory(size) }
    var (taken, given) = (0, 0)
    let result = libdeflate_gzip_decompress_ex(
      inflater, input.baseAddress, input.count, room.baseAddress, size, &taken, &given)
    guard result == LIBDEFLATE_SUCCESS, taken == input.count, given == size else { return false }
    output.count = size
    return true
  }

  /// Unpacks brotli data (RFC 7932).
  private static func unbrotli(
    _ input: UnsafeRawBufferPointer, limit: Int, _ output: TileBytes
  ) throws(PackFault) {
    guard
      let decoder = BrotliDecoderCreateInstance(
        { _, count in SpareMemory.allocate(count) }, { _, memory in free(memory) }, nil)
    else { throw noMemory }
    defer { BrotliDecoderDestroyInstance(decoder) }
    var left = input.count
    var next = input.bindMemory(to: UInt8.self).baseAddress
    try collect(limit: limit, output) { room in
      var free = room.count
      var place = room.baseAddress
      let code = BrotliDecoderDecompressStream(decoder, &left, &next, &free, &place, nil)
      let produced = room.count - free
      switch code {
      case BROTLI_DECODER_RESULT_SUCCESS: return .done(produced)
      case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: return .more(produced)
      case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
        return .fault("holds brotli data that is cut off")
      case _ where isRefusal(BrotliDecoderGetErrorCode(decoder)): return .noMemory
      default: return .fault("holds damaged brotli data")
      }
    }
  }

  /// Whether the brotli decoder was refused memory (its errors ALLOC_..., decode.h).
  static func isRefusal(_ error: BrotliDecoderErrorCode) -> Bool {
    error.rawValue <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES.rawValue
      && error.rawValue >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES.rawValue
  }

  /// Whether a result of zstd's functions is its error memory_allocation.
  static func isRefusal(zstd result: Int) -> Bool {
    ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation
  }

  /// Whether a zstd frame, or one that is skipped, may begin at a place (RFC 8878, 3.1).
  ///
  /// Libraries may read frames of older versions, too, whose windows they do not limit.
  private static func isFrame(_ input: UnsafeRawBufferPointer, at place: Int) -> Bool {
    // What is cut off is found later.
    guard place + 4 <= input.count else { return true }
    let magic = UInt32(littleEndian: input.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    return magic == 0xFD2F_B528 || magic & 0xFFFF_FFF0 == 0x184D_2A50
  }

  /// Unpacks zstd data (RFC 8878). The window is limited to 16 MiB, since frames may ask for
  /// gigabytes.
  private static func unzstd(
    _ input: UnsafeRawBufferPointer, limit: Int, _ output: TileBytes
  ) throws(PackFault) {
    guard let decoder = ZSTD_createDCtx() else { throw noMemory }
    defer { ZSTD_freeDCtx(decoder) }
    guard ZSTD_isError(ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, 24)) == 0 else {
      throw PackFault("cannot be unpacked: the zstd decoder did not start")
    }
    var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    var beginsFrame = true
    try collect(limit: limit, output) { room in
      if beginsFrame, !isFrame(input, at: source.pos) {
        return .fault("holds data that is no zstd of RFC 8878")
      }
      var target = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
      let code = ZSTD_decompressStream(decoder, &target, &source)
      beginsFrame = code == 0
      if isRefusal(zstd: code) { return .noMemory }
      if ZSTD_isError(code) != 0 { return .fault("holds damaged zstd data") }
      if code == 0, source.pos == source.size { return .done(target.pos) }
      if target.pos == 0, source.pos == source.size {
        return .fault("holds zstd data that is cut off")
      }
      return .more(target.pos)
    }
  }
}
