import TestSupport
import Testing

@testable import Images

/// The two readers of PNG against each other: files of the project and made ones, changed by
/// chance.
@Suite struct PNGReaderComparisonTests {
  /// What is changed: small pictures of every kind that the quick reader takes.
  private static func seeds() throws -> [[PNGFile.Chunk]] {
    var files = DeflatedPNGTests.kinds.map { kind in
      PNGFile.noise(
        type: kind.type, depth: kind.depth, width: 9, height: 7, transparency: true, parts: 2
      ) { UInt8($0 % 5) }
    }
    for path in TestFile.all(below: TestData.fixtures + "/images") where path.hasSuffix(".png") {
      let file = try TestFile.bytes(path)
      if file.count < 8192 { files.append(file) }
    }
    return files.map(PNGFile.chunks).filter { !$0.isEmpty }
  }

  private static let names = [
    "IHDR", "PLTE", "tRNS", "IDAT", "IEND", "tEXt", "gAMA", "sBIT", "bKGD", "acTL", "caNv", "abCd",
    "ABCD", "ab1d",
  ]

  private static func change(_ chunks: inout [PNGFile.Chunk], _ random: inout SeededNumbers) {
    let at = Int.random(in: 0..<chunks.count, using: &random)
    func byte() -> UInt8 { UInt8.random(in: 0...255, using: &random) }
    let body = chunks[at].body
    switch Int.random(in: 0..<12, using: &random) {
    case 0 where chunks.count > 1: chunks.remove(at: at)
    case 1: chunks.insert(chunks[at], at: Int.random(in: 0...chunks.count, using: &random))
    case 2: chunks.swapAt(at, Int.random(in: 0..<chunks.count, using: &random))
    case 3: chunks[at].damage = 1 << UInt32.random(in: 0...31, using: &random)
    case 4: chunks[at].name = Array(names.randomElement(using: &random)!.utf8)
    case 5: chunks[at].body += (0..<Int.random(in: 1...9, using: &random)).map { _ in byte() }
    case 6: chunks[at].body = body.dropLast(Int.random(in: 1...9, using: &random))
    case 7:
      let count = Int.random(in: 0...800, using: &random)
      chunks.insert(
        PNGFile.Chunk(names.randomElement(using: &random)!, (0..<count).map { _ in byte() }), at: at
      )
    // The header's depth, colour type, methods and interlacing.
    case 8 where chunks[0].body.count == 13:
      let field = Int.random(in: 8...12, using: &random)
      chunks[0].body[field] = [0, 1, 2, 3, 4, 6, 8, 16].randomElement(using: &random)!
    // Its size, by little.
    case 9 where chunks[0].body.count == 13:
      chunks[0].body[[3, 7].randomElement(using: &random)!] = UInt8.random(
        in: 0...12, using: &random)
    default:
      guard !body.isEmpty else { return }
      let place = Int.random(in: 0..<body.count, using: &random)
      chunks[at].body[place] = byte()
    }
  }

  @Test func bothReadersDrawOrRefuseTheSameFiles() throws {
    let seeds = try Self.seeds()
    var taken = 0
    for round in 0..<Emulation.rounds(6000) {
      var random = SeededNumbers(UInt64(round))
      var chunks = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...3, using: &random) where !chunks.isEmpty {
        Self.change(&chunks, &random)
      }
      let file = PNGFile.bytes(chunks)
      let agree = PNGFile.readersAgree(on: file)
      #expect(agree, "round \(round): \(chunks.map(\.description).joined(separator: " "))")
      if file.withUnsafeBytes({ DeflatedPNG($0, memory: DeflatedPNG.Memory()) }) != nil {
        taken += 1
      }
    }
    // Both have something to say.
    #expect(taken > Emulation.rounds(200) && taken < Emulation.rounds(5800))
  }
}
