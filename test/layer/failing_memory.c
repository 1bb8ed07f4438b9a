/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Preloaded: an allocation of the layer's, or of SQLite for it, fails. Those of the program, the driver and the C
 * library go on. FAIL_AT: the one behind so many that went well; "": none. FAIL_ALL=1: all that follow, too.
 * FAIL_COUNT: a file for how many there were.
 */
#define _GNU_SOURCE /* RTLD_NEXT, dl_iterate_phdr */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef malloc
#undef calloc
#undef realloc

enum { MOST_RANGES = 16 };
static struct {
    uintptr_t begin, end;
} ranges[MOST_RANGES]; /* of the code whose allocations fail */
static size_t range_count;
static bool looked, all;
static long good = -1, asked;

static int look(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    bool ours = strstr(info->dlpi_name, "gpuperf-opencl") != NULL || strstr(info->dlpi_name, "libsqlite3") != NULL;
    for (int i = 0; ours && i < info->dlpi_phnum && range_count < MOST_RANGES; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            ranges[range_count].begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            ranges[range_count].end = ranges[range_count].begin + info->dlpi_phdr[i].p_memsz;
            range_count++;
        }
    return 0;
}

/* Libraries that are loaded later are met by a dlopen() that goes through here. */
#pragma GCC visibility push(default)

void *dlopen(const char *path, int flags)
{
    static __typeof__(dlopen) *next;
    if (next == NULL)
        next = (__typeof__(dlopen) *)dlsym(RTLD_NEXT, "dlopen");
    void *library = next(path, flags);
    if (path != NULL && strstr(path, "gpuperf-opencl") != NULL && !looked) {
        const char *at = getenv("FAIL_AT");
        good = at != NULL && at[0] != '\0' ? atol(at) : -1;
        all = getenv("FAIL_ALL") != NULL;
        dl_iterate_phdr(look, NULL);
        __atomic_store_n(&looked, true, __ATOMIC_SEQ_CST);
    }
    return library;
}

static bool fails(const void *caller)
{
    bool ours = false;
    for (size_t i = 0; __atomic_load_n(&looked, __ATOMIC_SEQ_CST) && i < range_count; i++)
        ours |= (uintptr_t)caller >= ranges[i].begin && (uintptr_t)caller < ranges[i].end;
    if (!ours)
        return false;
    long before = __atomic_fetch_add(&asked, 1, __ATOMIC_SEQ_CST);
    bool now = good >= 0 && (before == good || (all && before > good));
    if (now)
        errno = ENOMEM;
    return now;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *block, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("FAIL_COUNT");
    FILE *file = path != NULL && looked ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%ld\n", asked);
        fclose(file);
    }
}
