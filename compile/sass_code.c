/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/sass_code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/sass_operations.h"
#include "model/value/inst_facts.h"
#include "model/compilers/machine_code.h"

/* ---- Operations -------------------------------------------------------------------------------------------------- */

/* Functions with ways of their own, of which the code does not tell which are gone. */
static bool has_ways(enum gp_class cost)
{
    static const char *const names[] = {"fp32.div", "fp32.sqrt", "fp64.div", "fp64.sqrt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(gp_class_name(cost), names[i]) == 0)
            return true;
    bool of_integers =
        strncmp(gp_class_name(cost), "int", strlen("int")) == 0 && strstr(gp_class_name(cost), "div") != NULL;
    return of_integers || strncmp(gp_class_name(cost), "math", strlen("math")) == 0;
}

static bool is_of_floats(unsigned o)
{
    return o == FMUL || o == FADD || o == FFMA || o == DMUL || o == DADD || o == DFMA;
}
/* As the CUDA Binary Utilities sort operations ("Integer Instructions"), and profilers count: moves, selections,
 * predicates and conversions are none, a move that is written as an IMAD is one. */
static bool is_of_integers(unsigned o)
{
    static const uint16_t operations[] = {ISETP, IADD3,     LEA, LOP3,    IABS, IMNMX, SHF, BMSK,
                                          IMAD,  IMAD_WIDE, IDP, IMAD_HI, FLO,  BREV,  POPC};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (operations[i] == o)
            return true;
    return false;
}

static bool is_local(unsigned o) { return o == LDS || o == STS || o == ATOMS; }
static bool is_access(unsigned o) { return (o >= LD && o <= RED && o != SHFL) || o == LDCU; }
static bool is_off_chip(unsigned o)
{
    return is_access(o) && !is_local(o) && o != LDC && o != LDCU && o != LDL && o != STL;
}
static bool ends_way(const struct gp_sass *i)
{
    return (i->operation == BRA && i->always) || i->operation == RET || i->operation == KILL ||
           (i->operation == EXIT && i->always);
}

/* Functions that are operations on floats in the code, as quotients are, of integers too. */
static bool expands(enum gp_class cost)
{
    static const char *const parts[] = {".div", ".udiv", "rem", ".sqrt", "rcp", "rsqrt", "math", "sfu"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(gp_class_name(cost), parts[i]) != NULL)
            return true;
    return false;
}

static double words_of(const struct gp_memory *m) { return fmax(1, ceil(m->element_bytes * m->vector / 4.0)); }

/* ---- The profile's loops, by lines ------------------------------------------------------------------------------- */

struct place {
    uint64_t key;
    uint32_t loop, depth;
    bool marks;
};

struct reader {
    const struct gp_cubin_code *cubin;
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    uint32_t none; /* the number of what is in no loop: loop_count */
    struct place *places;
    size_t place_count;
    double *marks, *local; /* [none + 1] the profile's own of an iteration: marks, and words of local memory */
    bool *expands, *ways;  /* [none + 1] of a group: it has more operations on floats in the code; and functions with
                              ways of their own */
    uint32_t *group; /* [none + 1] loops of the same lines, as the copies of one that was unrolled are one group: its
                        lowest number */
    double *instructions, *integers, *stepping, *code_marks, *code_local, *loops; /* [none + 1] of a group's code */
    double *weight;                                                               /* [none + 1] scratch */
    bool rolled;     /* what is in none of the profile's loops is in one of the code's, some of it */
    bool *reached;   /* per instruction */
    uint32_t *begin; /* per instruction: the first one of its block */
    struct span {
        uint32_t first, last, parent, group;
    } * spans; /* the code's loops */
    size_t span_count;
    uint32_t *span; /* per instruction: the innermost one; GP_NONE */
};

static uint32_t loop_of_block(const struct reader *r, uint32_t block)
{
    return r->kernel->blocks[block].loop != GP_NONE ? r->kernel->blocks[block].loop : r->none;
}
static uint32_t depth_of(const struct reader *r, uint32_t loop)
{
    return loop == r->none ? 0 : r->kernel->loops[loop].depth;
}

static void add_place(struct reader *r, const struct gp_inst *inst, uint32_t loop, bool marks)
{
    if (inst->location == GP_NONE)
        return;
    const struct gp_location *at = &r->profile->locations[inst->location];
    r->places[r->place_count++] = (struct place){gp_source_place(at->file, at->line), loop, depth_of(r, loop), marks};
}

static int by_key(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->marks != y->marks)
        return x->marks ? -1 : 1;
    return x->depth != y->depth ? (x->depth > y->depth ? -1 : 1) : (x->loop > y->loop) - (x->loop < y->loop);
}

/* Loads of the code, too: CUDA has constant arrays, and no pointers to constant memory (compile/nvrtc/as_cuda.h). */
static bool is_global(const struct gp_memory *m)
{
    return m->space == GP_SPACE_GLOBAL || m->space == GP_SPACE_GENERIC ||
           (m->space == GP_SPACE_CONSTANT && gp_ref_kind(m->base) == GP_REF_PARAM);
}

/* Whether the instruction is one by which loops are told, an operation on floats or an access; adds up what it moves.
 */
static bool count_own(struct reader *r, const struct gp_inst *inst, uint32_t loop)
{
    const struct gp_memory *m = gp_inst_accesses(inst) ? &r->kernel->memory[inst->record] : NULL;
    r->expands[loop] |= expands((enum gp_class)inst->cost);
    r->ways[loop] |= has_ways((enum gp_class)inst->cost);
    if (m == NULL)
        return gp_is_of_floats((enum gp_class)inst->cost);
    if (m->space == GP_SPACE_LOCAL)
        r->local[loop] += words_of(m);
    else if (is_global(m))
        r->marks[loop] += words_of(m);
    return m->space == GP_SPACE_LOCAL || is_global(m);
}

static uint32_t group_of(struct reader *r, uint32_t loop)
{
    while (r->group[loop] != loop)
        loop = r->group[loop];
    return loop;
}

/* Loops of one depth that stand in the same line: copies of one. */
static void join_copies(struct reader *r)
{
    for (size_t i = 1; i < r->place_count; i++) {
        const struct place *a = &r->places[i - 1], *b = &r->places[i];
        if (a->key != b->key || !a->marks || !b->marks || a->depth != b->depth || a->loop == b->loop)
            continue;
        uint32_t x = group_of(r, a->loop), y = group_of(r, b->loop);
        r->group[x > y ? x : y] = x < y ? x : y;
    }
}

static void read_profile(struct reader *r, const uint32_t *floats)
{
    const struct gp_kernel *k = r->kernel;
    for (uint32_t i = 0; i <= r->none; i++)
        r->group[i] = i;
    for (uint32_t b = 0; b < k->block_count; b++)
        for (uint32_t i = k->blocks[b].inst; i < k->blocks[b].inst + k->blocks[b].inst_count; i++) {
            uint32_t loop = loop_of_block(r, b);
            add_place(r, &k->insts[i], loop, count_own(r, &k->insts[i], loop));
        }
    qsort(r->places, r->place_count, sizeof *r->places, by_key);
    join_copies(r);
    for (uint32_t i = 0; i <= r->none; i++) {
        r->expands[group_of(r, i)] |= r->expands[i];
        r->ways[group_of(r, i)] |= r->ways[i];
    }
    for (uint32_t i = 0; i <= r->none; i++)
        r->marks[i] += r->expands[group_of(r, i)] ? 0 : floats[i];
}

/* The first entry of a line; NULL: the profile has nothing there. */
static const struct place *find_place(const struct reader *r, uint64_t key)
{
    size_t low = 0, high = r->place_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (r->places[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->place_count && r->places[low].key == key ? &r->places[low] : NULL;
}

/* Of several loops in one line, as where a macro is the whole kernel: the deepest that is no deeper than the code's
 * loops there. */
static const struct place *suited(const struct reader *r, const struct place *first, const struct gp_sass *inst)
{
    uint32_t depth = 0;
    for (uint32_t s = r->span[inst - r->cubin->code]; s != GP_NONE; s = r->spans[s].parent)
        depth++;
    const struct place *end = r->places + r->place_count, *found = first;
    while (first->marks && found->depth > depth && found + 1 < end && found[1].key == first->key && found[1].marks)
        found++;
    return found->depth > depth ? first : found;
}

/* That of the line an instruction comes from, or of the call that brought it there. */
static const struct place *place_of(const struct reader *r, const struct gp_sass *inst)
{
    for (uint32_t row = inst->row; row != GP_SASS_NOWHERE; row = r->cubin->rows[row].caller) {
        const struct place *found = find_place(r, r->cubin->rows[row].place);
        if (found != NULL)
            return suited(r, found, inst);
    }
    return NULL;
}

/* ---- The code's blocks and loops --------------------------------------------------------------------------------- */

static void reach(struct reader *r)
{
    size_t count = r->cubin->count, open = 0;
    uint32_t *list = calloc(count + 1, sizeof *list);
    if (list == NULL)
        return;
    list[open++] = 0;
    while (open > 0) {
        uint32_t i = list[--open];
        for (; i < count && !r->reached[i]; i++) {
            const struct gp_sass *inst = &r->cubin->code[i];
            r->reached[i] = true;
            if (inst->target != GP_SASS_NOWHERE && !r->reached[inst->target] && open < count)
                list[open++] = inst->target;
            if (ends_way(inst))
                break;
        }
    }
    free(list);
}

static void find_blocks(struct reader *r)
{
    size_t count = r->cubin->count;
    bool *leads = calloc(count + 1, sizeof *leads);
    for (size_t i = 0; leads != NULL && i < count; i++) {
        const struct gp_sass *inst = &r->cubin->code[i];
        if (inst->target != GP_SASS_NOWHERE)
            leads[inst->target] = true;
        leads[i + 1] |= inst->operation == BRA || inst->operation == EXIT || inst->operation == RET ||
                        inst->operation == CALL_REL || inst->operation == CALL_ABS;
    }
    for (uint32_t i = 0, begin = 0; leads != NULL && i < count; i++) {
        begin = leads[i] ? i : begin;
        r->begin[i] = begin;
    }
    free(leads);
}

static int widest_first(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->last > y->last ? -1 : x->last < y->last;
}

/* From a branch's target on to the branch behind it: compilers lay loops out so. Several branches back to one place are
 * one loop. */
static void find_spans(struct reader *r)
{
    enum { MOST = 4096 };
    r->spans = calloc(MOST, sizeof *r->spans);
    for (uint32_t i = 0; r->spans != NULL && i < r->cubin->count; i++) {
        uint32_t to = r->cubin->code[i].target;
        if (!r->reached[i] || to == GP_SASS_NOWHERE || to > i)
            continue;
        size_t s = 0;
        while (s < r->span_count && r->spans[s].first != to)
            s++;
        if (s == r->span_count && s < MOST)
            r->spans[r->span_count++] = (struct span){.first = to};
        if (s < MOST)
            r->spans[s].last = i;
    }
    if (r->spans == NULL)
        return;
    qsort(r->spans, r->span_count, sizeof *r->spans, widest_first);
    for (uint32_t i = 0; i < r->cubin->count; i++)
        r->span[i] = GP_NONE;
    for (uint32_t s = 0; s < r->span_count; s++) { /* inner ones come later */
        struct span *span = &r->spans[s];
        span->parent = r->span[span->first];
        span->group = GP_NONE;
        for (uint32_t i = span->first; i <= span->last; i++)
            r->span[i] = s;
    }
}

/* ---- Whose instructions ------------------------------------------------------------------------------------------ */

/* The way to a call in the code is that of numbers that an operation is not made for, as infinite ones. */
static bool is_aside(const struct reader *r, uint32_t end)
{
    return r->cubin->code[end].operation == CALL_REL || r->cubin->code[end].operation == CALL_ABS;
}

static uint32_t end_of_block(const struct reader *r, uint32_t begin)
{
    uint32_t end = begin;
    while (end + 1 < r->cubin->count && r->begin[end + 1] == begin)
        end++;
    return end;
}

/* The marks of an instruction of the group: as much of it as the profile has. */
static void add_marks(struct reader *r, const struct gp_sass *inst, uint32_t group)
{
    double marks = is_of_floats(inst->operation)  ? !r->expands[group]
                   : is_off_chip(inst->operation) ? inst->words
                                                  : 0,
           local = is_local(inst->operation) ? inst->words : 0;
    r->weight[group] += marks + local;
    r->code_marks[group] += marks;
    r->code_local[group] += local;
}

static bool is_mark(const struct gp_sass *inst)
{
    return is_of_floats(inst->operation) || is_off_chip(inst->operation) || is_local(inst->operation);
}

/* Marks in lines that the profile has nothing of, since its compiler has lost where they come from: the group's, whose
 * block it is. */
static void add_lost_marks(struct reader *r, uint32_t begin, uint32_t end, uint32_t group)
{
    for (uint32_t i = begin; i <= end; i++)
        if (is_mark(&r->cubin->code[i]) && place_of(r, &r->cubin->code[i]) == NULL)
            add_marks(r, &r->cubin->code[i], group);
}

/* r->weight: the marks of each group in the block; returns the group that has most, GP_NONE where the block has none
 * that are known. */
static uint32_t weigh(struct reader *r, uint32_t begin, uint32_t end)
{
    uint32_t most = GP_NONE;
    memset(r->weight, 0, (r->none + (size_t)1) * sizeof *r->weight);
    for (uint32_t i = begin; i <= end; i++) {
        const struct gp_sass *inst = &r->cubin->code[i];
        const struct place *place = is_mark(inst) ? place_of(r, inst) : NULL;
        if (place == NULL)
            continue;
        uint32_t group = group_of(r, place->loop);
        add_marks(r, inst, group);
        if (r->weight[group] > 0 && (most == GP_NONE || r->weight[group] > r->weight[most]))
            most = group;
    }
    if (most != GP_NONE)
        add_lost_marks(r, begin, end, most);
    return most;
}

static void add_block(struct reader *r, uint32_t begin, uint32_t end, uint32_t group, bool marked)
{
    for (uint32_t i = begin; i <= end; i++) {
        const struct gp_sass *inst = &r->cubin->code[i];
        if (is_access(inst->operation) || inst->operation == NOP)
            continue;
        const struct place *place = place_of(r, inst);
        uint32_t own = place != NULL && place->marks ? group_of(r, place->loop) : group;
        uint32_t of = r->weight[own] > 0 ? own : group;
        r->instructions[of] += 1;
        r->integers[of] += is_of_integers(inst->operation);
        r->stepping[of] += is_of_integers(inst->operation) && !marked;
    }
}

static uint32_t parent_of(struct reader *r, uint32_t group)
{
    uint32_t parent = group == r->none ? GP_NONE : r->kernel->loops[group].parent;
    return parent != GP_NONE ? group_of(r, parent) : r->none;
}

static bool is_around(struct reader *r, uint32_t outer, uint32_t inner)
{
    while (inner != outer && inner != r->none)
        inner = parent_of(r, inner);
    return inner == outer;
}

/*
 * A loop of the code is that of the marks in its own blocks, but where these are what an inner one left over, or where
 * it has none: the loop around what is in it. Where there is none around it, the profile has one loop where the code
 * has two: what clang knows to be done in one turn another compiler may have left a loop.
 */
static void name_spans(struct reader *r, const uint32_t *marked)
{
    for (size_t s = r->span_count; s-- > 0;) {
        struct span *span = &r->spans[s];
        uint32_t own = marked[s], inner = GP_NONE;
        for (size_t c = s + 1; c < r->span_count; c++)
            inner =
                r->spans[c].parent == s && r->spans[c].group != GP_NONE && inner == GP_NONE ? r->spans[c].group : inner;
        bool around = own != GP_NONE && (inner == GP_NONE || (own != inner && is_around(r, own, inner)));
        bool outermost = inner != GP_NONE && own == inner && parent_of(r, inner) == r->none;
        span->group = around || outermost || inner == GP_NONE ? own : parent_of(r, inner);
    }
}

static bool sum_up(struct reader *r)
{
    uint32_t *marked = malloc((r->span_count + 1) * sizeof *marked),
             *most = malloc((r->cubin->count + 1) * sizeof *most);
    bool some = false;
    for (size_t s = 0; marked != NULL && s < r->span_count; s++)
        marked[s] = GP_NONE;
    for (uint32_t i = 0, end; marked != NULL && most != NULL && i < r->cubin->count; i = end + 1) {
        end = end_of_block(r, i);
        most[i] = GP_NONE;
        if (!r->reached[i] || is_aside(r, end))
            continue;
        most[i] = weigh(r, i, end);
        if (most[i] == GP_NONE)
            continue;
        some = true;
        add_block(r, i, end, most[i], true);
        r->rolled |= most[i] == r->none && r->span[i] != GP_NONE;
        if (r->span[i] != GP_NONE &&
            (marked[r->span[i]] == GP_NONE || depth_of(r, most[i]) > depth_of(r, marked[r->span[i]])))
            marked[r->span[i]] = most[i];
    }
    if (some)
        name_spans(r, marked);
    memset(r->weight, 0, (r->none + (size_t)1) * sizeof *r->weight);
    for (size_t s = 0; some && s < r->span_count; s++)
        if (r->spans[s].group != GP_NONE)
            r->loops[r->spans[s].group] += 1;
    for (uint32_t i = 0, end; some && i < r->cubin->count; i = end + 1) { /* blocks without marks */
        end = end_of_block(r, i);
        uint32_t group = r->span[i] == GP_NONE ? r->none : r->spans[r->span[i]].group;
        if (!r->reached[i] || is_aside(r, end) || most[i] != GP_NONE || group == GP_NONE)
            continue;
        add_lost_marks(r, i, end, group);
        add_block(r, i, end, group, false);
    }
    free(marked);
    free(most);
    return some;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

static uint32_t rounded(double number) { return (uint32_t)fmin(1e9, fmax(0, round(number))); }

/* False: the code says nothing of the loop. */
static bool code_of(struct reader *r, uint32_t loop, uint32_t floats, struct gp_machine_code *code)
{
    uint32_t group = group_of(r, loop);
    bool by_words = r->marks[loop] <= 0 && r->local[loop] > 0;
    double own = by_words ? r->local[loop] : r->marks[loop],
           all = by_words ? r->code_local[group] : r->code_marks[group];
    double times = group == r->none && !r->rolled ? 1
                   : own > 0                      ? (all > 0 ? own / all : 0)
                   : group == r->none             ? 1
                   : r->loops[group] > 0          ? 1 / r->loops[group]
                                                  : 0;
    *code = (struct gp_machine_code){
        loop == r->none ? GP_NONE : loop,    rounded(times * r->instructions[group]), floats, GP_NONE,
        rounded(times * r->integers[group]), rounded(times * r->stepping[group])};
    return times > 0 && code->vector > 0 && !r->ways[group];
}

static bool start(struct reader *r)
{
    size_t loops = r->none + (size_t)1, count = r->cubin->count + 1;
    r->places = calloc(r->kernel->inst_count + (size_t)1, sizeof *r->places);
    r->marks = calloc(9 * loops, sizeof *r->marks);
    r->group = calloc(loops, sizeof *r->group);
    r->expands = calloc(loops, sizeof *r->expands);
    r->ways = calloc(loops, sizeof *r->ways);
    r->reached = calloc(count, sizeof *r->reached);
    r->begin = calloc(count, sizeof *r->begin);
    r->span = calloc(count, sizeof *r->span);
    if (r->marks == NULL)
        return false;
    double **next[] = {&r->local,      &r->instructions, &r->integers, &r->stepping,
                       &r->code_marks, &r->code_local,   &r->loops,    &r->weight};
    for (size_t i = 0; i < sizeof next / sizeof *next; i++)
        *next[i] = r->marks + (i + 1) * loops;
    return r->places != NULL && r->group != NULL && r->expands != NULL && r->ways != NULL && r->reached != NULL &&
           r->begin != NULL && r->span != NULL;
}

uint32_t gp_sass_machine_code(const struct gp_cubin_code *cubin, const struct gp_profile *profile,
                              const struct gp_kernel *kernel, struct gp_machine_code *code)
{
    struct reader r = {.cubin = cubin, .profile = profile, .kernel = kernel, .none = kernel->loop_count};
    uint32_t count = 0, *floats = calloc(kernel->loop_count + (size_t)1, sizeof *floats);
    if (cubin->row_count > 0 && floats != NULL && start(&r)) {
        gp_floats_of_loops(kernel, floats);
        read_profile(&r, floats);
        reach(&r);
        find_blocks(&r);
        find_spans(&r);
        bool some = r.spans != NULL && sum_up(&r);
        for (uint32_t i = 0; some && i <= r.none; i++)
            count += code_of(&r, i, floats[i], &code[count]);
    }
    void *all[] = {floats, r.places, r.marks, r.group, r.expands, r.ways, r.reached, r.begin, r.spans, r.span};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return count;
}
