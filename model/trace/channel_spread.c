/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/trace/channel_spread.h"
#include "support/saturate.h"

#include <math.h>
#include <string.h>

void gp_place_iterations(const struct gp_sm *sm, double step, double weight, float *places)
{
    const uint32_t most = 32;
    uint32_t asked = weight < most ? (uint32_t)ceil(weight) : most;
    for (uint32_t k = 0; k < asked; k++) {
        double turns = k * 0.618;
        uint64_t iteration = (uint64_t)((k + turns - (uint32_t)turns) * weight / asked);
        places[(uint64_t)((double)iteration * step / sm->channel_bytes) % sm->channels] += 1.0f / (float)asked;
    }
}

/* ---- Phases ------------------------------------------------------------------------------------------------------ */

/* An access's weight, in the channels where it and the iterations that it stands for lie. */
static void count_access(const struct gp_sm *sm, const struct gp_trace_access *a, const uint64_t *segments,
                         float weight, float *found)
{
    float places[GP_MOST_CHANNELS] = {1};
    if (weight >= 1.5f && a->step > 0) {
        places[0] = 0;
        gp_place_iterations(sm, a->step, weight, places);
    }
    for (uint32_t i = 0; i < a->segment_count; i++) {
        uint64_t segment = segments[a->segment + i];
        uint32_t channel = (uint32_t)(segment * sm->segment / sm->channel_bytes % sm->channels);
        for (uint32_t c = 0; c < sm->channels; c++)
            found[segment & GP_SEGMENT_ANY ? c : (channel + c) % sm->channels] +=
                weight * (segment & GP_SEGMENT_ANY ? 1.0f / (float)sm->channels : places[c]);
    }
}

static void count_trace(const struct gp_sm *sm, const struct gp_trace *trace, float *found)
{
    for (uint32_t v = 0; v < trace->visit_count; v++) {
        uint32_t end = v + 1 < trace->visit_count ? trace->visits[v + 1].access : trace->access_count;
        for (uint32_t k = trace->visits[v].access; k < end; k++) {
            const struct gp_trace_access *a = &trace->accesses[k];
            if (a->path != GP_PATH_LOCAL)
                count_access(sm, a, trace->segments, trace->visits[v].weight, found + (size_t)a->memory * sm->channels);
        }
    }
}

void gp_count_channels(const struct gp_recording *recording, const struct gp_sm *sm, float *found)
{
    for (uint32_t w = 0; w < recording->rows * recording->warps_per_group; w++) {
        const struct gp_sim_warp *warp = &recording->warps[w];
        if (warp->trace != NULL && warp->group_steps == 0 && warp->warp_steps == 0)
            count_trace(sm, warp->trace, found);
    }
}

/* How far apart, in channels, two accesses of an operation lie that are made in phases chosen at random. */
static void distances_between_phases(const float *found, uint32_t channels, float *distances)
{
    float all = 0;
    memset(distances, 0, channels * sizeof *distances);
    for (uint32_t c = 0; c < channels; c++)
        all += found[c];
    if (all <= 0) {
        distances[0] = 1;
        return;
    }
    for (uint32_t c = 0; c < channels; c++)
        for (uint32_t d = 0; d < channels; d++)
            distances[d] += found[c] / all * found[(c + d) % channels] / all;
}

/* ---- Neighbours -------------------------------------------------------------------------------------------------- */

static uint32_t channel_of_neighbour(const struct gp_sm *sm, int64_t bytes)
{
    int64_t width = (int64_t)sm->channel_bytes, channels = (int64_t)sm->channels;
    int64_t channel = (bytes >= 0 ? bytes : gp_subtract(bytes, width - 1)) / width % channels;
    return (uint32_t)(channel < 0 ? channel + channels : channel);
}

/* The simulated SM's own part is where it is; of the others' one in `waves` is in the same phase. */
static void spread_operation(const struct gp_sm *sm, int64_t neighbour_step, uint32_t sms, double waves,
                             const float *distances, float *spread)
{
    float together = (float)(1 / fmax(1, waves)), part = 1.0f / (float)sms;
    memset(spread, 0, sm->channels * sizeof *spread);
    for (uint32_t s = 0; s < sms; s++) {
        uint32_t channel = channel_of_neighbour(sm, gp_multiply(gp_multiply(s, neighbour_step), sm->segment));
        float at_once = s == 0 ? 1 : together;
        spread[channel] += part * at_once;
        for (uint32_t d = 0; d < sm->channels; d++)
            spread[(channel + d) % sm->channels] += part * (1 - at_once) * distances[d];
    }
}

void gp_channel_spread(const struct gp_recording *recording, const struct gp_sm *sm, uint32_t operations,
                       double active_sms, double waves, const float *found, float *spread)
{
    uint32_t channels = sm->channels, sms = active_sms < 1 ? 1 : (uint32_t)active_sms;
    float distances[GP_MOST_CHANNELS];
    for (uint32_t m = 0; m < operations; m++) {
        float *own = spread + (size_t)m * channels;
        distances_between_phases(found + (size_t)m * channels, channels, distances);
        for (uint32_t c = 0; c < channels; c++)
            own[c] = 1.0f / (float)channels;
        if (recording->neighbour_known[m] || sms < 2)
            spread_operation(sm, recording->neighbour_step[m], sms, waves, distances, own);
    }
}
