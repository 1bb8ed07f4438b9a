/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf.yaml: what a project knows of its kernels' launches, and what they may cost.
 *
 *     devices: [a100, rtx 4060]
 *     kernels:
 *       "blur_*":                        # a glob; the first that matches a kernel's name holds
 *         global: 1920x1080
 *         local: 32x8
 *         args: {width: 1920, in: 8294400}   # scalars; bytes of buffers and of local memory
 *         budget: {a100: 120 us}
 *         min_confidence: 0.6
 *         ignore: [bank-conflict]
 *       "turn":                          # as GPUPERF_RECORD writes it: all that a program launches
 *         launches:
 *           - {source: rec.d/1f.cl, options: [-DN=3], global: 4096, local: 64, args: {n: 5}, count: 300}
 */
#ifndef GPUPERF_CONFIG_CONFIG_H
#define GPUPERF_CONFIG_CONFIG_H

#include <stddef.h>

#include "compile/arguments.h"
#include "config/sizes.h"
#include "support/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gp_budget {
    char *device;
    unsigned line; /* of the file */
    double ns;
};

/* One of the launches that a program makes of a kernel. */
struct gp_check_launch {
    char *source; /* a path that gpuperf can open; NULL: not known */
    unsigned line;
    struct gp_arguments options; /* of clang */
    struct gp_sizes global, local;
    struct gp_sizes driver_local; /* where the program leaves it open: what it ran with where it was recorded */
    struct gp_arguments values; /* "NAME=NUMBER"; a number for NAME is the parameter of that number, "0x.." its bytes */
    double count;
};

struct gp_check_rule {
    char *pattern;
    unsigned line, args_line; /* of the file */
    struct gp_sizes global, groups, local;
    struct gp_arguments values; /* "NAME=NUMBER" */
    struct gp_budget *budgets;
    size_t budget_count;
    double min_confidence;            /* 0: none */
    struct gp_arguments ignore;       /* causes */
    struct gp_check_launch *launches; /* instead of global, groups, local and args; NULL: those hold */
    size_t launch_count;
    bool used; /* some kernel's name matched it */
};

struct gp_check_config {
    const char *path; /* NULL: there is no file */
    struct gp_arguments devices;
    struct gp_check_rule *rules;
    size_t count;
};

/* Reads a file. False and "FILE:LINE: ...": it is not there, no YAML, or has a key, number, size, unit or cause that is
 * none. */
bool gp_check_config_load(const char *path, struct gp_check_config *config, struct gp_error *error);
/* The same of `path`, else of the gpuperf.yaml that lies here, else nothing. */
bool gp_check_config_find(const char *path, struct gp_check_config *config, struct gp_error *error);

/* Where none are named: the configuration's, else $GPUPERF_DEVICE, else a100. */
void gp_check_default_devices(const struct gp_check_config *config, struct gp_arguments *devices);
void gp_check_config_free(struct gp_check_config *config);

/* The first rule whose pattern matches; NULL: none does. */
struct gp_check_rule *gp_check_rule_for(const struct gp_check_config *config, const char *kernel);

/* Whether a cause has this name. */
bool gp_is_cause(const char *name);

#ifdef __cplusplus
}
#endif
#endif
