#define _GNU_SOURCE
#include "crashes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { stack_size = 16 << 10 };

static const int crash_signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
enum { signal_count = sizeof crash_signals / sizeof crash_signals[0] };

static char mark_path[PATH_MAX];
static char mark_line[64];
static size_t mark_length;

// Uses only functions that signal-safety(7) lists.
static void mark(int number) {
  int fd = open(mark_path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd >= 0) {
    // Nothing can be done if it fails: the next start then blames nobody.
    ssize_t written = write(fd, mark_line, mark_length);
    (void)written;
    close(fd);
  }
  // SA_RESETHAND and SA_NODEFER: this ends the process.
  raise(number);
}

int waypost_mark_crashes(const char *path, const char *line) {
  static char stack[stack_size];
  if (strlen(path) >= sizeof mark_path || strlen(line) >= sizeof mark_line) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(mark_path, path);
  strcpy(mark_line, line);
  mark_length = strlen(line);
  stack_t own = {.ss_sp = stack, .ss_size = sizeof stack}, before;
  if (sigaltstack(NULL, &before) == 0 && before.ss_flags & SS_DISABLE) sigaltstack(&own, NULL);
  for (int i = 0; i < signal_count; i++) {
    struct sigaction old, new = {.sa_handler = mark};
    new.sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK;
    sigemptyset(&new.sa_mask);
    if (sigaction(crash_signals[i], NULL, &old) != 0) continue;
    if (!(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL) {
      sigaction(crash_signals[i], &new, NULL);
    }
  }
  return 0;
}

void waypost_remove_crash_signals(sigset_t *set) {
  for (int i = 0; i < signal_count; i++) sigdelset(set, crash_signals[i]);
}

void waypost_run_with_signal_stack(void (*body)(void *context), void *context) {
  // At the start of the thread's own stack, which an overflow never reaches.
  char stack[stack_size];
  stack_t own = {.ss_sp = stack, .ss_size = sizeof stack}, before;
  // A sanitizer has one of its own.
  int is_own = sigaltstack(NULL, &before) == 0 && before.ss_flags & SS_DISABLE &&
               sigaltstack(&own, NULL) == 0;
  body(context);
  if (is_own) sigaltstack(&before, NULL);
}
