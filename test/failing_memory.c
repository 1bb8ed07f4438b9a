/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "test/failing_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#undef malloc
#undef calloc
#undef realloc
#undef free

static struct {
    bool on, sticky;
    long good, asked, live;
} state;

void failing_memory_begin(long good, bool sticky)
{
    state.sticky = sticky;
    state.good = good;
    state.asked = state.live = 0;
    __atomic_store_n(&state.on, true, __ATOMIC_SEQ_CST);
}

long failing_memory_end(long *live)
{
    __atomic_store_n(&state.on, false, __ATOMIC_SEQ_CST);
    *live = state.live;
    return state.asked;
}

static bool fails(void)
{
    if (!__atomic_load_n(&state.on, __ATOMIC_SEQ_CST))
        return false;
    long before = __atomic_fetch_add(&state.asked, 1, __ATOMIC_SEQ_CST);
    bool now = state.good >= 0 && (state.sticky ? before >= state.good : before == state.good);
    if (now)
        errno = ENOMEM;
    return now;
}

static void *counted(void *block)
{
    if (block != NULL && state.on)
        __atomic_add_fetch(&state.live, 1, __ATOMIC_SEQ_CST);
    return block;
}

/* The one that would be called without this file. AddressSanitizer allocates before dlsym() works. */
#ifdef UNDER_ADDRESS_SANITIZER
#define NEXT(name) __interceptor_##name
void *__interceptor_malloc(size_t size);
void *__interceptor_calloc(size_t count, size_t size);
void *__interceptor_realloc(void *block, size_t size);
int __interceptor_posix_memalign(void **block, size_t alignment, size_t size);
void __interceptor_free(void *block);
#else
/* clang-format off */
#define NEXT(name) \
    ({ \
        static __typeof__(name) *next; \
        if (next == NULL) \
            next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name); \
        next; \
    })
/* clang-format on */
#endif

#pragma GCC visibility push(default)

void *malloc(size_t size) { return fails() ? NULL : counted(NEXT(malloc)(size)); }

void *calloc(size_t count, size_t size) { return fails() ? NULL : counted(NEXT(calloc)(count, size)); }

void *realloc(void *block, size_t size)
{
    if (fails())
        return NULL;
    void *moved = NEXT(realloc)(block, size);
    return block == NULL ? counted(moved) : moved;
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (fails())
        return ENOMEM;
    int failed = NEXT(posix_memalign)(block, alignment, size);
    if (failed == 0)
        counted(*block);
    return failed;
}

void free(void *block)
{
    if (block != NULL && state.on)
        __atomic_sub_fetch(&state.live, 1, __ATOMIC_SEQ_CST);
    NEXT(free)(block);
}
