/// Which Waypost this is; the same for all of its programs.
public enum Release {
  /// The version, by semver.org.
  public static let version = "0.1.0"
}
