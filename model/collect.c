/*
 * Gathers the work of a launch: runs sampled warps through the executor and watches.
 *
 *   - A scoreboard (schedule.h) follows the warp as if it were alone on an SM. The time that passes in a visit of a block, times
 *     the visit's weight, adds up to the chain.
 *   - Requests are costed one by one; a set of lines (reuse.h) tells what the warp's group touched before.
 *   - Where lanes part at a branch, what each side costs beyond its share of the lanes is that branch's excess.
 *
 * Sampled execution shows a loop's first two iterations and then single ones that stand for many (slide.h).
 */
#include "model/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/block_times.h"
#include "model/fewer_samples.h"
#include "model/inst_facts.h"
#include "model/lanes.h"
#include "model/range.h"
#include "model/request_memo.h"
#include "model/reuse.h"
#include "model/scatter.h"
#include "model/schedule.h"
#include "model/slide.h"
#include "model/steps.h"
#include "model/stretches.h"
#include "support/memory.h"

/* An instruction as the scoreboard sees it. */
struct entry {
    uint32_t inst;
    uint32_t record;      /* memory record, or GP_NONE */
    uint32_t operand;     /* in collector->operands */
    uint16_t operand_count;
    uint16_t repeat;
    uint8_t cost;
    uint8_t scalar;       /* uniform, and of a class that a scalar unit takes */
    uint8_t call;         /* an unknown call or inline assembly */
    uint8_t uniform;
    uint8_t bank;         /* load at a constant address of constant memory: an operand c[bank][offset] on NVIDIA */
};

struct block_entries { uint32_t first, count; };

/* Visits of blocks after which a warp is cut off. Quick: the warps of a prediction share them. */
enum { MOST_VISITS = 20000 };

/* Where an atomic was seen to fall: low, low + step ... high of one symbol. */
struct spots {
    bool seen, scattered;
    uint32_t symbol;
    uint64_t first, step;
    int64_t low, high; /* from first */
};

/* The bytes of a buffer that sampled groups were seen to touch, and which of the launch's groups these are. */
struct reach {
    double low, high;
    uint64_t first[3], last[3];
};

/* What one group was counted to touch first by one memory operation, and the addresses between which all of it lies. */
struct hull {
    double low, high;
    double seen;                /* lines */
    uint32_t symbol;            /* that all addresses belong to; GP_SYMBOL_UNKNOWN: none seen yet */
    bool open;                  /* they do not, or some are not known */
    double group_bytes, useful_bytes, stored_bytes;
};

/*
 * What neighbours touch of a buffer, and how much of that the group had touched: lines and 4-byte words. Of the group itself the bytes of
 * the words that it asks for.
 */
struct probe { double lines, shared_lines, words, shared_words; };

struct divergence { uint32_t branch, reconvergence; gp_mask whole; };
enum { MAX_DIVERGENCES = 64 };

/* Warps of a group that are executed at most. */
enum { MOST_WARPS = 8 };

/* Where a memory operation was executed last, what that stood for: executions, and runs of the loop around it; and collector->brought_once then. */
struct visit { uint32_t symbol; uint64_t offset; double weight, runs, brought_once; };

/* What a warp waited for one memory operation off chip, and how often it asked. */
struct waited { double cycles, requests; };

/* Pieces of memory: lines, or words. */
struct units { double bytes; int bits; }; /* bits: of bytes, where they are a power of two; else -1 */

struct gp_collector {
    const struct gp_kernel *kernel;
    struct gp_executor *executor;
    struct block_entries *blocks;
    struct entry *entries;
    uint32_t *operands;
    bool *in_bank;              /* memory record -> entry.bank */
    uint32_t *branch_block;
    struct gp_block_work *block_work;
    struct gp_pipe_work *block_narrow, *block_widened;
    double *block_calls;        /* issue slots of calls that are not known, by estimate */
    struct gp_schedule *schedule;
    struct gp_block_times *times;
    double *pending_latency;    /* per memory record, of the access just made */
    struct waited *waited;      /* [MOST_WARPS][memory records], of the group at hand */
    struct gp_steps *steps;
    struct visit *visits;       /* per memory record */
    struct gp_request_memo *requests;
    struct spots *spots;        /* per memory record */
    struct gp_scatter *bounds;    /* per memory record */
    double *drawn;              /* per buffer: lines that a group's unknown addresses within a bound have touched */
    uint32_t *buffer_of;        /* memory record -> buffer */
    struct reach *reaches;      /* per buffer */
    struct hull *hulls;         /* per memory operation, of the group at hand */
    struct gp_memory_work *memory;
    struct gp_branch_work *branches;
    struct gp_buffer_work *buffers;
    uint32_t buffer_count;
    struct gp_line_set lines;
    struct gp_line_set kept_lines, words; /* of the group whose neighbours are probed: lines and 4-byte words */
    struct gp_stretch *stretches; /* of the same; at most one per memory operation */
    size_t stretch_count;

    /* of the run at hand */
    const struct gp_device *device;
    struct gp_work *work;
    uint64_t request; /* number of the request at hand */
    struct gp_cost costs[GP_CLASS_COUNT];
    bool summed, scalar_unit, nvidia; /* what the sums of the blocks were made for, beside `costs` */
    bool quick, every_iteration;
    double affordable;          /* effort of a quick collection; 0: any */
    bool thinned;               /* one warp stands for whole groups: what lies between its addresses does not bound what they touch */
    uint32_t most_visits;       /* of blocks, by one warp: then it is cut off */
    uint32_t row;               /* work-items of the first row of a group in its first warp */
    double resident_warps, l1_bytes, registers;
    struct units line;
    double lsu_port;            /* bytes per cycle between an SM and L2 */
    uint64_t group[3];          /* at hand */
    double sample_weight;       /* of the warp at hand, over all warps of the launch */
    double group_weight;        /* to make one group of its sampled warps, for buffers */
    double light_share;         /* of the run before: of the instructions, what groups that stand for little of the launch execute */
    uint32_t warp;              /* number of the one at hand */
    double brought, brought_once; /* by the warp at hand to L1: bytes, in all iterations and in those executed */
    double constants;           /* of constant memory that the group at hand has touched: bytes */
    double chain, chain_memory; /* of the warp at hand: cycles alone, of these waiting for off-chip memory */
    struct waited *waited_by_warp; /* in waited */
    struct divergence divergences[MAX_DIVERGENCES];
    uint32_t divergence_count;
    bool probing;               /* only look up: what does this group share with the one before? */
    bool keeping_words;         /* remember which words the group touches, for the probe */
    struct gp_line_set probed_lines, probed_words; /* by the probe at hand, each counts once */
    struct probe *probes;       /* per buffer */
    double *kept_bytes;         /* per buffer: of the words that the group asks for whose neighbours are probed */
    bool failed;
};

static void decode(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    uint32_t entry = 0, operand = 0;
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_block *block = &kernel->blocks[b];
        c->blocks[b].first = entry;
        for (uint32_t i = block->inst; i < block->inst + block->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            bool memory = gp_inst_accesses(inst);
            struct entry *e = &c->entries[entry++];
            *e = (struct entry){.inst = i, .record = memory ? inst->record : GP_NONE, .operand = operand,
                                .repeat = inst->repeat, .cost = inst->cost, .scalar = gp_inst_runs_on_scalar_unit(inst),
                                .call = inst->op == GP_OP_CALL, .uniform = (inst->flags & GP_INST_UNIFORM) != 0};
            e->bank = memory && gp_inst_has_constant_address(kernel, inst);
            if (memory)
                c->in_bank[inst->record] = e->bank;
            for (uint32_t k = 0; k < inst->operand_count; k++) {
                gp_ref ref = kernel->operands[inst->operand + k];
                if (gp_ref_kind(ref) == GP_REF_INST && gp_ref_index(ref) != i && e->operand_count < UINT16_MAX) {
                    c->operands[operand++] = gp_ref_index(ref);
                    e->operand_count++;
                }
            }
            if ((inst->op == GP_OP_CONDBR || inst->op == GP_OP_SWITCH) && inst->record != GP_NONE)
                c->branch_block[inst->record] = b;
        }
        c->blocks[b].count = entry - c->blocks[b].first;
    }
}

static void find_buffers(struct gp_collector *c)
{
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        gp_ref base = c->kernel->memory[m].base;
        uint32_t b = 0;
        while (b < c->buffer_count && c->buffers[b].base != base)
            b++;
        if (b == c->buffer_count)
            c->buffers[c->buffer_count++].base = base;
        c->buffer_of[m] = b;
    }
}

struct gp_collector *gp_collector_new(const struct gp_kernel *kernel)
{
    struct gp_collector *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    uint32_t memory = kernel->memory_count;
    c->kernel = kernel;
    c->executor = gp_executor_new(kernel);
    c->blocks = gp_some(kernel->block_count, sizeof *c->blocks);
    c->entries = gp_some(kernel->inst_count, sizeof *c->entries);
    c->operands = gp_some(kernel->operand_count, sizeof *c->operands);
    c->in_bank = gp_some(memory, sizeof *c->in_bank);
    c->branch_block = gp_some(kernel->branch_count, sizeof *c->branch_block);
    c->block_work = gp_some(kernel->block_count, sizeof *c->block_work);
    c->block_narrow = gp_some(kernel->block_count, sizeof *c->block_narrow);
    c->block_widened = gp_some(kernel->block_count, sizeof *c->block_widened);
    c->block_calls = gp_some(kernel->block_count, sizeof *c->block_calls);
    c->schedule = gp_schedule_new(kernel->inst_count);
    c->times = gp_block_times_new(kernel);
    c->pending_latency = gp_some(memory, sizeof *c->pending_latency);
    c->waited = gp_some((size_t)MOST_WARPS * memory, sizeof *c->waited);
    c->steps = gp_steps_new(kernel);
    c->visits = gp_some(memory, sizeof *c->visits);
    c->stretches = gp_some(memory, sizeof *c->stretches);
    c->requests = gp_request_memo_new(kernel);
    c->buffer_of = gp_some(memory, sizeof *c->buffer_of);
    c->spots = gp_some(memory, sizeof *c->spots);
    c->bounds = gp_some(memory, sizeof *c->bounds);
    c->drawn = gp_some(memory, sizeof *c->drawn);
    c->reaches = gp_some(memory, sizeof *c->reaches);
    c->hulls = gp_some(memory, sizeof *c->hulls);
    c->memory = gp_some(memory, sizeof *c->memory);
    c->branches = gp_some(kernel->branch_count, sizeof *c->branches);
    c->buffers = gp_some(memory, sizeof *c->buffers);
    c->probes = gp_some(memory, sizeof *c->probes);
    c->kept_bytes = gp_some(memory, sizeof *c->kept_bytes);
    if (!c->executor || !c->blocks || !c->entries || !c->operands || !c->in_bank || !c->branch_block || !c->block_work ||
        !c->block_narrow || !c->block_widened || !c->block_calls || !c->schedule || !c->times || !c->pending_latency || !c->waited || !c->steps || !c->visits || !c->stretches || !c->requests || !c->spots || !c->bounds || !c->drawn || !c->buffer_of ||
        !c->reaches || !c->hulls || !c->memory || !c->branches || !c->buffers || !c->probes || !c->kept_bytes) {
        gp_collector_free(c);
        return NULL;
    }
    gp_line_set_init(&c->lines);
    gp_line_set_init(&c->kept_lines);
    gp_line_set_init(&c->words);
    gp_line_set_init(&c->probed_lines);
    gp_line_set_init(&c->probed_words);
    decode(c);
    find_buffers(c);
    return c;
}

void gp_collector_afford(struct gp_collector *c, double effort) { c->affordable = effort; }

struct gp_executor *gp_collector_executor(struct gp_collector *collector) { return collector->executor; }

void gp_collector_free(struct gp_collector *c)
{
    if (c == NULL)
        return;
    gp_executor_free(c->executor);
    gp_schedule_free(c->schedule);
    gp_block_times_free(c->times);
    gp_steps_free(c->steps);
    gp_request_memo_free(c->requests);
    void *all[] = {c->blocks, c->entries, c->operands, c->in_bank, c->branch_block, c->block_work, c->block_narrow, c->block_widened, c->block_calls, c->pending_latency, c->waited, c->visits, c->stretches,
                   c->spots, c->bounds, c->drawn, c->buffer_of, c->reaches, c->hulls, c->memory,
                   c->branches, c->buffers, c->probes, c->kept_bytes};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    gp_line_set_free(&c->lines);
    gp_line_set_free(&c->kept_lines);
    gp_line_set_free(&c->words);
    gp_line_set_free(&c->probed_lines);
    gp_line_set_free(&c->probed_words);
    free(c);
}

/* ---- Pipes --------------------------------------------------------------------------------------------------- */

static void add_work(struct gp_pipe_work *sum, const struct gp_pipe_work *part, double times)
{
    sum->issue += times * part->issue;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        sum->ops[p] += times * part->ops[p];
}

static void add_cost(struct gp_pipe_work *sum, const struct gp_cost *cost, double times)
{
    sum->issue += times * cost->issue;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        sum->ops[p] += times * cost->ops[p];
}

static void sum_blocks(struct gp_collector *c)
{
    bool has_scalar_unit = c->device->scalar_unit.value > 0;
    for (uint32_t b = 0; b < c->kernel->block_count; b++) {
        struct gp_pipe_work work = {0}, narrow = {0}, widened = {0};
        double calls = 0;
        for (uint32_t e = c->blocks[b].first; e < c->blocks[b].first + c->blocks[b].count; e++) {
            const struct entry *entry = &c->entries[e];
            const struct gp_cost *cost = &c->costs[entry->cost];
            if (entry->bank && gp_arch_is_nvidia(c->device->arch))
                continue;
            if (entry->scalar && has_scalar_unit) {
                work.ops[GP_PIPE_SCALAR] += (double)entry->repeat * cost->issue;
                continue;
            }
            add_cost(&work, cost, entry->repeat);
            if (gp_class_is_narrow(entry->cost)) {
                struct gp_cost wide = gp_cost_widened(entry->cost, cost);
                add_cost(&narrow, cost, entry->repeat);
                add_cost(&widened, &wide, entry->repeat);
            }
            if (entry->call)
                calls += (double)entry->repeat * cost->issue;
        }
        c->block_work[b] = (struct gp_block_work){.pipes = work};
        c->block_narrow[b] = narrow;
        c->block_widened[b] = widened;
        c->block_calls[b] = calls;
    }
}

/* What blocks cost is summed up anew for another device only. */
static void take_costs(struct gp_collector *c)
{
    struct gp_cost costs[GP_CLASS_COUNT];
    bool scalar_unit = c->device->scalar_unit.value > 0, nvidia = gp_arch_is_nvidia(c->device->arch);
    memset(costs, 0, sizeof costs);
    gp_cost_table(c->device, costs, NULL);
    if (c->summed && c->scalar_unit == scalar_unit && c->nvidia == nvidia && memcmp(costs, c->costs, sizeof costs) == 0)
        return;
    memcpy(c->costs, costs, sizeof costs);
    c->summed = true;
    c->scalar_unit = scalar_unit;
    c->nvidia = nvidia;
    sum_blocks(c);
}

/* ---- What the executor tells --------------------------------------------------------------------------------- */

static unsigned lanes_in(gp_mask mask) { return (unsigned)__builtin_popcountll(mask); }

static void on_enter(void *context, uint32_t block, gp_mask active, double weight)
{
    struct gp_collector *c = context;
    (void)weight;
    while (c->divergence_count > 0) {
        const struct divergence *top = &c->divergences[c->divergence_count - 1];
        if (top->reconvergence != block && (active & top->whole) != top->whole)
            break;
        c->divergence_count--;
    }
}

static void on_diverge(void *context, uint32_t branch, gp_mask taken, gp_mask not_taken, double weight)
{
    struct gp_collector *c = context;
    if (c->probing || branch >= c->kernel->branch_count)
        return;
    c->branches[branch].divergences += c->sample_weight * weight;
    if (c->divergence_count > 0 && c->divergences[c->divergence_count - 1].branch == branch)
        return; /* the exit of a loop that lanes leave one after the other */
    if (c->divergence_count == MAX_DIVERGENCES)
        return;
    c->divergences[c->divergence_count++] = (struct divergence){
        branch, c->kernel->blocks[c->branch_block[branch]].ipdom, taken | not_taken};
}

static const struct units words = {4, 2};

static uint64_t unit_of(struct units units, uint64_t offset) { return units.bits >= 0 ? offset >> units.bits : offset / (uint64_t)units.bytes; }

static uint64_t line_of(const struct gp_collector *c, uint64_t offset) { return unit_of(c->line, offset); }

/* Iterations from one that was executed, in about the middle of those that it stands for, to the next. Addresses that wrap around seem to move further. */
static double iterations_between(double before, double weight, double runs)
{
    enum { ASIDE = 16 }; /* from the middle: executor_plan.c */
    return runs > 0 ? (before + weight) / (2 * runs) + ASIDE : 0;
}

/* How an operation's addresses moved since its execution before, from where on, and the bytes that the warp brought to L1 since, in one iteration. */
struct movement { struct gp_slide slide; uint64_t from; double brought; };

/* An image's rows lie in blocks, so that where it is does not tell. */
static struct movement see_movement(struct gp_collector *c, const struct gp_access *access)
{
    unsigned first_lane = (unsigned)__builtin_ctzll(access->active);
    struct visit *visit = &c->visits[access->memory], before = *visit;
    const double far = (double)(UINT64_C(1) << 40);
    uint32_t symbol = access->symbol[first_lane];
    uint64_t offset = access->offset[first_lane];
    struct movement m = {.slide = {.weight = access->weight, .runs = access->weight, .step = -1, .moved = -1}, .from = offset};
    struct gp_slide *slide = &m.slide;
    if (symbol == GP_SYMBOL_UNKNOWN)
        return m;
    slide->step = gp_steps_see(c->steps, access->memory, symbol, offset);
    bool jumped = gp_steps_jumped(c->steps, access->memory);
    slide->runs = jumped ? fmin(before.runs, access->weight) : access->weight;
    slide->between = iterations_between(before.weight, slide->weight, slide->runs);
    m.brought = c->brought_once - before.brought_once;
    *visit = (struct visit){symbol, offset, slide->weight, slide->runs, c->brought_once};
    if (jumped && c->kernel->memory[access->memory].space == GP_SPACE_IMAGE && slide->step >= 0) {
        slide->moved = fmin(slide->step * fmax(1, slide->weight / slide->runs), far);
        m.from = offset - (uint64_t)slide->moved;
    } else if (jumped && before.symbol == symbol) {
        slide->moved = fabs((double)(int64_t)(offset - before.offset));
        m.from = before.offset;
    }
    return m;
}

/*
 * Of the average execution that one access stands for, in lines: touched for the first time, not found in L1, all. deep: the share of those that miss which wait for
 * a line that nobody touched before.
 */
struct touch { double fresh, missed, all, deep; bool constant; };

/*
 * Does L1 still have a line that was touched before? What another warp of the group touched first it brings anew each time, side by side
 * with this one. Else L1 has it until the resident warps have brought as much as it holds. The cache of constants is so small that
 * warps side by side drive each other's lines out where a group's constants do not fit it.
 */
static bool still_there(const struct gp_collector *c, const struct gp_line *entry, bool constant)
{
    if (constant)
        return c->constants <= c->device->const_size.value;
    double since = entry->owner != c->warp ? c->line.bytes : c->brought - entry->stamp;
    return since * c->resident_warps <= c->l1_bytes;
}

static double units_between(struct units units, uint64_t from, uint64_t to)
{
    return fabs((double)(int64_t)(unit_of(units, to) - unit_of(units, from)));
}

/* Neighbouring lanes mostly are at one line or word, or at the next one: it is looked up once. */
struct place { uint32_t symbol; uint64_t number; };

static bool is_another(struct place *last, uint32_t symbol, uint64_t number, struct gp_window *window)
{
    if (last->symbol == symbol && last->number == number)
        return false;
    window->runs += last->symbol != symbol || (number != last->number + 1 && number + 1 != last->number);
    *last = (struct place){symbol, number};
    return true;
}

/* One line of one access: was it touched, and can L1 still have it? What several lanes of a request ask for is moved once. */
static void touch_line(struct gp_collector *c, uint32_t symbol, uint64_t line, bool cached, bool constant, struct gp_window *window, double *missing)
{
    bool fresh;
    struct gp_line *entry = gp_line_set_touch(&c->lines, symbol, line, &fresh);
    if (entry != NULL && entry->request == c->request)
        return;
    window->all += 1;
    if (entry == NULL || fresh) {
        window->fresh += 1;
        *missing += 1;
    } else if (!cached || !still_there(c, entry, constant)) {
        *missing += 1;
    }
    if (entry == NULL)
        return;
    if (fresh)
        entry->owner = c->warp;
    if (entry->owner == c->warp)
        entry->stamp = c->brought;
    entry->request = c->request;
}

/* Not looked at before by this probe. */
static bool is_new(struct gp_line_set *seen, uint32_t symbol, uint64_t number)
{
    bool fresh = true;
    gp_line_set_touch(seen, symbol, number, &fresh);
    return fresh;
}

/*
 * Whether the group, too, touches what is there and was not seen to: the iterations between those that were executed fill a stretch, or step through it from where
 * they were seen.
 */
static double touches_between(const struct gp_collector *c, const struct gp_line_set *group, uint32_t symbol, uint64_t offset, double step, struct units units)
{
    enum { STEPS = 16 };
    const struct gp_stretch *stretch = gp_stretches_at(c->stretches, c->stretch_count, symbol, (double)(int64_t)offset);
    double fill = stretch != NULL ? gp_stretch_fill(stretch) : 0;
    if (stretch == NULL || fill > 0 || step < units.bytes)
        return fill;
    for (uint64_t i = 1; i <= STEPS; i++)
        if (gp_line_set_has(group, symbol, unit_of(units, offset - i * (uint64_t)step)) || gp_line_set_has(group, symbol, unit_of(units, offset + i * (uint64_t)step)))
            return 1;
    return 0;
}

/*
 * What the probed neighbour touches for the first time, and of that what the group has touched, too: of this access and all executions that it
 * stands for.
 */
static void probe_units(const struct gp_collector *c, struct gp_line_set *probed, const struct gp_line_set *group, const struct gp_access *access,
                        const struct movement *m, struct units units, double *touched, double *shared)
{
    struct place last = {GP_SYMBOL_UNKNOWN, 0};
    struct gp_window window = {.unit = units.bytes};
    double found = 0;
    for (gp_mask rest = access->active; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        uint32_t symbol = access->symbol[lane];
        uint64_t number = unit_of(units, access->offset[lane]);
        if (symbol == GP_SYMBOL_UNKNOWN || !is_another(&last, symbol, number, &window))
            continue;
        window.all += 1;
        if (!is_new(probed, symbol, number))
            continue;
        window.fresh += 1;
        found += gp_line_set_has(group, symbol, number) ? 1 : touches_between(c, group, symbol, access->offset[lane], m->slide.step, units);
    }
    if (window.fresh == 0)
        return;
    window.moved = units_between(units, m->from, access->offset[__builtin_ctzll(access->active)]);
    double fresh = gp_slide_fresh(&m->slide, &window);
    *touched += fresh;
    *shared += fresh * found / window.fresh;
}

static void probe_access(struct gp_collector *c, const struct gp_access *access)
{
    struct probe *probe = &c->probes[c->buffer_of[access->memory]];
    struct movement m = see_movement(c, access);
    probe_units(c, &c->probed_words, &c->words, access, &m, words, &probe->words, &probe->shared_words);
    probe_units(c, &c->probed_lines, &c->kept_lines, access, &m, c->line, &probe->lines, &probe->shared_lines);
}

static void keep_words(struct gp_collector *c, const struct gp_access *access)
{
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    double bytes = fmax(words.bytes, (double)memory->element_bytes * memory->vector);
    struct place last = {GP_SYMBOL_UNKNOWN, 0};
    struct gp_window unused = {0};
    for (gp_mask rest = access->active; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        uint32_t symbol = access->symbol[lane];
        uint64_t word = unit_of(words, access->offset[lane]);
        if (symbol != GP_SYMBOL_UNKNOWN && is_another(&last, symbol, word, &unused) && is_new(&c->words, symbol, word))
            c->probes[c->buffer_of[access->memory]].words += bytes;
    }
}

static void note_reach(struct gp_collector *c, uint32_t buffer, int64_t lowest, int64_t highest, uint32_t bytes)
{
    struct reach *reach = &c->reaches[buffer];
    reach->low = fmin(reach->low, (double)lowest);
    reach->high = fmax(reach->high, (double)highest + bytes);
    for (int d = 0; d < 3; d++) {
        reach->first[d] = c->group[d] < reach->first[d] ? c->group[d] : reach->first[d];
        reach->last[d] = c->group[d] > reach->last[d] ? c->group[d] : reach->last[d];
    }
}

static void note_hull(struct hull *hull, uint32_t symbol, int64_t lowest, int64_t highest, uint32_t bytes)
{
    hull->open |= hull->symbol != GP_SYMBOL_UNKNOWN && hull->symbol != symbol;
    hull->symbol = symbol;
    hull->low = fmin(hull->low, (double)lowest);
    hull->high = fmax(hull->high, (double)highest + bytes);
}

static bool is_on_chip(const struct gp_memory *memory) { return memory->space == GP_SPACE_LOCAL; }

/*
 * Lines that nobody knows. Without a bound nothing is found again; within one, any line of the range is as likely as any other, and
 * the group has touched some of them.
 */
static void touch_unknown(struct gp_collector *c, const struct gp_access *access, double lines, bool cached, struct touch *t)
{
    const struct gp_scatter *bound = gp_scatter_of(c->bounds, c->kernel, access->memory);
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    double fresh = lines, bytes = gp_scatter_warp_bytes(bound, memory, gp_device_lanes(c->device));
    if (bound->known) {
        double *drawn = &c->drawn[c->buffer_of[access->memory]], cells = ceil(bytes / c->line.bytes), before = fmin(*drawn, cells);
        *drawn = before + (1 - before / cells) * gp_expected_distinct(cells, lines * access->weight);
        fresh = (*drawn - before) / access->weight;
    }
    t->all += lines;
    t->fresh += fresh;
    bytes *= memory->space == GP_SPACE_PRIVATE ? c->resident_warps : 1; /* each warp's own */
    t->missed += bound->known && cached && bytes <= c->l1_bytes ? fresh : lines;
    t->deep = fmax(t->deep, fresh / lines);
}

/* What the iteration before touched is there as long as L1 holds what the resident warps bring in one. */
static void count_touched(const struct gp_collector *c, const struct movement *m, const struct gp_window *window, double missing, bool cached, struct touch *t)
{
    t->all = window->all;
    if (missing == 0)
        return;
    const struct gp_slide *slide = &m->slide;
    bool holds = cached && fmax(c->line.bytes, m->brought) * c->resident_warps <= c->l1_bytes;
    t->fresh = slide->weight > 0 ? gp_slide_fresh(slide, window) / slide->weight : 0;
    t->missed = holds ? gp_slide_lacks(slide, window, missing) : missing;
    t->deep = fmin(1, gp_slide_lacks(slide, window, window->fresh)) / fmin(1, t->missed);
}

static struct touch touch_access(struct gp_collector *c, const struct gp_access *access, const struct gp_request *request)
{
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    uint32_t width = (uint32_t)memory->element_bytes * memory->vector;
    bool cached = gp_memory_reads_cached(c->device, memory);
    struct touch t = {.constant = memory->space == GP_SPACE_CONSTANT};
    c->request++;
    unsigned first = (unsigned)__builtin_ctzll(access->active);
    struct movement m = see_movement(c, access);
    struct gp_window window = {.unit = c->line.bytes, .moved = units_between(c->line, m.from, access->offset[first])};
    struct place last = {GP_SYMBOL_UNKNOWN, 0};
    double missing = 0;
    int64_t lowest = INT64_MAX, highest = INT64_MIN;
    bool none_known = access->one_symbol && access->symbol[first] == GP_SYMBOL_UNKNOWN;
    for (gp_mask rest = none_known ? 0 : access->active; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        uint32_t symbol = access->symbol[lane];
        if (symbol == GP_SYMBOL_UNKNOWN)
            continue;
        int64_t offset = (int64_t)access->offset[lane];
        lowest = offset < lowest ? offset : lowest;
        highest = offset > highest ? offset : highest;
        uint64_t from = line_of(c, access->offset[lane]), to = line_of(c, access->offset[lane] + width - 1);
        for (uint64_t line = from; line <= to && line - from < 16; line++)
            if (is_another(&last, symbol, line, &window))
                touch_line(c, symbol, line, cached, t.constant, &window, &missing);
        if (access->uniform)
            break;
    }
    c->hulls[access->memory].seen += window.fresh;
    if (lowest <= highest) {
        note_reach(c, c->buffer_of[access->memory], lowest, highest, width);
        note_hull(&c->hulls[access->memory], access->symbol[first], lowest, highest, width);
    }
    c->hulls[access->memory].open |= !access->one_symbol || memory->space == GP_SPACE_PRIVATE;
    window.runs = fmin(window.runs, window.all);
    count_touched(c, &m, &window, missing, cached, &t);
    double unknown = request->transactions - t.all; /* lanes whose address nobody knows: nothing is found again */
    if (request->guessed && unknown > 0 && access->assumed == 0) {
        touch_unknown(c, access, unknown, cached, &t);
        c->hulls[access->memory].open = true;
    }
    return t;
}

/* `at`: the access with its addresses, an image's in the layout assumed for it. */
static void cost_off_chip(struct gp_collector *c, const struct gp_access *access, const struct gp_access *at, const struct gp_request *r, double times)
{
    const struct gp_device *d = c->device;
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    struct gp_memory_work *m = &c->memory[access->memory];
    struct touch t = touch_access(c, at, r);
    double fresh_bytes = t.fresh * c->line.bytes;
    double missed = t.all > 0 ? t.missed / t.all : 0;
    c->brought += access->weight * t.missed * c->line.bytes;
    c->brought_once += t.missed * c->line.bytes;
    c->constants += t.constant ? access->weight * fresh_bytes : 0;
    struct hull *hull = &c->hulls[access->memory];
    hull->group_bytes += c->group_weight * access->weight * fresh_bytes;
    hull->useful_bytes += c->group_weight * access->weight * (t.all > 0 ? r->useful_bytes * t.fresh / t.all : 0);
    if (memory->flags & GP_MEMORY_STORE)
        hull->stored_bytes += c->group_weight * access->weight * fresh_bytes;

    double moved = gp_request_l2_bytes(d, memory, r);
    /* The first warp of a group brings what the others find: it stands for itself, the others for the rest. */
    double misses = c->group_weight / c->work->warps_per_group * access->weight * missed;
    m->l2_bytes += misses * moved;
    double ideal_bytes = r->ideal_transactions > 0 && r->transactions > 0 ? r->bytes * r->ideal_transactions / r->transactions : r->bytes;
    m->ideal_l2_bytes += misses * ideal_bytes;
    double depth = t.deep * d->dram_latency.value + (1 - t.deep) * d->l2_latency.value;
    double hit = memory->space == GP_SPACE_CONSTANT ? d->const_latency.value : d->l1_latency.value;
    double latency = missed * depth + (1 - missed) * hit + fmax(0, r->wavefronts - 1);
    m->latency += times * (latency + missed * (r->bytes - c->line.bytes) / c->lsu_port);
    m->ideal_latency += times * (missed * depth + (1 - missed) * hit + fmax(0, r->ideal_wavefronts - 1) + missed * (ideal_bytes - c->line.bytes) / c->lsu_port);
    m->dram_latency += times * missed * (depth - d->l2_latency.value);
    m->misses += times * missed;
    m->again += (1 - t.deep) * times * missed;
    c->pending_latency[access->memory] = fmax(1, latency + missed * (r->bytes - c->line.bytes) / c->lsu_port);
}

static void meet_within_bound(struct gp_collector *c, const struct gp_access *access, struct gp_request *r)
{
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    if (gp_meet_within_bound(c->bounds, c->kernel, access, gp_device_lanes(c->device), r) && (memory->flags & GP_MEMORY_ATOMIC))
        c->memory[access->memory].least_contention +=
            c->sample_weight * access->weight * fmax(0, lanes_in(access->active) / (double)c->bounds[access->memory].addresses - 1);
}

static uint64_t common_step(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void note_spots(struct spots *s, const struct gp_access *access)
{
    for (gp_mask rest = s->scattered ? 0 : access->active; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (!s->seen)
            *s = (struct spots){.seen = true, .symbol = access->symbol[lane], .first = access->offset[lane]};
        if (access->symbol[lane] == GP_SYMBOL_UNKNOWN || access->symbol[lane] != s->symbol) {
            s->scattered = true;
            return;
        }
        int64_t from_first = (int64_t)(access->offset[lane] - s->first);
        s->low = from_first < s->low ? from_first : s->low;
        s->high = from_first > s->high ? from_first : s->high;
        s->step = common_step(s->step, (uint64_t)llabs(from_first));
        if (access->uniform)
            return;
    }
}

/* What was seen of an atomic's addresses, from the launch's corners, too; and what they can be at most. */
static double addresses_of(struct gp_collector *c, uint32_t memory)
{
    const struct spots *s = &c->spots[memory];
    const struct gp_scatter *bound = gp_scatter_of(c->bounds, c->kernel, memory);
    double seen = INFINITY;
    if (s->seen && !s->scattered)
        seen = s->step == 0 ? 1 : (double)(s->high - s->low) / (double)s->step + 1;
    return bound->known ? fmin(seen, (double)bound->addresses) : seen;
}

/*
 * Bytes between work-items that are neighbours along dimension 0, where a warp holds several rows of the group; 0 where they are
 * not the same everywhere, or no more than what each asks for.
 */
static int64_t stride_along_row(const struct gp_collector *c, const struct gp_access *access)
{
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    gp_mask row = gp_lanes_below(c->row);
    if (c->row < 2 || (access->active & row) != row || access->coordinates > 0)
        return 0;
    int64_t stride = (int64_t)(access->offset[1] - access->offset[0]);
    for (uint32_t lane = 0; lane < c->row; lane++)
        if (access->symbol[lane] == GP_SYMBOL_UNKNOWN || access->symbol[lane] != access->symbol[0] ||
            (lane > 0 && (int64_t)(access->offset[lane] - access->offset[lane - 1]) != stride))
            return 0;
    return llabs(stride) > (int64_t)memory->element_bytes * memory->vector ? stride : 0;
}

static void note_first(const struct gp_collector *c, const struct gp_access *access, const struct gp_request *r, struct gp_memory_work *m)
{
    unsigned lane = (unsigned)__builtin_ctzll(access->active);
    m->stride = r->stride != 0 ? r->stride : stride_along_row(c, access);
    m->first_symbol = access->symbol[lane];
    m->first_offset = access->offset[lane];
}

static void on_access(void *context, const struct gp_access *access)
{
    struct gp_collector *c = context;
    if (access->active == 0 || (c->in_bank[access->memory] && gp_arch_is_nvidia(c->device->arch)))
        return;
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    const struct gp_access *at = access;
    struct gp_image_addresses image;
    if (access->coordinates > 0) {
        gp_image_addresses(c->device, c->kernel, access, &image);
        at = &image.access;
    }
    if (c->probing) {
        if (!is_on_chip(memory))
            probe_access(c, at);
        return;
    }
    if (c->keeping_words && !is_on_chip(memory))
        keep_words(c, at);
    struct gp_request r;
    c->work->effort += access->coordinates > 0 ? 64 : 16;
    gp_request_memo_cost(c->requests, c->device, access, &r);
    if (r.guessed)
        meet_within_bound(c, access, &r);
    struct gp_memory_work *m = &c->memory[access->memory];
    double times = c->sample_weight * access->weight;
    if (m->requests == 0)
        note_first(c, access, &r, m);
    else if (r.stride != 0 && r.stride != m->stride)
        m->strides_differ = true;
    c->waited_by_warp[access->memory].requests += access->weight;
    m->requests += times;
    m->transactions += times * r.transactions;
    m->ideal_transactions += times * r.ideal_transactions;
    if (r.transactions > r.ideal_transactions) {
        m->uncoalesced += times;
        m->uncoalesced_transactions += times * r.transactions;
    }
    m->wavefronts += times * r.wavefronts;
    m->ideal_wavefronts += times * r.ideal_wavefronts;
    m->passes += times * r.passes;
    m->ideal_passes += times * r.ideal_passes;
    m->bytes += times * r.bytes;
    m->useful_bytes += times * r.useful_bytes;
    if (memory->flags & GP_MEMORY_ATOMIC)
        m->contention += times * fmax(0, r.same_address - 1);
    if ((memory->flags & GP_MEMORY_ATOMIC) && !is_on_chip(memory)) {
        m->operations += times * lanes_in(access->active);
        note_spots(&c->spots[access->memory], access);
    }
    if (r.guessed || access->guessed)
        m->guessed += times;
    if (r.guessed)
        m->scattered += times;
    m->worst_transactions = fmax(m->worst_transactions, r.transactions);
    m->worst_conflict = fmax(m->worst_conflict, r.conflict_degree);
    if (is_on_chip(memory)) {
        double latency = c->device->smem_latency.value + fmax(0, r.wavefronts - r.ideal_wavefronts);
        m->latency += times * latency;
        m->ideal_latency += times * c->device->smem_latency.value;
        c->pending_latency[access->memory] = latency;
    } else {
        cost_off_chip(c, access, at, &r, times);
    }
}

static void on_barrier(void *context, uint32_t inst, gp_mask active, double weight)
{
    struct gp_collector *c = context;
    (void)inst, (void)active;
    if (!c->probing)
        c->work->barriers += c->sample_weight * weight;
}

static void on_skip(void *context, uint32_t loop) { gp_steps_skip(((struct gp_collector *)context)->steps, loop); }

/*
 * LLVM orders code for GCN and CDNA as if local memory took 5 cycles (SISchedule.td, WriteLDS), of some 64: the code loads two words
 * (ds_read2_b32) and waits for them. For RDNA it takes 20; other compilers' loads go up as far as registers allow (0).
 */
static double local_words_under_way(const struct gp_collector *c)
{
    return c->device->arch == GP_ARCH_GCN || c->device->arch == GP_ARCH_CDNA ? 2 : 0;
}

static struct gp_slot slot_of(const struct gp_collector *c, const struct entry *e)
{
    const struct gp_cost *cost = &c->costs[e->cost];
    double interval = 1 / c->device->issue_per_scheduler.value;
    struct gp_slot slot = {.inst = e->inst, .record = e->record, .operands = &c->operands[e->operand], .operand_count = e->operand_count,
                           .space = -1};
    if (e->cost == GP_CLASS_FREE || (e->bank && gp_arch_is_nvidia(c->device->arch)))
        return slot;
    slot.issue = e->record != GP_NONE ? interval : cost->issue * e->repeat * interval;
    if (c->device->scalar_unit.value > 0 && e->scalar)
        slot.issue *= 0.5;
    slot.latency = cost->latency;
    if (e->record == GP_NONE)
        return slot;
    const struct gp_memory *memory = &c->kernel->memory[e->record];
    slot.latency = c->pending_latency[e->record];
    slot.space = memory->space;
    slot.store = memory->flags & (GP_MEMORY_STORE | GP_MEMORY_ATOMIC);
    slot.reorders = (memory->flags & GP_MEMORY_READONLY) || memory->space == GP_SPACE_CONSTANT;
    bool scalar = e->uniform && !is_on_chip(memory) && c->device->scalar_unit.value > 0; /* waits in scalar registers, of which there are plenty */
    if (!(memory->flags & GP_MEMORY_STORE) && !scalar)
        slot.words = ((uint32_t)memory->element_bytes * memory->vector + 3) / 4;
    return slot;
}

struct stall_context { struct gp_collector *collector; uint32_t block; double times; };

static void note_stall(void *context, uint32_t record, double cycles)
{
    const struct stall_context *stall = context;
    struct gp_collector *c = stall->collector;
    c->memory[record].stall += stall->times * c->sample_weight * cycles;
    c->memory[record].waits += stall->times * c->sample_weight;
    if (is_on_chip(&c->kernel->memory[record]))
        return;
    c->chain_memory += stall->times * cycles;
    c->waited_by_warp[record].cycles += stall->times * cycles;
}

static void note_new_stall(void *context, uint32_t record, double cycles)
{
    const struct stall_context *stall = context;
    gp_block_times_stall(stall->collector->times, stall->block, record, cycles);
    note_stall(context, record, cycles);
}

/* The cycles that a lone warp takes for a block. */
static double advance(struct gp_collector *c, uint32_t block, double times)
{
    struct stall_context stall = {c, block, times};
    double cycles = 0;
    c->work->effort += c->blocks[block].count;
    if (gp_block_times_recall(c->times, block, c->schedule, c->pending_latency, note_stall, &stall, &cycles))
        return cycles;
    const struct entry *end = &c->entries[c->blocks[block].first + c->blocks[block].count];
    for (const struct entry *e = &c->entries[c->blocks[block].first]; e < end; e++) {
        if (e->cost == GP_CLASS_BARRIER)
            cycles += gp_schedule_finish(c->schedule, note_new_stall, &stall);
        struct gp_slot slot = slot_of(c, e);
        if (e->cost == GP_CLASS_BARRIER)
            slot.issue += c->device->barrier_latency.value;
        gp_schedule_add(c->schedule, &slot);
        if (e->cost == GP_CLASS_BARRIER)
            cycles += gp_schedule_finish(c->schedule, note_new_stall, &stall);
    }
    cycles += gp_schedule_finish(c->schedule, note_new_stall, &stall);
    gp_block_times_keep(c->times, block, c->schedule, cycles);
    return cycles;
}

static void on_leave(void *context, uint32_t block, gp_mask active, double weight)
{
    struct gp_collector *c = context;
    if (c->probing)
        return;
    double times = c->sample_weight * weight;
    struct gp_block_work *work = &c->block_work[block];
    work->visits += times;
    add_work(&c->work->pipes, &work->pipes, times);
    if (c->block_narrow[block].issue > 0) {
        add_work(&c->work->narrow, &c->block_narrow[block], times);
        add_work(&c->work->widened, &c->block_widened[block], times);
    }
    c->work->unknown_calls += times * c->block_calls[block];
    double cycles = weight * advance(c, block, weight);
    c->chain += cycles;
    work->chain += c->sample_weight * cycles;
    if (c->divergence_count > 0) {
        const struct divergence *top = &c->divergences[c->divergence_count - 1];
        double idle = 1 - (double)lanes_in(active & top->whole) / lanes_in(top->whole);
        add_work(&c->branches[top->branch].excess, &work->pipes, times * idle);
        c->branches[top->branch].stall += c->sample_weight * cycles * idle;
    }
}

/* ---- Running the sample -------------------------------------------------------------------------------------- */

static void start_warp(struct gp_collector *c)
{
    uint32_t memory = c->kernel->memory_count;
    gp_schedule_start(c->schedule, gp_load_words(c->registers), local_words_under_way(c));
    gp_steps_start(c->steps);
    for (uint32_t m = 0; m < memory; m++)
        c->pending_latency[m] = 1;
    c->warp++;
    c->brought = c->brought_once = c->chain = c->chain_memory = 0;
    c->divergence_count = 0;
}

static bool run_warp(struct gp_collector *c, const struct gp_launch *launch, const uint64_t group[3], uint32_t warp,
                     struct gp_exec_result *result, struct gp_error *error)
{
    static const struct gp_observer watch = {.enter = on_enter, .access = on_access, .barrier = on_barrier,
                                             .leave = on_leave, .diverge = on_diverge, .skip = on_skip};
    struct gp_observer observer = watch;
    observer.context = c;
    memcpy(c->group, group, sizeof c->group);
    struct gp_exec_options options = {.warp_width = gp_device_lanes(c->device), .coarse = c->quick, .exhaustive = c->every_iteration,
                                      .max_block_visits = c->every_iteration ? 0 : c->most_visits};
    start_warp(c);
    return gp_execute_warp(c->executor, launch, group, warp, &options, &observer, result, error);
}

/*
 * The sampled groups' shares of one average group's footprint: its first sampled warp counts once, the others stand for the
 * rest of its warps (what they share with the first is no longer fresh).
 */
static double footprint_weight(double group_share, size_t index, size_t sampled, double warps)
{
    if (index == 0 || sampled < 2)
        return group_share * (sampled < 2 ? warps : 1);
    return group_share * (warps - 1) / (double)(sampled - 1);
}

static void forget_group(struct gp_collector *c)
{
    gp_line_set_clear(&c->lines);
    c->constants = 0;
    memset(c->drawn, 0, c->buffer_count * sizeof *c->drawn);
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        c->hulls[m] = (struct hull){.low = INFINITY, .high = -INFINITY, .symbol = GP_SYMBOL_UNKNOWN};
}

/*
 * In a group an operation touches no more than lies between the lowest and the highest of its addresses, however often sampled iterations were counted to enter
 * lines that others had been in. `share`: what the group stands for.
 */
static void add_footprint(struct gp_collector *c, double share)
{
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        const struct hull *hull = &c->hulls[m];
        struct gp_buffer_work *buffer = &c->buffers[c->buffer_of[m]];
        double lines = hull->high > hull->low ? ceil(hull->high / c->line.bytes) - floor(hull->low / c->line.bytes) : 0, most = share * lines * c->line.bytes;
        double kept = !hull->open && !c->thinned && hull->group_bytes > most ? most / hull->group_bytes : 1;
        buffer->group_bytes += kept * hull->group_bytes;
        buffer->useful_bytes += kept * hull->useful_bytes;
        buffer->stored_bytes += kept * hull->stored_bytes;
    }
}

/* Of one group: the warps that were run, and how many each stands for. */
struct group_run {
    size_t count;
    double chain[MOST_WARPS], chain_memory[MOST_WARPS], weight[MOST_WARPS];
};

/*
 * Which warp of a group asks first for a line that several need is chance, but here it is the first one executed, and it waits for all of
 * them. Spreads what the warps waited for an operation over the group's requests. Constants each warp waits for by itself.
 */
static void share_waiting(struct gp_collector *c, struct group_run *run)
{
    uint32_t memory = c->kernel->memory_count;
    for (uint32_t m = 0; m < memory; m++) {
        double cycles = 0, requests = 0;
        for (size_t i = 0; i < run->count; i++) {
            cycles += run->weight[i] * c->waited[i * memory + m].cycles;
            requests += run->weight[i] * c->waited[i * memory + m].requests;
        }
        bool shared = c->kernel->memory[m].space != GP_SPACE_CONSTANT && cycles > 0 && requests > 0;
        for (size_t i = 0; shared && i < run->count; i++) {
            const struct waited *own = &c->waited[i * memory + m];
            double more = own->requests * cycles / requests - own->cycles;
            run->chain[i] += more;
            run->chain_memory[i] += more;
        }
    }
}

/* Runs the sampled warps of one group. */
static bool run_group(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t in_group, double warps, struct gp_error *error)
{
    double group_share = gp_samples_weight(samples, 0, in_group) / warps;
    forget_group(c);
    double fewest = INFINITY, most = 0;
    struct group_run run = {.count = in_group};
    memset(c->waited, 0, in_group * c->kernel->memory_count * sizeof *c->waited);
    for (size_t i = 0; i < in_group; i++) {
        const struct gp_sample *sample = &samples[i];
        struct gp_exec_result result = {0};
        c->sample_weight = sample->weight / warps;
        c->group_weight = footprint_weight(group_share, i, in_group, c->work->warps_per_group);
        c->waited_by_warp = &c->waited[i * c->kernel->memory_count];
        if (!run_warp(c, launch, sample->group, sample->warp, &result, error))
            return false;
        run.chain[i] = c->chain;
        run.chain_memory[i] = c->chain_memory;
        run.weight[i] = c->group_weight;
        c->work->instructions += c->sample_weight * result.instructions;
        c->work->guessed_instructions += c->sample_weight * result.guessed_instructions;
        c->work->cut_off |= result.cut_off;
        fewest = fmin(fewest, result.instructions);
        most = fmax(most, result.instructions);
    }
    add_footprint(c, group_share);
    share_waiting(c, &run);
    size_t slowest = 0;
    for (size_t i = 1; i < in_group; i++)
        if (run.chain[i] > run.chain[slowest])
            slowest = i;
    c->work->uneven_warps |= group_share > 0.3 && most > 1.1 * fewest; /* edges do not matter */
    c->work->chain += group_share * run.chain[slowest];
    c->work->chain_memory += group_share * run.chain_memory[slowest];
    return true;
}

/* `share`: what the group stands for. */
static void keep_stretches(struct gp_collector *c, double share)
{
    c->stretch_count = 0;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        const struct hull *hull = &c->hulls[m];
        if (!hull->open && hull->high > hull->low)
            c->stretches[c->stretch_count++] = (struct gp_stretch){
                hull->symbol, floor(hull->low / c->line.bytes) * c->line.bytes, ceil(hull->high / c->line.bytes) * c->line.bytes, hull->group_bytes / share,
                hull->seen * c->line.bytes};
    }
    c->stretch_count = gp_stretches_join(c->stretches, c->stretch_count);
}

/* What the group touches is kept for probe_neighbours(). */
static bool run_and_keep(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t in_group, double warps, struct gp_error *error)
{
    gp_line_set_clear(&c->words);
    memset(c->probes, 0, c->buffer_count * sizeof *c->probes);
    c->keeping_words = true;
    bool ok = run_group(c, launch, samples, in_group, warps, error);
    c->keeping_words = false;
    struct gp_line_set lines = c->lines;
    c->lines = c->kept_lines;
    c->kept_lines = lines;
    keep_stretches(c, gp_samples_weight(samples, 0, in_group) / warps);
    for (uint32_t b = 0; b < c->buffer_count; b++)
        c->kept_bytes[b] = c->probes[b].words * c->work->warps_per_group / (double)in_group;
    return ok;
}

/* After the first group. */
static bool takes_too_long(const struct gp_collector *c, size_t done, size_t count)
{
    return c->quick && c->affordable > 0 && (double)c->work->effort * (double)count / (double)done > c->affordable;
}

static bool run_samples(struct gp_collector *c, const struct gp_launch *launch, struct gp_sample *samples, size_t count,
                        double warps, bool keep, struct gp_error *error)
{
    double light = 0;
    size_t heaviest = gp_heaviest_group(samples, count), in_group;
    for (size_t first = 0; first < count; first += in_group) {
        in_group = gp_samples_of_group(samples, count, first);
        double before = c->work->instructions;
        bool kept = keep && first == heaviest;
        if (!(kept ? run_and_keep : run_group)(c, launch, &samples[first], in_group, warps, error))
            return false;
        light += gp_samples_weight(samples, first, in_group) < GP_LITTLE * warps ? c->work->instructions - before : 0;
        if (first == 0 && count > in_group + 1 && takes_too_long(c, in_group, count)) {
            count = in_group + gp_keep_middle_sample(&samples[in_group], count - in_group);
            c->thinned = true;
        }
    }
    c->light_share = c->work->instructions > 0 ? light / c->work->instructions : 0;
    return true;
}

static void note_shared(struct gp_buffer_work *buffer, uint32_t dim, const struct probe *probe)
{
    buffer->shared[dim] = probe->lines > 0 ? probe->shared_lines / probe->lines : 0;
    buffer->shared_words[dim] = probe->words > 0 ? probe->shared_words / probe->words : 0;
}

/* The sampled warps of the group's neighbour behind or before it along a dimension, where there is one. */
static bool probe_neighbour(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t in_group, uint32_t dim, int side,
                            const uint64_t groups[3], struct gp_error *error)
{
    uint64_t neighbour[3];
    struct gp_exec_result result;
    memcpy(neighbour, samples[0].group, sizeof neighbour);
    neighbour[dim] += (uint64_t)side;
    gp_line_set_clear(&c->probed_lines);
    gp_line_set_clear(&c->probed_words);
    bool ok = true;
    for (size_t i = 0; ok && neighbour[dim] < groups[dim] && i < in_group; i++)
        ok = run_warp(c, launch, neighbour, samples[i].warp, &result, error);
    return ok;
}

/* What the neighbours of the heaviest group along each dimension touch of the lines that it touches itself. */
static bool probe_neighbours(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t count,
                             struct gp_error *error)
{
    uint64_t groups[3];
    gp_launch_groups(launch, groups);
    size_t first = gp_heaviest_group(samples, count), in_group = gp_samples_of_group(samples, count, first);
    for (uint32_t b = 0; b < c->buffer_count; b++)
        c->buffers[b].useful_bytes = fmax(c->buffers[b].useful_bytes, c->kept_bytes[b]);
    bool ok = true;
    c->probing = true;
    for (uint32_t d = 0; ok && d < launch->dims; d++) {
        memset(c->probes, 0, c->buffer_count * sizeof *c->probes);
        for (int side = -1; ok && side <= 1; side += 2) /* both: a line may end at one of them */
            ok = probe_neighbour(c, launch, &samples[first], in_group, d, side, groups, error);
        for (uint32_t b = 0; b < c->buffer_count; b++)
            note_shared(&c->buffers[b], d, &c->probes[b]);
    }
    c->probing = false;
    return ok;
}

/* Bytes that the buffer's accesses can reach whatever the data is; infinite where one of them has no bound. */
static double reach_of(const struct gp_collector *c, uint32_t buffer)
{
    int64_t lowest = INT64_MAX, highest = INT64_MIN;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        const struct gp_memory *memory = &c->kernel->memory[m];
        int64_t low, high;
        if (c->buffer_of[m] != buffer)
            continue;
        if (!gp_range_bytes(c->kernel, m, &low, &high))
            return INFINITY;
        high += (int64_t)memory->element_bytes * memory->vector;
        lowest = low < lowest ? low : lowest;
        highest = high > highest ? high : highest;
    }
    return lowest < highest ? (double)(highest - lowest) : INFINITY;
}

/*
 * What a buffer's groups touch together is within what was seen of its addresses, or where unseen ones can be. Groups at the edges may
 * touch nothing (guards): then those seen stand for part of the range, and the whole reaches as many times as far.
 */
static void bound_by_extent(struct gp_collector *c, const uint64_t groups[3], struct gp_work *work)
{
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        const struct reach *reach = &c->reaches[b];
        double extent = reach->high - reach->low;
        for (int d = 0; extent > 0 && d < 3; d++)
            extent *= (double)groups[d] / (double)(reach->last[d] - reach->first[d] + 1);
        work->buffers[b].extent = extent > 0 ? extent : reach_of(c, b);
    }
}

static void start_run(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    memset(c->memory, 0, kernel->memory_count * sizeof *c->memory);
    memset(c->branches, 0, kernel->branch_count * sizeof *c->branches);
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        c->buffers[b] = (struct gp_buffer_work){.base = c->buffers[b].base};
        c->reaches[b] = (struct reach){INFINITY, -INFINITY, {UINT64_MAX, UINT64_MAX, UINT64_MAX}, {0}};
    }
    c->probing = c->keeping_words = c->thinned = false;
}

bool gp_collect(struct gp_collector *c, const struct gp_device *device, const struct gp_launch *launch, double resident_warps,
                double l1_bytes, double registers, enum gp_sampling sampling, struct gp_work *work, struct gp_error *error)
{
    bool quick = sampling != GP_SAMPLE_FULL && sampling != GP_SAMPLE_EVERY_ITERATION, all_warps = !quick || sampling == GP_SAMPLE_QUICK_WARPS || sampling == GP_SAMPLE_QUICK_SHARING;
    bool probed = !quick || sampling == GP_SAMPLE_QUICK_SHARING || sampling == GP_SAMPLE_QUICK_NEIGHBOURS || sampling == GP_SAMPLE_QUICK_GROUPS;
    uint64_t groups[3];
    uint32_t lanes = gp_device_lanes(device);
    double items = (double)gp_launch_group_items(launch);
    double warps = ceil(items / lanes);
    *work = (struct gp_work){.registers = registers, .groups = (double)gp_launch_groups(launch, groups), .warps_per_group = warps,
                             .lanes_used = items / (warps * lanes), .blocks = c->block_work, .block_count = c->kernel->block_count, .memory = c->memory, .memory_count = c->kernel->memory_count,
                             .branches = c->branches, .branch_count = c->kernel->branch_count, .buffers = c->buffers,
                             .buffer_count = c->buffer_count};
    if (device != c->device || registers != c->registers)
        gp_block_times_forget(c->times);
    c->device = device;
    c->work = work;
    c->quick = quick;
    c->every_iteration = sampling == GP_SAMPLE_EVERY_ITERATION;
    c->row = launch->local[0] < lanes ? launch->local[0] : lanes;
    c->resident_warps = resident_warps;
    c->l1_bytes = l1_bytes;
    c->registers = registers;
    uint64_t unit = (uint64_t)(device->l1_sector.value > 0 ? device->l1_sector.value : device->l1_line.value > 0 ? device->l1_line.value : 64);
    c->line = (struct units){(double)unit, (unit & (unit - 1)) == 0 ? __builtin_ctzll(unit) : -1};
    c->lsu_port = fmax(16, device->l2_bytes_per_clk.value / device->sm_count.value);
    take_costs(c);
    start_run(c);
    if (sampling != GP_SAMPLE_QUICK_AGAIN)
        memset(c->spots, 0, c->kernel->memory_count * sizeof *c->spots);

    struct gp_sample *samples = NULL;
    uint32_t most_groups = quick && sampling != GP_SAMPLE_QUICK_GROUPS ? 3 : gp_sample_groups(launch, lanes);
    size_t count = gp_sample_launch(launch, lanes, most_groups, all_warps ? MOST_WARPS : 2, &samples);
    if (count == 0)
        return gp_fail(error, "nothing to execute: the launch has no work-items");
    if (quick)
        count = gp_thin_out_samples(samples, count, groups);
    else
        count = gp_thin_out_edges(samples, count);
    if (sampling == GP_SAMPLE_QUICK_AGAIN && c->light_share < GP_LITTLE)
        count = gp_drop_light_samples(samples, count);
    c->most_visits = quick && !probed ? MOST_VISITS / (uint32_t)count : MOST_VISITS;
    bool ok = run_samples(c, launch, samples, count, work->groups * warps, probed, error);
    if (ok && probed)
        ok = probe_neighbours(c, launch, samples, count, error);
    free(samples);
    bound_by_extent(c, groups, work);
    for (uint32_t m = 0; m < work->memory_count; m++) {
        work->memory[m].buffer = c->buffer_of[m];
        work->memory[m].addresses = work->memory[m].operations > 0 ? addresses_of(c, m) : INFINITY;
        work->buffers[c->buffer_of[m]].read_again |= work->memory[m].again > 0;
    }
    return ok;
}
