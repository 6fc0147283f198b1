import Configuration
import Control
import EventLoop
import Kiosk
import Platform

/// Reads the configuration again on a thread of its own, because its medium, or that of the last
/// good copy, may hang.
///
/// Belongs to the loop's thread.
final class ConfigurationReloads {
  /// What was read.
  struct Reading: Sendable {
    var result: LoadResult
    /// What else to warn of: `ConfigRules.warnings`.
    var warnings: [(finding: Finding, isToldLater: Bool)] = []
    /// Why no copy of it is kept.
    var copyError: FileError?
  }

  typealias Done = (Result<[String], ControlError>) -> Void

  /// The most that wait at once.
  private static let capacity = 16

  private let read: @Sendable () -> Reading
  private let take: (Reading) throws(ControlError) -> [String]
  private let worker: Worker

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
    worker = Worker("config", loop: loop, capacity: Self.capacity)
  }

  /// Reads the configuration as it is from now on, and tells `done` how that went.
  func reload(_ done: @escaping Done) {
    let isTaken = worker.post(
      read,
      then: { [take] reading in
        do throws(ControlError) {
          done(.success(try take(reading)))
        } catch {
          done(.failure(error))
        }
      })
    if isTaken { return }
    done(
      .failure(
        ControlError(
          code: ControlError.notAvailable,
          message: "the configuration is being read already, and its medium hangs")))
  }

  /// Reads the configuration of `files`, and keeps a copy of it where it is good.
  static func read(_ files: [String], _ loader: ConfigurationLoader) -> Reading {
    let result = loader.load(
      files: files.isEmpty ? ConfigurationLoader.defaultFiles() : files)
    guard let configuration = result.configuration else { return Reading(result: result) }
    var reading = Reading(result: result)
    reading.warnings = ConfigRules(configuration: configuration).warnings(in: result.places)
    do throws(FileError) {
      try keep(result.texts, configuration)
    } catch {
      reading.copyError = error
    }
    return reading
  }

  /// Keeps a copy of a good configuration beside the state, in turn with the reloads.
  ///
  /// - Parameters:
  ///   - texts: The texts of its files.
  ///   - configuration: What they say.
  ///   - seconds: How long to wait for the medium.
  ///   - write: Keeps it; tests replace that.
  ///   - done: Takes why none is kept, or nil. If the medium takes longer, it is called twice:
  ///     before this returns, and once the medium answers.
  func keep(
    _ texts: [ConfigurationText], _ configuration: Configuration, within seconds: Double,
    write: @escaping @Sendable ([ConfigurationText], Configuration) throws(FileError) -> Void = {
      (texts, configuration) throws(FileError) in
      try ConfigurationReloads.keep(texts, configuration)
    }, then done: @escaping (FileError?) -> Void
  ) {
    guard let state = configuration.state.path, !texts.isEmpty else { return done(nil) }
    let job = { @Sendable () -> FileError? in
      do throws(FileError) {
        try write(texts, configuration)
        return nil
      } catch {
        return error
      }
    }
    // Without room for a thread, it is kept on this one.
    guard worker.post(job, then: done) else { return done(job()) }
    worker.finish(within: seconds)
    if !worker.isIdle { done(Self.hanging(ConfigurationStore(besideState: state).path)) }
  }

  static func hanging(_ path: String) -> FileError {
    FileError(file: path, reason: "its medium does not answer", isTransient: true)
  }

  /// Keeps a copy of a good configuration beside the state.
  static func keep(
    _ texts: [ConfigurationText], _ configuration: Configuration
  ) throws(FileError) {
    guard let state = configuration.state.path, !texts.isEmpty else { return }
    try ConfigurationStore(besideState: state).save(texts)
  }
}
