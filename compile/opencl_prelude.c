/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/opencl_prelude.h"

#include <errno.h>
#include <string.h>

#include "compile/headers/preludes.h"
#include "compile/prelude_files.h"
#include "support/text.h"

bool gp_has_opencl_prelude(const struct gp_target *target)
{
    return target->kind == GP_TARGET_AMDGCN || target->kind == GP_TARGET_NVPTX;
}

bool gp_write_opencl_prelude(const char *path, const struct gp_target *target, bool whole, struct gp_error *error)
{
    bool amd = target->kind == GP_TARGET_AMDGCN;
    const char *const parts[] = {gp_prelude_opencl_by_dimension, amd && whole ? gp_prelude_opencl_amd_sizes : "",
                                 amd ? gp_prelude_opencl_amd_ids : gp_prelude_opencl_nvidia_ids,
                                 gp_prelude_opencl_names, amd ? gp_prelude_opencl_native_sqrt : ""};
    return gp_write_prelude(path, parts, sizeof parts / sizeof *parts, error);
}

bool gp_write_driver_macros(const char *path, char *const *macros, struct gp_error *error)
{
    struct gp_text text = {0};
    gp_text_printf(&text, "#pragma clang system_header\n"); /* no warning that a macro is another one now */
    for (; *macros != NULL; macros++) {
        int length = (int)strcspn(*macros, "=");
        gp_text_printf(&text, "#undef %.*s\n", length, *macros);
        if ((*macros)[length] == '=')
            gp_text_printf(&text, "#define %.*s %s\n", length, *macros, *macros + length + 1);
    }
    bool written = gp_write_file(path, text.data, text.length);
    gp_text_free(&text);
    return written || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}
