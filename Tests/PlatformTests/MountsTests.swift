import Testing

@testable import Platform

/// Which medium a path leads to is told without touching it.
@Suite struct MountsTests {
  private let list = Array(
    #"""
    24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
    31 24 8:17 / /media/card rw - vfat /dev/sdb1 rw
    32 31 8:18 / /media/card/more rw - vfat /dev/sdb2 rw
    33 24 8:33 / /media/my\040maps\134 rw master:2 - ext4 /dev/sdc1 rw
    34 24
    """#.utf8)

  private static let places: [(path: String, point: String)] = [
    ("/maps/a.mbtiles", "/"), ("/media/card", "/media/card"),
    ("/media/card/a.mbtiles", "/media/card"), ("/media/cards/a.mbtiles", "/"),
    ("/media/card/more/a", "/media/card/more"), ("/media/card/moreover", "/media/card"),
    (#"/media/my maps\/a b"#, #"/media/my maps\"#), ("/", "/"), ("/media", "/"),
  ]

  @Test(arguments: places.indices)
  func theDeepestMountAboveAPathIsIts(_ number: Int) {
    let place = Self.places[number]
    #expect(Mounts(list: list).point(of: place.path) == place.point)
  }

  @Test func whatIsMountedBelowAFolderIsToldByItsPoint() {
    let below = Mounts(list: list).mounts(below: "/media").map(\.point)
    #expect(below == ["/media/card", "/media/card/more", #"/media/my maps\"#])
    #expect(Mounts(list: list).mounts(below: "/media/card").map(\.point) == ["/media/card/more"])
    #expect(Mounts(list: list).mounts(below: "/media/car").isEmpty)
  }

  @Test func anotherMountAtAPointIsAnotherOneAndHidesTheFirst() {
    let again = Array("\n35 24 8:49 / /media/card rw - vfat /dev/sdd1 rw\n".utf8)
    let before = Mounts(list: list).mount(of: "/media/card/a")
    let after = Mounts(list: list + again).mount(of: "/media/card/a")
    #expect(before.point == after.point)
    #expect(before.identity != after.identity)
    let below = Mounts(list: list + again).mounts(below: "/media")
    #expect(below.contains(after) && !below.contains(before))
  }

  @Test func theKernelsListIsRead() {
    #expect(Mounts().point(of: "/proc/self/nothing") == "/proc")
    #expect(Mounts().point(of: "/nothing") == "/")
  }
}
