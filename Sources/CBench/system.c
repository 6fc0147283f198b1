// Copyright Waypost contributors. Licence: Apache-2.0.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "CBench.h"

uint64_t bench_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t processor_time(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t bench_thread_time(void) { return processor_time(CLOCK_THREAD_CPUTIME_ID); }

uint64_t bench_process_time(void) { return processor_time(CLOCK_PROCESS_CPUTIME_ID); }

struct bench_sqlite {
  sqlite3 *file;
  sqlite3_stmt *statement;
};

bench_sqlite *bench_sqlite_open(const char *path) {
  bench_sqlite *opened = calloc(1, sizeof *opened);
  if (sqlite3_open_v2(path, &opened->file, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) ||
      sqlite3_prepare_v2(
          opened->file,
          "SELECT tile_data FROM tiles WHERE zoom_level=?1 AND tile_column=?2 AND tile_row=?3", -1,
          &opened->statement, NULL)) {
    bench_sqlite_close(opened);
    return NULL;
  }
  return opened;
}

void bench_sqlite_close(bench_sqlite *opened) {
  sqlite3_finalize(opened->statement);
  sqlite3_close(opened->file);
  free(opened);
}

long bench_sqlite_tile(bench_sqlite *opened, int z, int column, int row) {
  long count = -1;
  sqlite3_bind_int(opened->statement, 1, z);
  sqlite3_bind_int(opened->statement, 2, column);
  sqlite3_bind_int(opened->statement, 3, row);
  if (sqlite3_step(opened->statement) == SQLITE_ROW) {
    const void *bytes = sqlite3_column_blob(opened->statement, 0);
    count = sqlite3_column_bytes(opened->statement, 0);
    void *copy = malloc((size_t)count + 1);
    memcpy(copy, bytes, (size_t)count);
    count += ((volatile char *)copy)[0] * 0;
    free(copy);
  }
  sqlite3_reset(opened->statement);
  return count;
}

long bench_pread(int fd, uint64_t offset, size_t count) {
  void *memory = malloc(count + 1);
  long got = pread(fd, memory, count, (off_t)offset);
  if (got > 0) got += ((volatile char *)memory)[0] * 0;
  free(memory);
  return got;
}

long bench_find(const void *whole, size_t count, const void *part, size_t part_count) {
  const char *found = memmem(whole, count, part, part_count);
  return found ? found - (const char *)whole : -1;
}

int bench_spawn(const char *path, char *const arguments[], int listener, int output) {
  int pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (output >= 0) {
    dup2(output, 1);
    dup2(output, 2);
  }
  if (listener >= 0) {
    char text[16];
    snprintf(text, sizeof text, "%d", getpid());
    setenv("LISTEN_PID", text, 1);
    setenv("LISTEN_FDS", "1", 1);
    if (listener == 3)
      fcntl(3, F_SETFD, 0);
    else
      dup2(listener, 3);
  }
  execv(path, arguments);
  _exit(127);
}

typedef struct {
  int fd;
  size_t answer;
} echo;

static void *run_echo(void *raw) {
  echo *e = raw;
  char in[65536];
  char *out = malloc(e->answer);
  memset(out, 'x', e->answer);
  out[e->answer - 1] = '\n';
  while (recv(e->fd, in, sizeof in, 0) > 0)
    if (send(e->fd, out, e->answer, MSG_NOSIGNAL) < 0) break;
  close(e->fd);
  free(out);
  free(e);
  return NULL;
}

static bool start(void *(*run)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, argument)) return false;
  pthread_detach(thread);
  return true;
}

bool bench_echo(int fd, size_t answer) {
  echo *e = malloc(sizeof *e);
  *e = (echo){fd, answer < 1 ? 1 : answer};
  return start(run_echo, e);
}

static _Atomic uint64_t noted;

static void *run_epoll(void *raw) {
  int event = ((int *)raw)[0], after = ((int *)raw)[1];
  free(raw);
  int epoll = epoll_create1(0);
  struct epoll_event interest = {.events = EPOLLIN};
  epoll_ctl(epoll, EPOLL_CTL_ADD, event, &interest);
  for (;;) {
    struct epoll_event ready;
    if (epoll_wait(epoll, &ready, 1, -1) != 1) continue;
    uint64_t count;
    if (read(event, &count, 8) != 8) continue;
    atomic_store(&noted, bench_now());
    if (count > 1000) break;
    uint64_t one = 1;
    if (write(after, &one, 8) != 8) break;
  }
  close(epoll);
  return NULL;
}

bool bench_epoll(int event, int after) {
  int *descriptors = malloc(2 * sizeof *descriptors);
  descriptors[0] = event;
  descriptors[1] = after;
  return start(run_epoll, descriptors);
}
uint64_t bench_epoll_noted(void) { return atomic_load(&noted); }

void bench_pin(int pid, int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < CPU_SETSIZE; i++) {
    if (core < 0 || i == core) CPU_SET(i, &set);
  }
  sched_setaffinity(pid, sizeof set, &set);
}

static int unix_socket(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  snprintf(address->sun_path, sizeof address->sun_path, "%s", path);
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

int bench_listen(const char *path) {
  struct sockaddr_un address;
  int fd = unix_socket(path, &address);
  unlink(path);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, 16)) return -1;
  return fd;
}

int bench_connect(const char *path) {
  struct sockaddr_un address;
  int fd = unix_socket(path, &address);
  if (connect(fd, (struct sockaddr *)&address, sizeof address)) return -1;
  return fd;
}

int bench_processors(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set)) return 1;
  return CPU_COUNT(&set);
}
