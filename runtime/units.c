/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>

#include "runtime/layer_state.h"

enum { MOST_IDLE_UNITS = 256 };

static void slot_free(struct gp_slot *slot)
{
    for (struct gp_waiting *w = slot->waiting, *next; w != NULL; w = next) {
        next = w->next;
        gp_waiting_free(w);
    }
    if (slot->origin != NULL)
        gp_unit_release(slot->origin);
    gp_profile_free(slot->profile);
    free(slot->kernel_keys);
    free(slot->reason);
    free(slot);
}

static void unit_free(struct gp_unit *unit)
{
    for (struct gp_slot *slot = unit->slots, *next; slot != NULL; slot = next) {
        next = slot->next;
        slot_free(slot);
    }
    free(unit->content);
    gp_options_free(&unit->options);
    free(unit);
}

/* The known unit of that content, or a new one; it takes over content and options. */
static struct gp_unit *unit_for(struct gp_hash key, enum gp_unit_kind kind, char *content, size_t size,
                                struct gp_options options)
{
    struct gp_unit *unit = gp_map_get(&gp_layer.units, key);
    bool failed = false;
    if (unit != NULL) {
        unit->references++;
        free(content);
        gp_options_free(&options);
        return unit;
    }
    unit = content != NULL ? calloc(1, sizeof *unit) : NULL;
    if (unit != NULL) {
        *unit = (struct gp_unit){
            .key = key, .kind = kind, .content = content, .size = size, .options = options, .references = 1};
        gp_map_put(&gp_layer.units, key, unit, &failed);
    }
    if (unit == NULL || failed) {
        free(unit);
        free(content);
        gp_options_free(&options);
        return NULL;
    }
    return unit;
}

/* built_ns counts, too: a header may be another at the next build. */
static struct gp_hash source_hash(const char *source, const struct gp_options *options, long long built_ns)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add_string(&hasher, "source");
    gp_hash_add_string(&hasher, source);
    for (size_t i = 0; i < options->count; i++)
        gp_hash_add_string(&hasher, options->arguments[i]);
    gp_hash_add_u64(&hasher, options->unknown);
    gp_hash_add_u64(&hasher, (uint64_t)built_ns);
    return gp_hash_end(&hasher);
}

struct gp_unit *gp_unit_kept_source(char *source, struct gp_options options)
{
    struct gp_hash content_key = source_hash(source, &options, 0);
    struct gp_unit *unit =
        unit_for(source_hash(source, &options, options.built_ns), GP_UNIT_SOURCE, source, strlen(source), options);
    if (unit != NULL && memcmp(&unit->content_key, &content_key, sizeof content_key) !=
                            0) /* one that is known already has it: others may be reading */
        unit->content_key = content_key;
    return unit;
}

/* PoCL looks for headers where the program runs, first of all, and adds options of the environment, last of all (both
 * tried with 3.1). NULL: out of memory. */
static char *with_pocls(const char *options, bool includes)
{
    const char *more = getenv("POCL_EXTRA_BUILD_FLAGS"); /* as PoCL does, at each build */
    char *text;
    return asprintf(&text, "%s%s %s", includes ? "-I. " : "", options != NULL ? options : "",
                    more != NULL ? more : "") >= 0
               ? text
               : NULL;
}

struct gp_unit *gp_unit_source(const char *source, const char *options, bool pocl, long long built_ns)
{
    struct gp_options parsed;
    char *all = pocl ? with_pocls(options, built_ns != 0) : NULL, *copy = strdup(source);
    bool known = copy != NULL && (!pocl || all != NULL) && gp_options_parse(pocl ? all : options, &parsed);
    free(all);
    if (!known) {
        free(copy);
        return NULL;
    }
    parsed.built_ns = built_ns;
    return gp_unit_kept_source(copy, parsed);
}

struct gp_unit *gp_unit_binary(enum gp_unit_kind kind, const void *bytes, size_t size)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add_string(&hasher, kind == GP_UNIT_IL ? "il" : "binary");
    gp_hash_add(&hasher, bytes, size);
    char *copy = malloc(size + 1);
    if (copy != NULL) {
        memcpy(copy, bytes, size);
        copy[size] = '\0';
    }
    struct gp_unit *unit = unit_for(gp_hash_end(&hasher), kind, copy, size, (struct gp_options){0});
    if (unit != NULL)
        unit->content_key = unit->key;
    return unit;
}

struct gp_unit *gp_unit_unusable(const char *reason)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add_string(&hasher, "unusable");
    gp_hash_add_string(&hasher, reason);
    struct gp_unit *unit = unit_for(gp_hash_end(&hasher), GP_UNIT_UNUSABLE, strdup(""), 0, (struct gp_options){0});
    if (unit != NULL)
        unit->reason = reason;
    return unit;
}

void gp_unit_retain(struct gp_unit *unit) { unit->references++; }

/* A program that is built again soon finds its profile; only a great many idle units are given up. */
void gp_unit_release(struct gp_unit *unit)
{
    if (--unit->references > 0 || gp_layer.units.count <= MOST_IDLE_UNITS)
        return;
    gp_map_remove(&gp_layer.units, unit->key);
    unit_free(unit);
}

struct gp_slot *gp_unit_slot(struct gp_unit *unit, struct gp_cl_device *device)
{
    struct gp_slot *slot = unit->slots;
    while (slot != NULL && slot->device != device)
        slot = slot->next;
    if (slot != NULL)
        return slot;
    slot = calloc(1, sizeof *slot);
    if (slot == NULL)
        return NULL;
    *slot = (struct gp_slot){.next = unit->slots, .unit = unit, .device = device};
    if (unit->kind == GP_UNIT_UNUSABLE) {
        slot->state = GP_SLOT_FAILED;
        slot->reason = strdup(unit->reason);
    }
    unit->slots = slot;
    return slot;
}

void gp_waiting_free(struct gp_waiting *waiting)
{
    free(waiting->kernel);
    free((void *)waiting->launch.arguments);
    free(waiting);
}

static bool same_launch(const struct gp_open_launch *a, const struct gp_open_launch *b)
{
    return a->dims == b->dims && memcmp(a->global, b->global, sizeof a->global) == 0 &&
           memcmp(a->baseline, b->baseline, sizeof a->baseline) == 0;
}

static struct gp_waiting *waiting_like(const struct gp_slot *slot, const char *kernel,
                                       const struct gp_open_launch *launch)
{
    struct gp_waiting *waiting = slot->waiting;
    while (waiting != NULL && (strcmp(waiting->kernel, kernel) != 0 || !same_launch(&waiting->launch, launch)))
        waiting = waiting->next;
    return waiting;
}

void gp_slot_count(struct gp_slot *slot, const char *kernel, const struct gp_open_launch *launch)
{
    struct gp_waiting *waiting = waiting_like(slot, kernel, launch);
    if (waiting != NULL)
        waiting->launches++;
}

void gp_slot_wait(struct gp_slot *slot, const char *kernel, const struct gp_open_launch *launch)
{
    if (waiting_like(slot, kernel, launch) != NULL)
        return;
    if (slot->waiting_count >= GP_MAX_WAITING)
        return;
    struct gp_waiting *waiting = calloc(1, sizeof *waiting);
    struct gp_raw_argument *arguments = calloc(launch->argument_count + 1, sizeof *arguments);
    char *name = strdup(kernel);
    if (waiting == NULL || arguments == NULL || name == NULL) {
        free(waiting);
        free(arguments);
        free(name);
        return;
    }
    if (launch->argument_count > 0)
        memcpy(arguments, launch->arguments, launch->argument_count * sizeof *arguments);
    *waiting = (struct gp_waiting){.next = slot->waiting, .kernel = name, .launch = *launch};
    waiting->launch.arguments = arguments;
    slot->waiting = waiting;
    slot->waiting_count++;
}

struct gp_hash gp_built_key(const struct gp_hash *kernel_key, const uint32_t local[3], bool offset)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add(&hasher, kernel_key, sizeof *kernel_key);
    gp_hash_add_u64(&hasher, (uint64_t)local[0] << 1 | offset);
    gp_hash_add_u64(&hasher, (uint64_t)local[1] << 32 | local[2]);
    return gp_hash_end(&hasher);
}
