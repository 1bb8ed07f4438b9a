/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A calibration: probes measure curves on a target and say of fields of a device file what the curves tell, which may
 * be that they do not.
 */
#ifndef GPUPERF_TOOLS_CALIBRATE_CALIBRATION_H
#define GPUPERF_TOOLS_CALIBRATE_CALIBRATION_H

#include "support/text.h"
#include "tools/calibrate/target.h"

enum gp_verdict {
    GP_FOUND,
    GP_NOT_IDENTIFIABLE, /* the curves do not tell */
    GP_NOT_TRUSTED       /* repeats leave it too open */
};

struct gp_finding {
    const char *field; /* of a device file */
    enum gp_verdict verdict;
    bool told;            /* by the driver, not measured */
    double value, spread; /* relative: how far repeats leave it open */
    char how[160];        /* by what; or why not */
};

enum { GP_MOST_FINDINGS = 96, GP_MOST_CURVES = 48, GP_MOST_POINTS = 96 };

/* What was measured, with the fit beside it where there is one. */
struct gp_curve {
    char title[80], x_label[40], y_label[40];
    bool log_x;
    size_t count;
    double x[GP_MOST_POINTS], y[GP_MOST_POINTS], fit[GP_MOST_POINTS]; /* fit: NAN where there is none */
};

struct gp_calibration {
    struct gp_target *target;
    unsigned repeats;
    double clock_mhz; /* of what was measured: the driver's, or a CPU's own */
    size_t launches;
    struct gp_finding findings[GP_MOST_FINDINGS];
    size_t finding_count;
    struct gp_curve curves[GP_MOST_CURVES];
    size_t curve_count;
    struct gp_text notes; /* lines that are no field */
};

/* The groups of probes: `--only NAME`. */
bool gp_probe_launches(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_chains(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_chase(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_bandwidth(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_core(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_requests(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_groups(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_l2_copies(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_texture(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_constant(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_residency(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_divergence(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_coalescing(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_knee(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_departures(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_table1(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_policy(struct gp_calibration *calibration, struct gp_error *error);
bool gp_probe_teg(struct gp_calibration *calibration, struct gp_error *error);

/* GB/s that a stream of reads reaches with all SMs busy (probe_bandwidth.c). */
bool gp_measure_reading(struct gp_calibration *calibration, double *gbps, double *spread, struct gp_error *error);

/* The lower quartile of a real device's repeats, the median of a simulated one's, and how far it may be off. What takes
 * the host longer than a moment is repeated less. */
bool gp_measure(struct gp_calibration *calibration, const struct gp_run *run, struct gp_times *times, double *spread,
                struct gp_error *error);

/*
 * Cycles for each further count of a kernel's loop, from launches with `few` and with `many`, whose difference holds
 * neither the launch nor what surrounds the loop.
 */
bool gp_measure_turn(struct gp_calibration *calibration, struct gp_run run, int32_t few, int32_t many, double *cycles,
                     double *spread, struct gp_error *error);

/* Says a number; one of that name that was said before is replaced. With too much spread it is not trusted. */
void gp_found(struct gp_calibration *calibration, const char *field, double value, double spread, const char *how, ...)
    __attribute__((format(printf, 5, 6)));
/* One of several kinds, of which 0 is one. */
void gp_found_choice(struct gp_calibration *calibration, const char *field, int value, const char *how, ...)
    __attribute__((format(printf, 4, 5)));
void gp_told(struct gp_calibration *calibration, const char *field, double value);
void gp_not_identifiable(struct gp_calibration *calibration, const char *field, const char *why, ...)
    __attribute__((format(printf, 3, 4)));
/* A line below the table: what is found and is no field. */
void gp_note(struct gp_calibration *calibration, const char *format, ...) __attribute__((format(printf, 2, 3)));
const struct gp_finding *gp_finding_of(const struct gp_calibration *calibration, const char *field);

/* A curve to draw; NULL: there are too many. */
struct gp_curve *gp_new_curve(struct gp_calibration *calibration, const char *title, const char *x_label,
                              const char *y_label, bool log_x);
void gp_add_point(struct gp_curve *curve, double x, double y);

/* Of a simulated device: which fields came back (round_trip.c). */
void gp_print_round_trip(const struct gp_calibration *calibration, struct gp_text *out);

/* The page of plots (page.c). False: out of memory. */
bool gp_print_plots(const struct gp_calibration *calibration, struct gp_text *out, struct gp_error *error);

/* The device file (write_entry.c). False: it would not be one; a sentence. */
bool gp_write_entry(const struct gp_calibration *calibration, const char *name, struct gp_text *out,
                    struct gp_error *error);

#endif
