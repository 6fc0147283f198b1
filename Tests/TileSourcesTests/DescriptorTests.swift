import Foundation
import MapGeometry
import Platform
import TestSupport
import Testing

@testable import TileSources

/// Runs `body` on a thread that can open no file; nil where that cannot be had here.
///
/// The thread's table of descriptors is a copy of its own (unshare(2)): the rest of the process
/// does not notice.
private func withoutDescriptors<Value: Sendable>(
  _ body: @escaping @Sendable () -> Value
) -> Value? {
  typealias Unshare = @convention(c) (Int32) -> Int32
  guard let symbol = dlsym(nil, "unshare") else { return nil }
  let unshare = unsafeBitCast(symbol, to: Unshare.self)
  let (done, result) = (DispatchSemaphore(value: 0), Gate<Value?>(nil))
  let runs = startThread(named: "full") {
    // CLONE_FILES
    if unshare(0x400) == 0 {
      let null = open("/dev/null", O_RDONLY)
      while null >= 0, dup(null) >= 0 {}
      let value = body()
      result.locked { $0 = value }
    }
    done.signal()
  }
  if runs { done.wait() }
  return result.locked { $0 }
}

private let canRunOut = withoutDescriptors { open("/dev/null", O_RDONLY) < 0 } == true

/// A system that is short of descriptors is short for a while.
@Suite(.enabled(if: canRunOut, "a thread cannot have a table of descriptors of its own here"))
struct DescriptorTests {
  @Test func aPackThatFindsNoDescriptorFailsInAWayThatPasses() throws {
    for name in ["world_l1.mbtiles", "byte_png.pmtiles"] {
      let path = fixture(name)
      let isTransient = withoutDescriptors { () -> Bool? in
        do throws(SourceError) {
          _ = try source(path)
          return nil
        } catch {
          return error.isTransient
        }
      }
      #expect(isTransient == .some(true), "\(name)")
    }
  }

  @Test func soDoesSQLiteItself() throws {
    let path = fixture("world_l1.mbtiles")
    for access in [PackAccess.locked, .still] {
      let isTransient = withoutDescriptors { () -> Bool? in
        do throws(PackFault) {
          _ = try MBTilesPack(try SQLiteFile(path: path, access: access))
          return nil
        } catch {
          return error.isTransient
        }
      }
      #expect(isTransient == .some(true), "\(access)")
    }
  }

  @Test func aTilesFileThatFindsNoDescriptorIsReadLater() throws {
    let scratch = try Scratch()
    _ = try scratch.write(pictureStart, to: "0/0/0.png")
    // A folder is listed through /proc/self/fd, which are the descriptors of the first thread.
    let spec = SourceSpec(name: "s", location: .url("file://\(scratch.path)/{z}/{x}/{y}.png"))
    let isTransient = withoutDescriptors { () -> Bool? in
      guard let map = try? spec.open() else { return nil }
      do throws(TileError) {
        _ = try map.read(.world)
        return nil
      } catch {
        close(3)
        return error.isTransient && refusal(map, .world) == "read"
      }
    }
    #expect(isTransient == .some(true))
  }
}
