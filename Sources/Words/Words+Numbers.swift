extension Words {
  /// A unit of length.
  public enum LengthUnit: Sendable, Equatable {
    case metres, kilometres, feet, miles, nauticalMiles
  }

  /// A number with a decimal sign before its last `places` digits, and its thousands grouped.
  ///
  /// - Parameters:
  ///   - value: The number times ten to the power of `places`.
  ///   - places: How many decimals there are, 0 to 9.
  /// - Returns: Its digits in this language, such as "20 000" and "−1,5".
  public func number(_ value: Int, places: Int = 0) -> String {
    let places = min(max(places, 0), 9)
    let digits = String(value.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    var text = value < 0 ? "−" : ""
    let whole = padded.dropLast(places)
    let isApart = whole.count >= (Int(self(.groupFrom)) ?? 5)
    for (n, digit) in whole.enumerated() {
      if isApart, n > 0, (whole.count - n) % 3 == 0 { text += sign(.groupSign) }
      text.append(digit)
    }
    return places == 0 ? text : text + sign(.decimalSign) + String(padded.suffix(places))
  }

  /// A number rounded to `places` decimals.
  ///
  /// - Parameters:
  ///   - value: The number. One that is not finite or beyond 10^9 is written as the nearest that
  ///     is.
  ///   - places: How many decimals to show at most, 0 to 9.
  ///   - trimmed: Whether zeros at the end of the decimals are left out.
  /// - Returns: Its digits in this language.
  public func number(_ value: Double, places: Int, trimmed: Bool = false) -> String {
    var places = min(max(places, 0), 9)
    var power = 1.0
    for _ in 0..<places { power *= 10 }
    let bounded = value.isNaN ? 0 : min(max(value, -1e9), 1e9)
    var whole = Int((bounded * power).rounded())
    while trimmed, places > 0, whole % 10 == 0 {
      whole /= 10
      places -= 1
    }
    return number(whole, places: places)
  }

  /// A number with a unit of length: "500 m".
  ///
  /// - Parameters:
  ///   - number: The number as text.
  ///   - unit: Its unit.
  /// - Returns: Both in this language.
  public func length(_ number: String, _ unit: LengthUnit) -> String {
    switch unit {
    case .metres: self(.metres, number)
    case .kilometres: self(.kilometres, number)
    case .feet: self(.feet, number)
    case .miles: self(.miles, number)
    case .nauticalMiles: self(.nauticalMiles, number)
    }
  }

  /// A span of time in its largest unit, as an age is told: "59 s", "1 min", "23 h", "2 d".
  ///
  /// - Parameter seconds: The span, at least 0.
  /// - Returns: The number and its unit in this language.
  public func age(seconds: Int) -> String {
    let s = max(seconds, 0)
    if s < 60 { return unbroken(self(.seconds, number(s))) }
    if s < 3600 { return unbroken(self(.minutes, number(s / 60))) }
    if s < 86_400 { return unbroken(self(.hours, number(s / 3600))) }
    return unbroken(self(.days, number(s / 86_400)))
  }

  /// A number with its unit or name, which no line end comes between.
  private func unbroken(_ text: String) -> String {
    String(text.map { $0 == " " ? "\u{A0}" : $0 })
  }

  /// A span of time in hours and minutes, as a walk is told: "45 min", "2 h", "2 h 15 min".
  ///
  /// - Parameter minutes: The span in minutes, at least 0.
  /// - Returns: The numbers and their units in this language.
  public func duration(minutes: Int) -> String {
    let m = max(minutes, 0)
    if m < 60 { return self(.minutes, number(m)) }
    if m % 60 == 0 { return self(.hours, number(m / 60)) }
    return self(.hoursMinutes, number(m / 60), number(m % 60))
  }

  /// A place, as numbers.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north times ten to the power of `places`.
  ///   - longitude: Degrees east times ten to the power of `places`.
  ///   - places: How many decimals there are, 0 to 9.
  /// - Returns: "33.92487° S, 18.42400° E".
  public func coordinates(_ latitude: Int, _ longitude: Int, places: Int) -> String {
    func degrees(_ value: Int) -> String {
      number(Int(clamping: value.magnitude), places: places)
    }
    return self(
      .coordinates,
      unbroken(self(latitude < 0 ? .degreesSouth : .degreesNorth, degrees(latitude))),
      unbroken(self(longitude < 0 ? .degreesWest : .degreesEast, degrees(longitude))))
  }

  /// The zoom with two decimals: "Zoom 13.25". A line does not end within it.
  ///
  /// - Parameter hundredths: The zoom in hundredths.
  /// - Returns: The words in this language.
  public func zoom(_ hundredths: Int) -> String {
    unbroken(self(.zoomLevel, number(hundredths, places: 2)))
  }

  /// The sign that a file of words names or gives.
  private func sign(_ word: Word) -> String {
    switch self(word) {
    case "none": ""
    case "point": "."
    case "comma": ","
    case "apostrophe": "’"
    // One that does not break.
    case "space": "\u{A0}"
    case let other: other
    }
  }
}
