/// Keys whose values this version checks but whose feature it does not have yet.
public enum NotInThisVersion {
  /// The dotted names of these keys. A key is removed when its feature is implemented.
  public static let keys: Set<String> = [
    "source.store", "source.store_limit", "source.headers", httpURL,
    "media.watch",
  ]

  /// `source.url` itself is implemented, but not with http and https.
  static let httpURL = "source.url with http(s)"
}
