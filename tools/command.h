/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The gpuperf command. A verb writes its whole result into `out`, which is printed only when it succeeds: an error
 * leaves standard output empty, one sentence on standard error and exit status 1 (2 where the command line itself is
 * wrong).
 */
#ifndef GPUPERF_TOOLS_COMMAND_H
#define GPUPERF_TOOLS_COMMAND_H

#include "support/error.h"
#include "support/text.h"

enum gp_status {
    GP_STATUS_OK,
    GP_STATUS_FAILED,      /* exit 1, the sentence */
    GP_STATUS_USAGE,       /* exit 2, the sentence */
    GP_STATUS_SKIP,        /* exit 125, the sentence: `git bisect run` passes over this revision */
    GP_STATUS_TOLD_FAILED, /* exit 1: the result says why */
    GP_STATUS_TOLD_USAGE,  /* exit 2: likewise */
    GP_STATUS_TOLD_SKIP,   /* exit 125: likewise */
};

/* argv[0] is the verb; what stands after "--" on the command line is in `rest` (NULL-terminated, NULL: there was no
 * "--"). */
struct gp_command_line {
    int count;
    char **arguments;
    char **rest;
};

enum gp_status gp_predict_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_check_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_compare_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_report_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_validate_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_split_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_devices_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_doctor_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_init_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_status_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_warm_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_calibrate_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_dis_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);
enum gp_status gp_schema_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error);

/* Writes what there is to standard output and empties it: of a result that is too long to be held. False: it cannot be
 * written. */
bool gp_print_now(struct gp_text *out, struct gp_error *error);

/* Long options have numbers from here on, which are no characters. */
enum { GP_FIRST_OPTION = 256 };

/* The sentence for what getopt_long() did not like. Returns GP_STATUS_USAGE. */
enum gp_status gp_bad_option(const struct gp_command_line *line, int option, struct gp_error *error);

#endif
