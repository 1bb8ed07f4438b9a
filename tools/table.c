/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "model/compilers/loop_text.h"
#include "model/compilers/reachable_blocks.h"
#include "model/assume/describe.h"
#include "model/assume/texels.h"
#include "model/findings/cuda_words.h"
#include "report/report_json.h"
#include "tools/assumed.h"
#include "tools/output/assumptions.h"
#include "tools/results.h"

const char *gp_sizes_text(uint32_t dims, const uint32_t size[3], char text[GP_SIZES_TEXT])
{
    if (dims >= 3)
        snprintf(text, GP_SIZES_TEXT, "%ux%ux%u", size[0], size[1], size[2]);
    else if (dims == 2)
        snprintf(text, GP_SIZES_TEXT, "%ux%u", size[0], size[1]);
    else
        snprintf(text, GP_SIZES_TEXT, "%u", size[0]);
    return text;
}

struct unit {
    double from, ns;
    const char *name;
};

static const struct unit *unit_of(double ns)
{
    static const struct unit units[] = {{1e9, 1e9, "s"}, {1e6, 1e6, "ms"}, {1e3, 1e3, "us"}, {0, 1, "ns"}};
    size_t i = 0;
    while (ns < units[i].from)
        i++;
    return &units[i];
}

/* The number's width is that of a column; 0: as wide as it is. */
static void write_time(double ns, int number, int width, char text[GP_TIME_TEXT])
{
    const struct unit *unit = unit_of(ns);
    double value = ns / unit->ns;
    snprintf(text, GP_TIME_TEXT, "%*.*f %-*s", number, value < 10 ? 2 : value < 100 ? 1 : 0, value, width, unit->name);
}

/* In the unit of its time: "9 to 14"; where a loop never ends, "or more". */
static void print_range(const struct gp_prediction *p, int width, struct gp_text *out)
{
    double ns = unit_of(p->time_ns)->ns, low = p->time_ns_low / ns, high = p->time_ns_high / ns;
    char text[64];
    snprintf(text, sizeof text, "%.*f to %.*f", low < 9.95 ? 1 : 0, low, high < 9.95 ? 1 : 0, high);
    gp_text_printf(out, "%-*s", width, p->endless > 0 ? "or more" : text);
}

const char *gp_time_text(double ns, char text[GP_TIME_TEXT])
{
    write_time(ns, 0, 0, text);
    return text;
}

void gp_print_time(struct gp_text *out, double ns)
{
    char text[GP_TIME_TEXT];
    write_time(ns, 8, 2, text);
    gp_text_printf(out, "%s", text);
}

static bool is_cuda(const struct gp_result *result) { return strcmp(result->profile->language, "cuda") == 0; }

const char *gp_local_word(const struct gp_result *result) { return is_cuda(result) ? "block" : "local"; }

/* As the notes describe it; the local size is what the table is about. */
void gp_print_launch(const struct gp_result *result, char *text, size_t size)
{
    gp_launch_words(result->profile, result->kernel, result->launch, text, size);
    char *local = strstr(text, is_cuda(result) ? ", block " : ", local ");
    size_t length = local != NULL ? 1 + strcspn(local + 1, ",") : 0;
    if (local != NULL)
        memmove(local, local + length, strlen(local + length) + 1);
    size_t used = strlen(text);
    if (result->resident > 0)
        snprintf(text + used, size - used, ", at most %u warps resident", result->resident);
}

/* Whether the table's rows tell of it, or what was asked for does. */
static bool is_told_elsewhere(const struct gp_result *result, const char *name)
{
    return strcmp(name, "local") == 0 || (result->groups.dims > 0 && strcmp(name, "global") == 0);
}

/* What of the launch nobody has stated: all of it, or the names. */
static void print_what_is_assumed(const struct gp_result *result, struct gp_text *out)
{
    struct gp_assumption list[GP_MOST_ASSUMPTIONS];
    size_t count = gp_launch_assumptions(result->kernel, result->launch, list), stated = result->groups.dims > 0,
           assumed = 0;
    for (size_t i = 0; i < count; i++) {
        stated += list[i].stated && !is_told_elsewhere(result, list[i].name);
        assumed += !list[i].stated && !is_told_elsewhere(result, list[i].name);
    }
    if (assumed > 0)
        gp_text_printf(out, stated == 0 ? "; all of it assumed" : "; assumed:");
    for (size_t i = 0, told = 0; stated > 0 && i < count; i++) {
        char from[GP_ASSUMPTION_TEXT];
        if (list[i].stated || is_told_elsewhere(result, list[i].name))
            continue;
        gp_text_printf(out, "%s%s", told++ > 0 ? ", " : " ", list[i].name);
        if (strcmp(list[i].name, "global") == 0 &&
            gp_launch_range_from(result->kernel, result->launch, from, sizeof from) > 0)
            gp_text_printf(out, " (from %s)", from);
    }
}

static void print_launch(const struct gp_result *result, struct gp_text *out)
{
    char text[4096];
    gp_print_launch(result, text, sizeof text);
    const struct gp_sizes *groups = &result->groups;
    gp_text_printf(out, "  launch     ");
    if (groups->dims > 0) {
        gp_text_printf(out, "%s ", is_cuda(result) ? "grid" : "groups");
        for (uint32_t d = 0; d < groups->dims; d++)
            gp_text_printf(out, "%s%llu", d > 0 ? "x" : "", (unsigned long long)groups->size[d]);
    }
    gp_text_printf(out, "%s", groups->dims > 0 ? text + strcspn(text, ",") : text);
    print_what_is_assumed(result, out);
    gp_text_printf(out, "\n");
}

/* "58% with local 32x8": of a share that rows hardly differ in. */
static void print_sure(const struct gp_result *result, const struct gp_prediction *p, struct gp_text *out)
{
    char local[GP_SIZES_TEXT];
    gp_text_printf(out, "%.0f%% with %s %s", p->confidence * 100, gp_local_word(result),
                   gp_sizes_text(p->dims, p->local, local));
}

/* Of the launch's own size, and of the best where that is another. */
static void print_time_and_confidence(const struct gp_result *result, struct gp_text *out)
{
    const double hardly = 0.02;
    const struct gp_prediction *own = gp_launched(result), *best = &result->predictions[0];
    char time[GP_TIME_TEXT], local[GP_SIZES_TEXT];
    gp_text_printf(out, "  time       %s%s with %s %s%s", own->endless > 0 ? "at least " : "",
                   gp_time_text(own->time_ns, time), gp_local_word(result), gp_sizes_text(own->dims, own->local, local),
                   own->endless > 0 ? ": a loop never ends" : ", ");
    if (own->endless == 0)
        print_range(own, 0, out);
    gp_text_printf(out, "\n  confidence ");
    if (fabs(own->confidence - best->confidence) > hardly) {
        print_sure(result, own, out);
        gp_text_printf(out, ", ");
        print_sure(result, best, out);
    } else {
        gp_text_printf(out, "%.0f%%", own->confidence * 100);
    }
    gp_text_printf(out, "; known %.0f%%\n", own->known_share * 100);
}

static bool asks_for(const struct gp_kernel *kernel, enum gp_id id)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        if (kernel->insts[i].op == GP_OP_ID && (enum gp_id)(kernel->insts[i].sub >> 2) == id)
            return true;
    return false;
}

/* Versions of LLVM keep different values in registers: a driver of another one may spill where this one does not. */
static const char *compiler_of(const struct gp_result *result, const struct gp_resources *resources, char text[64])
{
    const char *version = strstr(result->profile->producer, " clang ");
    if (resources == NULL)
        return "assumed";
    if (resources->source != GP_SOURCE_LLVM || version == NULL)
        return gp_resource_source_name(resources->source);
    version += strlen(" clang ");
    snprintf(text, 64, "LLVM %.*s", (int)strcspn(version, "."), version);
    return text;
}

static void print_spills(const struct gp_prediction *best, const struct gp_resources *resources, struct gp_text *out)
{
    bool by_version = resources != NULL && resources->source == GP_SOURCE_LLVM; /* none that AMD's programs come with */
    if (best->spill_bytes > 0)
        gp_text_printf(out, "%u bytes spilled per work-item%s\n", best->spill_bytes,
                       by_version ? "; another LLVM may spill otherwise" : "");
    else
        gp_text_printf(out, "no spills\n");
}

static void print_resources(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_prediction *best = &result->predictions[0];
    uint32_t items = best->local[0] * best->local[1] * best->local[2];
    const struct gp_resources *resources = gp_kernel_resources(result->kernel, items);
    char text[64];
    if (result->device->arch != GP_ARCH_CPU)
        gp_text_printf(out, "  registers  %u (%s); ", best->registers, compiler_of(result, resources, text));
    else
        gp_text_printf(out, "  memory     ");
    gp_text_printf(out, "local memory %u B; ", best->local_memory);
    print_spills(best, resources, out);
    if (result->foreign)
        gp_text_printf(out, "  note       predicted from code for %s%s%s, not for the device itself%s%s\n",
                       result->profile->triple, result->profile->cpu[0] ? " " : "", result->profile->cpu,
                       result->foreign_why[0] ? ", for which it does not compile: " : "", result->foreign_why);
    if (result->device->arch == GP_ARCH_XE)
        gp_text_printf(out,
                       "  note       no kernel was measured on Intel's GPUs: range and confidence are those of all "
                       "devices together\n");
    uint32_t most = (uint32_t)result->device->max_registers_per_thread.value,
             lanes = (uint32_t)result->device->warp_width.value;
    if (result->device->arch == GP_ARCH_XE && best->registers > most)
        gp_text_printf(
            out,
            "  note       sub-groups of %u: those of %u have %u registers per work-item, and the compiler is "
            "assumed to choose by that\n",
            lanes / 2, lanes, most);
    const struct gp_fact *agnostic = &result->kernel->local_size_agnostic;
    bool by_groups =
        result->groups.dims == 0 && asks_for(result->kernel, GP_ID_GROUP) && !asks_for(result->kernel, GP_ID_GLOBAL);
    if (result->count > 1 && !agnostic->holds)
        gp_text_printf(out, "  note       %s: results may differ between %s sizes%s\n", agnostic->reason,
                       gp_local_word(result), by_groups ? "; with --groups each has as many groups" : "");
}

/* Sizes that nobody should launch are not in the table. */
static void print_overrun(const struct gp_result *result, struct gp_text *out)
{
    char local[GP_SIZES_TEXT];
    if (result->overrun_why[0] != '\0')
        gp_text_printf(out, "  note       sizes such as %s %s are left out: %s\n", gp_local_word(result),
                       gp_sizes_text(result->launch->dims, result->overrun, local), result->overrun_why);
}

/* "64, 32x8", of many "64, 32x8, 16x16 and 9 others": nobody reads fifty. */
static void list_sizes_that_are_not(const struct gp_result *result,
                                    bool (*so)(const struct gp_result *, const struct gp_prediction *),
                                    struct gp_text *list)
{
    enum { MANY = 8, FEW = 3 };
    size_t all = 0, told = 0;
    for (size_t i = 0; i < result->count; i++)
        all += !so(result, &result->predictions[i]);
    for (size_t i = 0; i < result->count && (all <= MANY || told < FEW); i++) {
        const struct gp_prediction *p = &result->predictions[i];
        char local[GP_SIZES_TEXT];
        if (so(result, p))
            continue;
        gp_text_printf(list, "%s%s", told > 0 ? ", " : "", gp_sizes_text(p->dims, p->local, local));
        told++;
    }
    if (told < all)
        gp_text_printf(list, " and %zu others", all - told);
}

static bool suits(const struct gp_result *result, const struct gp_prediction *p)
{
    const uint32_t *told = result->told_group;
    for (int d = 0; d < 3; d++)
        if (told[d] > 0 && p->local[d] != told[d])
            return false;
    return true;
}

/* "16x16", "32xany". */
static void print_told_sizes(const struct gp_result *result, struct gp_text *out)
{
    const uint32_t *told = result->told_group;
    uint32_t last = 0;
    struct gp_text others = {0};
    for (uint32_t d = 0; d < 3; d++)
        last = told[d] > 0 || d < result->launch->dims ? d : last;
    if (told[0] + told[1] + told[2] == 0)
        return;
    gp_text_printf(out, "  note       its constants are made for %s ", gp_local_word(result));
    for (uint32_t d = 0; d <= last; d++) {
        const char *between = d > 0 ? "x" : "";
        if (told[d] > 0)
            gp_text_printf(out, "%s%u", between, told[d]);
        else
            gp_text_printf(out, "%sany", between);
    }
    list_sizes_that_are_not(result, suits, &others);
    if (others.length > 0)
        gp_text_printf(out, ": with %s places are left out or stored twice\n", others.data);
    else
        gp_text_printf(out, "; other sizes would leave places out or store them twice\n");
    gp_text_free(&others);
}

/* Nobody asked for these, and they cost too much: predict.c. */
static void print_passed_over(const struct gp_result *result, struct gp_text *out)
{
    if (result->passed_over > 0)
        gp_text_printf(out,
                       "  note       %zu of %zu %s sizes were looked at, spread evenly, since each takes long; "
                       "others can be asked for (--local)\n",
                       result->count, result->count + result->passed_over, gp_local_word(result));
}

static bool divides(const struct gp_result *result, const struct gp_prediction *p)
{
    for (int d = 0; d < 3; d++) {
        if (result->launch->global[d] % p->local[d] != 0)
            return false;
    }
    return true;
}

static bool within(const struct gp_result *result, const struct gp_prediction *p)
{
    for (int d = 0; d < 3; d++) {
        if (p->local[d] > result->launch->global[d])
            return false;
    }
    return true;
}

void gp_print_uneven(const char *locals, struct gp_text *out)
{
    gp_text_printf(out,
                   "the global size is no multiple of local %s: OpenCL before 2.0 refuses such a launch "
                   "(CL_INVALID_WORK_GROUP_SIZE)\n",
                   locals);
}

/* Launches that an OpenCL program cannot make, or hardly means to. CUDA's global size is a whole grid anyway. */
static void print_uneven_groups(const struct gp_result *result, struct gp_text *out)
{
    struct gp_text uneven = {0}, beyond = {0};
    if (strcmp(result->profile->language, "cuda") == 0 || result->groups.dims > 0)
        return;
    list_sizes_that_are_not(result, divides, &uneven);
    list_sizes_that_are_not(result, within, &beyond);
    if (uneven.length > 0 && result->whole_groups) {
        gp_text_printf(out, "  note       ");
        gp_print_uneven(uneven.data, out);
    }
    if (beyond.length > 0)
        gp_text_printf(out, "  note       local %s: larger than the global size, only a part of the group is used\n",
                       beyond.data);
    gp_text_free(&uneven);
    gp_text_free(&beyond);
}

static bool is_followed(const struct gp_result *result, const struct gp_prediction *p)
{
    (void)result;
    return !p->cut_off || p->endless > 0;
}

static bool may_end(const struct gp_result *result, const struct gp_prediction *p)
{
    (void)result;
    return p->endless == 0;
}

/* What decides whether the loop ends was seen to come back to what it was. */
static void print_endless(const struct gp_result *result, struct gp_text *out)
{
    struct gp_text sizes = {0};
    char place[1024];
    uint32_t loop = 0;
    size_t count = 0;
    for (size_t i = 0; i < result->count; i++) {
        uint32_t endless = result->predictions[i].endless;
        loop = loop > 0 ? loop : endless;
        count += endless > 0;
    }
    if (loop == 0)
        return;
    list_sizes_that_are_not(result, may_end, &sizes);
    gp_print_place(result->profile, result->kernel, result->kernel->loops[loop - 1].location, place, sizeof place);
    bool all = count > 1 && count == result->count;
    gp_text_printf(out,
                   "  note       %s%s %s: the loop at %s never ends: %s; the time is of the part that was followed\n",
                   all ? "all " : "", gp_local_word(result), all ? "sizes" : sizes.data, place,
                   gp_loop_has_exit(result->kernel, loop - 1)
                       ? "what would end it comes back to what it was before, as a counter does that wraps"
                       : "nothing in it leads out of it");
    gp_text_free(&sizes);
}

/* The executor gave up on a warp: its work, and so the time, is that of the part before. */
static void print_cut_off(const struct gp_result *result, struct gp_text *out)
{
    struct gp_text cut = {0};
    size_t count = 0, few = 3;
    for (size_t i = 0; i < result->count; i++)
        count += !is_followed(result, &result->predictions[i]);
    bool all = count > few && count == result->count;
    const char *word = gp_local_word(result);
    list_sizes_that_are_not(result, is_followed, &cut);
    if (count > 0)
        gp_text_printf(out,
                       "  note       %s%s %s: a warp is not followed to its end, as in a loop that ends late or never; "
                       "the kernel takes longer than this time, which is of the part that was followed\n",
                       all ? "all " : "", word, all ? "sizes" : cut.data);
    gp_text_free(&cut);
}

static bool does_something(const struct gp_result *result, const struct gp_prediction *p)
{
    (void)result;
    return !p->does_nothing;
}

/* Nothing is loaded, stored, called or waited for, and no loop goes round. */
static bool is_empty(const struct gp_kernel *kernel)
{
    bool empty = kernel->memory_count == 0 && kernel->loop_count == 0;
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        empty &= kernel->insts[i].op != GP_OP_CALL && kernel->insts[i].op != GP_OP_BARRIER;
    return empty;
}

/* With the arguments that are assumed, or stated, a guard lets nobody pass. */
static void print_idle(const struct gp_result *result, struct gp_text *out)
{
    if (is_empty(result->kernel))
        gp_text_printf(out, "  note       nothing is left of it: compilers remove what stores nothing, and C++'s loops "
                            "that never end\n");
    static const char what[] =
        "with these arguments no work-item that was looked at stores anything; say what they are (--arg)";
    struct gp_text idle = {0};
    size_t count = 0;
    for (size_t i = 0; i < result->count; i++)
        count += result->predictions[i].does_nothing;
    list_sizes_that_are_not(result, does_something, &idle);
    if (count > 0 && count == result->count)
        gp_text_printf(out, "  note       %s\n", what);
    else if (count > 0)
        gp_text_printf(out, "  note       %s %s: %s\n", gp_local_word(result), idle.data, what);
    gp_text_free(&idle);
}

static void print_overflow(const struct gp_result *result, struct gp_text *out)
{
    char product[128];
    if (gp_launch_overflow(result->kernel, result->launch, product, sizeof product))
        gp_text_printf(out, "  note       %s is more than an int holds with these arguments: it wraps\n", product);
}

/* Whether an operation before it is on the same image. */
static bool is_on_known_image(const struct gp_kernel *kernel, uint32_t memory)
{
    uint32_t m = 0;
    while (kernel->memory[m].base != kernel->memory[memory].base || kernel->memory[m].space != GP_SPACE_IMAGE)
        m++;
    return m < memory;
}

/* The format of an image decides its traffic, and the code does not tell it. */
static void print_texels(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_kernel *kernel = result->kernel;
    struct gp_text images = {0};
    const char *first = NULL;
    for (uint32_t m = 0; result->predictions[0].basis.assumes_texels && m < kernel->memory_count; m++) {
        if (!gp_texel_is_assumed(kernel, result->launch, m) || is_on_known_image(kernel, m))
            continue;
        const char *name = kernel->params[gp_ref_index(kernel->memory[m].base)].name;
        gp_text_printf(&images, "%s'%s'", images.length > 0 ? ", " : "", name);
        first = first != NULL ? first : name;
    }
    if (first != NULL)
        gp_text_printf(out,
                       "  note       texels of %s are taken to have as many bytes as the colours; say how many an "
                       "image's format has (--arg %s=4)\n",
                       images.data, first);
    gp_text_free(&images);
}

/* Whether nothing was told of a place before; it is, from then on. */
static bool is_first_told(const char *place, struct gp_text *told)
{
    struct gp_text line = {0};
    gp_text_printf(&line, "\n%s\n", place);
    bool first = told->length == 0 || strstr(told->data, line.data) == NULL;
    if (first)
        gp_text_append(told, line.data, line.length);
    gp_text_free(&line);
    return first;
}

/* Numbers of iterations that the user can look up in the data and say with --trip; of the parts of an unrolled loop,
 * and of the calls of a function, the first. */
static void print_assumed_loops(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_kernel *kernel = result->kernel;
    struct gp_text told = {0};
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        struct gp_text buffers = {0};
        char place[1024];
        if (kernel->loops[i].bound == GP_BOUND_ASSUMED && gp_loop_decided_by(kernel, i, &buffers)) {
            gp_print_place(result->profile, kernel, kernel->loops[i].location, place, sizeof place);
            if (is_first_told(place, &told))
                gp_text_printf(out,
                               "  note       %s: this loop's number of iterations is in %s; %u are assumed "
                               "(--trip)\n",
                               place, buffers.data, result->launch->assumed_trip_count);
        }
        gp_text_free(&buffers);
    }
    gp_text_free(&told);
}

/* The trip count of such a loop can only be a guess, and a wrong one. */
static void print_endless_loops(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_kernel *kernel = result->kernel;
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        char place[1024];
        if (!gp_loop_cannot_end_itself(kernel, i))
            continue;
        gp_print_place(result->profile, kernel, kernel->loops[i].location, place, sizeof place);
        gp_text_printf(out,
                       "  note       %s: the condition that ends this loop does not change in it: it ends in its first "
                       "iteration or never\n",
                       place);
    }
}

static bool is_among(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

enum { SHOWN_CALLS = 4 };
struct shown_calls {
    const char *names[SHOWN_CALLS];
    size_t count;
    bool others;
};

static void print_calls_of_block(const struct gp_result *result, const struct gp_block *block,
                                 struct shown_calls *shown, struct gp_text *out)
{
    const struct gp_kernel *kernel = result->kernel;
    for (uint32_t i = 0; i < block->inst_count && !shown->others; i++) {
        const struct gp_inst *inst = &kernel->insts[block->inst + i];
        char place[1024];
        if (inst->op != GP_OP_CALL || is_among(shown->names, shown->count, kernel->callees[inst->record]))
            continue;
        shown->others = shown->count == SHOWN_CALLS;
        if (shown->others)
            break;
        shown->names[shown->count++] = kernel->callees[inst->record];
        gp_print_place(result->profile, kernel, inst->location, place, sizeof place);
        gp_text_printf(out, "  note       %s: %s is not known; an estimate of its instructions is counted\n", place,
                       kernel->callees[inst->record]);
    }
}

/* Calls that could not be followed, and inline assembly: by name, where each stands first. */
static void print_unknown_calls(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_kernel *kernel = result->kernel;
    struct shown_calls shown = {.count = 0};
    bool *taken = gp_blocks_taken(kernel);
    for (uint32_t b = 0; b < kernel->block_count; b++)
        if (taken[b])
            print_calls_of_block(result, &kernel->blocks[b], &shown, out);
    if (shown.others)
        gp_text_printf(out, "  note       others that are called are not known, either\n");
    free(taken);
}

/* What a row is beside a number: "best", "tied", "your launch". */
static const char *mark_of(const struct gp_result *result, size_t index)
{
    bool tied = index > 0 && gp_prediction_tied(&result->predictions[0], &result->predictions[index]),
         own = result->count > 1 && gp_is_launched(result, index);
    if (result->predictions[index].endless > 0) /* none is better than another that never ends */
        return own ? "  your launch" : "";
    return index == 0 ? own ? "  best, yours" : "  best"
           : tied     ? own ? "  tied, yours" : "  tied"
           : own      ? "  your launch"
                      : "";
}

static void print_row(const struct gp_result *result, size_t index, struct gp_text *out)
{
    const struct gp_prediction *p = &result->predictions[index];
    char local[GP_SIZES_TEXT];
    gp_text_printf(out, "  %-9s %11.0f", gp_sizes_text(p->dims, p->local, local), p->cycles);
    gp_print_time(out, p->time_ns);
    gp_text_printf(out, "  ");
    print_range(p, 12, out);
    const char *mark = mark_of(result, index);
    gp_text_printf(out, "%9.0f%%  %-*s%s\n", p->occupancy * 100, *mark != '\0' ? 7 : 0, gp_limit_told(p), mark);
}

/* The fastest of those that are within 1%; NULL: the first is. */
static const struct gp_prediction *faster_than_first(const struct gp_result *result)
{
    const struct gp_prediction *fastest = &result->predictions[0];
    for (size_t i = 1; i < result->count; i++)
        if (gp_why_preferred(fastest, &result->predictions[i]) != NULL)
            fastest = &result->predictions[i];
    return fastest != &result->predictions[0] ? fastest : NULL;
}

const char *gp_preference_of_result(const struct gp_result *result)
{
    const struct gp_prediction *faster = faster_than_first(result);
    return faster != NULL ? gp_why_preferred(&result->predictions[0], faster) : NULL;
}

/* Rank 1 is not slower than another rank without the reason. */
static void print_preference(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_prediction *first = &result->predictions[0], *faster = faster_than_first(result);
    char one[GP_SIZES_TEXT], other[GP_SIZES_TEXT];
    if (faster == NULL || first->cycles < 1.0005 * faster->cycles)
        return;
    gp_text_printf(out, "\n  %s is first though %s takes %.2g%% less, too little to tell them apart:\n  %s.\n",
                   gp_sizes_text(first->dims, first->local, one), gp_sizes_text(faster->dims, faster->local, other),
                   100 * (1 - faster->cycles / first->cycles), gp_why_preferred(first, faster));
}

/* The last is the slowest. Of two sizes that tie nothing follows for others. */
static void print_indifference(const struct gp_result *result, struct gp_text *out)
{
    if (result->count >= 3 && gp_prediction_tied(&result->predictions[0], &result->predictions[result->count - 1]))
        gp_text_printf(out, "\n  The %s size hardly matters: all %zu are within 3%% of the best.\n",
                       gp_local_word(result), result->count);
}

static void print_place(const struct gp_result *result, uint32_t location, struct gp_text *out)
{
    char place[1024];
    gp_print_place(result->profile, result->kernel, location, place, sizeof place);
    if (place[0] != '\0')
        gp_text_printf(out, "%s: ", place);
}

/* Where to look: a loop that most of the limiter's work is in. */
static void print_hot_loop(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_prediction *best = &result->predictions[0];
    if (best->hot_loop == GP_NONE)
        return;
    gp_text_printf(out, "\n  Hot loop: ");
    print_place(result, result->kernel->loops[best->hot_loop].location, out);
    if (best->limiter == GP_LIMITER_LAUNCH)
        gp_text_printf(out, "%.0f%% of a work-item's time\n", best->hot_share * 100);
    else
        gp_text_printf(out, "%.0f%% of what limits it (%s)\n", best->hot_share * 100, gp_limiter_name(best->limiter));
}

/* Hong & Kim's metrics, per SM. */
static void print_parallelism(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_prediction *best = &result->predictions[0];
    char local[GP_SIZES_TEXT];
    if (strcmp(best->model, "mwp-cwp") == 0)
        gp_text_printf(out, "\n  With %s %s: MWP %.2f, CWP %.2f, %.2f cycles per warp instruction\n",
                       gp_local_word(result), gp_sizes_text(best->dims, best->local, local), best->terms.mwp,
                       best->terms.cwp, best->terms.cpi);
}

/* "31%  1.4x faster  blur.cl:14:20: bandwidth: ..." */
static void print_bottleneck(const struct gp_result *result, const struct gp_bottleneck *b, struct gp_text *out)
{
    const char *cause = gp_cause_name(b->cause);
    if (b->share > 0 || (b->speedup_beside > 0 && !b->only_then))
        gp_text_printf(out, "    %3.0f%%  %5.2fx  ", b->share * 100, b->speedup);
    else
        gp_text_printf(out, "       -       -  ");
    print_place(result, b->location, out);
    bool named = strncmp(b->measure, cause, strlen(cause)) == 0;
    char also[200];
    gp_bottleneck_also(result->profile, b, also, sizeof also);
    gp_text_printf(out, "%s%s%s%s", named ? "" : cause, named || !b->measure[0] ? "" : ": ", b->measure, also);
    if (b->speedup_beside > 0)
        gp_text_printf(out, "; %.2fx %s", b->speedup_beside, gp_bottleneck_when(b));
    gp_text_printf(out, "\n");
    if (b->advice[0] != '\0')
        gp_text_printf(out, "                  %s\n", b->advice);
}

/* Half a percent and more: not only under a condition. */
static bool gains_alone(const struct gp_bottleneck *b) { return b->share >= 0.005; }

/* By what they gain, but that a limit, which nobody repairs, stands behind what can be repaired and gains hardly less.
 */
static double weight(const struct gp_bottleneck *b)
{
    return (1 - 1 / b->speedup) * (gp_cause_is_a_limit(b->cause) ? 0.9 : 1);
}

/* Those that gain alone before those that gain under a condition; both heaviest first. */
static int by_weight(const void *a, const void *b)
{
    const struct gp_bottleneck *x = *(const struct gp_bottleneck *const *)a,
                               *y = *(const struct gp_bottleneck *const *)b;
    if (gains_alone(x) != gains_alone(y))
        return gains_alone(x) ? -1 : 1;
    if (weight(x) != weight(y))
        return weight(x) > weight(y) ? -1 : 1;
    return (x > y) - (x < y); /* as they stand */
}

/* first: of several sizes' the first that is told. */
static void print_bottlenecks(const struct gp_result *result, size_t index, bool first, struct gp_text *out)
{
    enum { SHOWN = 6 };
    const struct gp_prediction *p = &result->predictions[index];
    char local[GP_SIZES_TEXT];
    bool own = index > 0 && gp_is_launched(result, index);
    gp_text_printf(out, "\n  Bottlenecks with %s %s%s%s:\n", gp_local_word(result),
                   gp_sizes_text(p->dims, p->local, local), own ? ", your launch" : "",
                   !first ? ""
                   : own  ? " (share, speedup without it)"
                          : " (share of the time, speedup without it)");
    const struct gp_bottleneck *shown[SHOWN];
    uint32_t count = p->bottleneck_count < SHOWN ? p->bottleneck_count : SHOWN;
    for (uint32_t i = 0; i < count; i++)
        shown[i] = &p->bottlenecks[i];
    qsort(shown, count, sizeof shown[0], by_weight);
    for (uint32_t i = 0; i < count; i++)
        print_bottleneck(result, shown[i], out);
    bool limits = false;
    for (uint32_t i = 0; i < p->bottleneck_count; i++)
        limits |= gp_cause_is_a_limit(p->bottlenecks[i].cause);
    if (p->repaired_all_ns > 0)
        gp_text_printf(out, "    all %s repaired: %.2fx; the shares overlap and do not add up\n",
                       limits ? "but latency and bandwidth" : "of them", p->time_ns / p->repaired_all_ns);
}

static void print_alike(const struct gp_result *result, size_t index, struct gp_text *out)
{
    const struct gp_prediction *p = &result->predictions[index];
    char local[GP_SIZES_TEXT];
    gp_text_printf(out, "\n  With %s %s, your launch: the same.\n", gp_local_word(result),
                   gp_sizes_text(p->dims, p->local, local));
}

static void print_explained(const struct gp_result *result, struct gp_text *out)
{
    bool first = true;
    for (size_t i = 0; i < result->count; i++) {
        if (!gp_is_explained(result, i))
            continue;
        if (gp_is_like_best(result, i)) {
            print_alike(result, i, out);
        } else if (result->predictions[i].bottleneck_count > 0) {
            print_bottlenecks(result, i, first, out);
            first = false;
        }
    }
}

/* A target is no board: what it stands for lies far apart. */
static void print_boards(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_board_range *boards = &result->boards;
    if (boards->count == 0)
        return;
    gp_text_printf(out, "\n  %s is a compile target, not a board. With %s size %ux%ux%u its %zu boards take from",
                   result->device->name, gp_local_word(result), result->predictions[0].local[0],
                   result->predictions[0].local[1], result->predictions[0].local[2], boards->count);
    gp_print_time(out, boards->fastest_ns);
    gp_text_printf(out, " (%s)\n  to", boards->fastest);
    gp_print_time(out, boards->slowest_ns);
    gp_text_printf(out, " (%s); name yours: --device \"%s\", or state sms, gbps, l2 (docs/devices.md)\n",
                   boards->slowest, boards->fastest);
}

void gp_print_title(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_kernel *kernel = result->kernel;
    gp_text_printf(out, "%s", kernel->name);
    if (gp_kernel_is_overloaded(result->profile, kernel))
        gp_text_printf(out, " (%s)", kernel->symbol);
    gp_text_printf(out, " on %s (%s, %.0f MHz), caches %s\n", result->device->name, result->device->title,
                   result->clock_mhz, result->launch->cold ? "cold" : "warm");
}

void gp_print_result(const struct gp_result *result, struct gp_text *out)
{
    if (out->length > 0)
        gp_text_printf(out, "\n");
    gp_print_title(result, out);
    size_t from = out->length;
    print_launch(result, out);
    print_time_and_confidence(result, out);
    gp_print_headroom(result, out);
    print_resources(result, out);
    print_told_sizes(result, out);
    print_overrun(result, out);
    print_passed_over(result, out);
    print_uneven_groups(result, out);
    print_endless(result, out);
    print_cut_off(result, out);
    print_idle(result, out);
    print_overflow(result, out);
    print_texels(result, out);
    print_assumed_loops(result, out);
    print_endless_loops(result, out);
    print_unknown_calls(result, out);
    gp_text_printf(out, "\n  %-9s      cycles       time  range        occupancy  limiter\n", gp_local_word(result));
    for (size_t i = 0; i < result->shown; i++)
        print_row(result, i, out);
    if (result->shown < result->count)
        gp_text_printf(out, "  %zu others are not shown\n", result->count - result->shown);
    print_preference(result, out);
    print_boards(result, out);
    gp_print_assumed(result, out);
    print_indifference(result, out);
    print_parallelism(result, out);
    print_hot_loop(result, out);
    print_explained(result, out);
    if (is_cuda(result))
        gp_text_say_in_cuda(out, from);
    if (result->terms)
        gp_print_terms(result, out);
}
