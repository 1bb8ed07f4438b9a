/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gp_write_file(): what stands at the path, and what stands there afterwards. All in a directory of the test's own. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/text.h"

static char directory[] = "/tmp/gpuperf-write-XXXXXX";

static bool write_text(const char *path, const char *text) { return gp_write_file(path, text, strlen(text)); }

static void assert_holds(const char *path, const char *wanted)
{
    char *text = gp_read_file(path, NULL);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    free(text);
}

static mode_t kind_of(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode & S_IFMT;
}

static ino_t inode_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_ino;
}

static void regular_files_are_replaced(void **state)
{
    (void)state;
    assert_true(write_text("file", "old and longer"));
    assert_int_equal(link("file", "other"), 0);
    assert_true(write_text("file", "new"));
    assert_holds("file", "new");
    assert_holds("other", "old and longer"); /* a new file, not the old one written over */
    assert_true(gp_write_file("file", "", 0));
    assert_holds("file", "");
}

static void links_are_followed(void **state)
{
    (void)state;
    assert_int_equal(mkdir("deep", 0700), 0);
    assert_true(write_text("deep/target", "old"));
    assert_int_equal(symlink("target", "deep/inner"), 0);
    assert_int_equal(symlink("deep/inner", "outer"), 0);
    ino_t before = inode_of("deep/target");
    assert_true(write_text("outer", "new"));
    assert_int_equal(kind_of("outer"), S_IFLNK);
    assert_int_equal(kind_of("deep/inner"), S_IFLNK);
    assert_int_equal(kind_of("deep/target"), S_IFREG);
    assert_holds("deep/target", "new");
    assert_true(inode_of("deep/target") != before);

    assert_int_equal(symlink("deep/none-yet", "dangling"), 0);
    assert_true(write_text("dangling", "there"));
    assert_int_equal(kind_of("dangling"), S_IFLNK);
    assert_holds("deep/none-yet", "there");

    assert_int_equal(symlink("circle", "circle"), 0);
    assert_false(write_text("circle", "never"));
    assert_int_equal(errno, ELOOP);
}

static void fifos_are_written_to(void **state)
{
    (void)state;
    char text[16] = "";
    assert_int_equal(mkfifo("fifo", 0600), 0);
    int reader = open("fifo", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_true(write_text("fifo", "through"));
    assert_int_equal(read(reader, text, sizeof text - 1), 7);
    assert_string_equal(text, "through");
    assert_int_equal(kind_of("fifo"), S_IFIFO);
    close(reader);
}

/* Nodes like /dev/full and /dev/null, where the test may make and open them. */
static void devices_are_written_to(void **state)
{
    (void)state;
    if (mknod("full", S_IFCHR | 0600, makedev(1, 7)) != 0 || mknod("null", S_IFCHR | 0600, makedev(1, 3)) != 0)
        skip();
    int file = open("null", O_WRONLY);
    if (file < 0)
        skip();
    close(file);
    assert_true(write_text("null", "gone"));
    assert_int_equal(kind_of("null"), S_IFCHR);
    assert_int_equal(symlink("full", "to-full"), 0);
    assert_false(write_text("to-full", "too much"));
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(kind_of("full"), S_IFCHR);
    assert_int_equal(kind_of("to-full"), S_IFLNK);
}

/* As /dev/stdout is where standard output goes to a file. */
static void standard_output_is_continued(void **state)
{
    (void)state;
    fflush(stdout);
    int saved = dup(STDOUT_FILENO), file = open("output", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(saved >= 0 && file >= 0);
    dup2(file, STDOUT_FILENO);
    bool done = write(STDOUT_FILENO, "before ", 7) == 7 && write_text("/proc/self/fd/1", "report") &&
                write(STDOUT_FILENO, " after", 6) == 6;
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(file);
    assert_true(done);
    assert_holds("output", "before report after");
}

static void failures_leave_nothing(void **state)
{
    (void)state;
    assert_false(write_text("nowhere/file", "x"));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_false(write_text("folder", "x"));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(rmdir("folder"), 0); /* nothing lies in it */
}

static int enter(void **state)
{
    (void)state;
    return mkdtemp(directory) != NULL && chdir(directory) == 0 ? 0 : -1;
}

/* Nothing but what the tests made: no temporary file stays. */
static int leave(void **state)
{
    (void)state;
    static const char *const made[] = {"file", "other", "deep/target", "deep/inner", "deep/none-yet",
                                       "deep", "outer", "dangling",    "circle",     "fifo",
                                       "full", "null",  "to-full",     "output"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        remove(made[i]);
    return chdir("/") == 0 && rmdir(directory) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_files_are_replaced),   cmocka_unit_test(links_are_followed),
        cmocka_unit_test(fifos_are_written_to),         cmocka_unit_test(devices_are_written_to),
        cmocka_unit_test(standard_output_is_continued), cmocka_unit_test(failures_leave_nothing),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
