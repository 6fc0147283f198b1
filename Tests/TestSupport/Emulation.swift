import Glibc

/// Whether the tests run as another machine's under emulation, 20 to 50 times slower
/// (board/README.md).
public enum Emulation {
  public static let isOn = getenv("WAYPOST_EMULATED") != nil

  /// How many rounds a long loop makes: `count`, under emulation a twentieth of it.
  public static func rounds(_ count: Int) -> Int { isOn ? max(1, count / 20) : count }
}
