// The calls of a framebuffer device (the kernel's Documentation/fb/api.rst and linux/fb.h), whose
// numbers are macros. Each function is one ioctl: 0, or -1 with errno.
#pragma once

#include <linux/fb.h>

/// FBIOGET_VSCREENINFO: the mode.
int waypost_framebuffer_mode(int fd, struct fb_var_screeninfo *mode);

/// FBIOPUT_VSCREENINFO: asks for a mode. The driver may set something else and report success.
int waypost_framebuffer_set_mode(int fd, struct fb_var_screeninfo *mode);

/// FBIOGET_FSCREENINFO: the mode's layout in memory.
int waypost_framebuffer_memory(int fd, struct fb_fix_screeninfo *memory);

/// FBIOPAN_DISPLAY: shows the memory from `xoffset` and `yoffset` on.
int waypost_framebuffer_pan(int fd, struct fb_var_screeninfo *mode);

/// FBIOBLANK: FB_BLANK_UNBLANK or FB_BLANK_POWERDOWN.
int waypost_framebuffer_blank(int fd, int level);

/// FBIO_WAITFORVSYNC: blocks until the next vertical blank.
int waypost_framebuffer_wait(int fd);
