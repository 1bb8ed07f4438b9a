/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* renameat2, getdents64 */
#include "support/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NOTED = 32, DEEPEST = 16 };

static const char *noted[MOST_NOTED]; /* atomic; NULL: a free place */

static bool exchange(const char *from, const char *to)
{
    for (int i = 0; i < MOST_NOTED; i++) {
        const char *expected = from;
        if (__atomic_compare_exchange_n(&noted[i], &expected, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return true;
    }
    return false;
}

void gp_temporary_note(const char *path) { exchange(NULL, path); }

void gp_temporary_forget(const char *path) { exchange(path, NULL); }

/* ---- In a signal handler: system calls only ---- */

static void empty(int directory, int deepest);

static bool remove_entry(int directory, const char *name, int deepest)
{
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return false;
    if (unlinkat(directory, name, 0) == 0)
        return true;
    int inner = deepest > 0 ? openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (inner < 0)
        return false;
    empty(inner, deepest - 1);
    return unlinkat(directory, name, AT_REMOVEDIR) == 0;
}

/* What is removed may make the list go by others: again, until nothing is. Takes the directory over. */
static void empty(int directory, int deepest)
{
    _Alignas(8) char entries[2048];
    for (bool some = true; some && lseek(directory, 0, SEEK_SET) == 0;) {
        some = false;
        for (ssize_t count; (count = getdents64(directory, entries, sizeof entries)) > 0;)
            for (const struct dirent64 *entry = (const void *)entries; (const char *)entry < entries + count;
                 entry = (const void *)((const char *)entry + entry->d_reclen))
                some |= remove_entry(directory, entry->d_name, deepest);
    }
    close(directory);
}

/* Under another name, if that can be: programs that still run make no new files in it. The last letter is another one,
 * so that it looks like one of ours, should it stay. */
static void remove_one(const char *path)
{
    char moved[PATH_MAX];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof moved)
        return;
    memcpy(moved, path, length + 1);
    moved[length - 1] = moved[length - 1] == 'a' ? 'b' : 'a';
    bool known = unlink(path) != 0 && renameat2(AT_FDCWD, path, AT_FDCWD, moved, RENAME_NOREPLACE) == 0;
    remove_entry(AT_FDCWD, known ? moved : path, DEEPEST);
}

void gp_temporary_remove_all(void)
{
    for (int i = 0; i < MOST_NOTED; i++) {
        const char *path = __atomic_load_n(&noted[i], __ATOMIC_SEQ_CST);
        if (path != NULL)
            remove_one(path);
    }
}
