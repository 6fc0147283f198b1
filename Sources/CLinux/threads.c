#define _GNU_SOURCE
#include "threads.h"

#include <link.h>
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
  // Otherwise glibc raises the threshold with each freed block, up to 32 MiB.
  mallopt(M_MMAP_THRESHOLD, 64 << 10);
}

void waypost_trim_heaps(void) { malloc_trim(0); }

bool waypost_has_memory(size_t count) {
  // Volatile: otherwise the compiler removes malloc and free and always returns true.
  void *volatile memory = malloc(count);
  if (!memory) return false;
  free(memory);
  return true;
}

// Whether the dynamic loader wrote relocations into the object's read-only segments. Their pages
// then differ from the file. No object of a 64-bit distribution has such relocations.
static bool has_text_relocations(const struct dl_phdr_info *object) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    if (header->p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + header->p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_TEXTREL) return true;
      if (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL) return true;
    }
  }
  return false;
}

// Segments that are not writable: no page of them differs from the file. The loader maps each
// segment in whole pages of its own.
static int release_object(struct dl_phdr_info *object, size_t size, void *released) {
  (void)size;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  if (has_text_relocations(object)) return 0;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || header->p_flags & PF_W) continue;
    uintptr_t start = object->dlpi_addr + header->p_vaddr;
    uintptr_t end = (start + header->p_memsz + page - 1) / page * page;
    start = start / page * page;
    if (start < end && madvise((void *)start, end - start, MADV_DONTNEED) == 0)
      *(size_t *)released += end - start;
  }
  return 0;
}

size_t waypost_release_code(void) {
  size_t released = 0;
  dl_iterate_phdr(release_object, &released);
  return released;
}
