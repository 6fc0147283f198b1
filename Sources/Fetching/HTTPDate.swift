/// Dates of HTTP's headers.
enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Seconds since 1970 of "Sun, 06 Nov 1994 08:49:37 GMT" (IMF-fixdate; RFC 9110, section 5.6.7);
  /// nil for anything else, the two obsolete forms included.
  static func seconds(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", words[0].hasSuffix(","),
      let month = months.firstIndex(of: words[2].lowercased()),
      let day = Int(words[1]), (1...31).contains(day),
      let year = Int(words[3]), (1...9999).contains(year)
    else { return nil }
    let time = words[4].split(separator: ":").map { Int($0) }
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2],
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    return days(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// Days since 1970 in the Gregorian calendar (H. Hinnant, "days_from_civil").
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years begin in March, so that the leap day is the last.
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let ofEra = year - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }
}
