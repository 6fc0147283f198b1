import Configuration
import Control
import MapGeometry
import MapOverlays

/// Changes of markers by the socket, buttons and touch.
extension Kiosk {
  /// What was done with a marker.
  public typealias MarkerChange = KioskEvent.MarkerChange

  /// The markers on the map.
  package var markers: MarkerStore { overMap.markerStore }

  /// Whether the marker `id` was set over the socket.
  package func isAddedMarker(_ id: String) -> Bool { overMap.isAdded(id) }

  /// Adds a marker as a `[[marker]]` table would, and replaces the one with its id.
  ///
  /// - Throws: An error that names the wrong parameter, or says that there is no room.
  package func setMarker(_ table: JSON) throws(ControlError) -> Marker {
    let marker = try SocketTable.marker(table)
    do throws(MarkerError) {
      try overMap.set(marker, table: table)
    } catch {
      throw ControlError(
        code: ControlError.notAvailable, message: "\(error)", data: ["id": .string(marker.id)])
    }
    if states.keepsAdded { outbox.add(.state) }
    return Marker(marker, in: overMap.languages.ofTexts)
  }

  /// Removes a marker. False if there is none with that id.
  package func removeMarker(_ id: String) -> Bool {
    guard overMap.removeMarker(id) else { return false }
    if states.keepsAdded { outbox.add(.state) }
    return true
  }

  /// How often the plates are laid out at most for a view that depends on where they stand, while
  /// they depend on the view.
  static let mostLayouts = 3

  /// Moves the map as far to the right and down as `shift` says for the view at rest, in points,
  /// and on from there as long as other plates are in the way in the new view. A followed position
  /// keeps the view, and so does whoever holds a button.
  func reveal(_ shift: (Viewport) -> (x: Double, y: Double)?) {
    if view.position.isFollowing || view.isDriven { return }
    var (there, to) = (viewAtRest, view.goal)
    for _ in 0..<Kiosk.mostLayouts {
      layOutPlates(in: there)
      guard let shift = shift(there) else { break }
      there = there.panned(dx: -shift.x, dy: -shift.y)
      to = to.panned(dx: -shift.x, dy: -shift.y)
    }
    if to == view.goal { return }
    go(to: to, animate: true)
    overMap.round.keep(at: view.goal)
  }

  /// Acts on a hit. Returns whether something was hit.
  @discardableResult
  func take(_ hit: OverMap.Hit, _ how: MarkerChange) -> Bool {
    switch hit {
    case .nothing: return false
    case .callout:
      reveal { overMap.shiftForCallout($0) }
      return true
    case .cluster(let ids):
      if let to = viewApart(ids) {
        overMap.closeCallout()
        go(to: to, animate: true)
      } else if let first = ids.first {
        // They never separate, so open the first one.
        overMap.select(first, how)
      }
      return true
    }
  }

  /// The view in which the markers of a cluster stand apart beside the plates; nil: there is none.
  private func viewApart(_ ids: [String]) -> Viewport? {
    var found: Viewport?
    for _ in 0..<Kiosk.mostLayouts {
      layOutPlates(in: found ?? viewAtRest)
      let new = overMap.viewApart(ids, from: view.goal, maxZoom: view.limits.maxZoom)
      if new == found { break }
      // Other plates may be in the way there.
      found = new
    }
    return found
  }
}
