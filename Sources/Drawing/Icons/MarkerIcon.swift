/// The icons that a marker can have.
public enum MarkerIcon: String, Sendable, CaseIterable {
  /// Large, with a ring at its foot, so that it is found from across a room.
  case here
  case pin, dot, star, flag, info, parking, camp, water, summit, viewpoint, toilet
  case firstAid = "first-aid"
  case shelter, bus, hut, danger, food, picnic, train, photo, bike, boat, tree

  /// The names of all icons, as the configuration and the socket spell them.
  public static let names = allCases.map(\.rawValue)

  /// The pictogram in the icon's middle; nil: a plain disc.
  public var pictogram: Pictogram? {
    switch self {
    case .here, .pin, .dot: nil
    default: Pictogram(rawValue: rawValue)
    }
  }

  /// The icon's default colour, 0xFFRRGGBB.
  public var color: UInt32 {
    switch self {
    case .here, .pin, .flag, .firstAid: 0xFFC6_2828
    case .dot, .info, .parking, .bus, .train: 0xFF1F_5FA8
    case .star: 0xFFB5_6A00
    case .danger: 0xFFB8_4300
    case .water, .boat: 0xFF00_77A8
    case .camp, .picnic, .tree: 0xFF2E_7D32
    case .summit, .viewpoint, .photo: 0xFF5D_4037
    case .toilet, .shelter, .hut, .bike, .food: 0xFF45_5A64
    }
  }
}
