import Configuration
import Control
import Features
import MapOverlays

/// Notices over the map, and what they close.
extension Kiosk {
  /// What was done with a notice.
  public typealias NoticeChange = KioskEvent.NoticeChange

  /// All notices, configured ones first.
  package var notices: [Configuration.Notice] { noticeBoard.all }

  /// Bytes of the texts and features of all notices.
  package var noticeBytes: Int { noticeBoard.bytes }

  /// Whether the notice `id` was set over the socket.
  package func isAddedNotice(_ id: String) -> Bool { noticeBoard.isAdded(id) }

  /// Sets a notice as a `[[notice]]` table would, and replaces the one with its id.
  ///
  /// - Parameters:
  ///   - table: The notice.
  ///   - isNew: Whether somebody sets it now; false: it is restored, and may be over meanwhile.
  /// - Returns: The notice.
  /// - Throws: An error that names the wrong parameter, or says that there is no room.
  package func setNotice(
    _ table: JSON, isNew: Bool = true
  ) throws(ControlError) -> Configuration.Notice {
    let notice = try SocketTable.notice(table)
    if isNew, let until = notice.until, let now = theme.wallTime, until.time < now {
      throw .parameter(
        "until", "until = \"\(until.text)\" is over already; it is \(WallClock.text(now)) now")
    }
    if case .geoJSON(let json)? = notice.closes {
      // It is read as an overlay is; what cannot be drawn is refused here.
      do throws(FeatureError) {
        _ = try FeatureSet(bytes: Array(json.utf8), name: "geojson", options: FeatureOptions())
      } catch {
        throw ControlError(
          code: ControlError.fileRefused, message: "\(error)", data: ["parameter": "geojson"])
      }
    }
    do throws(NoticeError) {
      try noticeBoard.set(notice, table: table, isNew: isNew)
    } catch {
      throw ControlError(
        code: ControlError.notAvailable, message: "\(error)", data: ["id": .string(notice.id)])
    }
    if states.keepsAdded { outbox.add(.state) }
    return notice
  }

  /// Removes a notice. False if there is none with that id.
  package func removeNotice(_ id: String) -> Bool {
    guard noticeBoard.remove(id) else { return false }
    if states.keepsAdded { outbox.add(.state) }
    return true
  }

  /// Removes notices whose time is over, shows the others, and draws what they close.
  func updateNotices() {
    // What ended is not kept for the next start.
    if noticeBoard.update(at: theme.wallTime), states.keepsAdded { outbox.add(.state) }
    // Ending some leaves the same change behind.
    _ = outbox.take(.noticesDue)
    showNotices()
    speakLayers()
    drawClosures()
    noteClosure()
  }

  /// Shows the notices in the present language.
  func showNotices() {
    let lines = noticeBoard.lines(in: overMap.languages.ofTexts) { notice in
      closedName(notice).map { "\(overMap.words(.closed)): \($0)" } ?? ""
    }
    overMap.setNotices(lines)
  }

  /// What people call what a notice closes; nil: nothing, or it has no name, or is not open yet.
  private func closedName(_ notice: Configuration.Notice) -> String? {
    guard case .overlay(let name, let feature)? = notice.closes, let entry = book.overlays[name]
    else { return nil }
    guard let feature else { return overlayTitle(entry) }
    return book.overlays.drawing(of: entry).flatMap {
      closedNames.name(of: feature, in: name, $0)
    }
  }

  /// Reopens layers whose language or closures changed.
  func speakLayers() {
    book.speak(
      overMap.languages.ofNames ?? configuration.display.language,
      usesFeet: configuration.hud.units == .imperial, closures: noticeBoard.closures)
  }

  /// Adds and removes the overlays that draw the notices' own closed features.
  private func drawClosures() {
    let wanted = noticeBoard.overlays
    for entry in overlays where entry.name.hasPrefix(NoticeBoard.prefix) {
      if !wanted.contains(where: { $0.name == entry.name }) { book.overlays.remove(entry.name) }
    }
    for spec in wanted where book.overlays[spec.name]?.original != spec {
      if !book.overlays.addClosed(spec) {
        outbox.logRepeated(
          .warning, "\(spec.name): no room for another overlay; what it closes is not drawn")
      }
    }
  }
}
