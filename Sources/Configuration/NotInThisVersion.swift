/// Keys that this version parses and checks but whose feature it does not have yet.
public enum NotInThisVersion {
  /// Dotted names. A key is removed from the list when its feature is implemented.
  public static let keys: Set<String> = [
    "source.provider", "source.store", "source.store_limit", "source.headers", httpURL,
    "media.watch",
  ]

  /// `source.url` itself is there; with http or https it is not.
  static let httpURL = "source.url with http(s)"
}
