// Marks a crash in a file. Handlers of signals may call few functions, which Swift cannot promise.
#pragma once

#include <signal.h>

/// From now on SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS and SIGTRAP append `line` to the
/// file `first`, or to `second` if the first does not exist or cannot be written, and then take
/// their former effect, such as ending the process. An empty path is no file. Call it once. All
/// texts are copied. The calling thread gets an alternate signal stack. -1 with ENAMETOOLONG.
int waypost_mark_crashes(const char *first, const char *second, const char *line);

/// Removes those signals from `set`. Were one of them blocked, the kernel would end the process
/// without its handler.
void waypost_remove_crash_signals(sigset_t *set);

/// Calls `body` with `context` on a thread that has an alternate signal stack, so that a handler
/// runs even after the thread's own stack overflows.
void waypost_run_with_signal_stack(void (*body)(void *context), void *context);
