/// Keys whose values this version checks but whose feature it does not have yet.
public enum NotInThisVersion {
  /// The dotted names of these keys. A key is removed when its feature is implemented.
  public static let keys: Set<String> = ["media.watch"]
}
