/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Prints the text form. The reader is in profile_parse.c, the grammar in docs/profile.md. */
#include "model/profile/profile_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile/intern.h"

enum { CLASS_COLUMN = 56, PLACE_COLUMN = 100 };

struct printer {
    struct gp_text *out;
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    bool *param_named, *local_named, *global_named, *private_named; /* [count]: referred to by name, not by number */
};

/* ---- Pieces --------------------------------------------------------------------------------------------------- */

static void print_string(struct gp_text *out, const char *string)
{
    gp_text_append(out, "\"", 1);
    for (; *string != '\0'; string++) {
        unsigned char c = (unsigned char)*string;
        if (c == '"' || c == '\\')
            gp_text_printf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            gp_text_printf(out, "\\x%02x", c);
        else
            gp_text_append(out, string, 1);
    }
    gp_text_append(out, "\"", 1);
}

static size_t column(const struct gp_text *out)
{
    size_t length = 0;
    while (length < out->length && out->data[out->length - 1 - length] != '\n')
        length++;
    return length;
}

static void pad_to(struct gp_text *out, size_t target)
{
    size_t now = column(out);
    gp_text_printf(out, "%*s", now + 1 < target ? (int)(target - now) : 1, "");
}

static void print_index(struct gp_text *out, const char *word, uint32_t index)
{
    if (index != GP_NONE)
        gp_text_printf(out, " %s %" PRIu32, word, index);
}

/* Small numbers in decimal, also as negative ones; patterns in hexadecimal. */
static void print_constant(struct gp_text *out, uint64_t value)
{
    int64_t number = (int64_t)value;
    if (number < 0 && number >= -(INT64_C(1) << 31))
        gp_text_printf(out, "%" PRId64, number);
    else if (value < UINT64_C(1) << 24)
        gp_text_printf(out, "%" PRIu64, value);
    else
        gp_text_printf(out, "0x%" PRIx64, value);
}

static void print_named(struct printer *p, const char *prefix, const bool *named, uint32_t index, const char *name)
{
    if (named[index])
        gp_text_printf(p->out, "%s%s", prefix, name);
    else
        gp_text_printf(p->out, "%s%" PRIu32, prefix, index);
}

static void print_ref(struct printer *p, gp_ref ref)
{
    uint32_t index = gp_ref_index(ref);
    switch (gp_ref_kind(ref)) {
    case GP_REF_NONE: gp_text_printf(p->out, "none"); break;
    case GP_REF_INST: gp_text_printf(p->out, "%%%" PRIu32, index); break;
    case GP_REF_CONST: print_constant(p->out, p->kernel->constants[index]); break;
    case GP_REF_PARAM: print_named(p, "$", p->param_named, index, p->kernel->params[index].name); break;
    case GP_REF_LOCAL: print_named(p, "local.", p->local_named, index, p->kernel->locals[index].name); break;
    case GP_REF_GLOBAL: print_named(p, "global.", p->global_named, index, p->kernel->globals[index].name); break;
    case GP_REF_PRIVATE: print_named(p, "private.", p->private_named, index, p->kernel->privates[index].name); break;
    case GP_REF_BLOCK: gp_text_printf(p->out, "block %" PRIu32, index); break;
    }
}

/* "; blur.cl:14:20 < blur.cl:30:2": for the reader only. */
static void print_place(struct printer *p, uint32_t location)
{
    if (location == GP_NONE)
        return;
    gp_text_printf(p->out, " at %" PRIu32, location);
    pad_to(p->out, PLACE_COLUMN);
    const char *separator = "; ";
    for (int shown = 0; location != GP_NONE && shown < 4; shown++) {
        const struct gp_location *place = &p->profile->locations[location];
        const char *slash = strrchr(place->file, '/');
        const char *file = slash ? slash + 1 : place->file;
        gp_text_printf(p->out, "%s", separator);
        for (; *file != '\0'; file++)
            gp_text_printf(p->out, "%c", iscntrl((unsigned char)*file) ? '?' : *file);
        gp_text_printf(p->out, ":%" PRIu32 ":%" PRIu32, place->line, place->column);
        separator = " < ";
        location = place->inlined_at;
    }
}

/* ---- Instructions --------------------------------------------------------------------------------------------- */

static bool has_float_result(const struct gp_inst *inst)
{
    if (inst->op == GP_OP_WEIGHT) {
        const char *name = gp_class_name((enum gp_class)inst->cost);
        return (name[0] == 'f' && name[1] == 'p' && strstr(name, ".cmp") == NULL) || strncmp(name, "sfu", 3) == 0 ||
               strncmp(name, "math", 4) == 0;
    }
    return (inst->op >= GP_OP_FADD && inst->op <= GP_OP_SQRT) || inst->op == GP_OP_UITOFP || inst->op == GP_OP_SITOFP ||
           inst->op == GP_OP_FPTRUNC || inst->op == GP_OP_FPEXT;
}

static bool has_float_operands(const struct gp_inst *inst)
{
    return inst->op == GP_OP_FCMP || inst->op == GP_OP_FPTOUI || inst->op == GP_OP_FPTOSI ||
           inst->op == GP_OP_FPTRUNC || inst->op == GP_OP_FPEXT;
}

static void print_op(struct printer *p, const struct gp_inst *inst)
{
    gp_text_printf(p->out, "%s", gp_op_name((enum gp_op)inst->op));
    if (inst->op == GP_OP_ICMP || inst->op == GP_OP_FCMP)
        gp_text_printf(p->out, ".%s", gp_predicate_name((enum gp_predicate)inst->sub));
    if (inst->op == GP_OP_ID) {
        enum gp_id id = (enum gp_id)(inst->sub >> 2);
        gp_text_printf(p->out, ".%s", gp_id_name(id));
        if (gp_id_has_dimension(id))
            gp_text_printf(p->out, ".%d", inst->sub & 3);
    }
    if (inst->width != 0)
        gp_text_printf(p->out, " %c%d", has_float_operands(inst) ? 'f' : 'i', inst->width);
    else if (inst->bits != 0)
        gp_text_printf(p->out, " %c%d", has_float_result(inst) ? 'f' : 'i', inst->bits);
}

static void print_operands(struct printer *p, const struct gp_inst *inst)
{
    const gp_ref *operands = p->kernel->operands + inst->operand;
    uint32_t plain = inst->op == GP_OP_PHI ? 0 : inst->op == GP_OP_SWITCH ? 2 : inst->operand_count;
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        bool paired = i >= plain, second = paired && (i - plain) % 2 != 0;
        gp_text_printf(p->out, "%s%s", second ? ": " : i == 0 ? " " : ", ", paired && !second ? "[" : "");
        print_ref(p, operands[i]);
        if (second)
            gp_text_printf(p->out, "]");
    }
    if (gp_op_is_cast((enum gp_op)inst->op))
        gp_text_printf(p->out, " to %c%d", has_float_result(inst) ? 'f' : 'i', inst->bits);
}

static void print_memory(struct printer *p, const struct gp_inst *inst)
{
    const struct gp_memory *memory = &p->kernel->memory[inst->record];
    gp_text_printf(p->out, " in %s %dx%d align %d", gp_space_name((enum gp_space)memory->space), memory->element_bytes,
                   memory->vector, memory->alignment);
    if (gp_ref_kind(memory->base) != GP_REF_NONE) {
        gp_text_printf(p->out, " base ");
        print_ref(p, memory->base);
    }
    bool store = inst->op == GP_OP_STORE || inst->op == GP_OP_IMAGE_STORE;
    static const char *const words[] = {" store",    " atomic", " returns", " readonly",  " streaming", " volatile",
                                        " combines", " counts", " async",   " exchanges", " keeps"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((memory->flags >> i & 1) != 0 && !(store && i == 0) && !(inst->op == GP_OP_ATOMIC && i == 1))
            gp_text_printf(p->out, "%s", words[i]);
}

static void print_attributes(struct printer *p, const struct gp_inst *inst)
{
    if (gp_op_is_memory((enum gp_op)inst->op))
        print_memory(p, inst);
    if (inst->op == GP_OP_CONDBR || inst->op == GP_OP_SWITCH) {
        const struct gp_branch *branch = &p->kernel->branches[inst->record];
        gp_text_printf(p->out, " kind %s", gp_branch_kind_name((enum gp_branch_kind)branch->kind));
        if (branch->has_probability)
            gp_text_printf(p->out, " probability %d", branch->probability);
    }
    if (inst->op == GP_OP_CALL)
        gp_text_printf(p->out, " callee %" PRIu32, inst->record);
    pad_to(p->out, CLASS_COLUMN);
    gp_text_printf(p->out, ": %s", gp_class_name((enum gp_class)inst->cost));
    if (inst->repeat != 1)
        gp_text_printf(p->out, " x%d", inst->repeat);
    if (inst->flags & GP_INST_REPAIRABLE)
        gp_text_printf(p->out, " mended %s x%d", gp_class_name((enum gp_class)inst->repaired), inst->repaired_repeat);
    if (inst->flags & GP_INST_UNIFORM)
        gp_text_printf(p->out, " uniform");
    if (inst->flags & GP_INST_CHEAP)
        gp_text_printf(p->out, " cheap");
    print_place(p, inst->location);
}

static void print_inst(struct printer *p, uint32_t index)
{
    const struct gp_inst *inst = &p->kernel->insts[index];
    gp_text_printf(p->out, "    ");
    if (inst->bits != 0)
        gp_text_printf(p->out, "%%%" PRIu32 " = ", index);
    print_op(p, inst);
    print_operands(p, inst);
    print_attributes(p, inst);
    gp_text_printf(p->out, "\n");
}

/* ---- A kernel ------------------------------------------------------------------------------------------------- */

static void print_sizes(struct gp_text *out, const char *word, const uint32_t sizes[3])
{
    if (sizes[0] != 0 || sizes[1] != 0 || sizes[2] != 0)
        gp_text_printf(out, "  %s %" PRIu32 "x%" PRIu32 "x%" PRIu32 "\n", word, sizes[0], sizes[1], sizes[2]);
}

static void print_fact(struct gp_text *out, const char *word, const struct gp_fact *fact)
{
    gp_text_printf(out, "  %s %s", word, fact->holds ? "yes" : "no");
    if (*fact->reason != '\0') {
        gp_text_printf(out, " ");
        print_string(out, fact->reason);
    }
    gp_text_printf(out, "\n");
}

static void print_params(struct printer *p)
{
    for (uint32_t i = 0; i < p->kernel->param_count; i++) {
        const struct gp_param *param = &p->kernel->params[i];
        gp_text_printf(p->out, "  param ");
        print_string(p->out, param->name);
        gp_text_printf(p->out, ": %s %d", gp_param_kind_name((enum gp_param_kind)param->kind), param->bits);
        if (param->kind == GP_PARAM_BUFFER || param->space != GP_SPACE_GLOBAL)
            gp_text_printf(p->out, " in %s", gp_space_name((enum gp_space)param->space));
        static const char *const words[] = {" const", " restrict", " skeleton", " signed",
                                            " records"}; /* what an element is of stands last */
        for (int bit = 0; bit < 5; bit++)
            if (param->flags >> bit & 1)
                gp_text_printf(p->out, "%s", words[bit]);
        print_index(p->out, "bounds", param->bounds_dim);
        gp_text_printf(p->out, " size %" PRIu32, param->size);
        if (param->flags & GP_PARAM_ELEMENT)
            gp_text_printf(p->out, " element %" PRIu32 " of %" PRIu32, param->element, param->vector);
        gp_text_printf(p->out, "\n");
    }
}

static void print_arrays(struct printer *p, const char *word, const struct gp_array *arrays, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        gp_text_printf(p->out, "  %s ", word);
        print_string(p->out, arrays[i].name);
        gp_text_printf(p->out, ": %" PRIu32 " align %" PRIu32, arrays[i].bytes, arrays[i].alignment);
        print_place(p, arrays[i].location);
        gp_text_printf(p->out, "\n");
    }
}

static void print_facts(struct printer *p)
{
    const struct gp_kernel *kernel = p->kernel;
    gp_text_printf(p->out, "  dims %" PRIu32 "\n", kernel->dims);
    print_sizes(p->out, "required-local", kernel->stated.required_local);
    if (kernel->stated.max_local != 0)
        gp_text_printf(p->out, "  max-local %" PRIu32 "\n", kernel->stated.max_local);
    if (kernel->stated.min_groups != 0)
        gp_text_printf(p->out, "  min-groups %" PRIu32 "\n", kernel->stated.min_groups);
    gp_text_printf(p->out, "  barriers %" PRIu32 "\n", kernel->barrier_count);
    print_sizes(p->out, "default-global", kernel->stated.default_global);
    print_sizes(p->out, "default-local", kernel->stated.default_local);
    for (uint32_t i = 0; i < kernel->stated.default_count; i++) {
        gp_text_printf(p->out, "  default ");
        print_ref(p, gp_ref_make(GP_REF_PARAM, kernel->stated.defaults[i].param));
        gp_text_printf(p->out, " = %" PRId64 "\n", kernel->stated.defaults[i].value);
    }
    print_fact(p->out, "local-size-agnostic", &kernel->local_size_agnostic);
    print_fact(p->out, "split-safe", &kernel->split_safe);
    if (kernel->truncated)
        gp_text_printf(p->out, "  truncated\n");
}

static void print_resources(struct printer *p)
{
    for (uint32_t i = 0; i < p->kernel->resource_count; i++) {
        const struct gp_resources *entry = &p->kernel->resources[i];
        gp_text_printf(p->out,
                       "  resources bound %" PRIu32 " registers %" PRIu32 " scalar %" PRIu32 " spill-store %" PRIu32
                       " spill-load %" PRIu32,
                       entry->launch_bound, entry->registers, entry->scalar_registers, entry->spill_store_bytes,
                       entry->spill_load_bytes);
        if (entry->loop_store_bytes > 0 || entry->loop_load_bytes > 0)
            gp_text_printf(p->out, " spill-loop %" PRIu32 " loop-store %" PRIu32 " loop-load %" PRIu32,
                           entry->spill_loop, entry->loop_store_bytes, entry->loop_load_bytes);
        gp_text_printf(p->out, " stack %" PRIu32 " local %" PRIu32 " from %s\n", entry->stack_bytes, entry->local_bytes,
                       gp_resource_source_name((enum gp_resource_source)entry->source));
    }
}

static void print_machine_code(struct printer *p)
{
    for (uint32_t i = 0; i < p->kernel->code_count; i++) {
        const struct gp_machine_code *code = &p->kernel->code[i];
        gp_text_printf(p->out, "  code");
        print_index(p->out, "loop", code->loop);
        gp_text_printf(p->out, " vector %" PRIu32 " floats %" PRIu32, code->vector, code->floats);
        print_index(p->out, "local-words", code->local_words);
        print_index(p->out, "integers", code->integers);
        print_index(p->out, "stepping", code->stepping);
        gp_text_printf(p->out, "\n");
    }
}

static void print_loops(struct printer *p)
{
    const struct gp_kernel *kernel = p->kernel;
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        const struct gp_loop *loop = &kernel->loops[i];
        gp_text_printf(p->out, "  loop %" PRIu32 ": header %" PRIu32 " latch %" PRIu32, i, loop->header, loop->latch);
        print_index(p->out, "parent", loop->parent);
        gp_text_printf(p->out, " bound %s%s%s", gp_bound_name((enum gp_bound)loop->bound),
                       loop->data_dependent ? " data" : "", loop->irreducible ? " irreducible" : "");
        if (loop->unroll != 1)
            gp_text_printf(p->out, " unroll %d", loop->unroll);
        if (gp_ref_kind(loop->trip_count) != GP_REF_NONE) {
            gp_text_printf(p->out, " trips ");
            print_ref(p, loop->trip_count);
        }
        print_place(p, loop->location);
        gp_text_printf(p->out, "\n");
    }
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        gp_text_printf(p->out, "  induction %%%" PRIu32 " loop %" PRIu32 " step ", kernel->inductions[i].phi,
                       kernel->inductions[i].loop);
        print_ref(p, kernel->inductions[i].step);
        gp_text_printf(p->out, "\n");
    }
}

static void print_code(struct printer *p)
{
    const struct gp_kernel *kernel = p->kernel;
    uint32_t inst = 0;
    for (uint32_t i = 0; i < kernel->block_count; i++) {
        const struct gp_block *block = &kernel->blocks[i];
        gp_text_printf(p->out, "  block %" PRIu32 ":", i);
        print_index(p->out, "ipdom", block->ipdom);
        print_index(p->out, "loop", block->loop);
        gp_text_printf(p->out, "\n");
        for (; inst < block->inst + block->inst_count; inst++)
            print_inst(p, inst);
    }
    if (inst < kernel->inst_count)
        gp_text_printf(p->out, "  expressions:\n");
    for (; inst < kernel->inst_count; inst++)
        print_inst(p, inst);
}

static void print_kernel(struct printer *p)
{
    const struct gp_kernel *kernel = p->kernel;
    gp_text_printf(p->out, "\nkernel ");
    print_string(p->out, kernel->name);
    gp_text_printf(p->out, " symbol ");
    print_string(p->out, kernel->symbol);
    print_place(p, kernel->location);
    gp_text_printf(p->out, "\n");
    print_params(p);
    print_arrays(p, "local", kernel->locals, kernel->local_count);
    print_arrays(p, "global", kernel->globals, kernel->global_count);
    print_arrays(p, "private", kernel->privates, kernel->private_count);
    print_facts(p);
    print_resources(p);
    for (uint32_t i = 0; i < kernel->callee_count; i++) {
        gp_text_printf(p->out, "  callee %" PRIu32 ": ", i);
        print_string(p->out, kernel->callees[i]);
        gp_text_printf(p->out, "\n");
    }
    print_loops(p);
    print_machine_code(p);
    print_code(p);
}

/* ---- Which names can stand for what they name ------------------------------------------------------------------ */

static bool is_identifier(const char *name)
{
    size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$");
    return length > 0 && length < 256 && name[length] == '\0' && !(name[0] >= '0' && name[0] <= '9');
}

/* Entries [index]: the name is an identifier and nobody else's. `stride` bytes lie between the names. */
static bool *unique_names(const void *first, size_t stride, uint32_t count)
{
    struct gp_intern table = {0};
    bool *named = calloc(count + (size_t)1, sizeof *named);
    uint32_t *owner = calloc(count + (size_t)1, sizeof *owner);
    for (uint32_t i = 0; i < count; i++) {
        const char *name;
        memcpy(&name, (const char *)first + i * stride, sizeof name);
        uint32_t number, known = table.count;
        if (!is_identifier(name))
            continue;
        gp_intern(&table, name, strlen(name), &number);
        if (number == known)
            owner[number] = i;
        else
            named[owner[number]] = false;
        named[i] = number == known;
    }
    free(owner);
    gp_intern_free(&table);
    return named;
}

static void print_kernel_with_names(struct printer *p)
{
    const struct gp_kernel *kernel = p->kernel;
    _Static_assert(offsetof(struct gp_param, name) == 0 && offsetof(struct gp_array, name) == 0,
                   "unique_names() reads them");
    p->param_named = unique_names(kernel->params, sizeof *kernel->params, kernel->param_count);
    p->local_named = unique_names(kernel->locals, sizeof *kernel->locals, kernel->local_count);
    p->global_named = unique_names(kernel->globals, sizeof *kernel->globals, kernel->global_count);
    p->private_named = unique_names(kernel->privates, sizeof *kernel->privates, kernel->private_count);
    print_kernel(p);
    free(p->param_named);
    free(p->local_named);
    free(p->global_named);
    free(p->private_named);
}

/* ---- The profile ---------------------------------------------------------------------------------------------- */

static void print_header_string(struct gp_text *out, const char *word, const char *string)
{
    gp_text_printf(out, "%s ", word);
    print_string(out, string);
    gp_text_printf(out, "\n");
}

void gp_profile_print(const struct gp_profile *profile, struct gp_text *out)
{
    gp_text_printf(out, "gpuperf-profile 1\n");
    print_header_string(out, "producer", profile->producer);
    print_header_string(out, "source", profile->source);
    print_header_string(out, "triple", profile->triple);
    print_header_string(out, "cpu", profile->cpu);
    print_header_string(out, "language", profile->language);
    gp_text_printf(out, "opt %" PRIu32 "%s\n", profile->opt_level, profile->left_to_drivers ? " left-to-drivers" : "");
    for (uint32_t i = 0; i < profile->location_count; i++) {
        const struct gp_location *location = &profile->locations[i];
        gp_text_printf(out, "location %" PRIu32 ": ", i);
        print_string(out, location->file);
        gp_text_printf(out, ":%" PRIu32 ":%" PRIu32, location->line, location->column);
        print_index(out, "in", location->inlined_at);
        gp_text_printf(out, "\n");
    }
    for (uint32_t i = 0; i < profile->kernel_count; i++) {
        struct printer p = {.out = out, .profile = profile, .kernel = &profile->kernels[i]};
        print_kernel_with_names(&p);
    }
}
