/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A string that grows. Every part that prints to memory uses it. In an operation (operation.h) it ends that where there
 * is no memory; elsewhere `failed` is set, what cannot be added is left out, and what is there stays as it is. */
#ifndef GPUPERF_SUPPORT_TEXT_H
#define GPUPERF_SUPPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gp_text {
    char *data; /* NUL-terminated once something was written; NULL before */
    size_t length;
    size_t capacity;
    bool failed;
};

void gp_text_printf(struct gp_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gp_text_append(struct gp_text *text, const char *bytes, size_t count);
bool gp_text_reserve(struct gp_text *text,
                     size_t more); /* room for `more` bytes and a NUL behind those that are there; false: no memory */
void gp_text_free(struct gp_text *text);

/* The whole of it, "" at least, free() it; the text is empty again. NULL: it failed. */
char *gp_text_take(struct gp_text *text);

/* The whole of a file, NUL-terminated; NULL when it cannot be read (errno says why, also ENOMEM). Free with free(). */
char *gp_read_file(const char *path, size_t *length);

/*
 * Writes the whole of a file. A regular file is replaced by a finished one, so that nobody sees half of it, also where
 * symbolic links lead to it: they stay. What is no regular file (a device, a FIFO), and the file that standard output
 * or standard error goes to
 * (/dev/stdout), is written to. False: errno says why; a regular file is as it was.
 */
bool gp_write_file(const char *path, const void *bytes, size_t length);

/* All of it to an open file, interrupted or not. False: errno says why. */
bool gp_write_all(int file, const char *bytes, size_t length);

#ifdef __cplusplus
}
#endif
#endif
