/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reads the text form. A line is one statement; the grammar is in docs/profile.md. Numbers of instructions in the text
 * are labels: they are resolved when the kernel ends, so that a phi may name what stands below it.
 */
#include "model/profile/profile_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile/parser.h"

static const char *space_name(unsigned i) { return gp_space_name((enum gp_space)i); }
static const char *bound_name(unsigned i) { return gp_bound_name((enum gp_bound)i); }
static const char *param_kind_name(unsigned i) { return gp_param_kind_name((enum gp_param_kind)i); }
static const char *source_name(unsigned i) { return gp_resource_source_name((enum gp_resource_source)i); }

/* ---- Statements of a kernel --------------------------------------------------------------------------------- */

/* block N: ipdom N loop N */
static bool parse_block(struct gp_parser *p)
{
    if (p->in_expressions)
        return GP_PARSE_FAIL(p, "blocks stand before the expressions");
    if (!gp_take_next_index(p, p->lists.blocks.count, "the block's number") || !gp_take_mark(p, ':'))
        return false;
    struct gp_block *block = gp_list_add(&p->lists.blocks, sizeof *block);
    if (block == NULL)
        return gp_out_of_memory(p);
    *block = (struct gp_block){.inst = (uint32_t)p->lists.insts.count, .ipdom = GP_NONE, .loop = GP_NONE};
    p->in_block = true;
    bool there;
    if (!gp_try_word(p, "ipdom", &there) || (there && !gp_take_index(p, &block->ipdom, "a block's number")))
        return false;
    return gp_try_word(p, "loop", &there) && (!there || gp_take_index(p, &block->loop, "a loop's number"));
}

static bool parse_expressions(struct gp_parser *p)
{
    p->in_block = false;
    p->in_expressions = true;
    return gp_take_mark(p, ':');
}

static bool take_param_flags(struct gp_parser *p, struct gp_param *param)
{
    static const struct {
        const char *word;
        uint8_t flag;
    } flags[] = {{"const", GP_PARAM_CONST},
                 {"restrict", GP_PARAM_RESTRICT},
                 {"skeleton", GP_PARAM_SKELETON},
                 {"signed", GP_PARAM_SIGNED},
                 {"records", GP_PARAM_RECORDS}};
    bool there;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (!gp_try_word(p, flags[i].word, &there))
            return false;
        if (there)
            param->flags |= flags[i].flag;
    }
    return true;
}

/* [element N of PARAMETER] */
static bool take_element(struct gp_parser *p, struct gp_param *param)
{
    bool there;
    if (!gp_try_word(p, "element", &there))
        return false;
    if (!there)
        return true;
    param->flags |= GP_PARAM_ELEMENT;
    return gp_take_u32(p, &param->element, "the element's number") && gp_try_word(p, "of", &there) &&
           (there || gp_expected(p, "'of'")) && gp_take_u32(p, &param->vector, "the vector's number");
}

/* param NAME: KIND BITS [in SPACE] [const] [restrict] [skeleton] [signed] [records] [bounds DIM] [size BYTES] [element
 * N of PARAMETER] */
static bool parse_param(struct gp_parser *p)
{
    struct gp_param *param = gp_list_add(&p->lists.params, sizeof *param);
    if (param == NULL)
        return gp_out_of_memory(p);
    param->bounds_dim = GP_NONE;
    unsigned kind = 0, space = GP_SPACE_GLOBAL;
    uint64_t bits = 64;
    bool there;
    if (!gp_take_string(p, &param->name, "the parameter's name") || !gp_take_mark(p, ':') ||
        !gp_take_name(p, param_kind_name, GP_PARAM_KIND_COUNT, &kind,
                      "a kind of parameter (int, float, buffer, local, image, sampler, other)") ||
        !gp_take_number(p, 255, &bits, "the parameter's bits") || !gp_try_word(p, "in", &there))
        return false;
    if (there && !gp_take_name(p, space_name, GP_SPACE_COUNT, &space, "a space"))
        return false;
    param->kind = (uint8_t)kind;
    param->bits = (uint8_t)bits;
    param->space = (uint8_t)space;
    param->size = kind == GP_PARAM_LOCAL ? 0 : (uint32_t)((bits + 7) / 8);
    if (!take_param_flags(p, param) || !gp_try_word(p, "bounds", &there) ||
        (there && !gp_take_u32(p, &param->bounds_dim, "a dimension")) || !gp_try_word(p, "size", &there) ||
        (there && !gp_take_u32(p, &param->size, "a size in bytes")) || !take_element(p, param))
        return false;
    return gp_define_entity(p, "$", param->name, gp_ref_make(GP_REF_PARAM, (uint32_t)p->lists.params.count - 1));
}

/* local NAME: BYTES align N [at LOCATION] */
static bool parse_array(struct gp_parser *p, struct gp_list *list, const char *prefix, enum gp_ref_kind kind)
{
    struct gp_array *array = gp_list_add(list, sizeof *array);
    if (array == NULL)
        return gp_out_of_memory(p);
    array->alignment = 1;
    array->location = GP_NONE;
    bool there;
    if (!gp_take_string(p, &array->name, "the array's name") || !gp_take_mark(p, ':') ||
        !gp_take_u32(p, &array->bytes, "the array's bytes") || !gp_try_word(p, "align", &there) ||
        (there && !gp_take_u32(p, &array->alignment, "an alignment")) || !gp_try_word(p, "at", &there) ||
        (there && !gp_take_index(p, &array->location, "a location's number")))
        return false;
    return gp_define_entity(p, prefix, array->name, gp_ref_make(kind, (uint32_t)list->count - 1));
}

static bool parse_local(struct gp_parser *p) { return parse_array(p, &p->lists.locals, "local.", GP_REF_LOCAL); }
static bool parse_global(struct gp_parser *p) { return parse_array(p, &p->lists.globals, "global.", GP_REF_GLOBAL); }
static bool parse_private(struct gp_parser *p)
{
    return parse_array(p, &p->lists.privates, "private.", GP_REF_PRIVATE);
}

/* callee N: NAME */
static bool parse_callee(struct gp_parser *p)
{
    if (!gp_take_next_index(p, p->lists.callees.count, "the callee's number") || !gp_take_mark(p, ':'))
        return false;
    const char **name = gp_list_add(&p->lists.callees, sizeof *name);
    return name == NULL ? gp_out_of_memory(p) : gp_take_string(p, name, "the callee's name");
}

/* Words with a number behind each, in this order, all optional. */
struct field {
    const char *word;
    uint32_t *value;
};

static bool take_fields(struct gp_parser *p, const struct field *fields, size_t count)
{
    bool there;
    for (size_t i = 0; i < count; i++)
        if (!gp_try_word(p, fields[i].word, &there) || (there && !gp_take_index(p, fields[i].value, fields[i].word)))
            return false;
    return true;
}

/* resources bound N registers N scalar N spill-store N spill-load N spill-loop N loop-store N loop-load N stack N local
 * N from SOURCE */
static bool parse_resources(struct gp_parser *p)
{
    struct gp_resources *entry = gp_list_add(&p->lists.resources, sizeof *entry);
    if (entry == NULL)
        return gp_out_of_memory(p);
    const struct field fields[] = {{"bound", &entry->launch_bound},          {"registers", &entry->registers},
                                   {"scalar", &entry->scalar_registers},     {"spill-store", &entry->spill_store_bytes},
                                   {"spill-load", &entry->spill_load_bytes}, {"spill-loop", &entry->spill_loop},
                                   {"loop-store", &entry->loop_store_bytes}, {"loop-load", &entry->loop_load_bytes},
                                   {"stack", &entry->stack_bytes},           {"local", &entry->local_bytes}};
    unsigned source = 0;
    bool there;
    if (!take_fields(p, fields, sizeof fields / sizeof *fields) || !gp_try_word(p, "from", &there))
        return false;
    if (there &&
        !gp_take_name(p, source_name, GP_SOURCE_COUNT, &source, "a source (estimate, ptxas, llvm, runtime, amd-clang)"))
        return false;
    entry->source = (uint8_t)source;
    return true;
}

/* code [loop N] vector N floats N [local-words N] [integers N] [stepping N] */
static bool parse_machine_code(struct gp_parser *p)
{
    struct gp_machine_code *code = gp_list_add(&p->lists.code, sizeof *code);
    if (code == NULL)
        return gp_out_of_memory(p);
    code->loop = code->local_words = code->integers = code->stepping = GP_NONE;
    const struct field fields[] = {{"loop", &code->loop},         {"vector", &code->vector},
                                   {"floats", &code->floats},     {"local-words", &code->local_words},
                                   {"integers", &code->integers}, {"stepping", &code->stepping}};
    return take_fields(p, fields, sizeof fields / sizeof *fields);
}

/* loop N: header B latch B parent N bound KIND [data] [irreducible] [unroll N] [trips REF] [at LOCATION] */
static bool parse_loop(struct gp_parser *p)
{
    if (!gp_take_next_index(p, p->lists.loops.count, "the loop's number") || !gp_take_mark(p, ':'))
        return false;
    struct gp_loop *loops = p->lists.loops.data;
    struct gp_loop loop = {.parent = GP_NONE, .location = GP_NONE, .depth = 1, .unroll = 1};
    const struct field places[] = {{"header", &loop.header}, {"latch", &loop.latch}, {"parent", &loop.parent}};
    bool there, data = false, irreducible = false;
    unsigned bound = GP_BOUND_EXECUTED;
    uint64_t unroll = 1;
    if (!take_fields(p, places, 3) || !gp_try_word(p, "bound", &there) ||
        (there && !gp_take_name(p, bound_name, GP_BOUND_COUNT, &bound, "how the bound was found")) ||
        !gp_try_word(p, "data", &data) || !gp_try_word(p, "irreducible", &irreducible) ||
        !gp_try_word(p, "unroll", &there) || (there && !gp_take_number(p, UINT16_MAX, &unroll, "a factor")) ||
        !gp_try_word(p, "trips", &there) || (there && !gp_take_ref(p, &loop.trip_count)) ||
        !gp_try_word(p, "at", &there) || (there && !gp_take_index(p, &loop.location, "a location's number")))
        return false;
    loop.bound = (uint8_t)bound;
    loop.data_dependent = data;
    loop.irreducible = irreducible;
    loop.unroll = (uint16_t)unroll;
    if (loop.parent != GP_NONE) {
        if (loop.parent >= p->lists.loops.count)
            return GP_PARSE_FAIL(p, "the parent of loop %zu must stand before it", p->lists.loops.count);
        loop.depth = loops[loop.parent].depth + 1;
    }
    struct gp_loop *slot = gp_list_add(&p->lists.loops, sizeof *slot);
    if (slot == NULL)
        return gp_out_of_memory(p);
    *slot = loop;
    return true;
}

/* induction LABEL loop N step REF */
static bool parse_induction(struct gp_parser *p)
{
    struct gp_induction *entry = gp_list_add(&p->lists.inductions, sizeof *entry);
    if (entry == NULL)
        return gp_out_of_memory(p);
    gp_ref phi;
    bool there;
    if (p->token.kind != GP_TOKEN_WORD || *p->token.text != '%')
        return gp_expected(p, "the phi's label");
    if (!gp_take_label(p, &phi) || !gp_try_word(p, "loop", &there) ||
        (there && !gp_take_u32(p, &entry->loop, "a loop's number")) || !gp_try_word(p, "step", &there))
        return false;
    entry->phi = gp_ref_index(phi); /* the label's number until the kernel ends */
    return there ? gp_take_ref(p, &entry->step) : gp_expected(p, "'step'");
}

/* default $NAME = NUMBER */
static bool parse_default(struct gp_parser *p)
{
    struct gp_default *entry = gp_list_add(&p->lists.defaults, sizeof *entry);
    if (entry == NULL)
        return gp_out_of_memory(p);
    gp_ref param;
    uint64_t value;
    if (p->token.kind != GP_TOKEN_WORD || *p->token.text != '$')
        return gp_expected(p, "a parameter like $n");
    if (!gp_take_entity(p, 1, GP_REF_PARAM, &param) || !gp_take_mark(p, '='))
        return false;
    if (p->token.kind != GP_TOKEN_WORD || !gp_number_of(p->token.text, p->token.length, &value))
        return gp_expected(p, "an integer");
    entry->param = gp_ref_index(param);
    entry->value = (int64_t)value;
    return gp_advance(p);
}

/* yes | no [REASON] */
static bool parse_fact(struct gp_parser *p, struct gp_fact *fact)
{
    bool no;
    if (!gp_try_word(p, "yes", &fact->holds) || !gp_try_word(p, "no", &no))
        return false;
    if (!fact->holds && !no)
        return gp_expected(p, "'yes' or 'no'");
    return p->token.kind == GP_TOKEN_END || gp_take_string(p, &fact->reason, "the reason");
}

static bool parse_agnostic(struct gp_parser *p) { return parse_fact(p, &p->kernel->local_size_agnostic); }
static bool parse_split_safe(struct gp_parser *p) { return parse_fact(p, &p->kernel->split_safe); }
static bool parse_dims(struct gp_parser *p) { return gp_take_u32(p, &p->kernel->dims, "a number of dimensions"); }
static bool parse_barriers(struct gp_parser *p)
{
    return gp_take_u32(p, &p->kernel->barrier_count, "a number of barriers");
}
static bool parse_max_local(struct gp_parser *p)
{
    return gp_take_u32(p, &p->kernel->stated.max_local, "a number of work-items");
}
static bool parse_min_groups(struct gp_parser *p)
{
    return gp_take_u32(p, &p->kernel->stated.min_groups, "a number of work-groups");
}
static bool parse_required_local(struct gp_parser *p) { return gp_take_sizes(p, p->kernel->stated.required_local); }
static bool parse_default_global(struct gp_parser *p) { return gp_take_sizes(p, p->kernel->stated.default_global); }
static bool parse_default_local(struct gp_parser *p) { return gp_take_sizes(p, p->kernel->stated.default_local); }

static bool parse_truncated(struct gp_parser *p)
{
    p->kernel->truncated = true;
    return true;
}

/* ---- The end of a kernel: labels become indices, lists become arrays ------------------------------------------ */

static bool resolve(struct gp_parser *p, uint32_t label, uint32_t *inst)
{
    const struct gp_label *name = (const struct gp_label *)p->lists.names.data + label;
    if (!name->defined) {
        p->line = name->first_use;
        return GP_PARSE_FAIL(p, "'%.60s' is not defined in this kernel", p->lists.name_numbers.entries[label].bytes);
    }
    *inst = gp_ref_index(name->ref);
    return true;
}

static bool resolve_ref(struct gp_parser *p, gp_ref *ref)
{
    uint32_t inst = 0;
    if (gp_ref_kind(*ref) != GP_REF_INST)
        return true;
    if (!resolve(p, gp_ref_index(*ref), &inst))
        return false;
    *ref = gp_ref_make(GP_REF_INST, inst);
    return true;
}

static bool resolve_labels(struct gp_parser *p)
{
    struct gp_kernel_lists *lists = &p->lists;
    for (size_t i = 0; i < lists->operands.count; i++)
        if (!resolve_ref(p, (gp_ref *)lists->operands.data + i))
            return false;
    for (size_t i = 0; i < lists->memory.count; i++)
        if (!resolve_ref(p, &((struct gp_memory *)lists->memory.data)[i].base))
            return false;
    for (size_t i = 0; i < lists->loops.count; i++)
        if (!resolve_ref(p, &((struct gp_loop *)lists->loops.data)[i].trip_count))
            return false;
    for (size_t i = 0; i < lists->inductions.count; i++) {
        struct gp_induction *entry = (struct gp_induction *)lists->inductions.data + i;
        if (!resolve(p, entry->phi, &entry->phi) || !resolve_ref(p, &entry->step))
            return false;
    }
    return true;
}

/* Copies a list into the arena. */
static bool keep(struct gp_parser *p, const struct gp_list *list, size_t size, void *array, uint32_t *count)
{
    void *copy = gp_arena_new(&p->arena, list->count, size);
    if (copy == NULL)
        return gp_out_of_memory(p);
    if (list->count != 0)
        memcpy(copy, list->data, list->count * size);
    memcpy(array, &copy, sizeof copy);
    *count = (uint32_t)list->count;
    return true;
}

#define KEEP(p, list, kernel, array, count) \
    keep(p, &(p)->lists.list, sizeof *(kernel)->array, &(kernel)->array, &(kernel)->count)

static void drop_lists(struct gp_kernel_lists *lists)
{
    struct gp_list *all[] = {&lists->params,  &lists->blocks,   &lists->insts,   &lists->operands,   &lists->constants,
                             &lists->memory,  &lists->branches, &lists->loops,   &lists->inductions, &lists->locals,
                             &lists->globals, &lists->privates, &lists->callees, &lists->resources,  &lists->defaults,
                             &lists->names,   &lists->code};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->data);
    gp_intern_free(&lists->name_numbers);
    gp_intern_free(&lists->constant_numbers);
    *lists = (struct gp_kernel_lists){0};
}

static bool finish_kernel(struct gp_parser *p)
{
    struct gp_kernel *kernel = p->kernel;
    if (kernel == NULL)
        return true;
    bool good = resolve_labels(p) && KEEP(p, params, kernel, params, param_count) &&
                KEEP(p, blocks, kernel, blocks, block_count) && KEEP(p, insts, kernel, insts, inst_count) &&
                KEEP(p, operands, kernel, operands, operand_count) &&
                KEEP(p, constants, kernel, constants, constant_count) &&
                KEEP(p, memory, kernel, memory, memory_count) && KEEP(p, branches, kernel, branches, branch_count) &&
                KEEP(p, loops, kernel, loops, loop_count) && KEEP(p, inductions, kernel, inductions, induction_count) &&
                KEEP(p, locals, kernel, locals, local_count) && KEEP(p, globals, kernel, globals, global_count) &&
                KEEP(p, privates, kernel, privates, private_count) && KEEP(p, callees, kernel, callees, callee_count) &&
                KEEP(p, resources, kernel, resources, resource_count) &&
                KEEP(p, defaults, &kernel->stated, defaults, default_count) && KEEP(p, code, kernel, code, code_count);
    drop_lists(&p->lists);
    p->kernel = NULL;
    return good;
}

/* ---- Statements of the profile -------------------------------------------------------------------------------- */

/* kernel NAME [symbol NAME] [at LOCATION] */
static bool parse_kernel(struct gp_parser *p)
{
    if (!finish_kernel(p))
        return false;
    struct gp_kernel *kernel = gp_list_add(&p->kernels, sizeof *kernel);
    if (kernel == NULL)
        return gp_out_of_memory(p);
    p->kernel = kernel;
    p->in_block = p->in_expressions = false;
    kernel->location = GP_NONE;
    kernel->local_size_agnostic.reason = kernel->split_safe.reason = "";
    bool there;
    if (!gp_take_string(p, &kernel->name, "the kernel's name") || !gp_try_word(p, "symbol", &there))
        return false;
    kernel->symbol = kernel->name;
    if (there && !gp_take_string(p, &kernel->symbol, "the kernel's symbol"))
        return false;
    return gp_try_word(p, "at", &there) && (!there || gp_take_index(p, &kernel->location, "a location's number"));
}

/* location N: FILE:LINE:COLUMN [in N] */
static bool parse_location(struct gp_parser *p)
{
    if (!gp_take_next_index(p, p->locations.count, "the location's number") || !gp_take_mark(p, ':'))
        return false;
    struct gp_location *location = gp_list_add(&p->locations, sizeof *location);
    if (location == NULL)
        return gp_out_of_memory(p);
    location->inlined_at = GP_NONE;
    bool there;
    return gp_take_string(p, &location->file, "a file's name") && gp_take_mark(p, ':') &&
           gp_take_u32(p, &location->line, "a line") && gp_take_mark(p, ':') &&
           gp_take_u32(p, &location->column, "a column") && gp_try_word(p, "in", &there) &&
           (!there || gp_take_index(p, &location->inlined_at, "a location's number"));
}

static bool parse_producer(struct gp_parser *p) { return gp_take_string(p, &p->profile->producer, "a string"); }
static bool parse_source(struct gp_parser *p) { return gp_take_string(p, &p->profile->source, "a string"); }
static bool parse_triple(struct gp_parser *p) { return gp_take_string(p, &p->profile->triple, "a string"); }
static bool parse_cpu(struct gp_parser *p) { return gp_take_string(p, &p->profile->cpu, "a string"); }
static bool parse_language(struct gp_parser *p) { return gp_take_string(p, &p->profile->language, "a string"); }
static bool parse_opt(struct gp_parser *p)
{
    return gp_take_u32(p, &p->profile->opt_level, "an optimisation level") &&
           gp_try_word(p, "left-to-drivers", &p->profile->left_to_drivers);
}

struct statement {
    const char *word;
    bool (*parse)(struct gp_parser *);
};

static const struct statement profile_statements[] = {
    {"producer", parse_producer}, {"source", parse_source}, {"triple", parse_triple},     {"cpu", parse_cpu},
    {"language", parse_language}, {"opt", parse_opt},       {"location", parse_location}, {"kernel", parse_kernel}};

static const struct statement kernel_statements[] = {{"kernel", parse_kernel},
                                                     {"param", parse_param},
                                                     {"local", parse_local},
                                                     {"global", parse_global},
                                                     {"private", parse_private},
                                                     {"callee", parse_callee},
                                                     {"resources", parse_resources},
                                                     {"dims", parse_dims},
                                                     {"required-local", parse_required_local},
                                                     {"max-local", parse_max_local},
                                                     {"min-groups", parse_min_groups},
                                                     {"barriers", parse_barriers},
                                                     {"default-global", parse_default_global},
                                                     {"default-local", parse_default_local},
                                                     {"default", parse_default},
                                                     {"local-size-agnostic", parse_agnostic},
                                                     {"split-safe", parse_split_safe},
                                                     {"truncated", parse_truncated},
                                                     {"loop", parse_loop},
                                                     {"code", parse_machine_code},
                                                     {"induction", parse_induction},
                                                     {"block", parse_block},
                                                     {"expressions", parse_expressions}};

static bool parse_statement(struct gp_parser *p)
{
    bool inside = p->kernel != NULL;
    const struct statement *statements = inside ? kernel_statements : profile_statements;
    size_t count = inside ? sizeof kernel_statements / sizeof *kernel_statements
                          : sizeof profile_statements / sizeof *profile_statements;
    for (size_t i = 0; i < count; i++)
        if (gp_is_word(p, statements[i].word))
            return gp_advance(p) && statements[i].parse(p) && gp_take_end(p);
    if (!inside)
        return gp_expected(p, "producer, source, triple, cpu, language, opt, location or kernel");
    return gp_parse_instruction(p) && gp_take_end(p);
}

/* gpuperf-profile 1 */
static bool parse_first_line(struct gp_parser *p, bool *seen)
{
    uint64_t version = 0;
    if (!gp_is_word(p, "gpuperf-profile"))
        return gp_expected(p, "'gpuperf-profile 1'");
    if (!gp_advance(p) || !gp_take_number(p, UINT32_MAX, &version, "the version"))
        return false;
    *seen = true;
    return version == 1
               ? gp_take_end(p)
               : GP_PARSE_FAIL(p, "version %" PRIu64 " of the text form is not known; this is version 1", version);
}

/* ---- Texts that are cut short --------------------------------------------------------------------------------- */

static bool is_beyond(uint32_t block, size_t count) { return block != GP_NONE && block >= count; }

/* Whether the kernel that is being read has not come to its last block's end, or speaks of blocks that do not follow.
 */
static bool ends_inside_kernel(const struct gp_parser *p)
{
    const struct gp_kernel_lists *lists = &p->lists;
    const struct gp_block *blocks = lists->blocks.data;
    const struct gp_inst *insts = lists->insts.data;
    const struct gp_loop *loops = lists->loops.data;
    size_t count = lists->blocks.count;
    if (p->kernel == NULL)
        return false;
    bool inside = count == 0 || (p->in_block && (lists->insts.count == blocks[count - 1].inst ||
                                                 !gp_op_is_terminator(insts[lists->insts.count - 1].op)));
    for (size_t i = 0; i < count && !inside; i++)
        inside = is_beyond(blocks[i].ipdom, count);
    for (size_t i = 0; i < lists->loops.count && !inside; i++)
        inside = is_beyond(loops[i].header, count) || is_beyond(loops[i].latch, count);
    return inside;
}

/* What was missed first is the lesser news where the rest of the text is missing. A printed profile ends with a
 * newline. */
static void say_if_cut(const struct gp_parser *p, const char *text, size_t length)
{
    bool in_last_line = memchr(p->at, '\n', (size_t)(p->end - p->at)) == NULL;
    if (p->error == NULL || length == 0)
        return;
    size_t used = strlen(p->error->text), left = sizeof p->error->text - used;
    if (in_last_line && text[length - 1] != '\n')
        snprintf(p->error->text + used, left, "; the last line has no end: the text seems to be cut short");
    else if (p->ends_inside)
        snprintf(p->error->text + used, left, "; the text ends inside its last kernel: it seems to be cut short");
}

static bool parse_lines(struct gp_parser *p)
{
    bool seen = false;
    for (p->line = 1; p->at < p->end; p->line++) {
        if (!gp_advance(p))
            return false;
        if (p->token.kind != GP_TOKEN_END && !(seen ? parse_statement(p) : parse_first_line(p, &seen)))
            return false;
        const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
        p->at = newline ? newline + 1 : p->end;
    }
    p->ends_inside = ends_inside_kernel(p);
    return (seen || gp_expected(p, "'gpuperf-profile 1'")) && finish_kernel(p);
}

static bool finish_profile(struct gp_parser *p)
{
    return keep(p, &p->locations, sizeof(struct gp_location), &p->profile->locations, &p->profile->location_count) &&
           keep(p, &p->kernels, sizeof(struct gp_kernel), &p->profile->kernels, &p->profile->kernel_count) &&
           gp_profile_check(p->profile, p->error);
}

struct gp_profile *gp_profile_parse(const char *text, size_t length, struct gp_error *error)
{
    struct gp_parser p = {.at = text, .end = text + length, .error = error};
    p.token.text = text;
    p.profile = gp_arena_new(&p.arena, 1, sizeof *p.profile);
    bool good = p.profile != NULL || gp_out_of_memory(&p);
    if (good) {
        p.profile->producer = p.profile->source = p.profile->triple = p.profile->cpu = p.profile->language = "";
        good = parse_lines(&p) && finish_profile(&p);
    }
    drop_lists(&p.lists);
    free(p.locations.data);
    free(p.kernels.data);
    if (good)
        good = (p.profile->storage = gp_arena_seal(&p.arena)) != NULL || gp_out_of_memory(&p);
    if (!good) {
        say_if_cut(&p, text, length);
        gp_arena_free(&p.arena);
    }
    return good ? p.profile : NULL;
}
