/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Table 5 and Figures 15 to 20: the applications, from 4 to 484 work-items per group. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/papers/hong_kim/measure.h"

enum {
    SEPIA,
    LINEAR,
    SVM,
    NAIVE,
    TILED,
    BLACK_SCHOLES,
    APPS,
    FIRST_SIDE = 2,
    LAST_SIDE = 22,
    SIDES = LAST_SIDE - FIRST_SIDE + 1
};

/* Table 5. comp of the tiled multiplication: tiles of 20x20 and of 4x4; its work-group memory holds two tiles. */
static const struct {
    const char *name, *file, *kernel;
    double comp, comp_most, memory;
    uint32_t registers, shared;
} apps[APPS] = {
    {"Sepia", "image.cl", "sepia", 71, 71, 6, 7, 52},
    {"Linear", "image.cl", "linear", 111, 111, 30, 15, 60},
    {"SVM", "svm.cl", "svm_optimized", 10871, 10871, 819, 9, 44},
    {"Mat. (naive)", "matrix.cl", "naive", 12043, 12043, 4001, 10, 88},
    {"Mat. (tiled)", "matrix.cl", "tiled_4", 9780, 24580, 1001, 18, 88},
    {"Blackscholes", "blackscholes.cl", "black_scholes", 137, 137, 7, 11, 36},
};

static uint32_t round_up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

/* Groups of side x side, over the input of Table 5. */
static bool launch_app(int app, uint32_t side, struct subject *subject, struct gp_launch *launch,
                       struct gp_error *error)
{
    char items[200], kernel[32];
    uint32_t group = side * side, matrix = round_up(2000, side), windows = 736 * 992;
    if (app == TILED)
        snprintf(kernel, sizeof kernel, "tiled_%u", side);
    else
        snprintf(kernel, sizeof kernel, "%s", apps[app].kernel);
    if (!subject_choose(subject, kernel, error))
        return false;
    switch (app) {
    case SEPIA: snprintf(items, sizeof items, "global=7000x7000:local=%ux%u:width=7000:height=7000", side, side); break;
    case LINEAR:
        snprintf(items, sizeof items, "global=10000x10000:local=%ux%u:width=10000:height=10000", side, side);
        break;
    case SVM:
        snprintf(items, sizeof items, "global=%u:local=%u:pitch=%u", round_up(windows, group), group,
                 round_up(group, 16));
        break;
    case BLACK_SCHOLES:
        snprintf(items, sizeof items, "global=%u:local=%u:count=9000000", round_up(9000000, group), group);
        break;
    default:
        snprintf(items, sizeof items, "global=%ux%u:local=%ux%u:n=%u", matrix, matrix, side, side,
                 app == TILED ? matrix : 2000);
        break;
    }
    use_resources(subject, apps[app].registers, apps[app].shared + (app == TILED ? 8 * group : 0));
    return set_launch(subject->kernel, launch, items, error);
}

/* ---- Table 5 ----------------------------------------------------------------------------------------------------- */

static bool count(int app, uint32_t side, double expected, struct subject *subject, struct gp_device *const gpus[GPUS],
                  bool *exact, struct gp_error *error)
{
    struct gp_launch *launch = &(struct gp_launch){0};
    struct measure m;
    double insts;
    if (!launch_app(app, side, subject, launch, error) || !count_memory(subject, gpus[1], launch, &insts, error) ||
        !measure(subject, gpus[1], launch, &m, error))
        return false;
    double comp = m.in.computation_insts, per_memory = comp / (m.in.coalesced_insts + m.in.uncoalesced_insts);
    char table[32];
    snprintf(table, sizeof table, app == TILED ? "%.0f-%.0f" : "%.0f", apps[app].comp, apps[app].comp_most);
    printf("  %-13s %2ux%-3u %8.0f %8.0f %8.0f %14s %7.1f %9.0f%% %6.0f\n", apps[app].name, side, side, insts, expected,
           comp, table, per_memory, 100 * m.in.uncoalesced_insts / (m.in.uncoalesced_insts + m.in.coalesced_insts),
           m.in.transactions_per_uncoalesced);
    *exact &= insts == expected;
    return true;
}

static bool report_counts(struct subject subjects[APPS], struct gp_device *const gpus[GPUS], struct gp_error *error)
{
    static const uint32_t tiles[] = {4, 5, 8, 10, 16, 20};
    bool exact = true, done = true;
    printf("\nTable 5: dynamic instructions of an interior warp, on fx5600\n  %-13s %6s %8s %8s %8s %14s %7s %10s "
           "%6s\n  %-13s %6s %8s %8s %8s %14s %7s %10s %6s\n",
           "", "group", "memory", "", "comp", "", "comp /", "uncoal-", "trans-", "", "", "executed", "Table 5",
           "executed", "Table 5", "memory", "esced", "act.");
    for (int app = 0; done && app < APPS; app++)
        if (app != TILED)
            done = count(app, 16, apps[app].memory, &subjects[app], gpus, &exact, error);
    for (size_t t = 0; done && t < sizeof tiles / sizeof *tiles; t++)
        done = count(TILED, tiles[t], 2 * (2000 / tiles[t]) + 1, &subjects[TILED], gpus, &exact, error);
    if (done)
        state(exact,
              "memory instructions as in Table 5: 6, 30, 819, 4001, 7, and 1001 to 201 for tiles of 4x4 to 20x20");
    return done;
}

/* ---- Figures 15 to 20
 * ------------------------------------------------------------------------------------------------ */

/* Means over the groups that run. */
struct average {
    double cpi, mwp, cwp, occupancy, time_ns[SIDES], mwp_of[SIDES], cwp_of[SIDES], warps_of[SIDES];
    int runs;
    bool by_departures;
};

/*
 * As counted; and with the paper's two simplifications: all accesses of an application are of the majority's kind
 * (Table 5), and an uncoalesced one of cc 1.0 and 1.1 is 32 transactions (Table 3) however few lanes there are.
 */
enum { COUNTED, SIMPLIFIED, WAYS };
static struct average averages[WAYS][APPS][GPUS];

static void simplify(int app, const struct gp_device *device, struct gp_mwp_inputs *in)
{
    double memory = in->coalesced_insts + in->uncoalesced_insts;
    if (app == SVM)
        return;
    if (in->uncoalesced_insts == 0) /* none where the group is as wide as a half-warp: the fewest that are not one */
        in->transactions_per_uncoalesced = 2;
    if (device->arch == GP_ARCH_TESLA1)
        in->transactions_per_uncoalesced = 32;
    in->uncoalesced_insts = memory;
    in->coalesced_insts = 0;
}

static void add(struct average *a, const struct measure *m, const struct gp_mwp_result *r, double clock_mhz,
                uint32_t side)
{
    a->runs++;
    a->cpi += (r->cpi - a->cpi) / a->runs;
    a->mwp += (r->mwp - a->mwp) / a->runs;
    a->cwp += (r->cwp - a->cwp) / a->runs;
    a->occupancy += (m->occupancy - a->occupancy) / a->runs;
    a->time_ns[side - FIRST_SIDE] = r->cycles / clock_mhz * 1e3;
    a->mwp_of[side - FIRST_SIDE] = r->mwp;
    a->cwp_of[side - FIRST_SIDE] = r->cwp;
    a->warps_of[side - FIRST_SIDE] = m->in.warps_per_block * m->in.active_blocks_per_sm;
    a->by_departures &= r->mwp_without_bw <= r->mwp_peak_bw;
}

static bool measure_app(int app, int gpu, struct subject *subject, const struct gp_device *device,
                        struct gp_error *error)
{
    for (int way = 0; way < WAYS; way++)
        averages[way][app][gpu] = (struct average){.by_departures = true};
    for (uint32_t side = FIRST_SIDE; side <= LAST_SIDE; side++) {
        struct gp_launch *launch = &(struct gp_launch){0};
        struct measure m;
        if (!launch_app(app, side, subject, launch, error) || !measure(subject, device, launch, &m, error))
            return false;
        if (m.occupancy == 0) { /* tiled, 22x22: 18 registers x 512 lanes are more than G80's 8192 */
            averages[COUNTED][app][gpu].time_ns[side - FIRST_SIDE] =
                averages[SIMPLIFIED][app][gpu].time_ns[side - FIRST_SIDE] = NAN;
            continue;
        }
        struct gp_mwp_inputs simple = m.in;
        struct gp_mwp_result r;
        simplify(app, device, &simple);
        gp_mwp_cwp(&simple, &r);
        add(&averages[COUNTED][app][gpu], &m, &m.r, device->clock_mhz.value, side);
        add(&averages[SIMPLIFIED][app][gpu], &m, &r, device->clock_mhz.value, side);
    }
    return true;
}

static void print_values(int app, int way, size_t offset)
{
    for (int gpu = 0; gpu < GPUS; gpu++)
        printf(" %8.2f", *(const double *)((const char *)&averages[way][app][gpu] + offset));
}

static void print_figure(const char *title, size_t offset)
{
    printf("\n%s, mean of groups from 2x2 to 22x22: as counted, and with the paper's simplifications\n  %-13s", title,
           "");
    for (int way = 0; way < WAYS; way++, printf("  |"))
        for (int gpu = 0; gpu < GPUS; gpu++)
            printf(" %8s", gpu_names[gpu]);
    printf("\n");
    for (int app = 0; app < APPS; app++) {
        printf("  %-13s", apps[app].name);
        print_values(app, COUNTED, offset);
        printf("  |");
        print_values(app, SIMPLIFIED, offset);
        printf("\n");
    }
}

static void print_times(int gpu)
{
    printf("\nFigure %d: time on %s, ms\n  %-13s", gpu == 1 ? 15 : 16, gpu_names[gpu], "");
    for (int side = FIRST_SIDE; side <= LAST_SIDE; side += 2)
        printf(" %8d", side * side);
    printf("\n");
    for (int app = 0; app < APPS; app++) {
        printf("  %-13s", apps[app].name);
        for (int side = FIRST_SIDE; side <= LAST_SIDE; side += 2)
            printf(" %8.2f", 1e-6 * averages[COUNTED][app][gpu].time_ns[side - FIRST_SIDE]);
        printf("\n");
    }
}

enum { GT, FX, GTX, GTX280 };

/* Figures 17 to 19, one way of counting. */
static void check_figures(int way)
{
    struct average(*of)[GPUS] = averages[way];
    bool lowest = true, highest = true, above_tiled = true, largest = true, whole_warps = true, least_bandwidth = true,
         svm_too = true, best = true;
    for (int gpu = 0; gpu < GPUS; gpu++) {
        above_tiled &= of[SVM][gpu].mwp > of[TILED][gpu].mwp && of[SVM][gpu].cwp > of[TILED][gpu].cwp;
        for (int app = 0; app < APPS; app++) {
            lowest &= app == SVM || of[SVM][gpu].cpi < of[app][gpu].cpi;
            highest &= app == SVM || of[SVM][gpu].mwp > of[app][gpu].mwp;
            largest &= app == SVM || gpu == GTX280 || of[app][GTX280].mwp > of[app][gpu].mwp;
            for (int side = 8; side <= 16; side += 8)
                whole_warps &= app == SVM || gpu == GTX280 ||
                               of[app][GTX280].mwp_of[side - FIRST_SIDE] > of[app][gpu].mwp_of[side - FIRST_SIDE];
            *(app == SVM ? &svm_too : &least_bandwidth) &=
                of[app][GT].cpi >= of[app][gpu].cpi * (1 - 1e-9) || (app == SVM && gpu == GTX280);
            best &= app == SVM || gpu == GTX280 || of[app][GTX280].cpi < of[app][gpu].cpi;
        }
    }
    printf("\n  %s:\n", way == COUNTED ? "as counted" : "with the paper's simplifications");
    state(highest, "SVM has the highest MWP of the applications, on each GPU (Figure 19)");
    state(lowest, "SVM has the lowest CPI, on each GPU (Figure 17)");
    state(above_tiled, "SVM has a higher MWP and a higher CWP than Mat. (tiled), on each GPU (Figures 18 and 19)");
    state(whole_warps, "MWP is higher on GTX 280 than on the other GPUs, except for SVM, in groups of whole warps, 8x8 "
                       "and 16x16 (Figure 19)");
    if (way == SIMPLIFIED)
        state(largest,
              "MWP is higher on GTX 280 than on the other GPUs, except for SVM, which is coalesced on all (Figure 19)");
    else
        differs(largest, "small groups of bytes take few transactions on cc 1.0, too",
                "MWP is higher on GTX 280 than on the other GPUs, except for SVM (Figure 19)");
    state(least_bandwidth, "8800 GT has the highest CPI for each application but SVM (Figure 17); its relatives, whose "
                           "memory parameters are the same, have no lower one but for the bandwidth");
    differs(svm_too,
            "its bandwidth holds MWP at 8.81, where CWP is 8.87 as compiled (8.2 with the instructions that Table 5 "
            "counts): equation (23) is faster there than (24), which holds as soon as MWP is above CWP",
            "8800 GT has the highest CPI for SVM, too (Figure 17)");
    state(best, "GTX 280 has the lowest CPI for each application but SVM, which is 4 cycles on all (Figure 17)");
}

/* Of the groups that run, in the mean over the GPUs, had Black-Scholes so many registers. */
static bool black_scholes_occupancy(struct subject *subject, struct gp_device *const gpus[GPUS], uint32_t registers,
                                    double *occupancy, struct gp_error *error)
{
    *occupancy = 0;
    for (int gpu = 0; gpu < GPUS; gpu++)
        for (uint32_t side = FIRST_SIDE; side <= LAST_SIDE; side++) {
            struct gp_launch *launch = &(struct gp_launch){0};
            struct measure m;
            if (!launch_app(BLACK_SCHOLES, side, subject, launch, error))
                return false;
            use_resources(subject, registers, apps[BLACK_SCHOLES].shared);
            if (!measure(subject, gpus[gpu], launch, &m, error))
                return false;
            *occupancy += m.occupancy / (GPUS * SIDES);
        }
    return true;
}

static void check_bounds(double with_fewer_registers)
{
    bool departures = true, high = true, low = true;
    for (int app = 0; app < APPS; app++) {
        double mean = 0;
        for (int gpu = 0; gpu < GPUS; gpu++) {
            mean += averages[COUNTED][app][gpu].occupancy / GPUS;
            departures &= app == SVM || averages[SIMPLIFIED][app][gpu].by_departures;
        }
        if (app == TILED || app == LINEAR)
            low &= mean < 0.7;
        else if (app != BLACK_SCHOLES)
            high &= mean > 0.7;
    }
    bool mwp_settles = true, cwp_settles = true;
    for (int gpu = 0; gpu < GTX280; gpu++)
        for (int side = 8; side <= 20; side++) {
            for (int app = 0; app < APPS; app++) {
                const struct average *a = &averages[SIMPLIFIED][app][gpu];
                double settled = fmin(a->mwp_of[16 - FIRST_SIDE], a->warps_of[side - FIRST_SIDE]);
                mwp_settles &= fabs(a->mwp_of[side - FIRST_SIDE] / settled - 1) < 1e-9;
                cwp_settles &= (app != SEPIA && app != LINEAR && app != NAIVE) ||
                               a->cwp_of[side - FIRST_SIDE] == a->warps_of[side - FIRST_SIDE];
            }
        }
    printf("\n");
    state(mwp_settles, "MWP saturates: from 64 work-items on it no longer grows with the group, as long as there are "
                       "so many warps (Figure 19; G80, the paper's simplifications)");
    state(cwp_settles, "CWP saturates at the number of warps where there is little computation: Sepia, Linear, Mat. "
                       "(naive) (Figure 18; G80)");
    state(departures, "all but SVM are limited by departure delays and never reach the peak bandwidth");
    state(
        high && low,
        "Mat. (tiled) and Linear have an occupancy of less than 70%%; Sepia, SVM and Mat. (naive) of more (Figure 20)");
    double black_scholes = 0;
    for (int gpu = 0; gpu < GPUS; gpu++)
        black_scholes += averages[COUNTED][BLACK_SCHOLES][gpu].occupancy / GPUS;
    differs(black_scholes > 0.7,
            "Table 5's 11 registers x 256 work-items are 2816: two groups of 8 warps in 8192 registers, 67% on G80",
            "Blackscholes, too, has an occupancy of more than 70%% (Figure 20)");
    state(with_fewer_registers > 0.7, "with 10 registers it would: %.0f%% in the mean, not %.0f%%",
          100 * with_fewer_registers, 100 * black_scholes);
}

/* Figures 15 and 16. */
static void check_times(void)
{
    bool faster = true, flat = true;
    for (int gpu = 0; gpu < GPUS; gpu++)
        for (int side = 6; side <= LAST_SIDE; side++)
            faster &= !(averages[COUNTED][TILED][gpu].time_ns[side - FIRST_SIDE] >=
                        averages[COUNTED][NAIVE][gpu].time_ns[side - FIRST_SIDE]);
    for (int app = 0; app < APPS; app++)
        for (int side = 8; side <= LAST_SIDE && app != TILED; side++)
            flat &= fabs(averages[SIMPLIFIED][app][FX].time_ns[side - FIRST_SIDE] /
                             averages[SIMPLIFIED][app][FX].time_ns[16 - FIRST_SIDE] -
                         1) < 0.5;
    const double *tiled = averages[COUNTED][TILED][FX].time_ns, *naive = averages[COUNTED][NAIVE][FX].time_ns;
    bool falls = true;
    for (int side = 4; side <= LAST_SIDE; side *= 2)
        falls &= side > 16 || side < 8 || tiled[side - FIRST_SIDE] < tiled[side / 2 - FIRST_SIDE];
    state(falls && tiled[20 - FIRST_SIDE] < tiled[10 - FIRST_SIDE],
          "Mat. (tiled) gets faster with more work-items per group (Figure 15)");
    state(faster, "Mat. (tiled) is faster than Mat. (naive) from groups of a warp (6x6) on, on each GPU");
    state(naive[20 - FIRST_SIDE] / tiled[20 - FIRST_SIDE] > naive[10 - FIRST_SIDE] / tiled[10 - FIRST_SIDE] &&
              naive[10 - FIRST_SIDE] / tiled[10 - FIRST_SIDE] > naive[5 - FIRST_SIDE] / tiled[5 - FIRST_SIDE],
          "and by a larger factor the larger the tiles: 5x5, 10x10, 20x20");
    state(flat, "the others' times hardly depend on the group, from 64 work-items on (FX 5600, the paper's "
                "simplifications, within 50%% of 256's; Figure 15)");
}

bool report_merge(struct gp_error *error)
{
    struct subject subjects[APPS] = {{0}};
    struct gp_device *gpus[GPUS];
    char file[64];
    bool done = open_gpus(gpus, error);
    for (int app = 0; done && app < APPS; app++) {
        snprintf(file, sizeof file, "hong_kim/%s", apps[app].file);
        done = subject_open("gtx280", file, apps[app].kernel, NULL, &subjects[app], error);
    }
    done = done && report_counts(subjects, gpus, error);
    for (int app = 0; app < APPS; app++)
        for (int gpu = 0; done && gpu < GPUS; gpu++)
            done = measure_app(app, gpu, &subjects[app], gpus[gpu], error);
    double occupancy = 0;
    done = done && black_scholes_occupancy(&subjects[BLACK_SCHOLES], gpus, apps[BLACK_SCHOLES].registers - 1,
                                           &occupancy, error);
    if (done) {
        print_times(1);
        print_times(3);
        print_figure("Figure 17: cycles per instruction", offsetof(struct average, cpi));
        print_figure("Figure 18: CWP", offsetof(struct average, cwp));
        print_figure("Figure 19: MWP", offsetof(struct average, mwp));
        print_figure("Figure 20: occupancy", offsetof(struct average, occupancy));
        check_figures(COUNTED);
        check_figures(SIMPLIFIED);
        check_bounds(occupancy);
        check_times();
    }
    for (int app = 0; app < APPS; app++)
        subject_close(&subjects[app]);
    close_gpus(gpus);
    return done;
}
