/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Writes the binary form. Small numbers take a byte (LEB128); profile_binary.c reads the same things in the same order.
 */
#include <stdlib.h>
#include <string.h>

#include "model/profile/profile_layout.h"
#include "model/profile/intern.h"
#include "model/profile/profile_binary.h"
#include "support/text.h"

struct writer {
    struct gp_text out; /* bytes so far */
    struct gp_intern strings;
    struct gp_intern constants; /* of this kernel, in order of first use */
    const struct gp_kernel *kernel;
    uint32_t last_location; /* of this kernel's instructions */
    bool out_of_memory;
    char spare[16]; /* where what there is no memory for goes */
};

/* ---- Pieces --------------------------------------------------------------------------------------------------- */

/* Where the next bytes go: most of a profile are numbers of one or two. */
static char *room(struct writer *w)
{
    const size_t longest = 10;
    if (w->out.capacity - w->out.length > longest || gp_text_reserve(&w->out, longest))
        return w->out.data + w->out.length;
    w->out_of_memory = true;
    return w->spare;
}

/* So many bytes were put where room() said. */
static void take(struct writer *w, const char *bytes, size_t count)
{
    if (bytes != w->spare)
        w->out.length += count;
}

static void put_byte(struct writer *w, unsigned byte)
{
    char *bytes = room(w);
    *bytes = (char)byte;
    take(w, bytes, 1);
}

/* LEB128: seven bits a byte, lowest first, the eighth bit says that more follow. */
static void put(struct writer *w, uint64_t value)
{
    char *bytes = room(w), *at = bytes;
    for (; value > 0x7f; value >>= 7)
        *at++ = (char)(0x80 | (value & 0x7f));
    *at++ = (char)value;
    take(w, bytes, (size_t)(at - bytes));
}

/* An index or GP_NONE. */
static void put_index(struct writer *w, uint32_t index) { put(w, index == GP_NONE ? 0 : (uint64_t)index + 1); }

static void put_string(struct writer *w, const char *string)
{
    uint32_t number = 0;
    if (!gp_intern(&w->strings, string, strlen(string), &number))
        w->out_of_memory = true;
    put(w, number);
}

static uint32_t constant_number(struct writer *w, uint64_t value)
{
    uint32_t number = 0;
    if (!gp_intern(&w->constants, &value, sizeof value, &number))
        w->out_of_memory = true;
    return number;
}

/* Kind in the low three bits. Instructions count backwards from `from`, so that near ones are small numbers. */
static void put_ref(struct writer *w, gp_ref ref, uint32_t from)
{
    enum gp_ref_kind kind = gp_ref_kind(ref);
    uint64_t index = gp_ref_index(ref);
    if (kind == GP_REF_INST)
        index = gp_zigzag((int64_t)from - (int64_t)index);
    else if (kind == GP_REF_CONST)
        index = constant_number(w, w->kernel->constants[index]);
    put(w, index << 3 | kind);
}

static unsigned bits_code(unsigned bits)
{
    unsigned code = 0;
    while (gp_bits_of_code[code] != bits)
        code++;
    return code;
}

/* ---- Instructions --------------------------------------------------------------------------------------------- */

static void put_memory(struct writer *w, const struct gp_memory *memory, uint32_t from)
{
    put_byte(w, (unsigned)(memory->space | (memory->flags >> 8) << 4));
    put_byte(w, memory->flags & 0xff);
    put(w, memory->element_bytes);
    put(w, memory->vector);
    put(w, memory->alignment);
    put_ref(w, memory->base, from);
}

static void put_branch(struct writer *w, const struct gp_branch *branch)
{
    put_byte(w, branch->kind | (unsigned)branch->has_probability << 7);
    if (branch->has_probability)
        put(w, branch->probability);
}

static void put_record(struct writer *w, const struct gp_inst *inst, uint32_t index)
{
    if (gp_op_is_memory((enum gp_op)inst->op))
        put_memory(w, &w->kernel->memory[inst->record], index);
    else if (inst->op == GP_OP_CONDBR || inst->op == GP_OP_SWITCH)
        put_branch(w, &w->kernel->branches[inst->record]);
    else if (inst->op == GP_OP_CALL)
        put(w, inst->record);
}

/* The place as a difference from the last one: neighbours mostly share it. */
static void put_location(struct writer *w, uint32_t location)
{
    if (location == GP_NONE) {
        put(w, 0);
        return;
    }
    put(w, gp_zigzag((int64_t)location - (int64_t)w->last_location) + 1);
    w->last_location = location;
}

static void put_inst(struct writer *w, uint32_t index)
{
    const struct gp_inst *inst = &w->kernel->insts[index];
    put_byte(w, inst->op | (inst->repeat != 1 ? GP_OP_REPEATED : 0));
    bool repairable = inst->flags & GP_INST_REPAIRABLE;
    put_byte(w, inst->cost | (repairable ? GP_CLASS_REPAIRABLE : 0));
    if (repairable) {
        put_byte(w, inst->repaired);
        put(w, inst->repaired_repeat);
    }
    put_byte(w, bits_code(inst->bits) | bits_code(inst->width) << 3 | (inst->flags & 3u) << 6);
    if (inst->op == GP_OP_ICMP || inst->op == GP_OP_FCMP || inst->op == GP_OP_ID)
        put_byte(w, inst->sub);
    if (inst->repeat != 1)
        put(w, inst->repeat);
    put_location(w, inst->location);
    if (gp_op_operands((enum gp_op)inst->op) < 0)
        put(w, inst->operand_count);
    for (uint32_t i = 0; i < inst->operand_count; i++)
        put_ref(w, w->kernel->operands[inst->operand + i], index);
    put_record(w, inst, index);
}

/* ---- A kernel ------------------------------------------------------------------------------------------------- */

static void put_params(struct writer *w)
{
    put(w, w->kernel->param_count);
    for (uint32_t i = 0; i < w->kernel->param_count; i++) {
        const struct gp_param *param = &w->kernel->params[i];
        put_string(w, param->name);
        put_byte(w, param->kind);
        put_byte(w, param->bits);
        put_byte(w, param->space);
        put_byte(w, param->flags);
        put_index(w, param->bounds_dim);
        put(w, param->size);
        if (param->flags & GP_PARAM_ELEMENT) {
            put(w, param->vector);
            put(w, param->element);
        }
    }
}

static void put_arrays(struct writer *w, const struct gp_array *arrays, uint32_t count)
{
    put(w, count);
    for (uint32_t i = 0; i < count; i++) {
        put_string(w, arrays[i].name);
        put(w, arrays[i].bytes);
        put(w, arrays[i].alignment);
        put_index(w, arrays[i].location);
    }
}

static void put_sizes(struct writer *w, const uint32_t sizes[3])
{
    for (int i = 0; i < 3; i++)
        put(w, sizes[i]);
}

static void put_resources(struct writer *w)
{
    put(w, w->kernel->resource_count);
    for (uint32_t i = 0; i < w->kernel->resource_count; i++) {
        const struct gp_resources *entry = &w->kernel->resources[i];
        put(w, entry->launch_bound);
        put(w, entry->registers);
        put(w, entry->scalar_registers);
        put(w, entry->spill_store_bytes);
        put(w, entry->spill_load_bytes);
        put(w, entry->stack_bytes);
        put(w, entry->local_bytes);
        bool in_loop = entry->loop_store_bytes > 0 || entry->loop_load_bytes > 0;
        put_byte(w, entry->source | (in_loop ? GP_RESOURCES_SPILL_LOOP : 0u));
        if (in_loop) {
            put(w, entry->spill_loop);
            put(w, entry->loop_store_bytes);
            put(w, entry->loop_load_bytes);
        }
    }
}

/* What the backend's code was counted for, anywhere in a kernel: GP_KERNEL_CODE_... */
static unsigned counted_in_code(const struct gp_kernel *kernel)
{
    unsigned counted = 0;
    for (uint32_t i = 0; i < kernel->code_count; i++)
        counted |= GP_KERNEL_CODE | (kernel->code[i].local_words != GP_NONE ? GP_KERNEL_CODE_WORDS : 0u) |
                   (kernel->code[i].integers != GP_NONE ? GP_KERNEL_CODE_INTEGERS : 0u);
    return counted;
}

static void put_machine_code(struct writer *w, unsigned counted)
{
    put(w, w->kernel->code_count);
    for (uint32_t i = 0; i < w->kernel->code_count; i++) {
        put_index(w, w->kernel->code[i].loop);
        put(w, w->kernel->code[i].vector);
        put(w, w->kernel->code[i].floats);
        if (counted & GP_KERNEL_CODE_WORDS)
            put_index(w, w->kernel->code[i].local_words);
        if (counted & GP_KERNEL_CODE_INTEGERS) {
            put_index(w, w->kernel->code[i].integers);
            put_index(w, w->kernel->code[i].stepping);
        }
    }
}

static void put_facts(struct writer *w)
{
    const struct gp_kernel *k = w->kernel;
    unsigned counted = counted_in_code(k);
    put_byte(w, (k->truncated ? GP_KERNEL_TRUNCATED : 0u) | (k->local_size_agnostic.holds ? GP_KERNEL_AGNOSTIC : 0u) |
                    (k->split_safe.holds ? GP_KERNEL_SPLIT_SAFE : 0u) |
                    (k->stated.min_groups > 0 ? GP_KERNEL_MIN_GROUPS : 0u) | counted);
    put_string(w, k->local_size_agnostic.reason);
    put_string(w, k->split_safe.reason);
    put(w, k->dims);
    put_sizes(w, k->stated.required_local);
    put(w, k->stated.max_local);
    if (k->stated.min_groups > 0)
        put(w, k->stated.min_groups);
    put(w, k->barrier_count);
    put_sizes(w, k->stated.default_global);
    put_sizes(w, k->stated.default_local);
    put(w, k->stated.default_count);
    for (uint32_t i = 0; i < k->stated.default_count; i++) {
        put(w, k->stated.defaults[i].param);
        put(w, gp_zigzag(k->stated.defaults[i].value));
    }
    put(w, k->callee_count);
    for (uint32_t i = 0; i < k->callee_count; i++)
        put_string(w, k->callees[i]);
    if (k->code_count > 0)
        put_machine_code(w, counted);
}

static void put_loops(struct writer *w)
{
    put(w, w->kernel->loop_count);
    for (uint32_t i = 0; i < w->kernel->loop_count; i++) {
        const struct gp_loop *loop = &w->kernel->loops[i];
        put(w, loop->header);
        put(w, loop->latch);
        put_index(w, loop->parent);
        put_index(w, loop->location);
        put_byte(w, loop->bound | (unsigned)loop->irreducible << 6 | (unsigned)loop->data_dependent << 7);
        put(w, loop->unroll);
        put_ref(w, loop->trip_count, 0);
    }
    put(w, w->kernel->induction_count);
    for (uint32_t i = 0; i < w->kernel->induction_count; i++) {
        const struct gp_induction *entry = &w->kernel->inductions[i];
        put(w, entry->loop);
        put(w, entry->phi);
        put_ref(w, entry->step, 0);
    }
}

/* The writer leaves out operands that no instruction has. */
static uint64_t operands_used(const struct gp_kernel *kernel)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        count += kernel->insts[i].operand_count;
    return count;
}

static void put_code(struct writer *w)
{
    const struct gp_kernel *k = w->kernel;
    put(w, k->block_count);
    for (uint32_t i = 0; i < k->block_count; i++) {
        put(w, k->blocks[i].inst_count);
        put_index(w, k->blocks[i].ipdom);
        put_index(w, k->blocks[i].loop);
    }
    put(w, k->inst_count);
    put(w, operands_used(k));
    put(w, k->memory_count);
    put(w, k->branch_count);
    w->last_location = 0;
    for (uint32_t i = 0; i < k->inst_count; i++)
        put_inst(w, i);
}

/* The constants stand before what uses them, but are known only after: the code goes to a text of its own first. */
static void put_kernel(struct writer *w, const struct gp_kernel *kernel)
{
    w->kernel = kernel;
    put_string(w, kernel->name);
    put_string(w, kernel->symbol);
    put_index(w, kernel->location);
    put_params(w);
    put_arrays(w, kernel->locals, kernel->local_count);
    put_arrays(w, kernel->globals, kernel->global_count);
    put_arrays(w, kernel->privates, kernel->private_count);
    put_facts(w);
    put_resources(w);
    struct gp_text before = w->out;
    w->out = (struct gp_text){0};
    put_loops(w);
    put_code(w);
    struct gp_text code = w->out;
    w->out = before;
    put(w, w->constants.count);
    for (uint32_t i = 0; i < w->constants.count; i++) {
        uint64_t value;
        memcpy(&value, w->constants.entries[i].bytes, sizeof value);
        put(w, gp_zigzag((int64_t)value));
    }
    gp_text_append(&w->out, code.data, code.length);
    gp_text_free(&code);
    gp_intern_free(&w->constants);
}

/* ---- The profile ---------------------------------------------------------------------------------------------- */

static void put_profile(struct writer *w, const struct gp_profile *profile)
{
    put_string(w, profile->producer);
    put_string(w, profile->source);
    put_string(w, profile->triple);
    put_string(w, profile->cpu);
    put_string(w, profile->language);
    put(w, profile->opt_level | (profile->left_to_drivers ? GP_LEFT_TO_DRIVERS : 0));
    put(w, profile->location_count);
    for (uint32_t i = 0; i < profile->location_count; i++) {
        const struct gp_location *location = &profile->locations[i];
        put_string(w, location->file);
        put(w, location->line);
        put(w, location->column);
        put_index(w, location->inlined_at);
    }
    put(w, profile->kernel_count);
    for (uint32_t i = 0; i < profile->kernel_count; i++)
        put_kernel(w, &profile->kernels[i]);
}

/* The strings come first in the file, in order of first use. */
static void put_strings_before(struct writer *w)
{
    struct gp_text body = w->out;
    w->out = (struct gp_text){0};
    put(w, w->strings.count);
    for (uint32_t i = 0; i < w->strings.count; i++) {
        put(w, w->strings.entries[i].length);
        gp_text_append(&w->out, w->strings.entries[i].bytes, w->strings.entries[i].length);
    }
    gp_text_append(&w->out, body.data, body.length);
    gp_text_free(&body);
}

static uint32_t word_of(const struct gp_text *bytes, size_t at)
{
    unsigned char four[4] = {0};
    memcpy(four, bytes->data + at, bytes->length - at < 4 ? bytes->length - at : 4);
    return (uint32_t)four[0] | (uint32_t)four[1] << 8 | (uint32_t)four[2] << 16 | (uint32_t)four[3] << 24;
}

/* Header and bytes as words; the last word is filled up with zeros. */
static bool make_words(const struct gp_text *bytes, uint32_t **words, size_t *count, struct gp_error *error)
{
    size_t payload = (bytes->length + 3) / 4, all = payload + GP_HEADER_WORDS;
    if (all > UINT32_MAX / 4)
        return gp_fail(error, "the profile is too large for the binary form: %zu bytes", bytes->length);
    uint32_t *result = calloc(all, sizeof *result);
    if (result == NULL)
        return gp_fail(error, "out of memory for a profile of %zu words", all);
    for (size_t i = 0; i < payload; i++)
        result[GP_HEADER_WORDS + i] = word_of(bytes, i * 4);
    result[0] = GP_PROFILE_MAGIC;
    result[1] = GP_PROFILE_VERSION;
    result[2] = (uint32_t)all;
    result[3] = gp_crc32_words(result + GP_HEADER_WORDS, payload);
    *words = result;
    *count = all;
    return true;
}

bool gp_profile_encode(const struct gp_profile *profile, uint32_t **words, size_t *word_count, struct gp_error *error)
{
    if (!gp_profile_check(profile, error))
        return false;
    struct writer w = {0};
    put_profile(&w, profile);
    put_strings_before(&w);
    bool good = w.out_of_memory || w.out.failed ? gp_fail(error, "out of memory")
                                                : make_words(&w.out, words, word_count, error);
    gp_text_free(&w.out);
    gp_intern_free(&w.strings);
    return good;
}
