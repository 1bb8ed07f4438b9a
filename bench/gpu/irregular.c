/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/gpu/irregular.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/agreement.h"
#include "bench/gpu/checks.h"

/* Work-items of the smallest group; bytes of local memory that CUDA gives without asking; of words. */
enum { LEAST_BLOCK = 32, GIVEN = 48 << 10, SEED = 41 };

static size_t size_of(const struct subject *s) { return subject_size(s, "SIZE"); }

/* Above 0, at most 1. */
static double share(uint64_t *state) { return ((arrays_random(state) & 0xffffff) + 1) / 16777216.0; }

/* Starts of `rows` rows, of which few are long: `least` to `most` long, most of them near `least`. */
static int *add_starts(struct arrays *a, size_t rows, double least, double exponent, double most)
{
    int *starts = arrays_add(a, (rows + 1) * sizeof *starts, false);
    uint64_t state = 13;
    for (size_t i = 0; starts != NULL && i < rows; i++)
        starts[i + 1] = starts[i] + (int)fmin(most, least * pow(share(&state), -exponent));
    return starts;
}

/* The first argument is the reference, to the last bit. */
double irregular_exact_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    (void)s, (void)t, (void)row;
    return memcmp(a->reference, a->items[0].data, a->items[0].bytes) == 0 ? 0 : INFINITY;
}

/* ---- mandelbrot ------------------------------------------------------------------------------------------------ */

bool irregular_make_mandelbrot(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    arrays_add(a, size_of(s) * size_of(s) * sizeof(int32_t), true);
    return arrays_complete(a);
}

static int32_t turns_of(float cr, float ci, int32_t most)
{
    float re = 0, im = 0;
    int32_t n = 0;
    for (; n < most && re * re + im * im <= 4; n++) {
        const float next = re * re - im * im + cr;
        im = 2 * re * im + ci;
        re = next;
    }
    return n;
}

/* A multiply-add rounds once: points that stay for long may differ. */
double irregular_mandelbrot_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    size_t n = size_of(s), wrong = 0, looks = 0;
    const int32_t *out = a->items[0].data, most = (int32_t)subject_size(s, "ITERATIONS");
    const float step = 2.5f / (float)n;
    (void)t, (void)row;
    for (size_t i = 0; i < n * n; i += step_over(n * n), looks++)
        wrong += out[i] != turns_of((float)(i % n) * step - 2, (float)(i / n) * step - 1.25f, most);
    return (double)wrong / (0.02 * (double)looks);
}

/* ---- pagerank -------------------------------------------------------------------------------------------------- */

/* 5 to 4096 links to a page, most of them from few pages, which are anywhere. */
bool irregular_make_pagerank(const struct subject *s, double stride, struct arrays *a)
{
    const uint64_t SPREAD = 2654435761;
    size_t n = size_of(s);
    uint64_t state = 19;
    (void)stride;
    arrays_add(a, n * sizeof(float), true);
    const int *starts = add_starts(a, n, 5, 0.6, 4096);
    size_t links = starts != NULL ? (size_t)starts[n] : 0;
    int *sources = arrays_add(a, (links + 1) * sizeof *sources, false);
    for (size_t i = 0; sources != NULL && i < links; i++) {
        double u = share(&state);
        sources[i] = (int)((uint64_t)(u * u * u * (double)(n - 1)) * SPREAD % n);
    }
    arrays_add_floats(a, n, 0, 1);
    return arrays_complete(a);
}

double irregular_pagerank_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    size_t n = size_of(s);
    const float *next = a->items[0].data, *shares = a->items[3].data;
    const int *starts = a->items[1].data, *sources = a->items[2].data;
    double worst = 0;
    (void)t, (void)row;
    for (size_t i = 0; i < n; i += step_over(n)) {
        double sum = 0;
        for (int k = starts[i]; k < starts[i + 1]; k++)
            sum += shares[sources[k]];
        worst = fmax(worst, sum_error(next[i], 0.15 / (double)n + 0.85 * sum, starts[i + 1] - starts[i]));
    }
    return worst;
}

/* ---- bfs ------------------------------------------------------------------------------------------------------- */

enum state { UNSEEN, SEEN, FRONTIER };

struct graph {
    size_t nodes, edges;
    int *starts, *targets;
};

/* One end anywhere, the other at few nodes mostly. */
static void edge_ends(uint64_t *state, size_t nodes, int ends[2])
{
    const uint64_t SPREAD = 2654435761;
    double u = share(state);
    ends[0] = (int)((uint64_t)(u * u * (double)(nodes - 1)) * SPREAD % nodes);
    ends[1] = (int)(arrays_random(state) % nodes);
}

/* The same edges twice: counted, then put at both ends. `starts` is one place ahead meanwhile. */
static void fill_graph(struct graph *g)
{
    uint64_t first = 53, second = 53;
    int ends[2];
    for (size_t i = 0; i < g->edges; i++) {
        edge_ends(&first, g->nodes, ends);
        for (int k = 0; k < 2; k++)
            if ((size_t)ends[k] + 2 <= g->nodes)
                g->starts[ends[k] + 2]++;
    }
    for (size_t i = 2; i <= g->nodes; i++)
        g->starts[i] += g->starts[i - 1];
    for (size_t i = 0; i < g->edges; i++) {
        edge_ends(&second, g->nodes, ends);
        for (int k = 0; k < 2; k++)
            g->targets[g->starts[ends[k] + 1]++] = ends[1 - k];
    }
}

/* Marks the frontier's unseen neighbours; returns how many. */
static size_t step_on(const struct graph *g, const unsigned char *states, int32_t *reached)
{
    size_t count = 0;
    for (size_t node = 0; node < g->nodes; node++)
        for (int i = g->starts[node]; states[node] == FRONTIER && i < g->starts[node + 1]; i++)
            if (states[g->targets[i]] == UNSEEN && reached[g->targets[i]] == 0) {
                reached[g->targets[i]] = 1;
                count++;
            }
    return count;
}

/* The first step that reaches a sixteenth of the nodes; before it, the search went on from one. */
bool irregular_make_bfs(const struct subject *s, double stride, struct arrays *a)
{
    struct graph g = {.nodes = size_of(s), .edges = 6 * size_of(s)};
    int32_t *reached = arrays_add_reference(a, g.nodes * sizeof *reached);
    (void)stride;
    arrays_add(a, g.nodes * sizeof *reached, true);
    g.starts = arrays_add(a, (g.nodes + 1) * sizeof *g.starts, false);
    g.targets = arrays_add(a, 2 * g.edges * sizeof *g.targets, false);
    unsigned char *states = arrays_add(a, g.nodes, false);
    if (reached == NULL || !arrays_complete(a))
        return false;
    fill_graph(&g);
    for (states[g.targets[0]] = FRONTIER; step_on(&g, states, reached) < g.nodes / 16;)
        for (size_t node = 0; node < g.nodes; node++) {
            if (states[node] == FRONTIER)
                states[node] = SEEN;
            if (reached[node] != 0)
                states[node] = FRONTIER;
            reached[node] = 0;
        }
    return true;
}

/* ---- gather ---------------------------------------------------------------------------------------------------- */

bool irregular_make_gather(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = size_of(s), entries = subject_size(s, "ENTRIES");
    (void)stride;
    arrays_add(a, n * sizeof(float), true);
    arrays_add_floats(a, entries, -1, 1);
    uint32_t *indices = arrays_add_words(a, n, SEED);
    for (size_t i = 0; indices != NULL && i < n; i++)
        indices[i] %= (uint32_t)entries;
    return arrays_complete(a);
}

double irregular_gather_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const float *out = a->items[0].data, *table = a->items[1].data;
    const uint32_t *indices = a->items[2].data;
    for (size_t i = 0; i < size_of(s); i += step_over(size_of(s)))
        if (out[i] != table[indices[i] >> cell(t, row, "table_shift")])
            return INFINITY;
    return 0;
}

/* ---- lennard_jones --------------------------------------------------------------------------------------------- */

enum { REACH = 2, AROUND = (2 * REACH + 1) * (2 * REACH + 1) * (2 * REACH + 1) - 1 };

/* Those of a cube around a place of the grid, but the place itself. */
static void places_around(int around[AROUND][3])
{
    int count = 0;
    for (int z = -REACH; z <= REACH; z++)
        for (int y = -REACH; y <= REACH; y++)
            for (int x = -REACH; x <= REACH; x++)
                if (x != 0 || y != 0 || z != 0)
                    memcpy(around[count++], (int[]){x, y, z}, sizeof *around);
}

/* Any `neighbours` of the places around, in any order; beyond the box's end is its begin. */
static void fill_list(int *list, size_t neighbours, int side, int atom, uint64_t *state, int around[AROUND][3])
{
    for (size_t k = 0; k < neighbours; k++) {
        int chosen[3], *other = around[k + arrays_random(state) % (AROUND - k)];
        memcpy(chosen, other, sizeof chosen);
        memcpy(other, around[k], sizeof chosen);
        memcpy(around[k], chosen, sizeof chosen);
        int x = (atom % side + chosen[0] + side) % side, y = (atom / side % side + chosen[1] + side) % side;
        list[k] = ((atom / side / side + chosen[2] + side) % side * side + y) * side + x;
    }
}

/* Atoms near the places of a cubic grid, in its order; lists both ways. */
bool irregular_make_lennard_jones(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "ATOMS"), neighbours = subject_size(s, "NEIGHBOURS");
    int side = (int)subject_size(s, "SIDE"), around[AROUND][3];
    uint64_t state = 23;
    (void)stride;
    agreement_output(a, 4 * n * sizeof(float));
    float *positions = arrays_add(a, 4 * n * sizeof *positions, false),
          *planes = arrays_add(a, 3 * n * sizeof *planes, false);
    int *lists = arrays_add(a, n * neighbours * sizeof *lists, false),
        *turned = arrays_add(a, n * neighbours * sizeof *turned, false);
    if (!agreement_complete(a))
        return false;
    places_around(around);
    for (size_t i = 0; i < n; i++) {
        const int place[3] = {(int)i % side, (int)i / side % side, (int)i / side / side};
        for (size_t c = 0; c < 3; c++)
            planes[c * n + i] = positions[4 * i + c] = (float)(place[c] + 0.2 * share(&state));
        fill_list(&lists[i * neighbours], neighbours, side, (int)i, &state, around);
        for (size_t k = 0; k < neighbours; k++)
            turned[k * n + i] = lists[i * neighbours + k];
    }
    return true;
}

/* ---- probing --------------------------------------------------------------------------------------------------- */

static const uint32_t EMPTY = 0xffffffff;

/* The key's slot, or the empty one where it would be. */
static size_t slot_of(const uint32_t *keys, unsigned bits, uint32_t key)
{
    size_t slot = (uint32_t)(key * 2654435769u) >> (32 - bits);
    while (keys[slot] != key && keys[slot] != EMPTY)
        slot = (slot + 1) & (((size_t)1 << bits) - 1);
    return slot;
}

/* Of ten slots six are taken; half of the queries are of keys that are there. */
bool irregular_make_probing(const struct subject *s, double stride, struct arrays *a)
{
    unsigned bits = subject_size(s, "BITS");
    size_t slots = (size_t)1 << bits, queries = subject_size(s, "QUERIES");
    uint64_t state = 31;
    (void)stride;
    arrays_add(a, queries * sizeof(uint32_t), true);
    uint32_t *keys = arrays_add(a, slots * sizeof *keys, false), *values = arrays_add(a, slots * sizeof *values, false);
    uint32_t *pairs = arrays_add(a, 2 * slots * sizeof *pairs, false), *wanted = arrays_add_words(a, queries, SEED);
    if (!arrays_complete(a))
        return false;
    memset(keys, 0xff, slots * sizeof *keys);
    for (size_t i = 0; i < slots / 10 * 6; i++) {
        uint32_t key = arrays_random(&state);
        keys[slot_of(keys, bits, key)] = key;
    }
    for (size_t i = 0; i < slots; i++) {
        values[i] = (uint32_t)i * 747796405u + 1;
        pairs[2 * i] = keys[i];
        pairs[2 * i + 1] = values[i];
    }
    for (size_t i = 0; i < queries; i++) {
        uint32_t key = keys[wanted[i] % slots];
        if (arrays_random(&state) % 2 == 0 && key != EMPTY)
            wanted[i] = key;
    }
    return true;
}

double irregular_probing_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const uint32_t *out = a->items[0].data, *keys = a->items[1].data, *values = a->items[2].data,
                   *wanted = a->items[4].data;
    size_t queries = subject_size(s, "QUERIES");
    (void)t, (void)row;
    for (size_t i = 0; i < queries; i += step_over(queries)) {
        size_t slot = slot_of(keys, subject_size(s, "BITS"), wanted[i]);
        if (out[i] != (keys[slot] == wanted[i] ? values[slot] : 0))
            return INFINITY;
    }
    return 0;
}

/* ---- bisection ------------------------------------------------------------------------------------------------- */

bool irregular_make_bisection(const struct subject *s, double stride, struct arrays *a)
{
    size_t entries = subject_size(s, "ENTRIES"), queries = subject_size(s, "QUERIES");
    uint32_t gap = (uint32_t)((UINT64_C(1) << 31) / entries), last = 0; /* the generator's words have 31 bits */
    uint64_t state = 37;
    (void)stride;
    arrays_add(a, queries * sizeof(int32_t), true);
    uint32_t *table = arrays_add(a, entries * sizeof *table, false);
    for (size_t i = 0; table != NULL && i < entries; i++)
        table[i] = last += arrays_random(&state) % (2 * gap);
    arrays_add_words(a, queries, SEED);
    return arrays_complete(a);
}

/* Equal words may stand beside each other: the first is meant. */
double irregular_bisection_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const uint32_t *out = a->items[0].data, *table = a->items[1].data, *wanted = a->items[2].data;
    size_t entries = subject_size(s, "ENTRIES"), queries = subject_size(s, "QUERIES");
    (void)t, (void)row;
    for (size_t i = 0; i < queries; i += step_over(queries))
        if (out[i] > entries || (out[i] > 0 && table[out[i] - 1] >= wanted[i]) ||
            (out[i] < entries && table[out[i]] < wanted[i]))
            return INFINITY;
    return 0;
}

/* ---- levenshtein ----------------------------------------------------------------------------------------------- */

/* Groups that have room: two bytes of local memory for each character of a work-item's; with arrays of its own it has
 * 100 registers. */
bool irregular_accepts_levenshtein(const struct subject *s, const struct table *t, size_t row)
{
    unsigned block = cell(t, row, "block_size_x");
    return cell(t, row, "variant") == 0 ? block <= 512 : 2 * subject_size(s, "LENGTH") * block <= GIVEN;
}

static void turn_strings(unsigned char *turned, const unsigned char *strings, size_t count, size_t length)
{
    for (size_t i = 0; i < count * length; i++)
        turned[i % length * count + i / length] = strings[i];
}

/* Of four letters; the second string is the first, moved on by one, with every fourth letter anew. */
bool irregular_make_levenshtein(const struct subject *s, double stride, struct arrays *a)
{
    size_t pairs = subject_size(s, "PAIRS"), length = subject_size(s, "LENGTH"), bytes = pairs * length;
    uint64_t state = 43;
    (void)stride;
    arrays_add(a, pairs * sizeof(int32_t), true);
    unsigned char *left = arrays_add(a, bytes, false), *right = arrays_add(a, bytes, false);
    unsigned char *left_turned = arrays_add(a, bytes, false), *right_turned = arrays_add(a, bytes, false);
    if (!arrays_complete(a))
        return false;
    for (size_t i = 0; i < bytes; i++)
        left[i] = "ACGT"[arrays_random(&state) % 4];
    for (size_t i = 0; i < bytes; i++)
        right[i] = i + 1 < bytes && arrays_random(&state) % 4 != 0 ? left[i + 1]
                                                                   : (unsigned char)"ACGT"[arrays_random(&state) % 4];
    turn_strings(left_turned, left, pairs, length);
    turn_strings(right_turned, right, pairs, length);
    return true;
}

static int edits(const unsigned char *left, const unsigned char *right, int length)
{
    enum { LONGEST = 64 };
    int row[LONGEST + 1];
    for (int j = 0; j <= length; j++)
        row[j] = j;
    for (int i = 0; i < length; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 0; j < length; j++) {
            int above = row[j + 1], changed = diagonal + (left[i] != right[j]),
                shorter = (above < row[j] ? above : row[j]) + 1;
            row[j + 1] = changed < shorter ? changed : shorter;
            diagonal = above;
        }
    }
    return row[length];
}

double irregular_levenshtein_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const int32_t *out = a->items[0].data;
    const unsigned char *left = a->items[1].data, *right = a->items[2].data;
    size_t pairs = subject_size(s, "PAIRS"), length = subject_size(s, "LENGTH");
    (void)t, (void)row;
    for (size_t i = 0; i < pairs; i += step_over(pairs))
        if (out[i] != edits(&left[i * length], &right[i * length], (int)length))
            return INFINITY;
    return 0;
}

/* ---- asian ----------------------------------------------------------------------------------------------------- */

enum { GENERATORS = 2, PATHS_CHECKED = 1 << 14 }; /* a group of the largest block and tile */

static void philox(uint32_t words[4], uint32_t key_0, uint32_t key_1)
{
    for (int r = 0; r < 10; r++) {
        uint64_t first = UINT64_C(0xd2511f53) * words[0], second = UINT64_C(0xcd9e8d57) * words[2];
        words[0] = (uint32_t)(second >> 32) ^ words[1] ^ key_0;
        words[1] = (uint32_t)second;
        words[2] = (uint32_t)(first >> 32) ^ words[3] ^ key_1;
        words[3] = (uint32_t)first;
        key_0 += 0x9e3779b9;
        key_1 += 0xbb67ae85;
    }
}

static uint32_t xorshift(uint32_t state)
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^ state << 5;
}

static double payoff(uint32_t path, int generator, uint32_t steps)
{
    double price = log(100), total = 0;
    uint32_t state = path * 2654435769u + 0x7f4a7c15;
    if (state == 0)
        state = 1;
    for (uint32_t step = 0; step < steps; step += 4) {
        uint32_t words[4] = {path, step};
        if (generator == 0)
            philox(words, 0x2545f491, 0x4f6cdd1d);
        else
            for (int k = 0; k < 4; k++)
                words[k] = state = xorshift(state);
        for (int k = 0; k < 4; k += 2) {
            double radius = 0.025 * sqrt(-2 * log((words[k] + 0.5) * 0x1p-32)),
                   turn = words[k + 1] * (2 * acos(-1) * 0x1p-32);
            price += 0.0004 + radius * cos(turn);
            total += exp(price);
            price += 0.0004 + radius * sin(turn);
            total += exp(price);
        }
    }
    return fmax(total / steps - 100, 0);
}

bool irregular_make_asian(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    arrays_add(a, s->range[0] / LEAST_BLOCK * sizeof(float), true);
    double *payoffs = arrays_add_reference(a, GENERATORS * PATHS_CHECKED * sizeof *payoffs);
    for (uint32_t i = 0; payoffs != NULL && i < GENERATORS * PATHS_CHECKED; i++)
        payoffs[i] = payoff(i % PATHS_CHECKED, (int)(i / PATHS_CHECKED), subject_size(s, "STEPS"));
    return payoffs != NULL && arrays_complete(a);
}

/* Up to a thousandth of what a path pays: the hardware's own functions. */
double irregular_asian_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const double TYPICAL = 5;
    const float *sums = a->items[0].data;
    const double *payoffs = (const double *)a->reference + PATHS_CHECKED * cell(t, row, "generator");
    size_t each = cell(t, row, "block_size_x") * cell(t, row, "tile_size_x");
    double worst = 0;
    (void)s;
    for (size_t g = 0; g < PATHS_CHECKED / each; g++) {
        double sum = 0;
        for (size_t i = 0; i < each; i++)
            sum += payoffs[g * each + i];
        worst = isfinite(sums[g]) ? fmax(worst, fabs(sums[g] - sum) / (1e-3 * TYPICAL * (double)each)) : INFINITY;
    }
    return worst;
}

/* ---- aes ------------------------------------------------------------------------------------------------------- */

enum { ROUNDS = 10, WORDS_OF_KEY = 4 };

static unsigned char doubled(unsigned char x) { return (unsigned char)(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }
static unsigned char tripled(unsigned char x) { return (unsigned char)(x ^ doubled(x)); }

/* The inverse in the field of 256 elements, by powers of 3, then five of its rotations and a constant. */
static void make_box(unsigned char box[256])
{
    unsigned char powers[255], power = 1;
    for (int i = 0; i < 255; i++, power = tripled(power))
        powers[i] = power;
    box[0] = 0x63;
    for (int i = 0; i < 255; i++) {
        unsigned inverse = powers[(255 - i) % 255], mixed = inverse;
        for (int turn = 1; turn <= 4; turn++)
            mixed ^= inverse << turn | inverse >> (8 - turn);
        box[powers[i]] = (unsigned char)(mixed ^ 0x63);
    }
}

static void expand_key(uint32_t keys[WORDS_OF_KEY * (ROUNDS + 1)], const unsigned char box[256])
{
    unsigned char added = 1;
    for (int i = WORDS_OF_KEY; i < WORDS_OF_KEY * (ROUNDS + 1); i++) {
        uint32_t word = keys[i - 1];
        if (i % WORDS_OF_KEY == 0) {
            word = word >> 8 | word << 24;
            word = (uint32_t)box[word & 255] | (uint32_t)box[word >> 8 & 255] << 8 |
                   (uint32_t)box[word >> 16 & 255] << 16 | (uint32_t)box[word >> 24] << 24;
            word ^= added;
            added = doubled(added);
        }
        keys[i] = keys[i - WORDS_OF_KEY] ^ word;
    }
}

/* Byte by byte, as the standard has it. */
static void encrypt(unsigned char state[16], const uint32_t *keys, const unsigned char box[256])
{
    for (int r = 0; r <= ROUNDS; r++) {
        unsigned char moved[16];
        for (int i = 0; i < 16; i++)
            moved[i] = r > 0 ? box[state[(i + 4 * (i % 4)) % 16]] : state[i];
        for (int i = 0; i < 16; i++) {
            const unsigned char *column = &moved[i / 4 * 4];
            const unsigned char a = column[i % 4], b = column[(i + 1) % 4], c = column[(i + 2) % 4],
                                d = column[(i + 3) % 4];
            unsigned char mixed = r > 0 && r < ROUNDS ? (unsigned char)(doubled(a) ^ tripled(b) ^ c ^ d) : a;
            state[i] = (unsigned char)(mixed ^ keys[WORDS_OF_KEY * r + i / 4] >> i % 4 * 8);
        }
    }
}

bool irregular_make_aes(const struct subject *s, double stride, struct arrays *a)
{
    unsigned char *box = arrays_add_reference(a, 256);
    uint64_t state = 47;
    (void)stride;
    arrays_add(a, 16 * size_of(s), true);
    arrays_add_words(a, 4 * size_of(s), SEED);
    uint32_t *table = arrays_add(a, 256 * sizeof *table, false),
             *keys = arrays_add(a, WORDS_OF_KEY * (ROUNDS + 1) * sizeof *keys, false);
    if (box == NULL || !arrays_complete(a))
        return false;
    make_box(box);
    for (int i = 0; i < 256; i++)
        table[i] = (uint32_t)doubled(box[i]) | (uint32_t)box[i] << 8 | (uint32_t)box[i] << 16 |
                   (uint32_t)tripled(box[i]) << 24;
    for (int i = 0; i < WORDS_OF_KEY; i++)
        keys[i] = arrays_random(&state);
    expand_key(keys, box);
    return true;
}

double irregular_aes_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const unsigned char *out = a->items[0].data, *in = a->items[1].data;
    (void)t, (void)row;
    for (size_t i = 0; i < size_of(s); i += step_over(size_of(s))) {
        unsigned char block[16];
        memcpy(block, &in[16 * i], sizeof block);
        encrypt(block, a->items[3].data, a->reference);
        if (memcmp(block, &out[16 * i], sizeof block) != 0)
            return INFINITY;
    }
    return 0;
}

/* ---- deposit --------------------------------------------------------------------------------------------------- */

bool irregular_make_deposit(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = size_of(s), pitch = subject_size(s, "GRID");
    (void)stride;
    arrays_add(a, pitch * pitch * sizeof(int32_t), true);
    const float *particles = arrays_add_floats(a, 2 * n, 0, (float)(pitch - 1));
    int32_t *grid = arrays_add_reference(a, pitch * pitch * sizeof *grid);
    for (size_t i = 0; grid != NULL && particles != NULL && i < n; i++) {
        const float px = particles[2 * i], py = particles[2 * i + 1];
        const int x = (int)px, y = (int)py;
        const float right = px - (float)x, left = 1 - right, below = py - (float)y, above = 1 - below;
        int32_t *corner = &grid[(size_t)y * pitch + (size_t)x];
        corner[0] += (int32_t)(left * above * 4096);
        corner[1] += (int32_t)(right * above * 4096);
        corner[pitch] += (int32_t)(left * below * 4096);
        corner[pitch + 1] += (int32_t)(right * below * 4096);
    }
    return grid != NULL && arrays_complete(a);
}

/* ---- compaction ------------------------------------------------------------------------------------------------ */

bool irregular_make_compaction(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    arrays_add(a, size_of(s) * sizeof(uint32_t), true);
    arrays_add(a, size_of(s) / LEAST_BLOCK * sizeof(int32_t), true);
    arrays_add_words(a, size_of(s), SEED);
    return arrays_complete(a);
}

/* As many words, none of which is too large, and the same in sum: their order is left open. */
static bool group_compacted(const uint32_t *out, size_t count, const uint32_t *in, size_t each)
{
    const uint32_t BOUND = 0x20000000;
    uint32_t rest = 0;
    size_t expected = 0;
    for (size_t i = 0; i < each; i++) {
        rest += in[i] < BOUND ? in[i] : 0;
        expected += in[i] < BOUND;
    }
    for (size_t i = 0; i < count && i < each; i++) {
        rest -= out[i];
        if (out[i] >= BOUND)
            return false;
    }
    return count == expected && rest == 0;
}

double irregular_compaction_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const uint32_t *out = a->items[0].data, *counts = a->items[1].data, *in = a->items[2].data;
    size_t n = size_of(s), each = cell(t, row, "block_size_x") * cell(t, row, "tile_size_x"),
           groups = (n + each - 1) / each;
    for (size_t g = 0; g < groups; g += groups / 500 + 1) {
        size_t first = g * each;
        if (!group_compacted(&out[first], counts[g], &in[first], first + each <= n ? each : n - first))
            return INFINITY;
    }
    return 0;
}

/* ---- raymarch -------------------------------------------------------------------------------------------------- */

bool irregular_make_raymarch(const struct subject *s, double stride, struct arrays *a)
{
    size_t bytes = size_of(s) * size_of(s) * sizeof(float);
    (void)stride;
    arrays_add(a, bytes, true);
    return arrays_add_reference(a, bytes) != NULL && arrays_complete(a);
}

/* Against the first row that ran; no point is black. Points at the rim of something may differ. */
double irregular_raymarch_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const float *picture = a->items[0].data;
    float *expected = a->reference;
    size_t count = size_of(s) * size_of(s), wrong = 0;
    (void)t, (void)row;
    if (expected[0] == 0)
        memcpy(expected, picture, a->items[0].bytes);
    for (size_t i = 0; i < count; i++)
        wrong += !(picture[i] > 0 && picture[i] <= 1.01f && fabsf(picture[i] - expected[i]) < 0.01f);
    return (double)wrong / (0.002 * (double)count);
}

/* ---- segments -------------------------------------------------------------------------------------------------- */

bool irregular_make_segments(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = s->range[0];
    (void)stride;
    arrays_add(a, 2 * n * sizeof(float), true);
    const int *starts = add_starts(a, n, 200, 0.5, 8192);
    arrays_add_floats(a, starts != NULL ? (size_t)starts[n] : 1, -1, 1);
    return arrays_complete(a);
}

double irregular_segments_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const float *out = a->items[0].data, *in = a->items[2].data;
    const int *starts = a->items[1].data;
    double worst = 0;
    (void)t, (void)row;
    for (size_t i = 0; i < s->range[0]; i += step_over(s->range[0])) {
        double sum = 0, squares = 0, length = starts[i + 1] - starts[i];
        for (int k = starts[i]; k < starts[i + 1]; k++) {
            sum += in[k];
            squares += (double)in[k] * in[k];
        }
        double mean = sum / length;
        worst = fmax(
            worst, fmax(sum_error(out[2 * i], mean, 1), sum_error(out[2 * i + 1], squares / length - mean * mean, 1)));
    }
    return worst;
}
