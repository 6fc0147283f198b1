#include "framebuffer.h"

#include <stdint.h>
#include <sys/ioctl.h>

int waypost_framebuffer_mode(int fd, struct fb_var_screeninfo *mode) {
  return ioctl(fd, FBIOGET_VSCREENINFO, mode);
}

int waypost_framebuffer_set_mode(int fd, struct fb_var_screeninfo *mode) {
  return ioctl(fd, FBIOPUT_VSCREENINFO, mode);
}

int waypost_framebuffer_memory(int fd, struct fb_fix_screeninfo *memory) {
  return ioctl(fd, FBIOGET_FSCREENINFO, memory);
}

int waypost_framebuffer_pan(int fd, struct fb_var_screeninfo *mode) {
  return ioctl(fd, FBIOPAN_DISPLAY, mode);
}

int waypost_framebuffer_blank(int fd, int level) { return ioctl(fd, FBIOBLANK, level); }

int waypost_framebuffer_wait(int fd) {
  uint32_t crtc = 0;
  return ioctl(fd, FBIO_WAITFORVSYNC, &crtc);
}
