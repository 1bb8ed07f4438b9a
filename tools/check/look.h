/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A look at a tree: what `check` and `report` share. Sources (units.h), a process each (workers.h), rows (unit_rows.h).
 *
 *   gp_look_parse() -> gp_look_prepare() -> gp_look() -> gp_gate_judge() (gate.h) -> gp_look_note_unused_rules()
 */
#ifndef GPUPERF_TOOLS_CHECK_LOOK_H
#define GPUPERF_TOOLS_CHECK_LOOK_H

#include <getopt.h>

#include "config/config.h"
#include "tools/check/outcome.h"
#include "tools/check/units.h"
#include "tools/command.h"

struct gp_look {
    struct gp_arguments devices, kernels, paths;
    const char *config_path;
    unsigned jobs;    /* processes at a time */
    bool all_kernels; /* also those of headers that are not the project's */
    bool sizes;       /* rows have the times over local sizes, too */
    struct gp_check_config config;
    struct gp_units units;
    struct gp_outcome outcome; /* rows, failed, notes */
    json_t *kernels_left_out;  /* names */
    json_t *unknown_arguments; /* by a rule's pattern: {NAME: what may be meant}, which none of its kernels has */
};

/* The options that say what is looked at, for getopt_long(); a verb's own have numbers from GP_LOOK_OPTION_COUNT on. */
enum {
    GP_LOOK_DEVICE = GP_FIRST_OPTION,
    GP_LOOK_KERNEL,
    GP_LOOK_CONFIG,
    GP_LOOK_JOBS,
    GP_LOOK_ALL,
    GP_LOOK_OPTION_COUNT
};
#define GP_LOOK_OPTIONS \
    {"device", required_argument, NULL, GP_LOOK_DEVICE}, {"kernel", required_argument, NULL, GP_LOOK_KERNEL}, \
        {"config", required_argument, NULL, GP_LOOK_CONFIG}, {"jobs", required_argument, NULL, GP_LOOK_JOBS}, \
    { \
        "all-kernels", no_argument, NULL, GP_LOOK_ALL \
    }

/* A configuration in place of sources: a program's launches, which the layer has recorded. */
bool gp_is_recording(const char *path);

/* As many jobs as there are processors. */
void gp_look_begin(struct gp_look *look);

/* The same, and reads a verb's command line: `take` gets each of `options`, which begin with GP_LOOK_OPTIONS, and -p
 * and -o; what else stands there are paths. False: a sentence. */
bool gp_look_parse(struct gp_look *look, const struct gp_command_line *line, const struct option *options,
                   bool (*take)(void *context, int option, const char *value, struct gp_error *error), void *context,
                   struct gp_error *error);

/* Takes one of GP_LOOK_OPTIONS, or -p. False: a sentence. */
bool gp_look_option(struct gp_look *look, int option, const char *value, struct gp_error *error);

/* Reads the configuration, checks the devices' names and lists the sources; `rest`: clang's arguments, may be NULL.
 * False: a sentence. */
bool gp_look_prepare(struct gp_look *look, char *const *rest, struct gp_error *error);

/* Gives each budget's device its name in the database ("RTX 4060" is "rtx 4060"). False: there is none of that name. */
bool gp_look_check_budgets(struct gp_check_config *config, struct gp_error *error);

/* The same without a configuration. */
bool gp_look_sources(struct gp_look *look, char *const *rest, struct gp_error *error);

/* Predicts. A source that could not be looked at is in outcome.failed. False: no process could be started. */
bool gp_look(struct gp_look *look, struct gp_error *error);

/* A pattern that no kernel has is misspelt, or the kernel has gone; so is an argument that none of its kernels has: in
 * outcome.failed. After gp_gate_judge(). */
void gp_look_note_unused_rules(struct gp_look *look);

/* The arguments alone. */
void gp_look_note_unknown_arguments(struct gp_look *look);

void gp_look_free(struct gp_look *look);

#endif
