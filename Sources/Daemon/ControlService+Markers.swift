import Configuration
import Control
import Kiosk
import MapGeometry
import MapOverlays
import MapScene

extension ControlService {
  func marker(_ method: String, _ params: JSON) throws(ControlError) -> JSON {
    switch method {
    case MarkerSet.name:
      let table = try RawParams(params).object
      return describe(try kiosk.setMarker(.object(table))).json
    case MarkerRemove.name:
      let id = try MarkerParams(params).id
      guard kiosk.removeMarker(id) else {
        throw .unknown("marker", id, known: kiosk.markers.all.prefix(1000).map(\.id))
      }
      return [:]
    default:
      _ = try NoParams(params)
      return MarkerListResult(kiosk.markers.all.map(describe)).json
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
