// Linux calls that Swift's Glibc module lacks, and the few that need C's macros, variadics or
// feature switches. No logic: each function is one system call.
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <sys/un.h>

#include "framebuffer.h"
#include "console.h"
#include "crashes.h"
#include "threads.h"

/// The meaning of an error number, in English and without taking a lock; never NULL.
const char *waypost_error_text(int code);

/// The name of an error number ("ECONNREFUSED"); never NULL.
const char *waypost_error_name(int code);

/// accept4 with close-on-exec and non-blocking.
int waypost_accept(int fd);

/// A new Unix stream socket, close-on-exec; `flags` may add SOCK_NONBLOCK.
int waypost_unix_socket(int flags);

/// bind and connect to a path of `length` bytes. A path that does not fit sun_path fails with
/// ENAMETOOLONG.
int waypost_unix_bind(int fd, const char *path, size_t length);
int waypost_unix_connect(int fd, const char *path, size_t length);

/// SO_PEERCRED: the peer's credentials, as the kernel recorded them when it connected.
int waypost_peer_credentials(int fd, uint32_t *uid, uint32_t *gid, int32_t *pid);

/// A non-blocking, close-on-exec netlink socket that gets the kernel's own device events.
int waypost_device_events_socket(void);

/// Reads one event, at most `size` bytes. A message that did not come from the kernel counts as
/// empty, because any process may send to the group. -1 with errno if there is none.
ssize_t waypost_device_events_receive(int fd, char *bytes, size_t size);

/// O_PATH, which fcntl.h has only with _GNU_SOURCE.
static const int waypost_o_path = __O_PATH;

/// openat2(2): opens `path` beneath the directory `directory`. No link and no ".." leads out of it,
/// nor does a magic link of /proc. -1 with errno: EXDEV if the path leads out, ENOSYS on a
/// kernel before 5.6.
int waypost_open_beneath(int directory, const char *path, int flags);

/// dup3(2): makes `number`, which must be open, a duplicate of `fd`, close-on-exec. -1 with errno.
int waypost_replace_descriptor(int fd, int number);

/// open(2) with a mode.
int waypost_open_with_mode(const char *path, int flags, mode_t mode);

/// syncfs(2): all files of the file system that `fd` is on.
int waypost_sync_file_system(int fd);

/// renameat2(2) with RENAME_EXCHANGE: both names exist at all times. Not all file systems can.
int waypost_exchange(const char *path, const char *other);

/// environ(7), which Swift takes for a variable that threads share unguarded.
char **waypost_environment(void);

/// open(2) with O_TMPFILE: a file without a name in `folder`, for reading and writing.
int waypost_open_unnamed(const char *folder);
