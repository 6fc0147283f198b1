/// Why an expression cannot be compiled.
struct ExpressionError: Error, CustomStringConvertible {
  /// The way to the wrong part: indices of nested lists.
  let path: [Int]
  /// What is wrong with it.
  let reason: String

  /// `at [2][1]: …`
  var description: String {
    let place = path.map { "[\($0)]" }.joined()
    return place.isEmpty ? reason : "at \(place): \(reason)"
  }
}
