/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Checks of what is recorded of memory operations and branches. */
#include "model/profile/checker.h"

static bool valid_base(gp_ref base)
{
    switch (gp_ref_kind(base)) {
    case GP_REF_NONE:
    case GP_REF_PARAM:
    case GP_REF_LOCAL:
    case GP_REF_GLOBAL:
    case GP_REF_PRIVATE: return true;
    default: return false;
    }
}

static bool adds_constant(const struct gp_kernel *kernel, const struct gp_memory *memory)
{
    const struct gp_inst *inst = &kernel->insts[memory->inst];
    return inst->operand_count >= 2 && gp_ref_kind(kernel->operands[inst->operand + 1]) == GP_REF_CONST;
}

static bool check_memory_flags(struct check *c, const struct gp_memory *memory, enum gp_op op)
{
    bool image = op == GP_OP_IMAGE_LOAD || op == GP_OP_IMAGE_STORE,
         store = op == GP_OP_STORE || op == GP_OP_IMAGE_STORE;
    bool load = op == GP_OP_LOAD || op == GP_OP_IMAGE_LOAD, atomic = op == GP_OP_ATOMIC;
    REQUIRE(c, !store || (memory->flags & GP_MEMORY_STORE), "a store without the flag 'store'");
    REQUIRE(c, !load || !(memory->flags & GP_MEMORY_STORE), "a load with the flag 'store'");
    REQUIRE(c, atomic == ((memory->flags & GP_MEMORY_ATOMIC) != 0), "the flag 'atomic' is for atomics");
    REQUIRE(c, atomic || !(memory->flags & GP_MEMORY_RETURNS), "the flag 'returns' is for atomics");
    REQUIRE(c, atomic || !(memory->flags & GP_MEMORY_COMBINES), "the flag 'combines' is for atomics");
    REQUIRE(c, atomic || !(memory->flags & GP_MEMORY_EXCHANGES), "the flag 'exchanges' is for atomics");
    REQUIRE(c, atomic || !(memory->flags & GP_MEMORY_KEEPS), "the flag 'keeps' is for atomics");
    REQUIRE(c, memory->flags < 2 * GP_MEMORY_KEEPS, "unknown flags %#x", memory->flags);
    REQUIRE(c, load || !(memory->flags & GP_MEMORY_ASYNC), "the flag 'async' is for loads");
    REQUIRE(c, !(memory->flags & GP_MEMORY_COUNTS) || (atomic && adds_constant(c->kernel, memory)),
            "the flag 'counts' is for atomics that add a constant");
    REQUIRE(c, image == (memory->space == GP_SPACE_IMAGE), "image operations and the space 'image' go together");
    return true;
}

bool gp_check_memory_records(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->memory_count; i++) {
        const struct gp_memory *memory = &k->memory[i];
        REQUIRE(c,
                memory->inst < k->inst_count && gp_op_is_memory((enum gp_op)k->insts[memory->inst].op) &&
                    k->insts[memory->inst].record == i,
                "memory record %u belongs to no instruction", i);
        c->inst = memory->inst;
        REQUIRE(c, memory->space < GP_SPACE_COUNT, "unknown space %u", memory->space);
        REQUIRE(c, memory->element_bytes >= 1 && memory->vector >= 1, "it moves no bytes");
        REQUIRE(c, gp_check_is_power_of_two(memory->alignment), "alignment %u is no power of two", memory->alignment);
        REQUIRE(c, valid_base(memory->base), "the base of an address is a parameter or an array");
        if (!check_memory_flags(c, memory, (enum gp_op)k->insts[memory->inst].op) || !gp_check_ref(c, memory->base))
            return false;
        c->inst = GP_NONE;
    }
    return true;
}

bool gp_check_branch_records(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->branch_count; i++) {
        const struct gp_branch *branch = &k->branches[i];
        REQUIRE(c,
                branch->inst < k->inst_count && gp_check_has_branch_record((enum gp_op)k->insts[branch->inst].op) &&
                    k->insts[branch->inst].record == i,
                "branch record %u belongs to no instruction", i);
        c->inst = branch->inst;
        REQUIRE(c, branch->kind < GP_BRANCH_KIND_COUNT, "unknown kind of branch %u", branch->kind);
        REQUIRE(c, branch->has_probability <= 1 && (branch->has_probability || branch->probability == 0),
                "a probability that is not there");
        c->inst = GP_NONE;
    }
    return true;
}
