/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Table 4 and Figure 14: cycles per instruction of the micro-benchmarks. */
#include <math.h>
#include <stdio.h>

#include "bench/papers/hong_kim/measure.h"
#include "model/assume/stated.h"

/* Table 4: instructions per iteration. */
static const struct {
    const char *name;
    double memory, computation, floating;
} rows[] = {
    {"mb1", 0, 23, 20}, {"mb2", 1, 17, 8},  {"mb3", 1, 29, 20}, {"mb4", 2, 27, 12},
    {"mb5", 2, 35, 20}, {"mb6", 4, 47, 20}, {"mb7", 6, 59, 20},
};
enum { ROWS = sizeof rows / sizeof *rows, ITERATIONS = 1000 };

struct result {
    double cpi, trace_cpi, stated_cpi, iteration_cycles;
};

/*
 * 240 groups of 256: whole rounds on both GPUs. The stride of the uncoalesced loads is not in the paper. Eight words
 * make 32 transactions of a warp on cc 1.0 and 8 on cc 1.3, with which every CPI stays on Figure 14's axis (36); 32
 * words would make it 118 for Mb7 on the GTX 280.
 */
static bool run(struct subject *subject, const struct gp_device *device, size_t row, bool coalesced,
                struct result *result, struct gp_error *error)
{
    struct measure m;
    struct gp_launch *launch = &(struct gp_launch){0};
    char items[128];
    snprintf(items, sizeof items, "global=61440:local=256:iterations=%d", ITERATIONS);
    if (!subject_choose(subject, rows[row].name, error) || !set_launch(subject->kernel, launch, items, error))
        return false;
    if (rows[row].memory > 0 &&
        !(gp_launch_set_argument(subject->kernel, launch, "width", "61440", error) &&
          gp_launch_set_argument(subject->kernel, launch, "stride", coalesced ? "1" : "8", error) &&
          gp_launch_set_argument(subject->kernel, launch, "mask", "0x3fffffff", error)))
        return false;
    use_resources(subject, 10, 64);
    if (!measure(subject, device, launch, &m, error))
        return false;
    struct gp_prediction trace;
    double trace_cpi = NAN;
    if (predict(subject, device, launch, GP_MODEL_TRACE, &trace))
        trace_cpi = trace.cycles * m.r.cpi / m.r.application_cycles; /* (25) with its cycles */
    struct gp_mwp_inputs stated = m.in;
    struct gp_mwp_result r;
    stated.computation_insts = rows[row].computation * ITERATIONS;
    stated.coalesced_insts = coalesced ? rows[row].memory * ITERATIONS : 0;
    stated.uncoalesced_insts = coalesced ? 0 : rows[row].memory * ITERATIONS;
    gp_mwp_cwp(&stated, &r);
    double loads = m.in.coalesced_insts + m.in.uncoalesced_insts;
    printf("  %-4s%-3s %-8s %4.0f %4.0f %7.2f %7.2f %8.2f %8.2f %8.2f %8.2f", rows[row].name, coalesced ? "C" : "UC",
           device->name, rows[row].memory, rows[row].computation, loads / ITERATIONS,
           m.in.computation_insts / ITERATIONS, r.mwp, r.cwp, r.cpi, m.r.cpi);
    if (isnan(trace_cpi))
        printf(" %8s\n", "-");
    else
        printf(" %8.2f\n", trace_cpi);
    *result = (struct result){m.r.cpi, trace_cpi, r.cpi, r.application_cycles / r.repetitions / ITERATIONS};
    return true;
}

/* With the same 20 floating-point operations: none, one, two, four and six loads. */
static const size_t series[] = {0, 2, 4, 5, 6};
enum { SERIES = sizeof series / sizeof *series };

/* A line through the loads of the series from the second on: the share of the variance that it explains. */
static double linearity(const struct result results[ROWS])
{
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 1; i < SERIES; i++) {
        double loads = rows[series[i]].memory, cycles = results[series[i]].iteration_cycles;
        n++, x += loads, y += cycles, xx += loads * loads, yy += cycles * cycles, xy += loads * cycles;
    }
    double covariance = n * xy - x * y;
    return covariance * covariance / ((n * xx - x * x) * (n * yy - y * y));
}

static void check(const char *device, const struct result coalesced[ROWS], const struct result uncoalesced[ROWS])
{
    bool hidden = true, grows = true, compiled_grows = true, costs = true;
    for (size_t i = 0; i < ROWS; i++) {
        hidden &= coalesced[i].stated_cpi < 1.1 * coalesced[0].stated_cpi && coalesced[i].cpi < 1.1 * coalesced[0].cpi;
        costs &= rows[i].memory == 0 || uncoalesced[i].stated_cpi > 2 * coalesced[i].stated_cpi;
    }
    bool traced = !isnan(uncoalesced[0].trace_cpi), trace_grows = true;
    for (size_t i = 1; i < SERIES; i++) {
        trace_grows &= uncoalesced[series[i]].trace_cpi > uncoalesced[series[i - 1]].trace_cpi;
        grows &= uncoalesced[series[i]].stated_cpi > uncoalesced[series[i - 1]].stated_cpi;
        compiled_grows &= uncoalesced[series[i]].cpi > uncoalesced[series[i - 1]].cpi;
    }
    state(hidden, "%s: coalesced loads are almost hidden, CPI within 10%% of Mb1's (their counts, and as compiled)",
          device);
    state(costs, "%s: uncoalesced loads are not, CPI more than twice the coalesced one's", device);
    state(grows && compiled_grows,
          "%s: uncoalesced, CPI grows with the number of loads (their counts, and as compiled)", device);
    state(linearity(uncoalesced) > 0.999, "%s: uncoalesced, the cost grows linearly with the number of loads (R2 %.4f)",
          device, linearity(uncoalesced));
    if (traced)
        state(trace_grows, "%s: uncoalesced, the simulation's CPI grows with the number of loads as well", device);
    bool on_axis = true;
    for (size_t i = 0; i < ROWS; i++)
        on_axis &= uncoalesced[i].stated_cpi < 36;
    state(on_axis, "%s: every CPI is on Figure 14's axis, below 36", device);
}

bool report_micro(struct gp_error *error)
{
    static const char *const devices[] = {"fx5600", "gtx280"};
    struct subject subject;
    bool done = subject_open("gtx280", "hong_kim/micro.cl", "mb1", NULL, &subject, error);
    printf("\nTable 4, Figure 14: micro-benchmarks, per iteration and warp\n");
    printf("  %-7s %-8s %4s %4s %7s %7s %8s %8s %8s %8s %8s\n", "", "", "mem", "comp", "mem", "comp", "MWP", "CWP",
           "CPI", "CPI", "CPI");
    printf("  %-7s %-8s %9s %15s %17s %8s %8s %8s\n", "", "", "Table 4", "compiled", "", "Table 4", "compiled",
           "trace");
    for (size_t d = 0; done && d < 2; d++) {
        struct result results[2][ROWS];
        struct gp_device *device = gp_device_load(devices[d], NULL, error);
        done = device != NULL;
        for (int coalesced = 1; coalesced >= 0; coalesced--)
            for (size_t i = 0; done && i < ROWS; i++)
                done = run(&subject, device, i, coalesced, &results[coalesced][i], error);
        if (done)
            check(devices[d], results[1], results[0]);
        gp_device_free(device);
    }
    subject_close(&subject);
    return done;
}
