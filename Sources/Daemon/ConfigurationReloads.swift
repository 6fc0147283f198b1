import Configuration
import Control
import EventLoop
import Kiosk
import Platform

/// Has the configuration read again, on a thread of its own: its medium, or that of the copy that
/// is kept of it, may hang.
///
/// Belongs to the loop's thread.
final class ConfigurationReloads {
  /// What was read.
  struct Reading: Sendable {
    var result: LoadResult
    /// Why no copy of it is kept.
    var copyError: FileError?
  }

  typealias Done = (Result<[String], ControlError>) -> Void

  /// So many wait at once at most.
  private static let capacity = 16

  private let read: @Sendable () -> Reading
  private let take: (Reading) throws(ControlError) -> [String]
  private var worker: FileWorker<Reading>?
  /// Those who wait, in the order in which they asked.
  private var waiting: [Done] = []

  /// - Parameters:
  ///   - loop: runs on this thread.
  ///   - read: reads the configuration; called on another thread.
  ///   - take: takes over what was read and gives its warnings.
  init(
    loop: EventLoop, read: @escaping @Sendable () -> Reading,
    take: @escaping (Reading) throws(ControlError) -> [String]
  ) {
    self.read = read
    self.take = take
    worker = FileWorker("config", loop: loop, capacity: Self.capacity) { [weak self] in
      self?.finish($0)
    }
  }

  /// Reads the configuration as it is from now on, and tells `done` how that went.
  func reload(_ done: @escaping Done) {
    guard worker?.post(read) == true else {
      return done(
        .failure(
          ControlError(
            code: ControlError.notAvailable,
            message: "the configuration is being read already, and its medium hangs")))
    }
    waiting.append(done)
  }

  private func finish(_ reading: Reading) {
    let done = waiting.removeFirst()
    do throws(ControlError) {
      done(.success(try take(reading)))
    } catch {
      done(.failure(error))
    }
  }

  /// Reads the configuration of `files`, and keeps a copy of it where it is good.
  static func read(_ files: [String], _ loader: ConfigurationLoader) -> Reading {
    let result = loader.load(
      files: files.isEmpty ? ConfigurationLoader.defaultFiles() : files)
    guard let configuration = result.configuration else { return Reading(result: result) }
    do throws(FileError) {
      try keep(result.texts, configuration)
      return Reading(result: result)
    } catch {
      return Reading(result: result, copyError: error)
    }
  }

  /// Keeps a copy of a good configuration beside the state.
  static func keep(
    _ texts: [ConfigurationText], _ configuration: Configuration
  ) throws(FileError) {
    guard let state = configuration.state.path, !texts.isEmpty else { return }
    try ConfigurationStore(besideState: state).save(texts)
  }
}
