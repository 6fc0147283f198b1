/// Reads GPX and KML.
enum XMLFeatures {
  static func read(
    _ bytes: [UInt8], from start: Int, file: String, options: FeatureOptions
  ) throws(FeatureError) -> FeatureSet {
    throw FeatureError(file: file, reason: "not yet")
  }
}
