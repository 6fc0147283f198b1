/// The release of Waypost, the same for all of its programs.
public enum Release {
  /// The version number, as semver.org has it.
  public static let version = "0.1.0"
}
