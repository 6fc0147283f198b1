import Configuration
import Control
import Kiosk
import MapGeometry
import MapOverlays
import MapScene

/// `marker.*`.
extension ControlService {
  func addMarkerRoutes() {
    routes.on(MarkerSet.self) { [unowned self] params throws(ControlError) in
      describe(try kiosk.setMarker(.object(params.object)))
    }
    routes.on(MarkerRemove.self) { [unowned self] params throws(ControlError) in
      guard kiosk.removeMarker(params.id) else {
        throw .unknown("marker", params.id, known: kiosk.markers.all.prefix(1000).map(\.id))
      }
      return EmptyResult()
    }
    routes.on(MarkerListMethod.self) { [unowned self] _ in
      ListResult(kiosk.markers.all.map(describe))
    }
  }

  /// The marker as `marker.list` has it, and what was done with it.
  func markerEvent(_ id: String, _ change: Kiosk.MarkerChange) -> JSON {
    var event = kiosk.markers[id].flatMap { describe($0).json.object } ?? [:]
    event["id"] = .string(id)
    event["change"] = .string(change.rawValue)
    return .object(event)
  }

  private func describe(_ marker: Marker) -> MarkerInfo {
    MarkerInfo(
      id: marker.id, lat: marker.place.lat, lon: WebMercator.wrapLongitude(marker.place.lon),
      label: marker.label.isEmpty ? nil : marker.label,
      text: marker.text.isEmpty ? nil : marker.text,
      color: marker.color.map { Color(word: $0).description }, icon: marker.icon.rawValue,
      added: kiosk.isAddedMarker(marker.id))
  }
}
