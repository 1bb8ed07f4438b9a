/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/report/before.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compile/workdir.h"
#include "report/json_string.h"
#include "support/prefix.h"
#include "tools/check/gate.h"
#include "tools/check/revision.h"

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* ---- Names
 * -------------------------------------------------------------------------------------------------------------- */

/* "old/a.cl" as "new/a.cl"; what is not below the old folder keeps its name. */
static void name_below(json_t *row, const char *old, const char *now)
{
    const char *file = gp_json_word(row, "file");
    size_t length = strlen(old);
    struct gp_text name = {0};
    if (strncmp(file, old, length) != 0)
        return;
    gp_text_printf(&name, "%s%s", now, file + length);
    json_object_set_new(row, "file", gp_json_string(name.data));
    gp_text_free(&name);
}

static void name_rows(json_t *rows, const char *old, const struct gp_look *now)
{
    bool single = now->units.count == 1 && !is_folder(old);
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        if (single)
            json_object_set_new(row, "file", gp_json_string(now->units.items[0].file));
        else if (now->paths.count == 1)
            name_below(row, old, now->paths.items[0]);
    }
}

static void add_failed(const json_t *failed, const char *path, const char *side, json_t *all)
{
    size_t index;
    const json_t *item;
    json_array_foreach(failed, index, item)
    {
        json_array_append_new(all,
                              json_pack("{s:o,s:o}", "file", gp_revision_rename(gp_json_word(item, "file"), path, side),
                                        "error", gp_revision_rename(gp_json_word(item, "error"), path, side)));
    }
}

/* ---- Looking
 * ------------------------------------------------------------------------------------------------------------ */

/* A recorded source is called by its content: rows belong together by the kernel. */
static void name_by_kernel(json_t *rows, const json_t *now)
{
    size_t index, other;
    json_t *row, *same;
    json_array_foreach(rows, index, row)
    {
        json_array_foreach(now, other, same)
        {
            if (!json_equal(json_object_get(row, "kernel"), json_object_get(same, "kernel")))
                continue;
            json_object_set(row, "file", json_object_get(same, "file"));
            break;
        }
    }
}

static bool prepare(struct gp_look *before, const char *path, const struct gp_look *now, char *const *rest,
                    struct gp_error *error)
{
    gp_look_begin(before);
    before->config_path = gp_is_recording(path) ? path : now->config_path;
    before->jobs = now->jobs;
    before->all_kernels = now->all_kernels;
    gp_arguments_add_all(&before->devices, (const char *const *)now->devices.items);
    gp_arguments_add_all(&before->kernels, (const char *const *)now->kernels.items);
    if (!gp_is_recording(path))
        gp_arguments_add(&before->paths, "%s", path);
    return gp_look_prepare(before, rest, error);
}

/* Of a path that the user calls `side`. A source that cannot be looked at is told with now's: its kernels have no time
 * before. */
static json_t *look(const char *path, const char *side, const struct gp_look *now, char *const *rest,
                    struct gp_error *error)
{
    struct gp_look before = {0};
    json_t *rows = NULL;
    if (prepare(&before, path, now, rest, error) && gp_look(&before, error)) {
        rows = json_incref(before.outcome.rows);
        if (gp_is_recording(path))
            name_by_kernel(rows, now->outcome.rows);
        else
            name_rows(rows, path, now);
        add_failed(before.outcome.failed, path, side, now->outcome.failed);
    }
    gp_look_free(&before);
    return rows;
}

json_t *gp_rows_before(const char *old, const struct gp_look *now, char *const *rest, struct gp_error *error)
{
    struct gp_workdir folder;
    char path[PATH_MAX];
    if (!gp_is_revision(old))
        return gp_ends_with(old, ".json") && !gp_ends_with(old, "compile_commands.json")
                   ? gp_rows_load(old, error)
                   : look(old, old, now, rest, error);
    if (!gp_workdir_make(&folder, getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "", error))
        return NULL;
    json_t *rows = gp_revision_open(old, folder.path, path, error) ? look(path, old, now, rest, error) : NULL;
    gp_workdir_remove(&folder);
    return rows;
}
