/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/includes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/hash.h"
#include "support/prefix.h"
#include "support/text.h"

enum { LARGEST_HEADER = 16 << 20 };

static const char header[] = "header ", absent[] = "absent ";

/* Behind the ends of lines that a backslash, or its trigraph, joins to the next. */
static const char *joined(const char *at)
{
    for (;;) {
        const char *next = *at == '\\' ? at + 1 : gp_starts_with(at, "?\?/") ? at + 3 : NULL;
        if (next == NULL || *(next += strspn(next, " \t\r\f\v")) != '\n')
            return at;
        at = next + 1;
    }
}

static bool begins_with_include(const char *at)
{
    for (const char *letter = "include"; *letter != '\0'; letter++) {
        at = joined(at);
        if (*at++ != *letter)
            return false;
    }
    return true;
}

bool gp_may_include(const char *source)
{
    for (const char *at = strchr(source, 'i'); at != NULL; at = strchr(at + 1, 'i'))
        if (begins_with_include(at))
            return true;
    return false;
}

bool gp_has_included(const char *preprocessed)
{
    return preprocessed != NULL && (gp_starts_with(preprocessed, header) || strstr(preprocessed, "\nheader ") != NULL);
}

/* It is stated before it is opened, and once more then: opening a FIFO or a device may wait, or do something. */
static int open_regular(const char *path, struct stat *status)
{
    if (stat(path, status) != 0 || !S_ISREG(status->st_mode))
        return -1;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file >= 0 && (fstat(file, status) != 0 || !S_ISREG(status->st_mode) || status->st_size > LARGEST_HEADER)) {
        close(file);
        return -1;
    }
    return file;
}

/* False: it cannot be read, or has grown. */
static bool hash_file(int file, struct gp_hash *hash)
{
    struct gp_hasher hasher;
    char part[16384];
    ssize_t count;
    size_t total = 0;
    gp_hash_start(&hasher);
    while ((count = read(file, part, sizeof part)) > 0 && (total += (size_t)count) <= LARGEST_HEADER)
        gp_hash_add(&hasher, part, (size_t)count);
    *hash = gp_hash_end(&hasher);
    return count == 0;
}

static bool describe_header(const char *path, long long built_ns, struct gp_text *record)
{
    struct stat status;
    struct gp_hash hash = {{0, 0}};
    int file = open_regular(path, &status);
    if (file < 0)
        return false;
    long long changed_ns = (long long)status.st_ctim.tv_sec * 1000000000 + status.st_ctim.tv_nsec;
    bool known = changed_ns < built_ns && hash_file(file, &hash);
    close(file);
    gp_text_printf(record, "%016llx%016llx %s%s\n", (unsigned long long)hash.word[0], (unsigned long long)hash.word[1],
                   header, path);
    return known;
}

static bool describe_absent(const char *path, struct gp_text *record)
{
    struct stat status;
    gp_text_printf(record, "- %s%s\n", absent, path);
    return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* One line: "header PATH" or "absent PATH"; what else the preprocessor says is passed over. */
static bool describe(const char *line, size_t length, long long built_ns, struct gp_text *record)
{
    char path[PATH_MAX];
    bool included = gp_starts_with(line, header);
    if (!included && !gp_starts_with(line, absent))
        return true;
    size_t size = length - (sizeof header - 1);
    if (size >= sizeof path)
        return false;
    memcpy(path, line + sizeof header - 1, size);
    path[size] = '\0';
    return path[0] == '/' && (included ? describe_header(path, built_ns, record) : describe_absent(path, record));
}

/* has_hashes: the lines are those of a record. */
static char *record_of(const char *lines, bool has_hashes, long long built_ns)
{
    struct gp_text record = {0};
    bool known = lines != NULL;
    for (const char *line = lines, *end; known && *line != '\0'; line = *end != '\0' ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        if (has_hashes)
            line += strcspn(line, " \n");
        line += *line == ' ';
        known = describe(line, (size_t)(end - line), built_ns, &record);
    }
    char *text = known ? gp_text_take(&record) : NULL;
    gp_text_free(&record);
    return text;
}

char *gp_headers_record(const char *preprocessed, long long built_ns)
{
    return record_of(preprocessed, false, built_ns);
}

bool gp_headers_are_same(const char *record, long long built_ns)
{
    char *now = record_of(record, true, built_ns);
    bool same = now != NULL && strcmp(now, record) == 0;
    free(now);
    return same;
}
