/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reads the binary form, and profile files. Every count is held against the bytes that are left before memory is
 * reserved for it, so that a file of some bytes cannot ask for gigabytes; what the bytes mean is then checked by
 * gp_profile_check(), as for a profile from anywhere.
 */
#include "model/profile/profile_binary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile/arena.h"
#include "model/profile/profile_layout.h"
#include "support/text.h"

struct reader {
    const unsigned char *at, *end;
    struct gp_arena arena;
    struct gp_profile *profile;
    const char **strings;
    uint32_t string_count;
    struct gp_kernel *kernel;
    uint32_t last_location;
    uint32_t operand_room; /* of kernel->operands */
    const char *problem;   /* the first one; everything read after it is 0 */
};

/* ---- Checksums --------------------------------------------------------------------------------------------------- */

/* The CRC of each half-byte: sixteen entries are enough for profiles of some kilobytes. */
static const uint32_t crc_steps[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

static uint32_t add_crc_byte(uint32_t crc, unsigned char byte)
{
    crc = crc >> 4 ^ crc_steps[(crc ^ byte) & 15];
    return crc >> 4 ^ crc_steps[(crc ^ byte >> 4) & 15];
}

uint32_t gp_crc32(const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count; i++)
        crc = add_crc_byte(crc, at[i]);
    return ~crc;
}

uint32_t gp_crc32_words(const uint32_t *words, size_t count)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count; i++)
        for (int shift = 0; shift < 32; shift += 8)
            crc = add_crc_byte(crc, (unsigned char)(words[i] >> shift));
    return ~crc;
}

/* ---- Pieces --------------------------------------------------------------------------------------------------- */

static void refuse(struct reader *r, const char *problem)
{
    if (r->problem == NULL)
        r->problem = problem;
    r->at = r->end;
}

static unsigned get_byte(struct reader *r)
{
    if (r->at == r->end) {
        refuse(r, "it ends too early");
        return 0;
    }
    return *r->at++;
}

static uint64_t get(struct reader *r)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = get_byte(r);
        if (shift == 63 && byte > 1)
            break;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    refuse(r, "a number is too large");
    return 0;
}

static uint32_t get_up_to(struct reader *r, uint32_t most)
{
    uint64_t value = get(r);
    if (value <= most)
        return (uint32_t)value;
    refuse(r, "a number is too large");
    return 0;
}

static uint32_t get_u32(struct reader *r) { return get_up_to(r, UINT32_MAX); }

static uint32_t get_index(struct reader *r)
{
    uint32_t value = get_u32(r);
    return value == 0 ? GP_NONE : value - 1;
}

/* A count of things that take at least `least` bytes each. */
static uint32_t get_count(struct reader *r, size_t least)
{
    uint64_t count = get(r);
    if (count <= (size_t)(r->end - r->at) / least && count < UINT32_MAX)
        return (uint32_t)count;
    refuse(r, "a count exceeds what is there");
    return 0;
}

/* Memory for `count` things; a count of 0 after a refusal. */
static void *reserve(struct reader *r, uint32_t *count, size_t size)
{
    void *array = gp_arena_new(&r->arena, *count, size);
    if (array == NULL) {
        refuse(r, "out of memory");
        *count = 0;
    }
    return array;
}

/* Sets kernel or profile ARRAY and COUNT. */
#define GET_ARRAY(r, array, count, least) \
    ((count) = get_count((r), (least)), (array) = reserve((r), &(count), sizeof *(array)))

static const char *get_string(struct reader *r)
{
    uint32_t number = get_u32(r);
    if (number < r->string_count)
        return r->strings[number];
    refuse(r, "a string does not exist");
    return "";
}

static void get_strings(struct reader *r)
{
    GET_ARRAY(r, r->strings, r->string_count, 1);
    for (uint32_t i = 0; i < r->string_count; i++) {
        uint32_t length = get_count(r, 1);
        const char *copy = gp_arena_copy(&r->arena, r->at, length);
        if (copy == NULL)
            refuse(r, "out of memory");
        else if (memchr(copy, '\0', length) != NULL)
            refuse(r, "a string holds a NUL");
        r->strings[i] = copy ? copy : "";
        if (r->problem == NULL)
            r->at += length;
    }
}

static gp_ref get_ref(struct reader *r, uint32_t from)
{
    uint64_t value = get(r);
    enum gp_ref_kind kind = (enum gp_ref_kind)(value & 7);
    uint64_t index = value >> 3;
    if (kind == GP_REF_INST)
        index = (uint64_t)((int64_t)from - gp_unzigzag(index));
    if (index <= 0x1fffffff)
        return gp_ref_make(kind, (uint32_t)index);
    refuse(r, "a reference is out of range");
    return 0;
}

static uint8_t get_bits(struct reader *r, unsigned code)
{
    if (gp_bits_of_code[code] == 255)
        refuse(r, "a width in bits is unknown");
    return gp_bits_of_code[code];
}

/* ---- Instructions --------------------------------------------------------------------------------------------- */

static void get_memory(struct reader *r, struct gp_inst *inst, uint32_t index)
{
    inst->record = r->kernel->memory_count++;
    struct gp_memory *memory = &r->kernel->memory[inst->record];
    memory->inst = index;
    unsigned space = get_byte(r);
    memory->space = space & 0xf;
    memory->flags = (uint16_t)((space >> 4) << 8 | get_byte(r));
    memory->element_bytes = (uint16_t)get_up_to(r, UINT16_MAX);
    memory->vector = (uint16_t)get_up_to(r, UINT16_MAX);
    memory->alignment = (uint16_t)get_up_to(r, UINT16_MAX);
    memory->base = get_ref(r, index);
}

static void get_branch(struct reader *r, struct gp_inst *inst, uint32_t index)
{
    inst->record = r->kernel->branch_count++;
    struct gp_branch *branch = &r->kernel->branches[inst->record];
    unsigned byte = get_byte(r);
    branch->inst = index;
    branch->kind = byte & 0x7f;
    branch->has_probability = byte >> 7;
    if (branch->has_probability)
        branch->probability = (uint16_t)get_up_to(r, UINT16_MAX);
}

static void get_record(struct reader *r, struct gp_inst *inst, uint32_t index)
{
    if (gp_op_is_memory((enum gp_op)inst->op))
        get_memory(r, inst, index);
    else if (inst->op == GP_OP_CONDBR || inst->op == GP_OP_SWITCH)
        get_branch(r, inst, index);
    else if (inst->op == GP_OP_CALL)
        inst->record = get_u32(r);
}

static uint32_t get_location(struct reader *r)
{
    uint64_t value = get(r);
    if (value == 0)
        return GP_NONE;
    int64_t last = r->last_location, difference = gp_unzigzag(value - 1);
    if (difference < -last || difference >= (int64_t)GP_NONE - last) {
        refuse(r, "a location is out of range");
        return GP_NONE;
    }
    r->last_location = (uint32_t)(last + difference);
    return r->last_location;
}

/* Operands stand one after the other in kernel->operands. */
static void get_operands(struct reader *r, struct gp_inst *inst, uint32_t index)
{
    int fixed = gp_op_operands((enum gp_op)inst->op);
    uint32_t count = fixed < 0 ? get_count(r, 1) : (uint32_t)fixed;
    inst->operand = r->kernel->operand_count;
    for (uint32_t i = 0; i < count && r->problem == NULL; i++) {
        gp_ref ref = get_ref(r, index);
        if (r->kernel->operand_count == r->operand_room)
            refuse(r, "it has more operands than it says");
        else
            r->kernel->operands[r->kernel->operand_count++] = ref;
    }
    inst->operand_count = r->kernel->operand_count - inst->operand;
}

static void get_inst(struct reader *r, uint32_t index)
{
    struct gp_inst *inst = &r->kernel->insts[index];
    unsigned op = get_byte(r);
    inst->op = op & 0x7f;
    unsigned class = get_byte(r);
    inst->cost = class & 0x7f;
    if (class & GP_CLASS_REPAIRABLE) {
        inst->repaired = (uint8_t)get_byte(r);
        inst->repaired_repeat = (uint16_t)get_up_to(r, UINT16_MAX);
    }
    unsigned shape = get_byte(r);
    inst->bits = get_bits(r, shape & 7);
    inst->width = get_bits(r, shape >> 3 & 7);
    inst->flags = (uint8_t)(shape >> 6 | (class & GP_CLASS_REPAIRABLE ? GP_INST_REPAIRABLE : 0));
    if (inst->op == GP_OP_ICMP || inst->op == GP_OP_FCMP || inst->op == GP_OP_ID)
        inst->sub = (uint8_t)get_byte(r);
    inst->repeat = op & GP_OP_REPEATED ? (uint16_t)get_up_to(r, UINT16_MAX) : 1;
    inst->location = get_location(r);
    inst->record = GP_NONE;
    get_operands(r, inst, index);
    get_record(r, inst, index);
}

/* ---- A kernel ------------------------------------------------------------------------------------------------- */

static void get_params(struct reader *r)
{
    struct gp_kernel *k = r->kernel;
    GET_ARRAY(r, k->params, k->param_count, 7);
    for (uint32_t i = 0; i < k->param_count; i++) {
        struct gp_param *param = &k->params[i];
        param->name = get_string(r);
        param->kind = (uint8_t)get_byte(r);
        param->bits = (uint8_t)get_byte(r);
        param->space = (uint8_t)get_byte(r);
        param->flags = (uint8_t)get_byte(r);
        param->bounds_dim = get_index(r);
        param->size = get_u32(r);
        if (param->flags & GP_PARAM_ELEMENT) {
            param->vector = get_u32(r);
            param->element = get_u32(r);
        }
    }
}

static void get_arrays(struct reader *r, struct gp_array **arrays, uint32_t *count)
{
    GET_ARRAY(r, *arrays, *count, 4);
    for (uint32_t i = 0; i < *count; i++) {
        struct gp_array *array = &(*arrays)[i];
        array->name = get_string(r);
        array->bytes = get_u32(r);
        array->alignment = get_u32(r);
        array->location = get_index(r);
    }
}

static void get_sizes(struct reader *r, uint32_t sizes[3])
{
    for (int i = 0; i < 3; i++)
        sizes[i] = get_u32(r);
}

static void get_resources(struct reader *r)
{
    struct gp_kernel *k = r->kernel;
    GET_ARRAY(r, k->resources, k->resource_count, 8);
    for (uint32_t i = 0; i < k->resource_count; i++) {
        struct gp_resources *entry = &k->resources[i];
        entry->launch_bound = get_u32(r);
        entry->registers = get_u32(r);
        entry->scalar_registers = get_u32(r);
        entry->spill_store_bytes = get_u32(r);
        entry->spill_load_bytes = get_u32(r);
        entry->stack_bytes = get_u32(r);
        entry->local_bytes = get_u32(r);
        unsigned byte = get_byte(r);
        entry->source = (uint8_t)(byte & ~(unsigned)GP_RESOURCES_SPILL_LOOP);
        if (byte & GP_RESOURCES_SPILL_LOOP) {
            entry->spill_loop = get_u32(r);
            entry->loop_store_bytes = get_u32(r);
            entry->loop_load_bytes = get_u32(r);
        }
    }
}

static void get_machine_code(struct reader *r, bool local_words, bool integers)
{
    struct gp_kernel *k = r->kernel;
    GET_ARRAY(r, k->code, k->code_count, 3);
    for (uint32_t i = 0; i < k->code_count; i++) {
        k->code[i].loop = get_index(r);
        k->code[i].vector = get_u32(r);
        k->code[i].floats = get_u32(r);
        k->code[i].local_words = local_words ? get_index(r) : GP_NONE;
        k->code[i].integers = integers ? get_index(r) : GP_NONE;
        k->code[i].stepping = integers ? get_index(r) : GP_NONE;
    }
}

static void get_facts(struct reader *r)
{
    struct gp_kernel *k = r->kernel;
    unsigned flags = get_byte(r);
    if (flags > (GP_KERNEL_TRUNCATED | GP_KERNEL_AGNOSTIC | GP_KERNEL_SPLIT_SAFE | GP_KERNEL_MIN_GROUPS |
                 GP_KERNEL_CODE | GP_KERNEL_CODE_WORDS | GP_KERNEL_CODE_INTEGERS))
        refuse(r, "a kernel has unknown flags");
    k->truncated = flags & GP_KERNEL_TRUNCATED;
    k->local_size_agnostic = (struct gp_fact){(flags & GP_KERNEL_AGNOSTIC) != 0, get_string(r)};
    k->split_safe = (struct gp_fact){(flags & GP_KERNEL_SPLIT_SAFE) != 0, get_string(r)};
    k->dims = get_u32(r);
    get_sizes(r, k->stated.required_local);
    k->stated.max_local = get_u32(r);
    k->stated.min_groups = flags & GP_KERNEL_MIN_GROUPS ? get_u32(r) : 0;
    k->barrier_count = get_u32(r);
    get_sizes(r, k->stated.default_global);
    get_sizes(r, k->stated.default_local);
    GET_ARRAY(r, k->stated.defaults, k->stated.default_count, 2);
    for (uint32_t i = 0; i < k->stated.default_count; i++) {
        k->stated.defaults[i].param = get_u32(r);
        k->stated.defaults[i].value = gp_unzigzag(get(r));
    }
    GET_ARRAY(r, k->callees, k->callee_count, 1);
    for (uint32_t i = 0; i < k->callee_count; i++)
        k->callees[i] = get_string(r);
    if (flags & GP_KERNEL_CODE)
        get_machine_code(r, flags & GP_KERNEL_CODE_WORDS, flags & GP_KERNEL_CODE_INTEGERS);
}

static void get_constants(struct reader *r)
{
    struct gp_kernel *k = r->kernel;
    GET_ARRAY(r, k->constants, k->constant_count, 1);
    for (uint32_t i = 0; i < k->constant_count; i++)
        k->constants[i] = (uint64_t)gp_unzigzag(get(r));
}

static void get_blocks(struct reader *r)
{
    struct gp_kernel *k = r->kernel;
    uint64_t next = 0;
    GET_ARRAY(r, k->blocks, k->block_count, 3);
    for (uint32_t i = 0; i < k->block_count; i++) {
        k->blocks[i].inst = (uint32_t)next;
        k->blocks[i].inst_count = get_u32(r);
        k->blocks[i].ipdom = get_index(r);
        k->blocks[i].loop = get_index(r);
        next += k->blocks[i].inst_count;
        if (next > UINT32_MAX)
            refuse(r, "it has too many instructions");
    }
}

/*
 * The number of operands and of records stands before the instructions, so that each array is reserved at once. (The
 * smallest instruction takes four bytes, a memory record six more, a branch record one.)
 */
static void get_insts(struct reader *r)
{
    struct gp_kernel *k = r->kernel;
    GET_ARRAY(r, k->insts, k->inst_count, 4);
    GET_ARRAY(r, k->operands, r->operand_room, 1);
    uint32_t memory_room = 0, branch_room = 0;
    GET_ARRAY(r, k->memory, memory_room, 6);
    GET_ARRAY(r, k->branches, branch_room, 1);
    r->last_location = 0;
    for (uint32_t i = 0; i < k->inst_count && r->problem == NULL; i++) {
        unsigned op = r->at < r->end ? *r->at & 0x7f : 0;
        bool memory = gp_op_is_memory((enum gp_op)op), branch = op == GP_OP_CONDBR || op == GP_OP_SWITCH;
        if ((memory && k->memory_count == memory_room) || (branch && k->branch_count == branch_room))
            refuse(r, "it has more records than it says");
        else
            get_inst(r, i);
    }
    if (r->operand_room != k->operand_count || memory_room != k->memory_count || branch_room != k->branch_count)
        refuse(r, "it has fewer operands or records than it says");
}

static void get_loops(struct reader *r)
{
    struct gp_kernel *k = r->kernel;
    GET_ARRAY(r, k->loops, k->loop_count, 7);
    for (uint32_t i = 0; i < k->loop_count; i++) {
        struct gp_loop *loop = &k->loops[i];
        loop->header = get_u32(r);
        loop->latch = get_u32(r);
        loop->parent = get_index(r);
        loop->location = get_index(r);
        unsigned byte = get_byte(r);
        loop->bound = byte & 0x3f;
        loop->irreducible = byte >> 6 & 1;
        loop->data_dependent = byte >> 7;
        loop->unroll = (uint16_t)get_up_to(r, UINT16_MAX);
        loop->trip_count = get_ref(r, 0);
        loop->depth = loop->parent < i ? k->loops[loop->parent].depth + 1 : 1;
    }
    GET_ARRAY(r, k->inductions, k->induction_count, 3);
    for (uint32_t i = 0; i < k->induction_count; i++) {
        k->inductions[i].loop = get_u32(r);
        k->inductions[i].phi = get_u32(r);
        k->inductions[i].step = get_ref(r, 0);
    }
}

static void get_kernel(struct reader *r, struct gp_kernel *kernel)
{
    r->kernel = kernel;
    kernel->name = get_string(r);
    kernel->symbol = get_string(r);
    kernel->location = get_index(r);
    get_params(r);
    get_arrays(r, &kernel->locals, &kernel->local_count);
    get_arrays(r, &kernel->globals, &kernel->global_count);
    get_arrays(r, &kernel->privates, &kernel->private_count);
    get_facts(r);
    get_resources(r);
    get_constants(r);
    get_loops(r);
    get_blocks(r);
    get_insts(r);
}

/* ---- The profile ---------------------------------------------------------------------------------------------- */

static void get_profile(struct reader *r)
{
    struct gp_profile *p = r->profile;
    get_strings(r);
    p->producer = get_string(r);
    p->source = get_string(r);
    p->triple = get_string(r);
    p->cpu = get_string(r);
    p->language = get_string(r);
    uint32_t level = get_u32(r);
    p->left_to_drivers = level & GP_LEFT_TO_DRIVERS;
    p->opt_level = level & ~GP_LEFT_TO_DRIVERS;
    GET_ARRAY(r, p->locations, p->location_count, 4);
    for (uint32_t i = 0; i < p->location_count; i++) {
        p->locations[i].file = get_string(r);
        p->locations[i].line = get_u32(r);
        p->locations[i].column = get_u32(r);
        p->locations[i].inlined_at = get_index(r);
    }
    GET_ARRAY(r, p->kernels, p->kernel_count, 32);
    for (uint32_t i = 0; i < p->kernel_count && r->problem == NULL; i++)
        get_kernel(r, &p->kernels[i]);
}

/* The last word is filled up with zeros. */
static void get_end(struct reader *r)
{
    if (r->problem == NULL && r->end - r->at > 3)
        refuse(r, "something stands behind its end");
    while (r->at < r->end)
        if (*r->at++ != 0)
            refuse(r, "something stands behind its end");
}

static uint32_t word_at(const unsigned char *bytes, size_t word)
{
    const unsigned char *b = bytes + word * 4;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

bool gp_profile_has_magic(const void *bytes, size_t byte_count)
{
    return byte_count >= 4 && word_at(bytes, 0) == GP_PROFILE_MAGIC;
}

static bool check_frame(const unsigned char *bytes, size_t byte_count, struct gp_error *error)
{
    if (!gp_profile_has_magic(bytes, byte_count))
        return gp_fail(error, "this is no gpuperf profile: it does not begin with 'GPPF'");
    if (byte_count < GP_HEADER_WORDS * 4)
        return gp_fail(error, "the profile ends within its header");
    if (word_at(bytes, 1) != GP_PROFILE_VERSION)
        return gp_fail(error, "the profile has version %u, but this gpuperf reads version %u; make it again",
                       word_at(bytes, 1), GP_PROFILE_VERSION);
    if ((uint64_t)word_at(bytes, 2) * 4 != byte_count)
        return gp_fail(error, "the profile says that it has %llu bytes, but %zu are there",
                       (unsigned long long)word_at(bytes, 2) * 4, byte_count);
    if (word_at(bytes, 3) != gp_crc32(bytes + GP_HEADER_WORDS * 4, byte_count - GP_HEADER_WORDS * 4))
        return gp_fail(error, "the profile is damaged: its checksum is wrong");
    return true;
}

/* Of bytes that start and end as a profile does; `checked`: what they say was found to be valid before they were
 * written. */
static struct gp_profile *read_profile(const void *bytes, size_t byte_count, bool checked, struct gp_error *error)
{
    struct reader r = {.at = (const unsigned char *)bytes + GP_HEADER_WORDS * 4,
                       .end = (const unsigned char *)bytes + byte_count};
    r.profile = gp_arena_new(&r.arena, 1, sizeof *r.profile);
    if (r.profile == NULL) {
        gp_fail(error, "out of memory");
        return NULL;
    }
    get_profile(&r);
    get_end(&r);
    bool good = r.problem == NULL ? checked || gp_profile_check(r.profile, error)
                                  : gp_fail(error, "the profile is damaged: %s", r.problem);
    if (good && (r.profile->storage = gp_arena_seal(&r.arena)) == NULL)
        good = gp_fail(error, "out of memory");
    if (!good)
        gp_arena_free(&r.arena);
    return good ? r.profile : NULL;
}

struct gp_profile *gp_profile_decode(const void *bytes, size_t byte_count, struct gp_error *error)
{
    return check_frame(bytes, byte_count, error) ? read_profile(bytes, byte_count, false, error) : NULL;
}

struct gp_profile *gp_profile_decode_encoded(const uint32_t *words, size_t word_count, struct gp_error *error)
{
    return read_profile(words, word_count * sizeof *words, true, error);
}

/* ---- Files ---------------------------------------------------------------------------------------------------- */

static bool write_words(const uint32_t *words, size_t count, const char *path)
{
    unsigned char *bytes = malloc(4 * count + 1);
    if (bytes == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        for (size_t b = 0; b < 4; b++)
            bytes[4 * i + b] = (unsigned char)(words[i] >> (8 * b));
    }
    bool good = gp_write_file(path, bytes, 4 * count);
    free(bytes);
    return good;
}

bool gp_profile_write_file(const struct gp_profile *profile, const char *path, struct gp_error *error)
{
    uint32_t *words;
    size_t count;
    if (!gp_profile_encode(profile, &words, &count, error))
        return false;
    bool good =
        write_words(words, count, path) || gp_fail(error, "cannot write the profile '%s': %s", path, strerror(errno));
    free(words);
    return good;
}

struct gp_profile *gp_profile_read_file(const char *path, struct gp_error *error)
{
    size_t length;
    char *bytes = gp_read_file(path, &length);
    if (bytes == NULL) {
        gp_fail(error, "cannot read the profile '%s': %s", path, strerror(errno));
        return NULL;
    }
    struct gp_profile *profile = gp_profile_decode(bytes, length, error);
    if (profile == NULL)
        gp_fail_within(error, path);
    free(bytes);
    return profile;
}
