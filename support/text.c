/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/operation.h"

bool gp_text_reserve(struct gp_text *text, size_t more)
{
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return true;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < needed)
        capacity *= 2;
    char *data = realloc(text->data, capacity);
    text->failed |= data == NULL;
    if (data == NULL)
        return false;
    text->data = data;
    text->capacity = capacity;
    return true;
}

void gp_text_append(struct gp_text *text, const char *bytes, size_t count)
{
    if (!gp_text_reserve(text, count))
        return;
    memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void gp_text_printf(struct gp_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int count = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (count > 0 && gp_text_reserve(text, (size_t)count)) {
        vsnprintf(text->data + text->length, (size_t)count + 1, format, again);
        text->length += (size_t)count;
    }
    va_end(again);
}

void gp_text_free(struct gp_text *text)
{
    free(text->data);
    *text = (struct gp_text){0};
}

char *gp_text_take(struct gp_text *text)
{
    if (text->data == NULL)
        gp_text_append(text, "", 0);
    char *whole = text->data;
    if (text->failed) {
        free(whole);
        whole = NULL;
    }
    *text = (struct gp_text){0};
    return whole;
}

struct reading {
    FILE *file;
    struct gp_text text;
};

static void read_all(void *context)
{
    struct reading *r = context;
    char chunk[65536];
    size_t count;
    while ((count = fread(chunk, 1, sizeof chunk, r->file)) > 0)
        gp_text_append(&r->text, chunk, count);
    gp_text_reserve(&r->text, 0);
}

char *gp_read_file(const char *path, size_t *length)
{
    struct reading r = {.file = fopen(path, "rb")};
    if (r.file == NULL)
        return NULL;
    errno = 0;
    bool enough = gp_operation(read_all, &r); /* of its own: the file must be closed */
    int failed = !enough ? ENOMEM : ferror(r.file) ? errno : 0;
    fclose(r.file);
    if (failed) {
        if (enough)
            gp_text_free(&r.text);
        errno = failed;
        return NULL;
    }
    r.text.data[r.text.length] = '\0';
    if (length)
        *length = r.text.length;
    return r.text.data;
}
