// Copyright Waypost contributors. Licence: Apache-2.0.
//
// A plugin of QEMU's user-mode emulation (-plugin): counts the instructions that the emulated
// program executes between two calls of sched_yield(2), and prints them after the second one, then
// again for the next two. Only for programs of one thread.
//
// QEMU's header is in no Debian package, so what is used of it is declared here. These functions are
// the same in all versions with plugins (4.2 and later).
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SYS_sched_yield_arm64 = 124 };

typedef uint64_t plugin_id;
struct block;

extern size_t qemu_plugin_tb_n_insns(const struct block *);
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct block *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(
    struct block *, void (*)(unsigned, void *), int flags, void *);
extern void qemu_plugin_register_vcpu_syscall_cb(
    plugin_id, void (*)(
        plugin_id, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
        uint64_t, uint64_t));

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static uint64_t executed, begun;
static int counts;

static void run(unsigned cpu, void *instructions) {
  (void)cpu;
  executed += (uintptr_t)instructions;
}

static void translate(plugin_id id, struct block *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_cb(
      block, run, 0, (void *)(uintptr_t)qemu_plugin_tb_n_insns(block));
}

static void call(
    plugin_id id, unsigned cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
    uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
  (void)id, (void)cpu, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
  if (number != SYS_sched_yield_arm64) return;
  if (counts) dprintf(1, "%llu\n", (unsigned long long)(executed - begun));
  counts = !counts;
  begun = executed;
}

__attribute__((visibility("default"))) int qemu_plugin_install(
    plugin_id id, const void *info, int count, char **arguments) {
  (void)info, (void)count, (void)arguments;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  qemu_plugin_register_vcpu_syscall_cb(id, call);
  return 0;
}
