/// Finds styles by their properties: a hash table of their numbers, of 4 to 8 bytes a style. The
/// styles themselves are in a list beside it.
struct FeatureStyleTable {
  /// The number of the style in each place, −1 where there is none; a power of two of places.
  private var places: [Int32] = []

  /// The number of `style` in `styles`, to which it is added if it is new.
  mutating func number(of style: FeatureStyle, in styles: inout [FeatureStyle]) -> Int32 {
    if styles.count * 2 >= places.count { grow(styles) }
    var place = FeatureStyleTable.start(style, places.count)
    while places[place] >= 0 {
      if styles[Int(places[place])] == style { return places[place] }
      place = (place + 1) & (places.count - 1)
    }
    let number = Int32(truncatingIfNeeded: styles.count)
    places[place] = number
    styles.append(style)
    return number
  }

  private static func start(_ style: FeatureStyle, _ count: Int) -> Int {
    style.hashValue & (count - 1)
  }

  private mutating func grow(_ styles: [FeatureStyle]) {
    let count = max(16, places.count * 2)
    places = []
    places = [Int32](repeating: -1, count: count)
    for (number, style) in styles.enumerated() {
      var place = FeatureStyleTable.start(style, count)
      while places[place] >= 0 { place = (place + 1) & (count - 1) }
      places[place] = Int32(truncatingIfNeeded: number)
    }
  }
}
