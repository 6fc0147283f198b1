// The virtual terminal's ioctls (console_ioctl(2), vt.h) and the service manager's protocol.
#pragma once

#include <linux/kd.h>
#include <linux/vt.h>
#include <stddef.h>
#include <stdint.h>

/// TIOCGDEV: the device number of the terminal behind `fd`, even if that is /dev/tty.
int waypost_terminal_device(int fd, uint32_t *device);

/// SIGRTMIN, which is a function call in the C library.
int waypost_first_realtime_signal(void);

/// Sends `size` bytes as one datagram to the Unix socket at `path` of `length` bytes (a leading '@'
/// is an abstract name's zero byte), with the descriptor `fd` unless that is -1 (SCM_RIGHTS). Never
/// waits: a receiver whose queue is full is an error, EAGAIN. -1 with errno on failure.
int waypost_send_datagram(const char *path, size_t length, const char *text, size_t size, int fd);
