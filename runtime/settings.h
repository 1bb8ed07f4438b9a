/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the user set in the environment, read once when the layer is loaded. docs/layer.md describes the variables. */
#ifndef GPUPERF_RUNTIME_SETTINGS_H
#define GPUPERF_RUNTIME_SETTINGS_H

#include <stdbool.h>

enum gp_mode { GP_MODE_OFF, GP_MODE_ON, GP_MODE_OVERRIDE };

/* AUTO: long launches only, and as long as trials cost next to nothing (gp_sampling_affords()). */
enum gp_sample_mode { GP_SAMPLE_AUTO, GP_SAMPLE_OFF, GP_SAMPLE_ON };

enum gp_log_level { GP_LOG_NONE, GP_LOG_DECISIONS, GP_LOG_LAUNCHES, GP_LOG_DEBUG };

struct gp_settings {
    enum gp_mode mode;          /* GPUPERF */
    int log_level;              /* GPUPERF_LOG */
    char *device;               /* GPUPERF_DEVICE, or NULL */
    char *hwdb;                 /* GPUPERF_HWDB, or NULL */
    char *cache_directory;      /* GPUPERF_CACHE, else the XDG place; NULL: there is none (no HOME), or GPUPERF_CACHE is
                                   empty */
    unsigned wait_milliseconds; /* GPUPERF_WAIT */
    bool has_build_cost;        /* GPUPERF_BUILD_MS is a number */
    unsigned
        build_milliseconds;     /* what building a kernel for a new local size is taken to cost, instead of measuring */
    enum gp_sample_mode sample; /* GPUPERF_SAMPLE */
    char *record;               /* GPUPERF_RECORD: where the launches are noted, absolute; or NULL */
    bool any_rounding;          /* GPUPERF_ROUNDING=any: results may differ by how operations round */
    char **environment; /* all variables, for compiles: the program may set its own while the worker reads; NULL: out of
                           memory */
    char *complaint;    /* a value that could not be read: one sentence, or NULL */
};

void gp_settings_read(struct gp_settings *settings);
void gp_settings_free(struct gp_settings *settings);

#endif
