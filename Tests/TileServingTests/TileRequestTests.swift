import MapGeometry
import Testing
import TileSources

@testable import TileServing

@Test func aRequestIsReadAsTheProtocolHasIt() {
  #expect(
    TileRequest.parse("get 7 3 2 1 2")
      == .get(TileRequest(number: 7, tile: TileID(z: 3, x: 2, y: 1) ?? .world, scale: 2)))
  for line in ["hello", "", "stop 1", "GET 1 0 0 0 1"] {
    #expect(TileRequest.parse(line) == .unknown)
  }
  for line in [
    "get", "get 1 0 0 0", "get 0 0 0 0 1", "get 1 0 0 0 5", "get 1 0 1 0 1", "get 1 25 0 0 1",
    "get 1 0 0 0 1 1", "get x 0 0 0 1", "get 99999999999999999999 0 0 0 1", "get  1 0 0 0 1",
  ] {
    #expect(TileRequest.parse(line) == .malformed, "\(line)")
  }
}

@Test func anAnswerIsOneLineWhateverTheReason() {
  #expect(ProviderAnswer.none.bytes(for: 3) == Array("none 3\n".utf8))
  #expect(ProviderAnswer.later(9999).bytes(for: 3) == Array("later 3 3600\n".utf8))
  #expect(ProviderAnswer.tile([65]).bytes(for: 3) == Array("tile 3 1\nA".utf8))
  let long = ProviderAnswer.error("a\nb\r" + String(repeating: "x", count: 9000)).bytes(for: 3)
  #expect(long.count < 600)
  #expect(long.starts(with: Array("error 3 a b x".utf8)))
  #expect(long.filter { $0 == 10 }.count == 1)
}

@Test func aSourcesSocketHasANameOfItsOwn() {
  #expect(FetchSocket.name(for: "osm") == "osm.sock")
  #expect(FetchSocket.name(for: "a b/c") == "a%20b%2Fc.sock")
  #expect(FetchSocket.name(for: "..") == "%2E..sock")
  #expect(FetchSocket.name(for: "ä") == "%C3%A4.sock")
  let long = String(repeating: "ö", count: 50)
  #expect(FetchSocket.name(for: long).utf8.count <= 70)
  #expect(FetchSocket.name(for: long) != FetchSocket.name(for: long.dropLast() + "ü"))
}

@Test func aServerIsNamedWithoutWhatIsSecret() {
  #expect(SourceService.server(of: "https://A.example:81/x/1") == "https://a.example:81")
  #expect(SourceService.server(of: "http://me:word@a.example?k=1") == "http://a.example")
}
