// Copyright Waypost contributors. Licence: Apache-2.0.
#define _GNU_SOURCE
#include "CHotPathCount.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic long allocations, locks;
_Atomic long waypost_retains;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  atomic_fetch_add(&allocations, 1);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  atomic_fetch_add(&allocations, 1);
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  atomic_fetch_add(&allocations, 1);
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  atomic_fetch_add(&allocations, 1);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static int (*real)(pthread_mutex_t *);
  if (!real) real = dlsym(RTLD_NEXT, "pthread_mutex_lock");
  atomic_fetch_add(&locks, 1);
  return real(mutex);
}

// The runtime's functions keep more registers than C's do, so these change none but those that a
// call through the procedure linkage table may change; weak, so that a static runtime's own ones
// are taken where there is one.
void *waypost_resolve(const char *name) { return dlsym(RTLD_NEXT, name); }

#if defined(__x86_64__)
#define COUNTED(name)                                                                              \
  __asm__(".data\n.align 8\n" #name "_real: .quad " #name "_first\n" #name "_name: .asciz \"" #name \
          "\"\n.text\n.weak " #name "\n.type " #name ", @function\n" #name ":\n"                     \
          "  lock incq waypost_retains(%rip)\n  jmp *" #name "_real(%rip)\n" #name "_first:\n"       \
          "  push %rdi\n  push %rsi\n  push %rdx\n  push %rcx\n  push %r8\n  push %r9\n  push %rax\n" \
          "  push %r10\n  push %r11\n  lea " #name "_name(%rip), %rdi\n"                             \
          "  call waypost_resolve@PLT\n  mov %rax, " #name "_real(%rip)\n"                           \
          "  pop %r11\n  pop %r10\n  pop %rax\n  pop %r9\n  pop %r8\n  pop %rcx\n  pop %rdx\n"        \
          "  pop %rsi\n  pop %rdi\n  jmp *" #name "_real(%rip)\n")
#elif defined(__aarch64__)
// Frames are drawn by one thread, so that a plain addition counts them all.
#define COUNTED(name)                                                                              \
  __asm__(".data\n.align 3\n" #name "_real: .quad " #name "_first\n" #name "_name: .asciz \"" #name \
          "\"\n.text\n.align 2\n.weak " #name "\n.type " #name ", %function\n" #name ":\n"         \
          "  adrp x16, waypost_retains\n  add x16, x16, :lo12:waypost_retains\n"                   \
          "  ldr x17, [x16]\n  add x17, x17, #1\n  str x17, [x16]\n"                               \
          "  adrp x16, " #name "_real\n  ldr x16, [x16, :lo12:" #name "_real]\n  br x16\n"          \
          #name "_first:\n"                                                                        \
          "  stp x0, x1, [sp, #-176]!\n  stp x2, x3, [sp, #16]\n  stp x4, x5, [sp, #32]\n"         \
          "  stp x6, x7, [sp, #48]\n  stp x8, x9, [sp, #64]\n  stp x10, x11, [sp, #80]\n"          \
          "  stp x12, x13, [sp, #96]\n  stp x14, x15, [sp, #112]\n  stp x18, x29, [sp, #128]\n"    \
          "  str x30, [sp, #144]\n"                                                                \
          "  adrp x0, " #name "_name\n  add x0, x0, :lo12:" #name "_name\n"                          \
          "  bl waypost_resolve\n"                                                                 \
          "  adrp x16, " #name "_real\n  str x0, [x16, :lo12:" #name "_real]\n  mov x16, x0\n"       \
          "  ldr x30, [sp, #144]\n  ldp x18, x29, [sp, #128]\n  ldp x14, x15, [sp, #112]\n"        \
          "  ldp x12, x13, [sp, #96]\n  ldp x10, x11, [sp, #80]\n  ldp x8, x9, [sp, #64]\n"        \
          "  ldp x6, x7, [sp, #48]\n  ldp x4, x5, [sp, #32]\n  ldp x2, x3, [sp, #16]\n"            \
          "  ldp x0, x1, [sp], #176\n  br x16\n")
#endif

COUNTED(swift_retain);
COUNTED(swift_release);
COUNTED(swift_bridgeObjectRetain);
COUNTED(swift_bridgeObjectRelease);

waypost_counts waypost_counts_now(void) {
  waypost_counts counts = {
      atomic_load(&allocations), atomic_load(&locks), atomic_load(&waypost_retains)};
  return counts;
}
