/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the command line of `predict` asks for. */
#ifndef GPUPERF_TOOLS_SETTINGS_H
#define GPUPERF_TOOLS_SETTINGS_H

#include <stdint.h>

#include "compile/arguments.h"
#include "config/sizes.h"
#include "model/predict.h"
#include "tools/axes.h"
#include "tools/command.h"
#include "tools/output/terminal.h"

/* How `predict` prints: --json is an array, --format json a document. */
enum gp_prints { GP_PRINTS_TEXT, GP_PRINTS_ARRAY, GP_PRINTS_DOCUMENT, GP_PRINTS_CSV, GP_PRINTS_MARKDOWN };

struct gp_settings {
    const char *file;
    struct gp_arguments devices; /* empty: the default */
    struct gp_arguments stated;  /* "FIELD=VALUE", of all devices; what stands behind a device's name goes before it */
    struct gp_arguments kernels; /* empty: all */
    struct gp_axes axes;         /* global sizes or numbers of groups, not both; values of arguments */
    struct gp_sizes *locals;     /* none: all candidates */
    size_t local_count;
    double clock_mhz;         /* 0: the device's */
    bool warm;                /* launches find what the same launch before has left in the last cache; else nothing */
    uint32_t trip_count;      /* of loops that end by data; 0: the default */
    struct gp_sizes *explain; /* sizes whose bottlenecks are shown, beside those of the best and the launch's own */
    size_t explain_count;
    enum gp_model model;
    bool terms;           /* of the equation, too */
    const char *language; /* of the file, "cl" ...; NULL: its name tells */
    enum gp_prints format;
    enum gp_colour colour;
    size_t top;             /* local sizes that are printed of each launch; 0: all, or as the format has it */
    bool overview;          /* a line for each kernel on each device */
    bool fix_it;            /* changes of the source that gain */
    size_t fix_number;      /* of these the patch alone; 0: all of them */
    char **clang_arguments; /* NULL-terminated, or NULL */
};

/* Adds the parts of "a,b,c"; an empty part is an error, of `option`. */
bool gp_take_list(const char *option, const char *text, struct gp_arguments *list, struct gp_error *error);

/* The device that a name and what stands behind it say, with what --set states between: the colon wins. NULL: a
 * sentence. */
struct gp_device *gp_settings_device(const struct gp_settings *settings, const char *spec, struct gp_error *error);

enum gp_status gp_settings_parse(const struct gp_command_line *line, struct gp_settings *settings,
                                 struct gp_error *error);
/* The same of a verb that takes another file before it, which is *first; NULL: there is one file only. */
enum gp_status gp_settings_parse_two(const struct gp_command_line *line, struct gp_settings *settings,
                                     const char **first, struct gp_error *error);
void gp_settings_free(struct gp_settings *settings);

#endif
