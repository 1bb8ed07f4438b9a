/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "hwdb/known.h"

#include <string.h>

#include "support/hash.h"

static const struct gp_known_file *find(const char *text, size_t length)
{
    const struct gp_known_file *file = gp_known_files, *end = gp_known_files + gp_known_file_count;
    uint64_t hash = 0;
    for (; file < end; file++) {
        if (file->length != length)
            continue;
        hash = hash != 0 ? hash : gp_fnv1a(GP_FNV1A, text, length);
        if (file->hash == hash)
            return file;
    }
    return NULL;
}

/* A device's name is its file's: elsewhere the file is refused. */
static bool is_called(const char *path, const char *name)
{
    const char *file = strrchr(path, '/');
    file = file != NULL ? file + 1 : path;
    size_t length = strlen(name);
    return strncmp(file, name, length) == 0 && strcmp(file + length, ".yaml") == 0;
}

bool gp_known_device(const char *text, size_t length, struct gp_device *device)
{
    const struct gp_known_file *file = find(text, length);
    if (file == NULL || !is_called(device->path, gp_known_text + file->name))
        return false;
    device->name = gp_known_text + file->name;
    device->title = gp_known_text + file->title;
    device->triple = gp_known_text + file->triple;
    device->cpu = gp_known_text + file->cpu;
    device->arch = (enum gp_arch)file->arch;
    device->compute_capability = file->compute_capability;
    device->proxy_target = file->proxy_target;
    for (uint32_t i = 0; i < file->match_count; i++)
        device->matches[i] = gp_known_text + file->matches[i];
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++) {
        const struct gp_known_number *number = &file->numbers[i];
        *gp_field_of(device, i) =
            (struct gp_number){number->value, (enum gp_origin)number->origin, gp_known_text + number->source};
    }
    return true;
}

const struct gp_known_file *gp_known_named(const char *name, uint64_t length)
{
    const struct gp_known_file *file = gp_known_files, *end = gp_known_files + gp_known_file_count;
    while (file < end && (file->length != length || strcmp(gp_known_text + file->name, name) != 0))
        file++;
    return file < end ? file : NULL;
}
