/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "test/oracle/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/executor/executor.h"
#include "model/memory/requests.h"
#include "test/oracle/inputs.h"
#include "test/oracle/rules.h"

static const char *const level_names[] = {"exact", "symbol", "address", "count", "wrong"};

/* What one warp did with one record, in order; and how much of it the executor has told so far. */
struct queue {
    size_t count, room, told;
    struct oracle_event *events;
    bool guessed;  /* the executor called some of it a guess */
    bool differs;  /* other lanes, or more or fewer executions */
    uint8_t level; /* of this warp's addresses */
};

struct comparison {
    const struct oracle_subject *subject;
    const struct oracle_inputs *inputs;
    const struct gp_device *const *devices; /* all of one warp width */
    size_t device_count;
    struct gp_executor *executor;
    struct queue *queues; /* per memory record, then per instruction (barriers) */
    size_t queue_count;
    struct oracle_sums *told, *seen; /* per queue, of the first device */
    struct oracle_result *result;
    const struct oracle_trace *trace;
    FILE *out;
    uint32_t complaints;
    struct gp_error *error;
};

/* ---- Complaints
 * ------------------------------------------------------------------------------------------------------- */

static uint32_t line_of(const struct oracle_subject *subject, size_t queue)
{
    const struct gp_kernel *kernel = subject->kernel;
    uint32_t inst =
        queue < kernel->memory_count ? kernel->memory[queue].inst : (uint32_t)(queue - kernel->memory_count);
    uint32_t location = kernel->insts[inst].location;
    while (location != GP_NONE && subject->profile->locations[location].inlined_at != GP_NONE)
        location = subject->profile->locations[location].inlined_at;
    return location == GP_NONE ? 0 : subject->profile->locations[location].line;
}

static void raise(struct comparison *c, size_t queue, enum oracle_level level)
{
    if (c->result->level[queue] < level)
        c->result->level[queue] = (uint8_t)level;
}

static void complain(struct comparison *c, size_t queue, const char *what, double told, double seen)
{
    raise(c, queue, ORACLE_WRONG);
    c->result->wrong = true;
    if (c->complaints++ < 8)
        fprintf(c->out,
                "%s, line %u, %s %zu, width %g, group %" PRIu64 "x%" PRIu64 "x%" PRIu64
                " warp %u: %s: said %g, is %g\n",
                c->subject->kernel->name, line_of(c->subject, queue),
                queue < c->subject->kernel->memory_count ? "memory operation" : "barrier", queue,
                c->devices[0]->warp_width.value, c->trace->group[0], c->trace->group[1], c->trace->group[2],
                c->trace->warp, what, told, seen);
}

/* ---- The machine's events by record
 * ---------------------------------------------------------------------------------- */

static struct oracle_event *append(struct queue *queue)
{
    if (queue->count == queue->room) {
        queue->room = queue->room ? 2 * queue->room : 8;
        queue->events = realloc(queue->events, queue->room * sizeof *queue->events);
        if (!queue->events)
            abort();
    }
    struct oracle_event *event = &queue->events[queue->count++];
    memset(event, 0, sizeof *event);
    return event;
}

/* async_work_group_copy: the group's items take elements in turn; the rounds in which this warp has some. */
static void expand_bulk(struct comparison *c, struct queue *queue, const struct oracle_event *event)
{
    const struct gp_memory *memory = &c->subject->kernel->memory[event->number];
    uint32_t lane = (uint32_t)__builtin_ctzll(event->lanes), width = (uint32_t)c->devices[0]->warp_width.value;
    uint64_t elements = (uint64_t)event->texel[0][lane], stride = (uint64_t)event->texel[1][lane];
    uint64_t bytes = (uint64_t)memory->element_bytes * memory->vector, items = 1;
    for (int d = 0; d < 3; d++) {
        uint64_t left = c->inputs->launch.global[d] - c->trace->group[d] * c->inputs->launch.local[d];
        items *= left < c->inputs->launch.local[d] ? left : c->inputs->launch.local[d];
    }
    for (uint64_t round = 0; round * items + (uint64_t)c->trace->warp * width < elements; round++) {
        struct oracle_event *one = append(queue);
        one->kind = ORACLE_ACCESS;
        one->number = event->number;
        for (uint32_t i = 0; i < width; i++) {
            uint64_t item = (uint64_t)c->trace->warp * width + i, element = round * items + item;
            if (item >= items || element >= elements)
                continue;
            one->lanes |= (uint64_t)1 << i;
            one->address[i] = event->address[lane] + element * bytes * stride;
        }
    }
}

static void sort_events(struct comparison *c)
{
    for (size_t q = 0; q < c->queue_count; q++) {
        struct queue *queue = &c->queues[q];
        queue->count = queue->told = 0;
        queue->guessed = queue->differs = false;
        queue->level = ORACLE_EXACT;
    }
    for (size_t i = 0; i < c->trace->count; i++) {
        const struct oracle_event *event = &c->trace->events[i];
        size_t q = event->number + (event->kind == ORACLE_AT_BARRIER ? c->subject->kernel->memory_count : 0);
        if (event->kind == ORACLE_BULK)
            expand_bulk(c, &c->queues[q], event);
        else
            *append(&c->queues[q]) = *event;
    }
    c->result->events += c->trace->count;
}

/* Where addresses really lie. */
static enum gp_space real_space(const struct comparison *c, const struct oracle_event *event,
                                const struct gp_memory *memory)
{
    uint64_t address = event->address[__builtin_ctzll(event->lanes)];
    if (address < c->subject->code.frame_bytes)
        return GP_SPACE_PRIVATE;
    const struct oracle_region *lists[] = {c->inputs->regions, c->subject->arrays};
    size_t counts[] = {c->inputs->region_count, c->subject->array_count};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < counts[k]; i++)
            if (address - lists[k][i].start < lists[k][i].bytes && lists[k][i].local)
                return GP_SPACE_LOCAL;
    return memory->space == GP_SPACE_CONSTANT ? GP_SPACE_CONSTANT : GP_SPACE_GLOBAL;
}

/* ---- What the executor tells
 * ------------------------------------------------------------------------------------------ */

/* Lanes with one symbol must be as far apart as said; a parameter's symbol is where the parameter points. */
static void check_numbers(struct comparison *c, size_t q, const struct gp_access *access, const uint32_t *symbol,
                          const uint64_t *said, const uint64_t *is, bool address)
{
    const struct gp_kernel *kernel = c->subject->kernel;
    uint32_t made_up = 1 + kernel->param_count + kernel->local_count + kernel->global_count + kernel->private_count;
    struct queue *queue = &c->queues[q];
    for (uint32_t lane = 0; lane < ORACLE_LANES; lane++) {
        if (!(access->active >> lane & 1))
            continue;
        uint32_t s = symbol[lane];
        uint64_t start = is[lane] - said[lane];
        if (s == GP_SYMBOL_UNKNOWN || (access->assumed >> lane & 1) || access->drawn) {
            queue->level = queue->level < ORACLE_ADDRESS ? ORACLE_ADDRESS : queue->level;
            continue;
        }
        if (s >= made_up)
            queue->level = queue->level < ORACLE_SYMBOL ? ORACLE_SYMBOL : queue->level;
        if (s == GP_SYMBOL_KNOWN && start != 0)
            complain(c, q, address ? "address" : "coordinate", (double)said[lane], (double)is[lane]);
        if (address && s >= 1 && s <= kernel->param_count && c->inputs->start[s - 1] &&
            start != c->inputs->start[s - 1])
            complain(c, q, "distance from the buffer's start", (double)(int64_t)said[lane],
                     (double)(int64_t)(is[lane] - c->inputs->start[s - 1]));
        for (uint32_t other = 0; other < lane; other++)
            if ((access->active & ~access->assumed) >> other & 1 && symbol[other] == s &&
                is[other] - said[other] != start)
                complain(c, q, "distance between lanes", (double)(int64_t)(said[lane] - said[other]),
                         (double)(int64_t)(is[lane] - is[other]));
    }
}

static void check_uniform(struct comparison *c, size_t q, const struct gp_access *access,
                          const struct oracle_event *event)
{
    const struct gp_kernel *kernel = c->subject->kernel;
    const struct gp_inst *inst = &kernel->insts[kernel->memory[q].inst];
    bool proved = (inst->flags & GP_INST_UNIFORM) && inst->op == GP_OP_LOAD;
    if (event->kind != ORACLE_ACCESS || (!proved && !access->uniform))
        return;
    uint32_t first = (uint32_t)__builtin_ctzll(event->lanes);
    for (uint32_t lane = 0; lane < ORACLE_LANES; lane++)
        if ((event->lanes >> lane & 1) && event->address[lane] != event->address[first])
            complain(c, q, "one address for all lanes", (double)(int64_t)event->address[first],
                     (double)(int64_t)event->address[lane]);
}

static void check_requests(struct comparison *c, size_t q, const struct gp_access *access,
                           const struct oracle_event *event)
{
    const struct gp_kernel *kernel = c->subject->kernel;
    const struct gp_memory *memory = &kernel->memory[q];
    bool proved = kernel->insts[memory->inst].flags & GP_INST_UNIFORM;
    enum gp_space space = event->kind == ORACLE_ACCESS ? real_space(c, event, memory) : GP_SPACE_IMAGE;
    struct queue *queue = &c->queues[q];
    if ((space == GP_SPACE_LOCAL) != (memory->space == GP_SPACE_LOCAL) && memory->space != GP_SPACE_GENERIC)
        complain(c, q, "address space", memory->space, space);
    for (size_t d = 0; d < c->device_count; d++) {
        struct gp_request told;
        gp_request_cost(c->devices[d], kernel, access, &told);
        struct oracle_request seen = oracle_cost(c->devices[d], memory, space, proved, event);
        if (d == 0) {
            c->told[q].transactions += told.transactions;
            c->told[q].passes += told.passes;
            c->seen[q].transactions += seen.transactions;
            c->seen[q].passes += seen.passes;
        }
        struct {
            const char *what;
            double told, seen;
        } pairs[] = {{"transactions", told.transactions, seen.transactions},
                     {"useful bytes", told.useful_bytes, seen.useful_bytes},
                     {"bank passes", told.passes, seen.passes},
                     {"conflict degree", told.conflict_degree, seen.conflict_degree},
                     {"lanes on one address", told.same_address, seen.same_address}};
        bool rests_on_loads = queue->level >= ORACLE_SYMBOL;
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            if (fabs(pairs[i].told - pairs[i].seen) > 1e-9 && !rests_on_loads)
                complain(c, q, pairs[i].what, pairs[i].told, pairs[i].seen);
        if (told.guessed && queue->level < ORACLE_ADDRESS)
            complain(c, q, "all addresses known", 1, 0);
    }
}

static void on_access(void *context, const struct gp_access *access)
{
    struct comparison *c = context;
    struct queue *queue = &c->queues[access->memory];
    const struct oracle_event *event = queue->told < queue->count ? &queue->events[queue->told] : NULL;
    queue->told++;
    queue->guessed |= access->guessed;
    c->told[access->memory].executions += access->weight;
    c->told[access->memory].lanes += access->weight * __builtin_popcountll(access->active);
    queue->differs |= !event || event->lanes != access->active || access->weight != 1;
    if (queue->differs || queue->guessed)
        return;
    check_uniform(c, access->memory, access, event);
    if (event->kind == ORACLE_IMAGE) {
        for (uint32_t d = 0; d < access->coordinates; d++)
            check_numbers(c, access->memory, access, access->coordinate_symbol[d], access->coordinate[d],
                          (const uint64_t *)event->texel[d], false);
        if (access->coordinates != event->dims)
            complain(c, access->memory, "coordinates", access->coordinates, event->dims);
    } else {
        check_numbers(c, access->memory, access, access->symbol, access->offset, event->address, true);
    }
    check_requests(c, access->memory, access, event);
}

static void on_barrier(void *context, uint32_t inst, gp_mask active, double weight)
{
    struct comparison *c = context;
    size_t q = c->subject->kernel->memory_count + inst;
    struct queue *queue = &c->queues[q];
    const struct oracle_event *event = queue->told < queue->count ? &queue->events[queue->told] : NULL;
    queue->told++;
    c->told[q].executions += weight;
    c->told[q].lanes += weight * __builtin_popcountll(active);
    queue->differs |= !event || event->lanes != active || weight != 1;
}

/* ---- One warp
 * ------------------------------------------------------------------------------------------------------------ */

static void judge(struct comparison *c, size_t q, const struct gp_exec_result *done)
{
    struct queue *queue = &c->queues[q];
    bool guesses = done->guessed_branches || done->guessed_trips || done->cut_off;
    for (size_t i = 0; i < queue->count; i++) {
        c->seen[q].executions++;
        c->seen[q].lanes += __builtin_popcountll(queue->events[i].lanes);
    }
    queue->differs |= queue->told != queue->count;
    if (queue->guessed)
        raise(c, q, ORACLE_COUNT);
    else if (!queue->differs)
        raise(c, q, queue->level);
    else if (guesses && (queue->told < queue->count || q >= c->subject->kernel->memory_count))
        raise(c, q, ORACLE_COUNT); /* behind an exit that was not taken; barriers say nothing of guesses */
    else
        complain(c, q, "executions, or their lanes", (double)queue->told, (double)queue->count);
}

static bool on_warp(void *context, const struct oracle_trace *trace)
{
    struct comparison *c = context;
    struct gp_exec_options options = {.warp_width = (uint32_t)c->devices[0]->warp_width.value,
                                      .exhaustive = true,
                                      .max_block_visits = 1 << 22}; /* what is guessed may go on for ever */
    struct gp_observer observer = {.context = c, .access = on_access, .barrier = on_barrier};
    struct gp_exec_result done;
    c->trace = trace;
    sort_events(c);
    if (!gp_execute_warp(c->executor, &c->inputs->launch, trace->group, trace->warp, &options, &observer, &done,
                         c->error))
        return false;
    for (size_t q = 0; q < c->queue_count; q++)
        judge(c, q, &done);
    c->result->warps++;
    return true;
}

/* ---- A launch
 * -------------------------------------------------------------------------------------------------------------- */

static void print_sums(const struct comparison *c)
{
    fprintf(c->out,
            "%s, width %g:\n  line  operation       executions        lanes     transactions       passes  level\n",
            c->subject->kernel->name, c->devices[0]->warp_width.value);
    for (size_t q = 0; q < c->queue_count; q++) {
        if (c->told[q].executions == 0 && c->seen[q].executions == 0)
            continue;
        bool memory = q < c->subject->kernel->memory_count;
        uint32_t inst = memory ? c->subject->kernel->memory[q].inst : (uint32_t)(q - c->subject->kernel->memory_count);
        const struct oracle_sums *all[] = {&c->told[q], &c->seen[q]};
        for (int i = 0; i < 2; i++)
            fprintf(c->out, "  %4u  %-12s %13g %12g %16g %12g  %s\n", line_of(c->subject, q),
                    i ? "  is" : gp_op_name(c->subject->kernel->insts[inst].op), all[i]->executions, all[i]->lanes,
                    all[i]->transactions, all[i]->passes, i ? "" : level_names[c->result->level[q]]);
    }
}

static bool compare_width(struct comparison *c, const char *line, bool verbose)
{
    const struct gp_launch *launch = &c->inputs->launch;
    struct oracle_range range = {.dims = launch->dims, .warp_width = (uint32_t)c->devices[0]->warp_width.value};
    for (int d = 0; d < 3; d++) {
        range.global[d] = launch->global[d];
        range.offset[d] = launch->offset[d];
        range.local[d] = launch->local[d];
    }
    struct oracle_inputs *inputs = (struct oracle_inputs *)c->inputs;
    size_t count = inputs->region_count + c->subject->array_count;
    struct oracle_region *regions = calloc(count + 1, sizeof *regions);
    c->queue_count = (size_t)c->subject->kernel->memory_count + c->subject->kernel->inst_count;
    c->queues = calloc(c->queue_count + 1, sizeof *c->queues);
    c->told = calloc(c->queue_count + 1, sizeof *c->told);
    c->seen = calloc(c->queue_count + 1, sizeof *c->seen);
    c->executor = gp_executor_new(c->subject->kernel);
    bool ok = regions && c->queues && c->told && c->seen && c->executor;
    if (ok) {
        memcpy(regions, inputs->regions, inputs->region_count * sizeof *regions);
        if (c->subject->array_count)
            memcpy(regions + inputs->region_count, c->subject->arrays, c->subject->array_count * sizeof *regions);
        oracle_inputs_reset(c->subject->kernel, line, inputs);
        ok = oracle_run(&c->subject->code, &range, inputs->arguments, regions, count, on_warp, c, c->error);
        if (ok && verbose)
            print_sums(c);
    }
    for (size_t q = 0; c->queues && q < c->queue_count; q++)
        free(c->queues[q].events);
    gp_executor_free(c->executor);
    free(regions);
    free(c->queues);
    free(c->told);
    free(c->seen);
    return ok;
}

bool oracle_compare(const struct oracle_subject *subject, const char *line, const struct gp_device *const *devices,
                    size_t device_count, bool verbose, FILE *out, struct oracle_result *result, struct gp_error *error)
{
    struct oracle_inputs inputs;
    bool whole_groups = strncmp(subject->profile->triple, "spir", 4) != 0;
    if (!oracle_inputs_make(subject->kernel, line, whole_groups, &inputs, error))
        return false;
    bool ok = true;
    for (size_t first = 0; ok && first < device_count;) {
        size_t next = first + 1;
        while (next < device_count && devices[next]->warp_width.value == devices[first]->warp_width.value)
            next++;
        struct comparison c = {.subject = subject,
                               .inputs = &inputs,
                               .devices = devices + first,
                               .device_count = next - first,
                               .result = result,
                               .out = out,
                               .error = error};
        ok = compare_width(&c, line, verbose);
        first = next;
    }
    oracle_inputs_free(&inputs);
    return ok;
}

/* ---- Marks in the source
 * --------------------------------------------------------------------------------------------------- */

static enum oracle_level mark_of(const char *text, uint32_t line)
{
    while (--line > 0 && (text = strchr(text, '\n')))
        text++;
    if (!text)
        return ORACLE_EXACT;
    const char *mark = strstr(text, "expect: "), *end = strchr(text, '\n');
    for (int level = ORACLE_SYMBOL; level <= ORACLE_COUNT && mark && (!end || mark < end); level++)
        if (!strncmp(mark + 8, level_names[level], strlen(level_names[level])))
            return (enum oracle_level)level;
    return ORACLE_EXACT;
}

bool oracle_check_marks(const struct oracle_subject *subject, const char *text, const struct oracle_result *result,
                        FILE *out)
{
    size_t count = (size_t)subject->kernel->memory_count + subject->kernel->inst_count;
    bool ok = true;
    for (size_t q = 0; q < count; q++) {
        uint32_t line = line_of(subject, q);
        if (q >= subject->kernel->memory_count &&
            subject->kernel->insts[q - subject->kernel->memory_count].op != GP_OP_BARRIER)
            continue;
        enum oracle_level worst = ORACLE_EXACT, mark = line ? mark_of(text, line) : ORACLE_EXACT;
        for (size_t other = 0; other < count; other++)
            if (line_of(subject, other) == line && result->level[other] > worst)
                worst = (enum oracle_level)result->level[other];
        if (worst == mark)
            continue;
        fprintf(out, "%s, line %u: expected %s, found %s\n", subject->kernel->name, line, level_names[mark],
                level_names[worst]);
        ok = false;
    }
    return ok;
}
