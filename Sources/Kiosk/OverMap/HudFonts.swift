import Configuration
import Drawing
import EventLoop

/// The files of `hud.font`, read on another thread and kept in memory. Until they arrive, text is
/// drawn with the former fonts, and at first with the bundled one.
final class HudFonts {
  /// Reads files.
  typealias Read = @Sendable (_ paths: [String]) -> [FontFile]

  private let onRead: () -> Void
  private var read: Read = { FontFile.all($0) }
  private let worker: Worker
  /// Whether files are being read.
  private(set) var isReading = false
  /// The paths that are asked for now.
  private var wanted: [String] = []
  /// The languages whose letters are asked for, where no font is configured.
  private var languages: [String] = []
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

  /// Has the files of `hud.font` read unless they are what was asked for last. Where it names none,
  /// those that the languages of the words and of the maps' names need.
  func want(_ settings: Configuration) {
    let fonts = settings.hud.fonts
    var needed: [String] = []
    if fonts.isEmpty {
      let named = [settings.display.language] + settings.sources.map(\.language)
      for language in settings.hud.languages + named.compactMap({ $0 })
      where !needed.contains(language) && !ScriptFonts.places(for: language).isEmpty {
        needed.append(language)
      }
    }
    guard fonts != wanted || needed != languages else { return }
    (wanted, languages) = (fonts, needed)
    if wanted.isEmpty, languages.isEmpty {
      take([])
    } else if !isReading {
      begin()
    }
  }

  private func begin() {
    let (paths, read, languages) = (wanted, read, languages)
    isReading = worker.post(
      { (read(paths), ScriptFonts.read(for: languages)) },
      then: { [weak self] in self?.finish($0, $1, languages) })
  }

  private func finish(_ read: [FontFile], _ others: [FontFile], _ asked: [String]) {
    isReading = false
    if read.map(\.path) == Array(wanted.prefix(TextRenderer.maxFonts - 2)), asked == languages {
      take(read + others)
    } else if !wanted.isEmpty || !languages.isEmpty {
      // Others were asked for meanwhile.
      begin()
    }
  }

  private func take(_ read: [FontFile]) {
    files = read
    onRead()
  }
}
