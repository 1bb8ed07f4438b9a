/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads a device file: as it was when gpuperf was built (known.h), or parsed. */
#include "hwdb/known.h"
#include "support/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Owner of a device's memory. */
struct storage {
    void *texts; /* gp_device_parse()'s; NULL: the texts are known.h's */
    char *path;
    struct kept *kept; /* what gp_device_keep() was given */
};
struct kept {
    struct kept *next;
    char text[];
};

static char *read_text(const char *path, size_t *length, struct gp_error *error)
{
    enum { LONGEST = 1 << 20 };
    char *text = gp_read_file(path, length);
    if (text == NULL) {
        gp_fail(error, "%s: %s", path, errno == EISDIR ? "a directory, not a device file" : strerror(errno));
        return NULL;
    }
    if (*length > LONGEST) {
        gp_fail(error, "%s: larger than 1 MB, not a device file", path);
        free(text);
        return NULL;
    }
    return text;
}

/* A device that is all zero but for its path. NULL: out of memory. */
static struct gp_device *make_device(const char *path, struct gp_error *error)
{
    struct gp_device *device = calloc(1, sizeof *device);
    struct storage *storage = calloc(1, sizeof *storage);
    char *copy = strdup(path);
    if (device == NULL || storage == NULL || copy == NULL) {
        free(device);
        free(storage);
        free(copy);
        gp_fail(error, "%s: out of memory", path);
        return NULL;
    }
    storage->path = copy;
    device->storage = storage;
    device->path = copy;
    return device;
}

void gp_device_free(struct gp_device *device)
{
    if (device == NULL)
        return;
    struct storage *storage = device->storage;
    if (storage->texts != NULL)
        gp_device_free_texts(storage->texts);
    free(storage->path);
    for (struct kept *kept = storage->kept, *next; kept != NULL; kept = next) {
        next = kept->next;
        free(kept);
    }
    free(storage);
    free(device);
}

const char *gp_device_keep(struct gp_device *device, const char *text)
{
    struct storage *storage = device->storage;
    size_t size = strlen(text) + 1;
    struct kept *kept = malloc(sizeof *kept + size);
    if (kept == NULL)
        return NULL;
    memcpy(kept->text, text, size);
    kept->next = storage->kept;
    storage->kept = kept;
    return kept->text;
}

bool gp_device_retitle(struct gp_device *device, const char *name, const char *title, const char *nearest,
                       struct gp_error *error)
{
    const char *own_name = gp_device_keep(device, name), *own_title = gp_device_keep(device, title);
    if (own_name == NULL || own_title == NULL)
        return gp_fail(error, "out of memory");
    device->nearest = nearest;
    device->name = own_name;
    device->title = own_title;
    return true;
}

bool gp_device_rename(struct gp_device *device, const char *name, bool same_target, struct gp_error *error)
{
    char title[200];
    snprintf(title, sizeof title, "not in the database; nearest: %s, %s", device->name, device->title);
    device->same_target = same_target;
    if (gp_device_retitle(device, name, title, device->name, error))
        return true;
    gp_device_free(device);
    return false;
}

static bool load(struct gp_device *device, const char *path, struct gp_error *error)
{
    size_t length;
    char *text = read_text(path, &length, error);
    if (text == NULL)
        return false;
    struct storage *storage = device->storage;
    bool loaded =
        gp_known_device(text, length, device) || gp_device_parse(device, text, length, &storage->texts, error);
    free(text);
    return loaded;
}

struct gp_device *gp_device_load_file(const char *path, struct gp_error *error)
{
    struct gp_device *device = make_device(path, error);
    if (device == NULL || load(device, path, error))
        return device;
    gp_device_free(device);
    return NULL;
}
