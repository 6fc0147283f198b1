import Drawing
import EventLoop

/// The files of `hud.font`, read beside the loop and kept in memory. Until they are there, text is
/// drawn with what was there before, and with the bundled font at first.
final class HudFonts {
  /// Reads files.
  typealias Read = @Sendable (_ paths: [String]) -> [FontFile]

  private let onRead: () -> Void
  private var read: Read = { FontFile.all($0) }
  private let worker: Worker
  private var isReading = false
  /// The paths that are asked for now.
  private var wanted: [String] = []
  /// What was read last, in the order of their paths.
  private(set) var files: [FontFile] = []

  /// `onRead` is called when `files` became others.
  init(loop: EventLoop, onRead: @escaping () -> Void) {
    worker = Worker("fonts", loop: loop, capacity: 1)
    self.onRead = onRead
  }

  /// Bytes of all files.
  var bytes: Int { files.reduce(0) { $0 + $1.byteCount } }

  /// For tests: how files are read.
  func setRead(_ read: @escaping Read) { self.read = read }

  /// Has these files read unless they are what was asked for last.
  func want(_ paths: [String]) {
    guard paths != wanted else { return }
    wanted = paths
    if wanted.isEmpty {
      take([])
    } else if !isReading {
      begin()
    }
  }

  private func begin() {
    let (paths, read) = (wanted, read)
    isReading = worker.post({ read(paths) }, then: { [weak self] in self?.finish($0) })
  }

  private func finish(_ read: [FontFile]) {
    isReading = false
    if read.map(\.path) == Array(wanted.prefix(TextRenderer.maxFonts - 2)) {
      take(read)
    } else if !wanted.isEmpty {
      // Others were asked for meanwhile.
      begin()
    }
  }

  private func take(_ read: [FontFile]) {
    files = read
    onRead()
  }
}
