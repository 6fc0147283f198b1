import Testing

@testable import Platform

@Test(arguments: [
  ("rotation", "rotation", 0), ("rotatoin", "rotation", 1), ("rotaton", "rotation", 1),
  ("", "abc", 3), ("kitten", "sitting", 3),
])
func theDistanceCountsLettersToChange(_ a: String, _ b: String, _ distance: Int) {
  #expect(EditDistance.between(a, b) == distance)
  #expect(EditDistance.between(b, a) == distance)
}

@Test(
  arguments: [
    ("zom", "zoom"), ("zomo", "zoom"), ("bearing ", "bearing"), ("LAT", "lat"),
    ("wholly-other", nil), ("", nil),
  ] as [(String, String?)])
func theNearestNameIsFound(_ typed: String, _ meant: String?) {
  #expect(NearestName.find(typed, among: ["lat", "lon", "zoom", "bearing"]) == meant)
}

@Test func theClosestNameIsFoundHoweverFar() {
  #expect(NearestName.closest(to: "wholly-other", in: ["lat", "lon"]) == "lat")
  #expect(NearestName.closest(to: "lon", in: ["lat", "lon", "lone"]) == "lon")
  #expect(NearestName.closest(to: "lat", in: []) == nil)
}
