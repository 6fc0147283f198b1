import Glibc
import Platform
import TileSources

/// A file on this computer, read range by range.
package final class FileRangeReader: RangeReader {
  package let name: String
  package let window = 1
  private let descriptor: Int32
  private var request: RangeRequest?

  /// Opens the file at `path`.
  ///
  /// - Throws: `PackError` if it cannot be opened, or is not a regular file.
  package init(path: String) throws(PackError) {
    var size = 0
    do throws(FileError) {
      descriptor = try FileIO.openRegular(path, size: &size)
    } catch {
      throw PackError(error)
    }
    name = path
  }

  deinit { close(descriptor) }

  package func begin(_ request: RangeRequest) { self.request = request }

  package func next() -> RangeAnswer {
    guard let request else {
      return RangeAnswer(
        number: -1, result: .failure(RangeFault("was not asked for anything", canRetry: false)))
    }
    self.request = nil
    do throws(RangeFault) {
      return RangeAnswer(number: request.number, result: .success(try read(request)))
    } catch {
      return RangeAnswer(number: request.number, result: .failure(error))
    }
  }

  private func read(_ request: RangeRequest) throws(RangeFault) -> RangeAnswer.Content {
    let before = try state()
    guard request.offset < before.size else {
      throw RangeFault(
        "ends at byte \(before.size), before byte \(request.offset)", canRetry: false)
    }
    let count = Int(min(UInt64(max(request.count, 0)), before.size - request.offset))
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      while filled < count, let base = room.baseAddress {
        // Below the size, which came from an off_t.
        let place = off_t(request.offset) + off_t(filled)
        let got = pread(descriptor, base + filled, count - filled, place)
        if got > 0 {
          filled += got
        } else if got == 0 {
          break
        } else if errno != EINTR {
          failure = errno
          break
        }
      }
    }
    guard failure == 0 else {
      throw RangeFault(
        "cannot be read at byte \(request.offset): \(SystemError.text(of: failure))",
        canRetry: false)
    }
    return RangeAnswer.Content(bytes: bytes, archive: try state())
  }

  /// Another program may write into the file: its time tells.
  private func state() throws(RangeFault) -> ArchiveState {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else {
      throw RangeFault("cannot be examined: \(SystemError.text())", canRetry: false)
    }
    let time = info.st_mtim
    return ArchiveState(
      size: UInt64(info.st_size),
      identity: "\(info.st_dev):\(info.st_ino):\(time.tv_sec).\(time.tv_nsec)")
  }
}
