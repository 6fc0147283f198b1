#define _GNU_SOURCE
#include "threads.h"

#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void waypost_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

void waypost_yield_thread(int steps) {
  setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), steps);
}

void waypost_share_heaps(void) { mallopt(M_ARENA_MAX, 2); }
