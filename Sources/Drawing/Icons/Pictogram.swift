/// Small drawings in one colour, on a square field of 24 units, filled by the even-odd rule.
public enum Pictogram: String, Sendable, CaseIterable {
  // For markers.
  case star, flag, info, parking, camp, water, summit, viewpoint, toilet, shelter, bus, hut, danger
  case food, picnic, train, photo, bike, boat, tree
  case firstAid = "first-aid"
  // For buttons.
  case up, down, left, right, plus, minus, home, layers, moon, target, rotateLeft, rotateRight
  case north, select, power, back, key, language
  case nextPlace, nextPlaceLeftward, backRightward
  // For notices.
  case about, caution, stop

  /// The drawing in the notation that `Path.add` reads, in units of the field.
  public var drawing: String {
    switch self {
    case .star:
      "M 12 2 L 14.9 8.6 L 22 9.4 L 16.7 14.2 L 18.2 21.2 L 12 17.6 L 5.8 21.2 L 7.3 14.2 L 2 9.4 L 9.1 8.6 Z"
    case .flag: "M 6 2.5 L 8 2.5 L 8 21.5 L 6 21.5 Z M 8.8 3.5 L 19.5 7.8 L 8.8 12.2 Z"
    case .info: "O 12 5.6 2.3 M 10 10 L 14 10 L 14 20.5 L 10 20.5 Z"
    case .parking:
      "M 7 3 L 13 3 C 17 3 19 5.4 19 8.6 C 19 11.8 17 14.2 13 14.2 L 10.6 14.2 L 10.6 21 L 7 21 Z M 10.6 6.1 L 10.6 11.1 L 12.7 11.1 C 14.5 11.1 15.4 10.1 15.4 8.6 C 15.4 7.1 14.5 6.1 12.7 6.1 Z"
    case .camp: "M 12 3.2 L 22.5 20.5 L 1.5 20.5 Z M 12 11.2 L 6.8 20.5 L 17.2 20.5 Z"
    case .water:
      "M 12 2 C 12 2 19.5 10.5 19.5 15 C 19.5 19.2 16.2 22 12 22 C 7.8 22 4.5 19.2 4.5 15 C 4.5 10.5 12 2 12 2 Z"
    case .summit:
      "M 1 20.5 L 9.3 4 L 14.2 13.5 L 16.8 9.3 L 23 20.5 Z M 9.3 7.6 L 7.3 11.6 L 9.4 12.9 L 11.2 11.3 Z"
    case .viewpoint:
      "M 1 12 C 4 7.5 7.7 5.2 12 5.2 C 16.3 5.2 20 7.5 23 12 C 20 16.5 16.3 18.8 12 18.8 C 7.7 18.8 4 16.5 1 12 Z O 12 12 4.9 O 12 12 2.2"
    case .toilet:
      "O 6.5 4.2 2.2 M 3.4 7.4 L 9.6 7.4 L 9.6 14 L 8.6 14 L 8.6 21.5 L 4.4 21.5 L 4.4 14 L 3.4 14 Z M 11.5 2.5 L 12.8 2.5 L 12.8 21.5 L 11.5 21.5 Z O 17.8 4.2 2.2 M 16.4 7.4 L 19.2 7.4 L 22 16.4 L 19.6 16.4 L 19.6 21.5 L 16 21.5 L 16 16.4 L 13.6 16.4 Z"
    case .shelter:
      "M 12 2.8 L 23 10.6 L 21.4 12.9 L 12 6.3 L 2.6 12.9 L 1 10.6 Z M 4.8 13.2 L 7.2 13.2 L 7.2 21 L 4.8 21 Z M 16.8 13.2 L 19.2 13.2 L 19.2 21 L 16.8 21 Z M 8.8 15.6 L 15.2 15.6 L 15.2 17.8 L 8.8 17.8 Z"
    case .bus:
      "M 4 3.5 L 20 3.5 L 21.5 6 L 21.5 18.2 L 19.8 18.2 L 19.8 20.8 L 16.6 20.8 L 16.6 18.2 L 7.4 18.2 L 7.4 20.8 L 4.2 20.8 L 4.2 18.2 L 2.5 18.2 L 2.5 6 Z M 5 6.2 L 5 11.8 L 19 11.8 L 19 6.2 Z O 6.3 15 1.4 O 17.7 15 1.4"
    case .hut:
      "M 12 2.5 L 23 11.8 L 20.2 11.8 L 20.2 21.2 L 3.8 21.2 L 3.8 11.8 L 1 11.8 Z M 9.8 13.4 L 9.8 21.2 L 14.2 21.2 L 14.2 13.4 Z"
    case .danger:
      "M 12 2 L 23.2 21.5 L 0.8 21.5 Z M 10.7 8.6 L 11.2 15.4 L 12.8 15.4 L 13.3 8.6 Z O 12 18.2 1.4"
    case .food:
      "M 4.6 2.5 L 6 2.5 L 6 8 L 7 8 L 7 2.5 L 8.4 2.5 L 8.4 8 L 9.4 8 L 9.4 2.5 L 10.8 2.5 L 10.8 9.6 L 8.9 11.6 L 8.9 21.5 L 6.5 21.5 L 6.5 11.6 L 4.6 9.6 Z M 18.6 2.5 L 18.6 21.5 L 16.2 21.5 L 16.2 13.8 L 13.8 13.8 C 13.8 8 15.4 3.6 18.6 2.5 Z"
    case .picnic:
      "M 3 6 L 21 6 L 21 8.4 L 16.9 8.4 L 18.2 12.4 L 23 12.4 L 23 14.6 L 18.9 14.6 L 20.8 20.4 L 18.3 20.4 L 16.4 14.6 L 7.6 14.6 L 5.7 20.4 L 3.2 20.4 L 5.1 14.6 L 1 14.6 L 1 12.4 L 5.8 12.4 L 7.1 8.4 L 3 8.4 Z M 9.6 8.4 L 8.3 12.4 L 15.7 12.4 L 14.4 8.4 Z"
    case .train:
      "M 7 2.5 L 17 2.5 C 19 2.5 20 3.8 20 5.5 L 20 15 C 20 16.8 18.8 18 17 18 L 19.5 21.5 L 16.8 21.5 L 14.6 18 L 9.4 18 L 7.2 21.5 L 4.5 21.5 L 7 18 C 5.2 18 4 16.8 4 15 L 4 5.5 C 4 3.8 5 2.5 7 2.5 Z M 6.6 5.6 L 6.6 10.6 L 17.4 10.6 L 17.4 5.6 Z O 8 14.4 1.5 O 16 14.4 1.5"
    case .photo:
      "M 8.2 4.5 L 15.8 4.5 L 17.4 7 L 22 7 L 22 19.5 L 2 19.5 L 2 7 L 6.6 7 Z O 12 12.8 4.6 O 12 12.8 2.6"
    case .bike:
      "O 5.6 15.6 4.8 O 5.6 15.6 2.9 O 18.4 15.6 4.8 O 18.4 15.6 2.9 M 8.6 4.6 L 11.8 4.6 L 11.8 6.2 L 10.6 6.2 L 11.1 7.8 L 16 7.8 L 15.3 4.6 L 18.6 4.6 L 18.6 6.2 L 17.3 6.2 L 18.9 13.5 L 17.2 13.9 L 16.4 10.4 L 12.6 16.4 L 5.6 16.4 L 9.4 8.4 Z"
    case .boat:
      "M 11 2 L 12.6 2 L 12.6 13.2 L 11 13.2 Z M 13.6 4.4 L 20 13.2 L 13.6 13.2 Z M 9.9 6.4 L 9.9 13.2 L 5.4 13.2 Z M 2 15.2 L 22 15.2 L 18.6 21 L 5.4 21 Z"
    case .tree:
      "M 12 1.5 L 18.6 10 L 15.6 10 L 21 17.6 L 13.4 17.6 L 13.4 22 L 10.6 22 L 10.6 17.6 L 3 17.6 L 8.4 10 L 5.4 10 Z"
    case .firstAid:
      "M 9 2.5 L 15 2.5 L 15 9 L 21.5 9 L 21.5 15 L 15 15 L 15 21.5 L 9 21.5 L 9 15 L 2.5 15 L 2.5 9 L 9 9 Z"
    case .up: "M 12 5 L 21.5 15 L 19 17.6 L 12 10.2 L 5 17.6 L 2.5 15 Z"
    case .down: "M 12 19 L 21.5 9 L 19 6.4 L 12 13.8 L 5 6.4 L 2.5 9 Z"
    case .left: "M 5 12 L 15 2.5 L 17.6 5 L 10.2 12 L 17.6 19 L 15 21.5 Z"
    case .right: "M 19 12 L 9 2.5 L 6.4 5 L 13.8 12 L 6.4 19 L 9 21.5 Z"
    case .plus:
      "M 10.2 3.5 L 13.8 3.5 L 13.8 10.2 L 20.5 10.2 L 20.5 13.8 L 13.8 13.8 L 13.8 20.5 L 10.2 20.5 L 10.2 13.8 L 3.5 13.8 L 3.5 10.2 L 10.2 10.2 Z"
    case .minus: "M 3.5 10.2 L 20.5 10.2 L 20.5 13.8 L 3.5 13.8 Z"
    case .home:
      "M 12 2.5 L 23 11.8 L 20.2 11.8 L 20.2 21.2 L 14.4 21.2 L 14.4 14.4 L 9.6 14.4 L 9.6 21.2 L 3.8 21.2 L 3.8 11.8 L 1 11.8 Z"
    case .layers:
      "M 12 2.5 L 23 8.6 L 12 14.7 L 1 8.6 Z M 3.6 11.9 L 12 16.6 L 20.4 11.9 L 23 13.4 L 12 19.5 L 1 13.4 Z"
    case .moon:
      "M 14 2.6 C 9 4 6.6 8 7.6 12.4 C 8.6 16.8 13 19.6 18.4 18.4 C 16.6 20.6 13.8 21.8 11 21.4 C 5.8 20.8 2.4 16.4 2.6 11.6 C 2.8 6.6 7.4 2.2 14 2.6 Z"
    case .target:
      "O 12 12 8 O 12 12 5.6 O 12 12 2.2 M 11 1 L 13 1 L 13 5 L 11 5 Z M 11 19 L 13 19 L 13 23 L 11 23 Z M 1 11 L 5 11 L 5 13 L 1 13 Z M 19 11 L 23 11 L 23 13 L 19 13 Z"
    case .rotateLeft:
      "M 9.5 1.5 L 9.5 5 C 16 3.6 20.8 7.6 20.8 13 C 20.8 18 17 21.6 12 21.6 C 8.6 21.6 5.6 19.8 4.2 17 L 6.8 15.6 C 7.8 17.4 9.8 18.6 12 18.6 C 15.4 18.6 17.8 16.2 17.8 13 C 17.8 9.4 14 6.8 9.5 8.2 L 9.5 11.6 L 3 6.6 Z"
    case .rotateRight:
      "M 14.5 1.5 L 14.5 5 C 8 3.6 3.2 7.6 3.2 13 C 3.2 18 7 21.6 12 21.6 C 15.4 21.6 18.4 19.8 19.8 17 L 17.2 15.6 C 16.2 17.4 14.2 18.6 12 18.6 C 8.6 18.6 6.2 16.2 6.2 13 C 6.2 9.4 10 6.8 14.5 8.2 L 14.5 11.6 L 21 6.6 Z"
    case .north: "M 12 1.5 L 19.5 21.5 L 12 17 L 4.5 21.5 Z"
    case .select: "M 5 2 L 19 13.4 L 12.8 14.2 L 16.4 21 L 13.4 22.4 L 10 15.4 L 5.4 19.6 Z"
    // A pin and the way to the next one, in the direction of reading.
    case .nextPlace:
      "M 8 22 C 8 22 1.8 13.6 1.8 9 C 1.8 5.6 4.6 2.8 8 2.8 C 11.4 2.8 14.2 5.6 14.2 9 C 14.2 13.6 8 22 8 22 Z O 8 9 2.4 M 23 9 L 17.6 3.4 L 15.8 5.2 L 19.4 9 L 15.8 12.8 L 17.6 14.6 Z"
    case .nextPlaceLeftward:
      "M 16 22 C 16 22 22.2 13.6 22.2 9 C 22.2 5.6 19.4 2.8 16 2.8 C 12.6 2.8 9.8 5.6 9.8 9 C 9.8 13.6 16 22 16 22 Z O 16 9 2.4 M 1 9 L 6.4 3.4 L 8.2 5.2 L 4.6 9 L 8.2 12.8 L 6.4 14.6 Z"
    // An arrow that bends back to where reading began: to the left, or to the right.
    case .back:
      "M 9.5 3 L 9.5 8 L 15 8 C 19 8 21.8 10.8 21.8 14.4 C 21.8 18 19 20.8 15 20.8 L 7 20.8 L 7 17.8 L 15 17.8 C 17.4 17.8 18.8 16.4 18.8 14.4 C 18.8 12.4 17.4 11 15 11 L 9.5 11 L 9.5 16 L 2 9.5 Z"
    case .backRightward:
      "M 14.5 3 L 14.5 8 L 9 8 C 5 8 2.2 10.8 2.2 14.4 C 2.2 18 5 20.8 9 20.8 L 17 20.8 L 17 17.8 L 9 17.8 C 6.6 17.8 5.2 16.4 5.2 14.4 C 5.2 12.4 6.6 11 9 11 L 14.5 11 L 14.5 16 L 22 9.5 Z"
    // Signs with a line of text beside each.
    case .key:
      "O 5 5.5 2.6 M 10 4 L 22 4 L 22 7 L 10 7 Z M 2.6 9.8 L 7.4 9.8 L 7.4 14.2 L 2.6 14.2 Z M 10 10.5 L 22 10.5 L 22 13.5 L 10 13.5 Z M 5 15.8 L 8 20.8 L 2 20.8 Z M 10 17 L 22 17 L 22 20 L 10 20 Z"
    // A globe: a circle with its equator and a meridian.
    case .language:
      "O 12 12 10 O 12 12 8.2 M 3.4 11 L 20.6 11 L 20.6 13 L 3.4 13 Z M 12 3 C 16.4 7.4 16.4 16.6 12 21 C 7.6 16.6 7.6 7.4 12 3 Z M 12 5.8 C 9.6 9.6 9.6 14.4 12 18.2 C 14.4 14.4 14.4 9.6 12 5.8 Z"
    // A disc with an i.
    case .about:
      "O 12 12 11 O 12 7.2 1.6 M 10.5 10.2 L 13.5 10.2 L 13.5 18.2 L 10.5 18.2 Z"
    // An outlined triangle with an exclamation mark.
    case .caution:
      "M 12 2 L 23.2 21.5 L 0.8 21.5 Z M 12 6.2 L 19.6 19.4 L 4.4 19.4 Z M 10.9 10 L 11.2 14.8 L 12.8 14.8 L 13.1 10 Z O 12 17 1.3"
    // A disc with a bar.
    case .stop: "O 12 12 11 M 5 9.8 L 19 9.8 L 19 14.2 L 5 14.2 Z"
    case .power:
      "M 10.6 1.5 L 13.4 1.5 L 13.4 11.5 L 10.6 11.5 Z M 7.6 4.6 L 8.9 7 C 6.4 8.2 5.2 10.4 5.2 12.8 C 5.2 16.6 8.2 19.6 12 19.6 C 15.8 19.6 18.8 16.6 18.8 12.8 C 18.8 10.4 17.6 8.2 15.1 7 L 16.4 4.6 C 19.6 6.2 21.5 9.2 21.5 12.8 C 21.5 18.1 17.3 22.3 12 22.3 C 6.7 22.3 2.5 18.1 2.5 12.8 C 2.5 9.2 4.4 6.2 7.6 4.6 Z"
    }
  }

  /// The drawing, scaled: its field's upper left corner is at (x, y), its side `size` pixels long.
  public func path(x: Double, y: Double, size: Double) -> Path {
    var path = Path()
    path.add(drawing, x: x, y: y, scale: size / 24)
    return path
  }
}
