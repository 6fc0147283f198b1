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

enum { path_count = 2 };

static char mark_paths[path_count][PATH_MAX];
static char mark_line[64];
static size_t mark_length;
// The handlers installed before ours: the default, a sanitizer's, or Swift's for backtraces.
static struct sigaction former[signal_count];

// Uses only functions that signal-safety(7) lists.
static void mark(int number, siginfo_t *info, void *context) {
  (void)context;
  // Nothing can be done if all fail: the next start then blames nobody.
  for (int i = 0, is_marked = 0; i < path_count && !is_marked; i++) {
    int fd = open(mark_paths[i], O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) continue;
    is_marked = write(fd, mark_line, mark_length) == (ssize_t)mark_length;
    close(fd);
  }
  for (int i = 0; i < signal_count; i++) {
    if (crash_signals[i] == number) sigaction(number, &former[i], NULL);
  }
  // A faulting instruction faults again on return, so the former handler sees the original address.
  if (info->si_code > 0 && number != SIGTRAP && number != SIGSYS) return;
  raise(number);
}

int waypost_mark_crashes(const char *first, const char *second, const char *line) {
  static char stack[stack_size];
  if (strlen(first) >= PATH_MAX || strlen(second) >= PATH_MAX || strlen(line) >= sizeof mark_line) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(mark_paths[0], first);
  strcpy(mark_paths[1], second);
  strcpy(mark_line, line);
  mark_length = strlen(line);
  stack_t own = {.ss_sp = stack, .ss_size = sizeof stack}, before;
  if (sigaltstack(NULL, &before) == 0 && before.ss_flags & SS_DISABLE) sigaltstack(&own, NULL);
  for (int i = 0; i < signal_count; i++) {
    struct sigaction new = {.sa_sigaction = mark};
    new.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigemptyset(&new.sa_mask);
    sigaction(crash_signals[i], &new, &former[i]);
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
