// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Lane detection as Wang et al., section VI, has it: pre-processing of a frame's region of interest, candidates of lane markings, a particle filter that
 * follows those of the frame before. Kernels of ours: the paper names what they do and their sizes, and prints none. A marking is a line through the
 * region, given by its column at the top and at the bottom row.
 */
enum { COLUMNS = 512, ROWS = 96, MARKING = 8 /* pixels that a marking is wide */ };

/* How much brighter a pixel is than those at both sides of a marking. */
kernel void pre(global const float *restrict frame, global float *restrict ridges, float threshold)
{
    int id = get_global_id(0), x = id % COLUMNS, y = id / COLUMNS;
    float ridge = 0;
    if (x >= MARKING && x < COLUMNS - MARKING) {
        float middle = 0;
        for (int k = -MARKING / 4; k <= MARKING / 4; k++)
            middle += frame[y * COLUMNS + x + k];
        middle /= MARKING / 2 + 1;
        ridge = 2 * middle - frame[y * COLUMNS + x - MARKING] - frame[y * COLUMNS + x + MARKING];
        ridge = ridge > threshold ? ridge - fabs(frame[y * COLUMNS + x - MARKING] - frame[y * COLUMNS + x + MARKING]) : 0;
    }
    ridges[id] = ridge;
}

static float along(global const float *ridges, float top, float bottom)
{
    float sum = 0;
    for (int y = 0; y < ROWS; y++) {
        int x = clamp((int)(top + (bottom - top) * y / ROWS), 0, COLUMNS - 1);
        sum += ridges[y * COLUMNS + x];
    }
    return sum;
}

/* Each candidate's columns follow from its number. */
kernel void detect(global const float *restrict ridges, global float *restrict scores, int candidates)
{
    int id = get_global_id(0);
    if (id >= candidates)
        return;
    int tops = 32, top = id % tops, bottom = id / tops * COLUMNS / (candidates / tops);
    scores[id] = along(ridges, COLUMNS / 4 + top * (COLUMNS / 2 / tops), bottom);
}

/* Each particle is a marking of the frame before, moved by chance. */
kernel void follow(global const float *restrict ridges, global const float2 *restrict before, global float2 *restrict after, global float *restrict weights, int particles, uint seed)
{
    int id = get_global_id(0);
    if (id >= particles)
        return;
    uint random = (id + 1) * 2654435761u ^ seed;
    float2 moved = before[id];
    for (int k = 0; k < 4; k++) {
        random = random * 1664525u + 1013904223u;
        moved.x += (float)(random >> 24) / 64 - 2;
        random = random * 1664525u + 1013904223u;
        moved.y += (float)(random >> 24) / 64 - 2;
    }
    after[id] = moved;
    weights[id] = native_exp(along(ridges, moved.x, moved.y) * 0.125f);
}
