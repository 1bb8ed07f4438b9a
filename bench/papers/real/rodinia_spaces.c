/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Design spaces of Wang et al.'s Table IV, 30 points of each kernel or more: the paper has up to 42,000, whose inputs
 * it does not state. Where the algorithm has a local size of its own, inputs alone vary.
 */
#include "bench/papers/real/point.h"

static uint64_t up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

static void line(struct point *p, uint64_t items, uint32_t local)
{
    p->global[0] = up(items, local);
    p->global[1] = 1;
    p->local[0] = local;
    p->local[1] = 1;
}

static void tile(struct point *p, uint64_t columns, uint64_t rows)
{
    p->global[0] = 16 * columns;
    p->global[1] = 16 * rows;
    p->local[0] = p->local[1] = 16;
}

static void buffer(struct point *p, enum value_kind kind, double count, double value)
{
    add_value(p, (struct value){.kind = kind, .count = count, .value = value});
}

static void number(struct point *p, enum value_kind kind, const char *name, double value)
{
    add_value(p, (struct value){.kind = kind, .name = name, .value = value});
}

static void held(struct point *p, const char *name, double bytes)
{
    add_value(p, (struct value){.kind = LOCAL, .name = name, .count = bytes});
}

/* 1, 1.5, 2, 3, 4 .. times the least. */
static int grown(int least, int input) { return input % 2 ? (least << input / 2) * 3 / 2 : least << input / 2; }

static void layer_forward(int input, uint32_t local, struct point *p)
{
    int inputs = 16 * 64 * (input + 1);
    (void)local;
    tile(p, 1, (uint64_t)inputs / 16);
    buffer(p, FLOATS, inputs + 32, 0);
    buffer(p, FLOATS, 17.0 * (inputs + 2), 0);
    buffer(p, FLOATS, inputs + 16, 0);
    held(p, "node", 16 * 4);
    held(p, "product", 256 * 4);
    number(p, INT, "hidden", 16);
}

static void adjust_weights(int input, uint32_t local, struct point *p)
{
    int inputs = 16 * 64 * (input + 1);
    (void)local;
    tile(p, 1, (uint64_t)inputs / 16);
    buffer(p, FLOATS, 32, 0);
    number(p, INT, "hidden", 16);
    buffer(p, FLOATS, inputs + 32, 0);
    buffer(p, FLOATS, 17.0 * (inputs + 2), 0);
    buffer(p, FLOATS, 17.0 * (inputs + 2), 0);
}

enum { EDGES = 6 };

static void bfs_1(int input, uint32_t local, struct point *p)
{
    int n = grown(32768, input);
    line(p, (uint64_t)n, local);
    buffer(p, STEPS, n, EDGES);
    buffer(p, INTS, (double)EDGES * n, n);
    add_value(p, (struct value){.kind = BYTES, .count = n, .value = 1, .anew = true});
    buffer(p, BYTES, n, 0);
    buffer(p, BYTES, n, 0);
    buffer(p, INTS, n, 100);
    number(p, INT, "count", n);
    p->also = "trip=6";
}

static void bfs_2(int input, uint32_t local, struct point *p)
{
    int n = grown(32768, input);
    line(p, (uint64_t)n, local);
    buffer(p, BYTES, n, 0);
    add_value(p, (struct value){.kind = BYTES, .count = n, .value = 1, .anew = true});
    buffer(p, BYTES, n, 0);
    buffer(p, BYTES, 1, 0);
    number(p, INT, "count", n);
}

enum { ORDER = 256, TREE = 2048 /* nodes */ };

static void find_k(int input, uint32_t local, struct point *p)
{
    int queries = 256 * (input + 1);
    (void)local;
    line(p, (uint64_t)queries * ORDER, ORDER);
    number(p, LONG, "height", 3);
    buffer(p, NODES, TREE, TREE);
    number(p, LONG, "knodes_elem", TREE);
    buffer(p, INTS, TREE, 100);
    buffer(p, LONGS, queries, 0);
    buffer(p, LONGS, queries, 0);
    buffer(p, INTS, queries, ORDER);
    buffer(p, INTS, queries, 1);
}

static void find_range_k(int input, uint32_t local, struct point *p)
{
    int queries = 256 * (input + 1);
    (void)local;
    line(p, (uint64_t)queries * ORDER, ORDER);
    number(p, LONG, "height", 3);
    buffer(p, NODES, TREE, TREE);
    number(p, LONG, "knodes_elem", TREE);
    for (int i = 0; i < 4; i++)
        buffer(p, LONGS, queries, 0);
    for (int i = 0; i < 4; i++)
        buffer(p, INTS, queries, ORDER);
}

/* More with each input, and a work-item for each. */
static int elements(int input, uint32_t local, struct point *p)
{
    int n = grown(16384, input);
    line(p, (uint64_t)n, local);
    return n;
}

static void compute_flux(int input, uint32_t local, struct point *p)
{
    int n = elements(input, local, p);
    buffer(p, INTS, 4.0 * n, n);
    buffer(p, FLOATS, 12.0 * n, 0);
    buffer(p, FLOATS, 5.0 * n, 0);
    buffer(p, FLOATS, 5, 0);
    buffer(p, FLOATS, 5.0 * n, 0);
    buffer(p, FLOATS, 12, 0);
    number(p, INT, "nelr", n);
}

static void step_factor(int input, uint32_t local, struct point *p)
{
    int n = elements(input, local, p);
    buffer(p, FLOATS, 5.0 * n, 0);
    buffer(p, FLOATS, n, 0);
    buffer(p, FLOATS, n, 0);
    number(p, INT, "nelr", n);
}

static void initialize(int input, uint32_t local, struct point *p)
{
    int n = elements(input, local, p);
    buffer(p, FLOATS, 5.0 * n, 0);
    buffer(p, FLOATS, 5, 0);
    number(p, INT, "nelr", n);
}

static void set_memory(int input, uint32_t local, struct point *p)
{
    int n = grown(65536, input);
    line(p, (uint64_t)n, local);
    buffer(p, BYTES, (double)up((uint64_t)n, local), 0);
    number(p, CHAR, NULL, 1);
    number(p, INT, "count", n);
}

static void time_step(int input, uint32_t local, struct point *p)
{
    int n = elements(input, local, p);
    number(p, INT, "stage", 1);
    number(p, INT, "nelr", n);
    buffer(p, FLOATS, 5.0 * n, 0);
    buffer(p, FLOATS, 5.0 * n, 0);
    buffer(p, FLOATS, n, 0);
    buffer(p, FLOATS, 5.0 * n, 0);
}

static void hotspot(int input, uint32_t local, struct point *p)
{
    int steps = input % 5 + 1, edge = 128 * (input / 5 + 1), small = 16 - 2 * steps;
    (void)local;
    tile(p, (uint64_t)(edge + small - 1) / (uint64_t)small, (uint64_t)(edge + small - 1) / (uint64_t)small);
    number(p, INT, "iteration", steps);
    for (int i = 0; i < 3; i++)
        buffer(p, FLOATS, (double)edge * edge, 0);
    number(p, INT, "columns", edge);
    number(p, INT, "rows", edge);
    number(p, INT, "border_columns", steps);
    number(p, INT, "border_rows", steps);
    for (int i = 0; i < 5; i++)
        number(p, FLOAT, NULL, 0.5 + i);
}

static void kmeans_swap(int input, uint32_t local, struct point *p)
{
    int n = elements(input, local, p);
    buffer(p, FLOATS, 34.0 * n, 0);
    buffer(p, FLOATS, 34.0 * n, 0);
    number(p, INT, "points", n);
    number(p, INT, "features", 34);
}

static void kmeans_c(int input, uint32_t local, struct point *p)
{
    int n = elements(input, local, p);
    buffer(p, FLOATS, 34.0 * n, 0);
    buffer(p, FLOATS, 34.0 * 5, 0);
    buffer(p, INTS, n, 5);
    number(p, INT, "points", n);
    number(p, INT, "cluster_count", 5);
    number(p, INT, "features", 34);
}

static void lud(int input, uint32_t local, struct point *p)
{
    int dim = 128 * (input / 5 + 2), offset = input % 5 * 16;
    (void)local;
    tile(p, (uint64_t)(dim - offset) / 16 - 1, (uint64_t)(dim - offset) / 16 - 1);
    add_value(p, (struct value){.kind = FLOATS, .count = (double)dim * dim, .anew = true});
    held(p, "row", 1024);
    held(p, "column", 1024);
    number(p, INT, "dim", dim);
    number(p, INT, "offset", offset);
}

static void nearest(int input, uint32_t local, struct point *p)
{
    int n = grown(32768, input);
    line(p, (uint64_t)n, local);
    buffer(p, FLOATS, 2.0 * n, 0);
    buffer(p, FLOATS, n, 0);
    number(p, INT, "records", n);
    number(p, FLOAT, NULL, 0.25);
    number(p, FLOAT, NULL, 0.75);
}

/* The longest anti-diagonals of matrices of so many tiles. */
static void needleman(struct point *p, int input, bool second)
{
    int tiles = 4 * (input + 1), columns = 16 * tiles + 1;
    line(p, 16 * (uint64_t)(second ? tiles - 1 : tiles), 16);
    buffer(p, INTS, (double)columns * columns, 10);
    buffer(p, INTS, (double)columns * columns, 10);
    held(p, "score", 17 * 17 * 4);
    held(p, "ref", 1024);
    number(p, INT, "columns", columns);
    number(p, INT, "penalty", 10);
    number(p, INT, "block", second ? tiles - 1 : tiles);
    if (second)
        number(p, INT, "width", tiles);
}

static void nw_1(int input, uint32_t local, struct point *p)
{
    (void)local;
    needleman(p, input, false);
}

static void nw_2(int input, uint32_t local, struct point *p)
{
    (void)local;
    needleman(p, input, true);
}

static void particles(int input, uint32_t local, struct point *p)
{
    int n = grown(2048, input);
    line(p, (uint64_t)n, local);
    buffer(p, FLOATS, n, 0);
    buffer(p, FLOATS, n, 0);
    buffer(p, SORTED, n, 0);
    buffer(p, FLOATS, n, 0);
    buffer(p, FLOATS, n, 0);
    buffer(p, FLOATS, n, 0);
    number(p, INT, "particles", n);
}

static void pathfinder(int input, uint32_t local, struct point *p)
{
    int steps = input % 5 * 10 + 4, columns = 32768 * (input / 5 + 1), small = 256 - 2 * steps;
    (void)local;
    line(p, (uint64_t)(columns + small - 1) / (uint64_t)small * 256, 256);
    number(p, INT, "iteration", steps);
    buffer(p, INTS, (double)columns * (steps + 1), 10);
    buffer(p, INTS, columns, 10);
    buffer(p, INTS, columns, 10);
    number(p, INT, "columns", columns);
    number(p, INT, "rows", steps + 1);
    number(p, INT, "start", 0);
    number(p, INT, "border", steps);
    held(p, "previous", 1024);
    held(p, "now", 1024);
}

static const uint32_t locals[] = {16, 32, 64, 128, 256, 512, 0};

const struct subspace rodinia_spaces[] = {
    {"backprop", "rodinia/backprop.cl", "bpnn_adjust_weights", adjust_weights, 30, NULL, {24.24, 24.34, 22.16, 22.12}},
    {"backprop", "rodinia/backprop.cl", "bpnn_layerforward", layer_forward, 30, NULL, {19.38, 27.05, 21.14, 26.55}},
    {"bfs", "rodinia/bfs.cl", "BFS_1", bfs_1, 5, locals, {11.55, 7.969, 10.16, 20.47}},
    {"bfs", "rodinia/bfs.cl", "BFS_2", bfs_2, 5, locals, {14.43, 20.24, 9.879, 11.73}},
    {"b+tree", "rodinia/btree.cl", "findK", find_k, 30, NULL, {35.68, 31.12, 8.941, 12.86}},
    {"b+tree", "rodinia/btree.cl", "findRangeK", find_range_k, 30, NULL, {40.63, 39.80, 13.42, 13.42}},
    {"cfd", "rodinia/cfd.cl", "compute_flux", compute_flux, 5, locals, {15.32, 19.81, 9.077, 14.41}},
    {"cfd", "rodinia/cfd.cl", "compute_step_factor", step_factor, 5, locals, {12.83, 27.76, 43.04, 3.315}},
    {"cfd", "rodinia/cfd.cl", "initialize_variables", initialize, 5, locals, {11.89, 9.149, 29.65, 7.902}},
    {"cfd", "rodinia/cfd.cl", "memset_kernel", set_memory, 5, locals, {8.085, 25.80, 6.803, 18.83}},
    {"cfd", "rodinia/cfd.cl", "time_step", time_step, 5, locals, {5.191, 18.38, 18.04, 16.20}},
    {"hotspot", "rodinia/hotspot.cl", "hotspot", hotspot, 30, NULL, {15.36, 14.21, 4.325, 9.389}},
    {"kmeans", "rodinia/kmeans.cl", "kmeans_c", kmeans_c, 5, locals, {12.95, 22.99, 19.06, 20.37}},
    {"kmeans", "rodinia/kmeans.cl", "kmeans_swap", kmeans_swap, 5, locals, {10.23, 19.80, 15.76, 17.74}},
    {"lud", "rodinia/lud.cl", "lud_internal", lud, 30, NULL, {17.41, 23.18, 8.278, 34.18}},
    {"nn", "rodinia/nn.cl", "nearestNeighbor", nearest, 5, locals, {10.89, 26.84, 7.090, 12.38}},
    {"nw", "rodinia/nw.cl", "nw_kernel1", nw_1, 30, NULL, {9.228, 21.88, 9.090, 25.86}},
    {"nw", "rodinia/nw.cl", "nw_kernel2", nw_2, 30, NULL, {9.239, 24.69, 8.551, 24.87}},
    {"particlefilter",
     "rodinia/particlefilter.cl",
     "particle_naive",
     particles,
     5,
     locals,
     {19.59, 16.99, 13.82, 11.93}},
    {"pathfinder", "rodinia/pathfinder.cl", "dynproc", pathfinder, 30, NULL, {3.716, 6.560, 14.33, 9.737}},
    {.application = NULL}};
