import CLinux
import Glibc
import Platform
import RangeWire

@testable import Control
@testable import Inputs
@testable import Kiosk
@testable import TileServing
@testable import TileSources

/// What other programs say: clients of the socket, gpsd, providers, waypost-fetch and its clients;
/// and the state file, which a power cut or a worn card may have changed. A request line has at
/// most 64 KiB, gpsd's 32 KiB, a provider's 4 KiB, the state file 16 MiB.
extension FuzzTarget {
  static let lines: [FuzzTarget] = [
    FuzzTarget(
      "rpc", of: ["Control", "Kiosk/Commands/SocketTable.swift"], longest: 8192, mebibytes: 32
    ) { bytes in
      var input = LineBuffer()
      let half = bytes.count / 2
      for part in [bytes[..<half], bytes[half...]] {
        input.append(UnsafeRawBufferPointer(rebasing: part))
        try requests(&input, atEnd: false)
        input.compact()
      }
      try requests(&input, atEnd: true)
    },
    FuzzTarget("gpsd", of: ["Inputs/GPSD"], longest: 8192, mebibytes: 16) { bytes in
      var reports: [[GPSDReport?]] = []
      for size in [7, max(bytes.count, 1)] {
        var lines = GPSDLines()
        var found: [GPSDReport?] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
          let chunk = bytes[start..<min(start + size, bytes.count)]
          lines.take(UnsafeRawBufferPointer(rebasing: chunk)) { found.append(GPSDReport(line: $0)) }
        }
        reports.append(found)
      }
      try promise(reports[0] == reports[1], "reports depend on how the lines arrive")
      for case .position(_, let fix?)? in reports[0] {
        try promise(abs(fix.place.lat) <= 90 && abs(fix.place.lon) <= 180, "\(fix.place)")
        try promise(fix.heading.map { (0..<360).contains($0) } ?? true, "a heading of 360 degrees")
      }
    },
    FuzzTarget("state", of: ["Kiosk/State", "Control/JSON"], mebibytes: 64) { bytes in
      _ = StateFile.state(of: [UInt8](bytes))
      guard let json = try? JSON.parse(bytes), let state = SavedState(json) else { return }
      let (file, _) = state.file()
      let read = StateFile.state(of: file)
      try promise(read == state, "a state is not what it was when it is read again")
      for table in state.added { _ = state.isTrusted(source: table) }
      for table in state.addedOverlays { _ = state.isTrusted(overlay: table) }
      for table in state.markers { _ = try? SocketTable.marker(table) }
      for table in state.notices { _ = try? SocketTable.notice(table) }
      try promise(
        state.file(limit: 2048).bytes.count <= max(2048, state.withoutLists),
        "a file over its limit")
    },
    // Whether there is memory for four times the largest tile is asked before one arrives.
    FuzzTarget("provider", of: ["TileSources/Providers"], mebibytes: 72) { bytes in
      guard let connection = Dialogue(saying: bytes)?.connection else { return }
      do throws(PackFault) {
        let info = try connection.greeting().info
        if info.minZoom > info.maxZoom { return }
        while true {
          while let (message, bytes) = try connection.next() {
            if case .tile(_, let count) = message, bytes.count != count { return }
          }
          try connection.receive()
        }
      } catch {}
    },
    FuzzTarget(
      "fetch",
      of: ["RangeWire", "TileServing/TileRequest.swift", "TileServing/Archives/ArchiveInfo.swift"]
    ) { bytes in
      for part in bytes.split(separator: UInt8(ascii: "\n")) {
        let line = String(decoding: part, as: UTF8.self)
        _ = TileRequest.parse(line)
        if let question = RangeQuestion(line: line) {
          try promise(RangeQuestion(line: bare(question.line)) == question, "\(question)")
        }
        if let question = TileQuestion(line: line) {
          try promise(TileQuestion(line: bare(question.line)) == question, "\(question)")
        }
        if let reply = RangeReply(line: line) {
          try promise(RangeReply(line: bare(reply.line)) != nil, "\(reply)")
        }
        if let reply = TileReply(line: line) {
          try promise(TileReply(line: bare(reply.line)) != nil, "\(reply)")
        }
      }
      if let info = ArchiveInfo(String(decoding: bytes, as: UTF8.self)) {
        try promise(ArchiveInfo(info.text) != nil, "an archive's text is not read again")
      }
    },
  ]

  /// A line without its end, which may be one character together with the byte before it.
  private static func bare(_ line: String) -> String {
    String(decoding: line.utf8.dropLast(), as: UTF8.self)
  }

  // MARK: Requests

  private static func requests(_ input: inout LineBuffer, atEnd: Bool) throws {
    while true {
      guard case .line(let range) = input.next(atEnd: atEnd) else { return }
      let line = input.bytes[range]
      guard let json = try? JSON.parse(Array(line)) else { continue }
      try promise((try? JSON.parse(json.text)) == json, "JSON is not what it was: \(json.text)")
      var all = [json]
      if case .array(let batch) = json { all = batch }
      let texts = RequestID.numberTexts(in: line)
      try promise(
        texts.count == all.count || all.isEmpty || json.object == nil && json.array == nil,
        "\(texts.count) ids of \(all.count) requests")
      for (request, text) in zip(all, texts) { try carryOut(request, text) }
    }
  }

  private static func carryOut(_ json: JSON, _ text: String?) throws {
    guard let request = try? Request(json, numberText: text) else { return }
    let answer = Wire.result(.null, id: request.id ?? .null)
    let isJSON = (try? JSON.parse(answer)) != nil
    try promise(isJSON, "an answer is not JSON: \(String(decoding: answer, as: UTF8.self))")
    try ControlMessages.all[request.method]?.read(request.params)
    if let table = request.params.object.map({ JSON.object($0) }) {
      try? ControlMessages.tables[request.method]?(table)
    }
  }
}

extension SavedState {
  /// The bytes of the file without what may be left out, and some room.
  fileprivate var withoutLists: Int {
    var state = self
    (state.added, state.markers, state.addedOverlays) = ([], [], [])
    return state.json.text.utf8.count + 65 + StateFile.checksumBytes
  }
}

/// A provider that says what an input has, and closes the connection.
private struct Dialogue {
  let connection: ProviderConnection

  init?(saying bytes: UnsafeRawBufferPointer) {
    let socket = ScratchFile("provider")
    unlink(socket.path)
    let listener = waypost_unix_socket(0)
    defer { close(listener) }
    guard listener >= 0, waypost_unix_bind(listener, socket.path, socket.path.utf8.count) == 0,
      listen(listener, 1) == 0,
      let connection = try? ProviderConnection(socket.path, trust: .anywhere)
    else { return nil }
    let other = accept(listener, nil, nil)
    guard other >= 0 else { return nil }
    // Shorter than the socket's buffer, so that nobody has to read meanwhile.
    _ = send(other, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    close(other)
    self.connection = connection
  }
}
