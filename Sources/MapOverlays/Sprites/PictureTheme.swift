/// The colours of everything over the map, for one theme: 0xAARRGGBB, not premultiplied.
///
/// They are chosen, not filtered: words keep a contrast of at least 4.5:1 by day and by night.
public struct PictureTheme: Sendable, Equatable {
  /// The themes there are.
  public enum Kind: String, Sendable, CaseIterable {
    case day
    case night
    /// Everything in reds, for eyes that must stay used to the dark.
    case red
  }

  /// Which theme this is.
  public let kind: Kind
  /// The background of plates.
  public let plate: UInt32
  /// The thin border of plates.
  public let plateBorder: UInt32
  /// The shadow below plates; nil: there is none.
  public let shadow: UInt32?
  /// Words on plates.
  public let ink: UInt32
  /// Words of less weight on plates.
  public let secondInk: UInt32
  /// The background of the buttons' legend.
  public let legend: UInt32
  /// Words and icons on the legend.
  public let legendInk: UInt32
  /// What is selected, and the compass needle's northern half.
  public let accent: UInt32
  /// The position.
  public let position: UInt32
  /// The ring around the position.
  public let positionRing: UInt32
  /// Words on the map.
  public let label: UInt32
  /// The halo around words on the map.
  public let halo: UInt32
  /// The line under lines.
  public let casing: UInt32

  /// The theme of a kind.
  public static func of(_ kind: Kind) -> PictureTheme {
    switch kind {
    case .day: day
    case .night: night
    case .red: red
    }
  }

  /// By day: dark ink on white plates.
  public static let day = PictureTheme(
    kind: .day, plate: 0xF2FF_FFFF, plateBorder: 0x331B_262C, shadow: 0x4000_0000,
    ink: 0xFF1B_262C, secondInk: 0xFF46_535B, legend: 0xFF1B_262C, legendInk: 0xFFFF_FFFF,
    accent: 0xFFC6_2828, position: 0xFF1A_73E8, positionRing: 0xFFFF_FFFF, label: 0xFF1B_262C,
    halo: 0xFFFF_FFFF, casing: 0xD9FF_FFFF)

  /// By night: warm light ink on dark plates.
  public static let night = PictureTheme(
    kind: .night, plate: 0xF214_191D, plateBorder: 0x1FFF_FFFF, shadow: nil, ink: 0xFFE9_DFD3,
    secondInk: 0xFFA7_9C8F, legend: 0xFF0E_1215, legendInk: 0xFFD8_CEC2, accent: 0xFFFF_6B5E,
    position: 0xFF6C_B0FF, positionRing: 0xFF0B_0F12, label: 0xFFE9_DFD3, halo: 0xFF0B_0F12,
    casing: 0xD90B_0F12)

  /// By night for astronomy: red on black. No colour has green or blue: rods, the eye's sensors for
  /// the dark, are hardly bleached by red, but a little green or blue undoes half an hour of dark.
  ///
  /// The ink is the pure red that is as light as #E53935. A pure red has a contrast of 5.2:1 to the
  /// plate at most, so the second ink can be only a little darker and keep 4.5:1.
  public static let red = PictureTheme(
    kind: .red, plate: 0xF20A_0000, plateBorder: 0x40F8_0000, shadow: nil, ink: 0xFFF8_0000,
    secondInk: 0xFFF0_0000, legend: 0xFF0A_0000, legendInk: 0xFFF8_0000, accent: 0xFFFF_0000,
    position: 0xFFF8_0000, positionRing: 0xFF0A_0000, label: 0xFFF8_0000, halo: 0xFF0A_0000,
    casing: 0xD90A_0000)
}

extension PictureTheme {
  /// The colours of plates.
  public var plateStyle: HudStyle.Plate {
    HudStyle.Plate(field: plate, border: plateBorder, ink: ink)
  }

  /// The colours of the buttons' legend.
  public var legendStyle: HudStyle.Plate {
    HudStyle.Plate(field: legend, border: 0, ink: legendInk)
  }

  /// The colours of warnings.
  public var alarmStyle: HudStyle.Plate {
    kind == .red
      ? HudStyle.Plate(field: accent, border: 0, ink: 0xFF0A_0000)
      : HudStyle.Plate(
        field: 0xFF8C_1D18, border: plateBorder, ink: kind == .day ? 0xFFFF_FFFF : ink)
  }

  /// A colour that someone chose, as it is shown in this theme: unchanged by day and by night, but
  /// red in the red theme, unless it is a pure red already.
  ///
  /// - Parameter color: 0xAARRGGBB, not premultiplied.
  /// - Returns: 0xAARRGGBB, not premultiplied.
  public func shown(_ color: UInt32) -> UInt32 {
    guard kind == .red, color & 0xFFFF != 0 else { return color }
    let (r, g, b) = (color >> 16 & 255, color >> 8 & 255, color & 255)
    let light = (r * 54 + g * 183 + b * 19) >> 8
    return color & 0xFF00_0000 | light << 16
  }
}
