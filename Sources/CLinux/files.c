#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <stdio.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

int waypost_open_beneath(int directory, const char *path, int flags) {
  struct open_how how = {
    .flags = (unsigned int)flags,
    .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
  };
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int waypost_replace_descriptor(int fd, int number) { return dup3(fd, number, O_CLOEXEC); }

int waypost_open_with_mode(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

int waypost_sync_file_system(int fd) { return syncfs(fd); }

int waypost_exchange(const char *path, const char *other) {
  return renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE);
}

char **waypost_environment(void) { return environ; }

int waypost_open_unnamed(const char *folder) {
  return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}
