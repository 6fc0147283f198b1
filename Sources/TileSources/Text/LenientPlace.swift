import MapGeometry

/// Places as packs state them: often rounded, sometimes wrong.
package enum LenientPlace {
  /// Bounds from west, south, east and north in degrees; nil if they enclose no area. Latitudes are
  /// clamped to the poles. A span of 360° or more becomes the whole world, and longitudes beyond
  /// ±180° are wrapped.
  package static func bounds(_ numbers: [Double]) -> GeoBounds? {
    guard numbers.count == 4, numbers.allSatisfy({ $0.isFinite && abs($0) <= 540 }) else {
      return nil
    }
    var (west, east) = (numbers[0], numbers[2])
    let south = min(max(numbers[1], -90), 90)
    let north = min(max(numbers[3], -90), 90)
    guard south < north, west != east else { return nil }
    if east - west >= 360 {
      (west, east) = (-180, 180)
    } else if west < -180 || east > 180 {
      west = WebMercator.wrapLongitude(west)
      // The eastern edge may lie exactly on the antimeridian.
      let wrapped = WebMercator.wrapLongitude(east)
      east = wrapped == -180 ? 180 : wrapped
    }
    return GeoBounds(west: west, south: south, east: east, north: north)
  }

  /// A centre in degrees; nil if it is not on the globe or lies outside the pack's bounds.
  package static func center(lon: Double, lat: Double, within bounds: GeoBounds?) -> GeoPoint? {
    guard lon.isFinite, lat.isFinite, abs(lon) <= 180, abs(lat) <= 90 else { return nil }
    let point = GeoPoint(lat: lat, lon: lon)
    return bounds?.contains(point) == false ? nil : point
  }

  /// The numbers of a list separated by commas, semicolons or spaces; nil if a part is not a
  /// number. Reads the first 200 bytes.
  package static func numbers(_ text: String) -> [Double]? {
    let parts = text.utf8.prefix(200).split { $0 == 0x2c || $0 == 0x20 || $0 == 0x3b }
    var numbers: [Double] = []
    for part in parts {
      guard let number = Double(String(decoding: Array(part), as: UTF8.self)), number.isFinite
      else {
        return nil
      }
      numbers.append(number)
    }
    return numbers
  }
}
