// Copyright Waypost contributors. Licence: Apache-2.0.
#include "CMemoryCheck.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>

int waypost_memcheck_is_on(void) { return RUNNING_ON_VALGRIND ? 1 : 0; }

void waypost_memcheck_forbid(const void *start, size_t count) {
  (void)VALGRIND_MAKE_MEM_NOACCESS(start, count);
}
#else
int waypost_memcheck_is_on(void) { return -1; }

void waypost_memcheck_forbid(const void *start, size_t count) {
  (void)start;
  (void)count;
}
#endif
