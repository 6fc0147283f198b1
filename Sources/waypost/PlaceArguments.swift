import ArgumentParser

/// Places as commands take them.
enum PlaceArguments {
  /// Refuses a place that is none, as the daemon would.
  ///
  /// - Throws: `ValidationError` with the range.
  static func check(lat: Number, lon: Number) throws {
    if abs(lat.value) > 90 {
      throw ValidationError("LAT is -90 to 90 (degrees), not \(Tables.number(lat.value))")
    }
    if abs(lon.value) > 540 {
      throw ValidationError("LON is -540 to 540 (degrees), not \(Tables.number(lon.value))")
    }
  }
}
