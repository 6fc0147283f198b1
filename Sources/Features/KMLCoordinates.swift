/// Parses the text of a `coordinates` element, which comes in pieces: "lon,lat[,alt] lon,lat …".
struct KMLCoordinates {
  private(set) var places: [FeatureBuilder.Place] = []
  /// The altitude of each place in metres, NaN where it is unknown.
  private(set) var altitudes: [Float] = []
  private(set) var problem: String?
  /// The digits of the current number, at most 64.
  private var digits: [UInt8] = []
  private var numbers: [Double] = []
  /// Whether the last character other than white space was a comma; some files have a space after
  /// it.
  private var isOpen = false

  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: ","):
        endNumber()
        isOpen = true
      case 9, 10, 13, 32:
        if !digits.isEmpty {
          endNumber()
          isOpen = false
        }
        if !isOpen { endPlace() }
      default:
        // A number after white space begins a new position.
        if digits.isEmpty, !isOpen { endPlace() }
        if digits.count < 64 { digits.append(byte) }
      }
    }
  }

  mutating func finish() {
    endNumber()
    endPlace()
  }

  /// Gives the places away, with the first one repeated at the end.
  mutating func takeClosed() -> [FeatureBuilder.Place] {
    var taken: [FeatureBuilder.Place] = []
    swap(&taken, &places)
    if let first = taken.first { taken.append(first) }
    return taken
  }

  private mutating func endNumber() {
    guard !digits.isEmpty else { return }
    let text = String(decoding: digits, as: UTF8.self)
    digits.removeAll(keepingCapacity: true)
    isOpen = false
    guard let number = XMLFeatures.number(text) else {
      problem = problem ?? "hold \"\(FeatureText.quoted(text))\", which is not a number"
      return
    }
    if numbers.count < 3 { numbers.append(number) }
  }

  private mutating func endPlace() {
    guard !numbers.isEmpty else { return }
    defer { numbers.removeAll(keepingCapacity: true) }
    guard numbers.count >= 2, FeatureBuilder.isPlace((numbers[0], numbers[1])) else {
      problem = problem ?? "hold a place that is not on Earth (the longitude comes first)"
      return
    }
    places.append((numbers[0], numbers[1]))
    altitudes.append(TrailMeter.elevation(numbers.count > 2 ? numbers[2] : nil))
  }
}
