#include "support/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gp_text_reserve(struct gp_text *text, size_t more)
{
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < needed)
        capacity *= 2;
    char *data = realloc(text->data, capacity);
    if (data == NULL)
        abort();
    text->data = data;
    text->capacity = capacity;
}

void gp_text_append(struct gp_text *text, const char *bytes, size_t count)
{
    gp_text_reserve(text, count);
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
    if (count > 0) {
        gp_text_reserve(text, (size_t)count);
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

char *gp_read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    struct gp_text text = {0};
    char chunk[65536];
    size_t count;
    while ((count = fread(chunk, 1, sizeof chunk, file)) > 0)
        gp_text_append(&text, chunk, count);
    int failed = ferror(file) ? errno : 0;
    fclose(file);
    if (failed) {
        gp_text_free(&text);
        errno = failed;
        return NULL;
    }
    if (text.data == NULL)
        gp_text_append(&text, "", 0);
    if (length)
        *length = text.length;
    return text.data;
}
