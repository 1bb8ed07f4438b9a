/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the executor's tests share: kernels from text, a warp that is run, and a record of what it did. */
#ifndef GPUPERF_TEST_EXECUTOR_FIXTURE_H
#define GPUPERF_TEST_EXECUTOR_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/executor/executor.h"
#include "model/profile/profile_text.h"

enum { MAX_EVENTS = 4096 };

struct event {
    enum { VISIT, ACCESS, BARRIER, DIVERGE, SKIP } kind;
    uint32_t what; /* block, memory record, instruction, branch, loop */
    gp_mask active, other;
    double weight;
    bool uniform, guessed;
    uint32_t symbol[GP_MAX_LANES];
    uint64_t offset[GP_MAX_LANES];
    gp_mask assumed;
    uint32_t coordinates, coordinate_symbol[3][GP_MAX_LANES];
    uint64_t coordinate[3][GP_MAX_LANES];
};

struct run {
    struct gp_profile *profile;
    const struct gp_kernel *kernel;
    struct gp_launch launch;
    struct gp_exec_options options;
    struct gp_exec_result result;
    struct gp_executor *executor;
    uint32_t event_count; /* events beyond MAX_EVENTS are counted only */
    struct event *events;
    /* Weighted sums, comparable between sampled and exhaustive execution */
    double visits, lanes, requests, sectors, skips;
};

static struct event *add_event(struct run *run, int kind, uint32_t what, gp_mask active, double weight)
{
    struct event *event = &run->events[run->event_count < MAX_EVENTS ? run->event_count : MAX_EVENTS - 1];
    run->event_count++;
    memset(event, 0, sizeof *event);
    event->kind = kind;
    event->what = what;
    event->active = active;
    event->weight = weight;
    return event;
}

static void on_enter(void *context, uint32_t block, gp_mask active, double weight)
{
    struct run *run = context;
    add_event(run, VISIT, block, active, weight);
    run->visits += weight;
    run->lanes += weight * __builtin_popcountll(active);
}

/* Distinct 32-byte sectors. */
static uint32_t count_sectors(const struct gp_access *access, uint32_t width)
{
    uint64_t sector[GP_MAX_LANES];
    uint32_t symbol[GP_MAX_LANES], count = 0;
    for (uint32_t lane = 0; lane < width; lane++) {
        uint32_t i = 0;
        if (!(access->active >> lane & 1))
            continue;
        while (i < count && (access->symbol[lane] == GP_SYMBOL_UNKNOWN || symbol[i] != access->symbol[lane] ||
                             sector[i] != access->offset[lane] / 32))
            i++;
        if (i == count) {
            symbol[count] = access->symbol[lane];
            sector[count++] = access->offset[lane] / 32;
        }
    }
    return count;
}

static void on_access(void *context, const struct gp_access *access)
{
    struct run *run = context;
    uint32_t width = run->options.warp_width;
    struct event *event = add_event(run, ACCESS, access->memory, access->active, access->weight);
    event->uniform = access->uniform;
    event->guessed = access->guessed;
    memcpy(event->symbol, access->symbol, width * sizeof *event->symbol);
    memcpy(event->offset, access->offset, width * sizeof *event->offset);
    event->assumed = access->assumed;
    event->coordinates = access->coordinates;
    for (uint32_t i = 0; i < access->coordinates; i++) {
        memcpy(event->coordinate_symbol[i], access->coordinate_symbol[i], width * sizeof *access->coordinate_symbol[i]);
        memcpy(event->coordinate[i], access->coordinate[i], width * sizeof *access->coordinate[i]);
    }
    run->requests += access->weight;
    run->sectors += access->weight * count_sectors(access, width);
}

static void on_barrier(void *context, uint32_t inst, gp_mask active, double weight)
{
    add_event(context, BARRIER, inst, active, weight);
}

static void on_diverge(void *context, uint32_t branch, gp_mask taken, gp_mask not_taken, double weight)
{
    add_event(context, DIVERGE, branch, taken, weight)->other = not_taken;
}

static void on_skip(void *context, uint32_t loop, uint64_t left_out)
{
    struct run *run = context;
    (void)left_out;
    add_event(run, SKIP, loop, 0, 1.0);
    run->skips++;
}

/* One-dimensional launch of 1024 work-items in groups of 32, arguments from the profile's defaults. */
static struct run start_text(const char *text)
{
    struct run run;
    struct gp_error error = {""};
    memset(&run, 0, sizeof run);
    run.profile = gp_profile_parse(text, strlen(text), &error);
    if (!run.profile)
        fail_msg("%s", error.text);
    run.kernel = &run.profile->kernels[0];
    run.launch.dims = 1;
    for (int d = 0; d < 3; d++) {
        run.launch.global[d] = d == 0 ? 1024 : 1;
        run.launch.local[d] = d == 0 ? 32 : 1;
    }
    for (uint32_t i = 0; i < run.kernel->stated.default_count; i++)
        run.launch.arguments[run.kernel->stated.defaults[i].param] =
            (struct gp_argument){.known = true, .value = (uint64_t)run.kernel->stated.defaults[i].value};
    run.options = (struct gp_exec_options){.warp_width = 32, .exhaustive = true};
    run.events = calloc(MAX_EVENTS, sizeof *run.events);
    run.executor = gp_executor_new(run.kernel);
    assert_non_null(run.executor);
    return run;
}

static void execute(struct run *run, uint64_t group, uint32_t warp)
{
    struct gp_observer observer = {run, on_enter, on_access, on_barrier, NULL, on_diverge, on_skip, false};
    uint64_t groups[3] = {group, 0, 0};
    struct gp_error error = {""};
    run->event_count = 0;
    run->visits = run->lanes = run->requests = run->sectors = run->skips = 0;
    if (!gp_execute_warp(run->executor, &run->launch, groups, warp, &run->options, &observer, &run->result, &error))
        fail_msg("%s", error.text);
}

static inline struct run run_text(const char *text)
{
    struct run run = start_text(text);
    execute(&run, 0, 0);
    return run;
}

static void finish(struct run *run)
{
    gp_executor_free(run->executor);
    gp_profile_free(run->profile);
    free(run->events);
}

/* The n-th event of a kind about that block, memory record ...; fails where there is none. */
static inline const struct event *event_at(const struct run *run, int kind, uint32_t what, uint32_t n)
{
    for (uint32_t i = 0; i < run->event_count && i < MAX_EVENTS; i++)
        if ((int)run->events[i].kind == kind && run->events[i].what == what && n-- == 0)
            return &run->events[i];
    fail_msg("no such event: kind %d of %u", kind, what);
    return NULL;
}

static inline uint32_t count_events(const struct run *run, int kind, uint32_t what)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->event_count && i < MAX_EVENTS; i++)
        count += (int)run->events[i].kind == kind && run->events[i].what == what;
    return count;
}

static inline void assert_weight(double weight, double expected)
{
    if (weight != expected)
        fail_msg("weight %.17g, not %.17g", weight, expected);
}

#define KERNEL "gpuperf-profile 1\nkernel k\n"
#define OUT    "param out: buffer 64 in global size 8\n"
#define LANE   "%lid = id.local_id.0 i64\n"

#endif
