import Foundation
import TestSupport
import Testing

@testable import Images
@testable import Pixels

@Suite struct PNGEncodeTests {
  @Test(arguments: [0, 1, 6, 9])
  func whatIsWrittenIsReadBack(level: Int) throws {
    var random = Seeded(state: 9)
    // The unused byte is anything; rows are further apart than they are long.
    let (width, height, stride) = (37, 21, 40)
    let pixels = (0..<stride * height).map { _ in UInt32.random(in: 0...UInt32.max, using: &random)
    }
    let file = try pixels.withUnsafeBytes {
      try PNGWriter.encode(
        $0.baseAddress!, width: width, height: height, rowBytes: stride * 4, compression: level)
    }
    let back = try Picture(file)
    #expect(back.width == width && back.height == height && back.isOpaque)
    for y in 0..<height {
      for x in 0..<width {
        #expect(back.pixels[y * width + x] == pixels[y * stride + x] | 0xff00_0000)
      }
    }
  }

  @Test func pictureOf16384PixelsIsWrittenRowByRow() throws {
    var count = 0
    var head: [UInt8] = []
    let sink = PNGSink.closure { bytes in
      count += bytes.count
      if head.count < 33 { head += bytes }
      return true
    }
    let writer = try PNGWriter(width: 16384, height: 40, to: sink, compression: 1)
    let row = [UInt32](repeating: 0x0080_4020, count: 16384)
    for _ in 0..<40 {
      try row.withUnsafeBytes { try writer.writeRows($0.baseAddress!, rowBytes: 65536, count: 1) }
    }
    try writer.finish()
    #expect(Array(head[16..<24]) == [0, 0, 0x40, 0, 0, 0, 0, 40])
    #expect(count > 1000)
  }

  @Test(arguments: [(0, 1), (1, 0), (16385, 1), (1, 16385)])
  func sizeOutsideTheLimitIsAnError(width: Int, height: Int) {
    #expect(throws: ImageError.self) {
      _ = try PNGWriter(width: width, height: height, to: .closure { _ in true })
    }
  }

  @Test func sinkThatStopsIsAnErrorNowAndLater() throws {
    var left = 40  // the signature and the header fit
    let sink = PNGSink.closure { bytes in
      left -= bytes.count
      return left >= 0
    }
    let writer = try PNGWriter(width: 64, height: 64, to: sink, compression: 0)
    let pixels = [UInt32](repeating: 1, count: 64 * 64)
    for _ in 0..<2 {
      #expect(throws: ImageError("PNG: the bytes could not be written")) {
        try pixels.withUnsafeBytes {
          try writer.writeRows($0.baseAddress!, rowBytes: 256, count: 32)
          try writer.writeRows($0.baseAddress!, rowBytes: 256, count: 32)
          try writer.finish()
        }
      }
    }
    #expect(throws: ImageError.self) {
      _ = try PNGWriter(width: 1, height: 1, to: .closure { _ in false })
    }
  }

  @Test func rowsThatWereNeverWrittenAreAnError() throws {
    let writer = try PNGWriter(width: 4, height: 4, to: .closure { _ in true })
    #expect(throws: ImageError("PNG: 4 rows were never written")) { try writer.finish() }
  }

  @Test func fileDescriptorGetsTheSameBytes() throws {
    let path = NSTemporaryDirectory() + "waypost-png-\(getpid()).png"
    let descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
    #expect(descriptor >= 0)
    defer { unlink(path) }
    let pixels = [UInt32](repeating: 0x0012_3456, count: 300 * 200)
    let whole = try pixels.withUnsafeBytes { raw in
      let writer = try PNGWriter(width: 300, height: 200, to: .fileDescriptor(descriptor))
      try writer.writeRows(raw.baseAddress!, rowBytes: 1200, count: 200)
      try writer.finish()
      return try PNGWriter.encode(raw.baseAddress!, width: 300, height: 200, rowBytes: 1200)
    }
    close(descriptor)
    let isSame = try TestFile.bytes(path) == whole
    #expect(isSame)
  }
}
