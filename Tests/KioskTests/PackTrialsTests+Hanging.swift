import EventLoop
import Foundation
import Platform
import Testing

@testable import Kiosk

extension PackTrialsTests {
  @Test func aListWhoseMediumHangsIsTakenOnceItAnswersAndNotOverwrittenBefore() throws {
    try start().begin([a])
    try crash()
    let (isLetGo, file) = (Gate(false), OpeningsFile(file))
    let list = TrialList(
      file,
      read: {
        // Were it on this thread, nobody would let it go.
        let end = EventLoop.now() + 30_000_000_000
        while !isLetGo.locked({ $0 }), EventLoop.now() < end { usleep(1000) }
        return file.read()
      }, circumstances: { .init(boot: "boot", memoryKills: 0) })
    #expect(list.figures == .init())
    try list.begin([b])
    #expect(start().figures == .init(suspects: [a]))
    isLetGo.locked { $0 = true }
    let end = EventLoop.now() + 30_000_000_000
    while list.figures.suspects != [a], EventLoop.now() < end { usleep(1000) }
    #expect(list.figures.suspects == [a])
    list.opened([b])
    // Both are in the file once it can be written.
    let isWritten = {
      let bytes = (try? FileIO.read(self.file, limit: 1 << 16)) ?? []
      return String(decoding: bytes, as: UTF8.self).contains(self.b)
    }
    while !isWritten(), EventLoop.now() < end { usleep(1000) }
    try crash()
    #expect(start().figures.suspects == [a, b])
  }
}
