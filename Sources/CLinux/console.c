#define _GNU_SOURCE
#include "console.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int waypost_terminal_device(int fd, uint32_t *device) { return ioctl(fd, TIOCGDEV, device); }

int waypost_first_realtime_signal(void) { return SIGRTMIN; }

int waypost_send_datagram(const char *path, size_t length, const char *text, size_t size, int fd) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (length == 0 || length >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = 0;
  struct iovec part = {.iov_base = (void *)text, .iov_len = size};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct msghdr message = {
      .msg_name = &address,
      .msg_namelen = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length),
      .msg_iov = &part,
      .msg_iovlen = 1,
  };
  if (fd >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
  }
  int out = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (out < 0) return -1;
  ssize_t sent = sendmsg(out, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  int code = errno;
  close(out);
  errno = code;
  return sent == (ssize_t)size ? 0 : -1;
}
