import CBrotli
import CSQLite
import Platform
import Testing
import TileFormats

@testable import TileSources

private let twenty = (0..<20).map { UInt8($0) }

/// Packed tiles for which the system has no memory.
@Suite struct UnpackingMemoryTests {
  private final class Reader {
    var buffer = TileBuffer()

    func payload() throws(PackFault) -> TilePayload {
      try buffer.payload(unpacking: StoredTile.Encoding(compression: .gzip))
    }
  }

  private func fault(_ bytes: [UInt8], _ compression: PackCompression) -> PackFault? {
    do throws(PackFault) {
      _ = try Unpacking.unpack(bytes, compression, limit: 1 << 20)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    (PackCompression.gzip, gzipStored(twenty)), (.gzip, gzipStored(twenty) + gzipStored([1])),
    (.brotli, brotliStored(twenty)), (.zstd, zstdStored(twenty)),
  ])
  func whatIsUnpackedIsAFaultThatMayPass(compression: PackCompression, bytes: [UInt8]) {
    #expect(fault(bytes, compression) == nil)
    let refused = SpareMemory.$most.withValue(19) { fault(bytes, compression) }
    #expect(refused?.lacksMemory == true)
    #expect(refused?.isTransient == true)
    #expect(refused?.reason.contains("no memory") == true)
  }

  /// The decoders ask for memory of their own: a state at first, and a window later.
  @Test(arguments: [
    (PackCompression.gzip, gzipStored(twenty) + gzipStored([1]), 1000),
    (.gzip, gzipStored(twenty) + gzipStored([1]), 20_000), (.brotli, brotliStored(twenty), 1000),
  ])
  func aDecoderWithoutMemoryIsNoDamage(
    compression: PackCompression, bytes: [UInt8], most: Int
  ) {
    var refused: PackFault?
    SpareMemory.$most.withValue(most) {
      do throws(PackFault) {
        _ = try Unpacking.unpack(bytes, compression, limit: 900)
      } catch {
        refused = error
      }
    }
    #expect(refused?.lacksMemory == true && refused?.isTransient == true)
    #expect(refused?.reason.contains("for unpacking it") == true)
  }

  @Test func theDecodersErrorsOfMemoryAreToldFromThoseOfDamage() {
    #expect(Unpacking.isRefusal(BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES))
    #expect(Unpacking.isRefusal(BROTLI_DECODER_ERROR_ALLOC_RING_BUFFER_1))
    #expect(Unpacking.isRefusal(BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES))
    #expect(!Unpacking.isRefusal(BROTLI_DECODER_ERROR_FORMAT_PADDING_1))
    #expect(!Unpacking.isRefusal(BROTLI_DECODER_ERROR_UNREACHABLE))
    // zstd.h: errors are negative numbers of zstd_errors.h.
    #expect(Unpacking.isRefusal(zstd: -64))
    #expect(!Unpacking.isRefusal(zstd: -20) && !Unpacking.isRefusal(zstd: 0))
  }

  @Test func sqliteWithoutMemoryIsNoDamage() {
    let little: Int64 = 1 << 20
    #expect(SQLiteFile.refusal(SQLITE_NOMEM, heap: little)?.lacksMemory == true)
    #expect(SQLiteFile.refusal(SQLITE_IOERR | 12 << 8, heap: little)?.lacksMemory == true)
    #expect(SQLiteFile.refusal(SQLITE_IOERR, heap: little) == nil)
    #expect(SQLiteFile.refusal(SQLITE_CORRUPT, heap: little) == nil)
    // Its own limit, which a hostile view meets.
    #expect(SQLiteFile.refusal(SQLITE_NOMEM, heap: 60 << 20) == nil)
  }

  @Test func aConnectionThatWasLostForLackOfMemorySaysSo() {
    let fault = ProviderLink.passing(PackFault.noMemory(5))
    #expect(fault.lacksMemory && fault.isTransient)
    let other = ProviderLink.passing(PackFault("sent nonsense"))
    #expect(!other.lacksMemory && other.isTransient)
  }

  @Test func whatGrowsIsWholeOrAFault() {
    let part = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    let bytes = gzipStored(part) + gzipStored(part) + gzipStored(part)
    let unpacked = try? Unpacking.unpack(bytes, .gzip, limit: 1 << 20)
    #expect(unpacked == part + part + part)
    let limited = try? Unpacking.unpack(bytes, .gzip, limit: 180_000)
    #expect(limited == part + part + part)
    let less = try? Unpacking.unpack(bytes, .gzip, limit: 179_999)
    #expect(less == nil)
    for most in [70_000, 150_000] {
      let refused = SpareMemory.$most.withValue(most) { fault(bytes, .gzip) }
      #expect(refused?.lacksMemory == true)
    }
  }

  @Test func aTilesErrorTellsThatMemoryWasLacking() throws {
    let reader = Reader()
    reader.buffer.set(gzipStored(twenty))
    let fault = SpareMemory.$most.withValue(19) { () -> PackFault? in
      do throws(PackFault) {
        _ = try reader.payload()
        return nil
      } catch {
        return error
      }
    }
    let refused = try #require(fault)
    let error = TileError(refused, file: "a", tile: .world)
    #expect(error.lacksMemory && error.isTransient)
    // The packed bytes are still there, and the memory may be later.
    let payload = try reader.payload()
    #expect([UInt8](payload.bytes) == twenty)
  }

  @Test func aLargeDirectoryIsAFault() {
    // 4,000 entries: the first tile and then each next one, one tile of one byte each.
    let count = 4000
    var bytes: [UInt8] = [UInt8(count & 0x7f | 0x80), UInt8(count >> 7)]
    bytes += [UInt8](repeating: 1, count: 4 * count)
    let whole = try? PMTilesDirectory(bytes)
    #expect(whole?.entries.count == count)
    var fault: PackFault?
    SpareMemory.$most.withValue(10_000) {
      do throws(PackFault) { _ = try PMTilesDirectory(bytes) } catch { fault = error }
    }
    #expect(fault?.lacksMemory == true)
  }

  @Test func framesOfOlderVersionsOfZstdAreRefusedWhereverTheyBegin() throws {
    let text = [UInt8]("waypost".utf8)
    // A block that is not compressed, and one that is skipped (RFC 8878, 3.1).
    var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 7, 0x39, 0, 0]
    frame += text
    let skipped: [UInt8] = [0x5A, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 1, 2]
    #expect(try Unpacking.unpack(frame, .zstd, limit: 64) == text)
    #expect(try Unpacking.unpack(frame + skipped + frame, .zstd, limit: 64) == text + text)
    // Libraries may read these (zstd 0.5 to 0.7), with windows of any size.
    for version in UInt8(0x25)...0x27 {
      let old: [UInt8] = [version, 0xB5, 0x2F, 0xFD, 0x4F, 0x4F, 0x4F, 0x4F, 0x4F, 0x4F]
      for bytes in [old, frame + old, frame + skipped + old] {
        #expect(fault(bytes, .zstd)?.reason.contains("no zstd of RFC 8878") == true)
      }
    }
  }
}
