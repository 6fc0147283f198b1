#define _GNU_SOURCE
#include "threads.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void waypost_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

void waypost_yield_thread(int steps) {
  setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), steps);
}

void waypost_populate(void *memory, size_t bytes) {
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
  madvise(memory, bytes, MADV_POPULATE_WRITE);
}

void waypost_share_heaps(void) {
  mallopt(M_ARENA_MAX, 2);
  // Otherwise it grows with what is freed, up to 32 MiB.
  mallopt(M_MMAP_THRESHOLD, 64 << 10);
}

void waypost_trim_heaps(void) { malloc_trim(0); }

bool waypost_has_memory(size_t count) {
  // Volatile: otherwise the compiler leaves the pair out, and says yes.
  void *volatile memory = malloc(count);
  if (!memory) return false;
  free(memory);
  return true;
}

// From the linker. The segment is read-only and never written: no page of it differs from the file.
extern char __executable_start, etext;

void waypost_release_code(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = (uintptr_t)&__executable_start, end = (uintptr_t)&etext / page * page;
  if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
}
