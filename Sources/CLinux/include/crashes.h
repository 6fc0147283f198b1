// Marks a crash in a file. Handlers of signals may call few functions, which Swift cannot promise.
#pragma once

#include <signal.h>

/// From now on SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS and SIGTRAP append `line` to the
/// file `path`, if it exists, and then end the process as they would without this. Signals that
/// have a handler keep it. Both texts are copied. The calling thread gets a stack for handlers of
/// signals. Returns -1 with ENAMETOOLONG if the texts are too long.
int waypost_mark_crashes(const char *path, const char *line);

/// Removes those signals from `set`. Were one of them blocked, the kernel would end the process
/// without its handler.
void waypost_remove_crash_signals(sigset_t *set);

/// Calls `body` with `context`, with a stack for handlers of signals, so that a handler also runs
/// when the thread's own stack is used up.
void waypost_run_with_signal_stack(void (*body)(void *context), void *context);
