import Configuration
import Control
import Kiosk

/// `notice.*`.
extension ControlService {
  func addNoticeRoutes() {
    routes.on(NoticeSet.self) { [unowned self] params throws(ControlError) in
      // A mistyped name would close nothing, and nobody would know.
      let overlays = ownOverlays
      if let name = params.object["closes"]?.string, !overlays.contains(name) {
        throw .unknown("overlay", name, known: overlays)
      }
      return describe(try kiosk.setNotice(.object(params.object)))
    }
    routes.on(NoticeRemove.self) { [unowned self] params throws(ControlError) in
      guard kiosk.removeNotice(params.id) else {
        throw .unknown("notice", params.id, known: kiosk.notices.map(\.id))
      }
      return EmptyResult()
    }
    routes.on(NoticeListMethod.self) { [unowned self] _ in
      ListResult(kiosk.notices.map(describe))
    }
  }

  /// The notice as `notice.list` has it, and what was done with it.
  func noticeEvent(_ id: String, _ change: Kiosk.NoticeChange) -> JSON {
    let notice = kiosk.notices.first { $0.id == id }
    var event = notice.flatMap { describe($0).json.object } ?? [:]
    event["id"] = .string(id)
    event["change"] = .string(change.rawValue)
    return .object(event)
  }

  private func describe(_ notice: Configuration.Notice) -> NoticeInfo {
    var info = NoticeInfo(
      id: notice.id, text: notice.texts.text(in: kiosk.language, else: notice.text) ?? "",
      severity: notice.severity.rawValue, until: notice.until?.text,
      added: kiosk.isAddedNotice(notice.id))
    if case .overlay(let name, let feature)? = notice.closes {
      (info.closes, info.feature) = (name, feature)
    }
    return info
  }
}
