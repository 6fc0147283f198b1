#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

const char *waypost_error_text(int code) {
  const char *text = strerrordesc_np(code);
  return text ? text : "unknown error";
}

const char *waypost_error_name(int code) {
  const char *name = strerrorname_np(code);
  return name ? name : "unknown";
}

int waypost_accept(int fd) {
  return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int waypost_unix_socket(int flags) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
}

static socklen_t unix_address(struct sockaddr_un *address, const char *path, size_t length) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (length == 0 || length >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return 0;
  }
  memcpy(address->sun_path, path, length);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
}

int waypost_unix_bind(int fd, const char *path, size_t length) {
  struct sockaddr_un address;
  socklen_t size = unix_address(&address, path, length);
  return size ? bind(fd, (struct sockaddr *)&address, size) : -1;
}

int waypost_unix_connect(int fd, const char *path, size_t length) {
  struct sockaddr_un address;
  socklen_t size = unix_address(&address, path, length);
  return size ? connect(fd, (struct sockaddr *)&address, size) : -1;
}

int waypost_peer_credentials(int fd, uint32_t *uid, uint32_t *gid, int32_t *pid) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
  *uid = peer.uid;
  *gid = peer.gid;
  *pid = peer.pid;
  return 0;
}
