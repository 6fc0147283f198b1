// Makes system calls of a program fail, as a word in the file $WAYPOST_FAULT says at the moment:
// eio, short, slow (reads of packs), emfile (opening), enospc, erofs (writing and creating), enomem
// (mapping memory), nomalloc (64 KiB or more of malloc, on other threads than the first: those that
// read and paint tiles), nosync (fsync). Anything else: none fails; "trace" notes how the state is
// written. The file also tells what happened: from byte 64 on how often accept4 was refused, from
// 128 on the notes. For `faults`, which preloads it (ld.so(8)).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ACCEPTS = 64, NOTES = 128, SIZE = 4096 };
static char *word;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("WAYPOST_FAULT");
  void *(*map)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
  int (*open_file)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int fd = path ? open_file(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *memory = map(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory != MAP_FAILED) word = memory;
  close(fd);
}

static int is(const char *fault) { return word && strcmp(word, fault) == 0; }

// The path of `fd`; empty: unknown.
static const char *path_of(int fd, char *path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t count = readlink(link, path, size - 1);
  path[count < 0 ? 0 : count] = 0;
  return path;
}

// Whether `fd` is a pack.
static int is_pack(int fd) {
  char path[512];
  return strstr(path_of(fd, path, sizeof path), "tiles") != NULL;
}

// Appends what was done to the state's file or folder. One thread writes the state.
static void note(const char *done, const char *path) {
  if (!is("trace") || strstr(path, "openings")) return;
  char *notes = word + NOTES;
  size_t count = strnlen(notes, SIZE - NOTES);
  snprintf(notes + count, SIZE - NOTES - count, "%s %s\n", done, path);
}

int fsync(int fd) {
  static int (*next)(int);
  if (!next) next = dlsym(RTLD_NEXT, "fsync");
  if (is("nosync")) {
    errno = EIO;
    return -1;
  }
  char path[512];
  note("sync", path_of(fd, path, sizeof path));
  return next(fd);
}

int rename(const char *old, const char *new) {
  static int (*next)(const char *, const char *);
  if (!next) next = dlsym(RTLD_NEXT, "rename");
  note("rename", new);
  return next(old, new);
}

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
  static int (*next)(int, struct sockaddr *, socklen_t *, int);
  if (!next) next = dlsym(RTLD_NEXT, "accept4");
  if (is("emfile")) {
    __atomic_add_fetch((unsigned *)(word + ACCEPTS), 1, __ATOMIC_RELAXED);
    errno = EMFILE;
    return -1;
  }
  return next(fd, address, length, flags);
}

static int before_read(int fd, size_t *count) {
  if (!word || !*word || !(is("eio") || is("short") || is("slow")) || !is_pack(fd)) return 0;
  if (is("eio")) {
    errno = EIO;
    return -1;
  }
  if (is("short") && *count > 100) *count = 100;
  if (is("slow")) nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
  return 0;
}

ssize_t pread(int fd, void *buffer, size_t count, off_t place) {
  static ssize_t (*next)(int, void *, size_t, off_t);
  if (!next) next = dlsym(RTLD_NEXT, "pread");
  return before_read(fd, &count) ? -1 : next(fd, buffer, count, place);
}

ssize_t pread64(int fd, void *buffer, size_t count, off64_t place) { return pread(fd, buffer, count, place); }

ssize_t read(int fd, void *buffer, size_t count) {
  static ssize_t (*next)(int, void *, size_t);
  if (!next) next = dlsym(RTLD_NEXT, "read");
  return before_read(fd, &count) ? -1 : next(fd, buffer, count);
}

ssize_t write(int fd, const void *buffer, size_t count) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) next = dlsym(RTLD_NEXT, "write");
  struct stat info;
  if (is("enospc") && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
    errno = ENOSPC;
    return -1;
  }
  return next(fd, buffer, count);
}

static int refused(int flags) {
  if (is("emfile")) errno = EMFILE;
  else if (is("erofs") && (flags & (O_WRONLY | O_RDWR | O_CREAT))) errno = EROFS;
  else return 0;
  return 1;
}

#define MODE(flags) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list list; \
    va_start(list, flags); \
    mode = va_arg(list, mode_t); \
    va_end(list); \
  }

int open(const char *path, int flags, ...) {
  static int (*next)(const char *, int, ...);
  if (!next) next = dlsym(RTLD_NEXT, "open");
  MODE(flags)
  return refused(flags) ? -1 : next(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags)
  return open(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  static int (*next)(int, const char *, int, ...);
  if (!next) next = dlsym(RTLD_NEXT, "openat");
  MODE(flags)
  return refused(flags) ? -1 : next(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  MODE(flags)
  return openat(folder, path, flags, mode);
}

// openat2(2) has no function of glibc: what a source beneath one of `control.roots` is opened with.
long syscall(long number, ...) {
  static long (*next)(long, ...);
  if (!next) next = dlsym(RTLD_NEXT, "syscall");
  long of[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) of[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_openat2 && refused((int)((struct open_how *)of[2])->flags)) return -1;
  return next(number, of[0], of[1], of[2], of[3], of[4], of[5]);
}

static const size_t large = 1 << 16;

// What glibc calls itself; dlsym would need memory to find the next ones.
void *__libc_malloc(size_t count);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t count);
void *__libc_memalign(size_t alignment, size_t count);

static int has_no(size_t count) {
  if (count < large || !is("nomalloc") || gettid() == getpid()) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t count) { return has_no(count) ? NULL : __libc_malloc(count); }

void *calloc(size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all) || has_no(all)) return NULL;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t count) {
  return has_no(count) ? NULL : __libc_realloc(memory, count);
}

void *aligned_alloc(size_t alignment, size_t count) {
  return has_no(count) ? NULL : __libc_memalign(alignment, count);
}

int posix_memalign(void **memory, size_t alignment, size_t count) {
  if (has_no(count)) return ENOMEM;
  void *made = __libc_memalign(alignment, count);
  if (!made) return ENOMEM;
  *memory = made;
  return 0;
}

void *mmap(void *place, size_t count, int protection, int flags, int fd, off_t offset) {
  static void *(*next)(void *, size_t, int, int, int, off_t);
  if (!next) next = dlsym(RTLD_NEXT, "mmap");
  if (is("enomem") && flags & MAP_ANONYMOUS && count >= large) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return next(place, count, protection, flags, fd, offset);
}

void *mmap64(void *place, size_t count, int protection, int flags, int fd, off64_t offset) {
  return mmap(place, count, protection, flags, fd, offset);
}
