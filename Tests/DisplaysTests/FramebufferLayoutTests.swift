import CLinux
import EventLoop
import Glibc
import Pixels
import TestSupport
import Testing

@testable import Displays

/// 800x480 at 16 bits, as a driver states it.
private func stated() -> (mode: fb_var_screeninfo, memory: fb_fix_screeninfo) {
  var mode = fb_var_screeninfo()
  (mode.xres, mode.yres) = (800, 480)
  (mode.xres_virtual, mode.yres_virtual) = (800, 480)
  mode.bits_per_pixel = 16
  (mode.red.offset, mode.red.length) = (11, 5)
  (mode.green.offset, mode.green.length) = (5, 6)
  (mode.blue.offset, mode.blue.length) = (0, 5)
  var memory = fb_fix_screeninfo()
  memory.type = UInt32(FB_TYPE_PACKED_PIXELS)
  memory.visual = UInt32(FB_VISUAL_TRUECOLOR)
  memory.line_length = 1664
  memory.smem_len = 1664 * 480 * 2
  return (mode, memory)
}

private func layout(
  _ change: (inout fb_var_screeninfo, inout fb_fix_screeninfo) -> Void
) -> FramebufferLayout? {
  var (mode, memory) = stated()
  change(&mode, &memory)
  return try? FramebufferLayout(mode: mode, memory: memory, path: "/dev/fb0")
}

@Suite struct FramebufferLayoutTests {
  @Test func rowsLieAsFarApartAsTheDriverSays() throws {
    let made = try #require(layout { _, _ in })
    #expect(made.width == 800)
    #expect(made.height == 480)
    #expect(made.rowBytes == 1664)
    #expect(made.format.scanout == .rgb565)
    #expect(made.mapOffset == 0)
  }

  @Test func twoPicturesNeedRoomInTheMemoryAndTheModeAndADriverThatPans() {
    #expect(layout { _, _ in }?.canDouble == false)
    #expect(layout { $1.ypanstep = 1 }?.canDouble == false)
    #expect(layout { mode, _ in mode.yres_virtual = 960 }?.canDouble == false)
    let both = layout {
      $0.yres_virtual = 960
      $1.ypanstep = 1
    }
    #expect(both?.canDouble == true)
    let steps = layout {
      $0.yres_virtual = 960
      $1.ypanstep = 7
    }
    #expect(steps?.canDouble == false)
    let small = layout {
      $0.yres_virtual = 960
      $1.ypanstep = 1
      $1.smem_len -= 1
    }
    #expect(small?.canDouble == false)
  }

  @Test func memoryThatBeginsWithinAPageIsMappedFromThePagesStart() {
    #expect(layout { $1.smem_start = 0x3c10_0140 }?.mapOffset == 0x140)
  }

  @Test func whatAPaletteOrPlanesShowIsRefusedWithWhatWouldBeRight() {
    var (mode, memory) = stated()
    memory.visual = UInt32(FB_VISUAL_PSEUDOCOLOR)
    mode.bits_per_pixel = 8
    do throws(FramebufferError) {
      _ = try FramebufferLayout(mode: mode, memory: memory, path: "/dev/fb3")
      Issue.record("accepted")
    } catch {
      #expect(error.description.hasPrefix("/dev/fb3: its pixels are not true colour"))
      #expect(error.description.contains("16, 24 or 32 bits"))
    }
    #expect(layout { $1.type = UInt32(FB_TYPE_PLANES) } == nil)
    #expect(layout { mode, _ in mode.grayscale = 1 } == nil)
    #expect(layout { mode, _ in mode.red.msb_right = 1 } == nil)
  }

  @Test func aDriverThatContradictsItselfIsRefused() {
    #expect(layout { $1.line_length = 1599 } == nil)
    #expect(layout { $1.line_length = 0 } == nil)
    #expect(layout { $1.smem_len = 1664 * 480 - 1 } == nil)
    #expect(layout { mode, _ in mode.xoffset = 33 } == nil)
    #expect(layout { mode, _ in mode.yoffset = 481 } == nil)
    #expect(layout { mode, _ in mode.xres = 0 } == nil)
    #expect(layout { mode, _ in mode.yres = 16385 } == nil)
    #expect(layout { mode, _ in mode.red.offset = 12 } == nil)
  }

  @Test func whateverIsStatedIsRefusedOrLiesWithinTheMemory() {
    var seed: UInt64 = 3
    func random() -> UInt32 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = UInt32(truncatingIfNeeded: seed >> 32)
      return value >> (value & 31)
    }
    var accepted = 0
    for round in 0..<4000 {
      let made = layout { mode, memory in
        for _ in 0...(round % 3) {
          switch random() % 9 {
          case 0: mode.xres = random()
          case 1: mode.yres = random()
          case 2: mode.yres_virtual = random()
          case 3: mode.xoffset = random()
          case 4: mode.yoffset = random()
          case 5: memory.line_length = random()
          case 6: memory.smem_len = random()
          case 7: mode.bits_per_pixel = random()
          default: mode.green.offset = random()
          }
        }
        memory.ypanstep = UInt16(truncatingIfNeeded: random())
        #expect(memory.smem_len <= UInt32.max)
        seed &+= UInt64(memory.smem_len)
        if let made = try? FramebufferLayout(mode: mode, memory: memory, path: "") {
          let end =
            (made.virtualHeight - 1) * made.rowBytes
            + (made.left + made.width) * made.format.bytes
          #expect(end <= Int(memory.smem_len))
        }
      }
      if made != nil { accepted += 1 }
    }
    #expect(accepted > 100)
    #expect(accepted < 4000)
  }

  @Test func whatIsNoFramebufferSaysWhatItIsInstead() {
    func reason(_ path: String) -> String {
      do throws(FramebufferError) {
        _ = try FramebufferDisplay(FramebufferRequest(), path: path, loop: nil)
        return ""
      } catch {
        return error.description
      }
    }
    #expect(reason("/dev/null").hasPrefix("/dev/null: FBIOGET_VSCREENINFO: "))
    #expect(
      reason("/dev/fb31/none") != "" && reason("/nowhere/fb0").contains("there is no such device"))
  }

  @Test func withoutADeviceTheKioskHasADisplayInMemoryIfItMayWait() throws {
    let loop = try EventLoop()
    let request = FramebufferRequest(device: "/nowhere/fb0", width: 320, height: 240)
    #expect(throws: FramebufferError.self) { _ = try FramebufferScreen(request, loop: loop) }
    let screen = try FramebufferScreen(request, loop: loop, waits: true)
    var told: [String?] = []
    screen.onHealth = { told.append("\($0): \($1 ?? "well")") }
    #expect(screen.display.kind == "headless")
    #expect(screen.display.width == 320)
    #expect(!screen.isConnected)
    #expect(told.count == 1)
    #expect(told.first??.hasPrefix("display: /nowhere/fb0: there is no such device") == true)
    screen.close()
  }

  @Test func devicesComeInTheOrderOfTheirNumbers() throws {
    let folder = try TemporaryFolder()
    for name in ["fb10", "fb2", "fb", "fb01", "fbx", "fb-1", "fb0"] {
      try folder.write("", to: name)
    }
    #expect(
      FramebufferScreen.devices(in: folder.path)
        == ["fb0", "fb2", "fb10"].map { "\(folder.path)/\($0)" })
    #expect(FramebufferScreen.devices(in: folder.path + "/none").isEmpty)
  }
}
