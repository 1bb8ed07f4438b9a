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
 */
#ifndef GPUPERF_TOOLS_CHECK_CONFIG_H
#define GPUPERF_TOOLS_CHECK_CONFIG_H

#include "tools/settings.h"

struct gp_budget {
    char *device;
    double ns;
};

struct gp_check_rule {
    char *pattern;
    unsigned line; /* of the file */
    struct gp_sizes global, groups, local;
    struct gp_arguments values; /* "NAME=NUMBER" */
    struct gp_budget *budgets;
    size_t budget_count;
    double min_confidence;      /* 0: none */
    struct gp_arguments ignore; /* causes */
    bool used;                  /* some kernel's name matched it */
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

/* "120 us", "1.5 ms", "800 ns", "2 s". False: no number above 0, or no unit. */
bool gp_parse_time(const char *text, double *ns);

#endif
