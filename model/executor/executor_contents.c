/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loads from buffers whose contents the launch states (struct gp_contents): what is loaded is what stands there, so
 * that pointer chases and tables that decide where a kernel goes are executed as they are.
 *
 * A store may change what stands there, and stores are not executed: a buffer that the kernel may write to, directly or
 * by a pointer that nobody knows, has no contents. Where a lane loads from beyond the contents, or from elsewhere,
 * nothing is known of the whole load.
 */
#include "model/executor/executor_internal.h"

#include <string.h>

static bool may_write(const struct gp_kernel *kernel, uint32_t symbol)
{
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *memory = &kernel->memory[m];
        bool writes = memory->flags & (GP_MEMORY_STORE | GP_MEMORY_ATOMIC);
        bool off_chip = memory->space == GP_SPACE_GLOBAL;
        uint32_t base = gp_symbol_of(kernel, memory->base);
        if (writes && off_chip && (base == symbol || base == GP_SYMBOL_UNKNOWN))
            return true;
    }
    return false;
}

/* The argument that an address lies in; NULL: none whose contents are stated. */
static const struct gp_contents *contents_at(const struct gp_executor *ex, struct gp_value address)
{
    uint32_t param = address.symbol - 1;
    bool is_param = address.symbol != GP_SYMBOL_UNKNOWN && address.symbol != GP_SYMBOL_KNOWN &&
                    param < ex->kernel->param_count && param < GP_MAX_ARGUMENTS;
    return is_param ? ex->launch->arguments[param].contents : NULL;
}

static bool load_lane(const struct gp_executor *ex, const struct op *op, struct gp_value address,
                      struct gp_value *loaded)
{
    const struct gp_contents *contents = contents_at(ex, address);
    uint32_t bytes = op->operation.bits / 8;
    uint64_t word = 0;
    if (contents == NULL || bytes == 0 || bytes > sizeof word || (contents->addresses && bytes != sizeof word) ||
        address.offset > contents->size || contents->size - address.offset < bytes)
        return false;
    memcpy(&word, (const char *)contents->bytes + address.offset, bytes);
    *loaded = (struct gp_value){contents->addresses ? address.symbol : GP_SYMBOL_KNOWN, word};
    return true;
}

bool gp_load_contents(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    const struct slot *address = &ex->slots[op->in[0]];
    if (op->operation.op != GP_OP_LOAD)
        return false;
    struct gp_value first = gp_slot_lane(address, (uint32_t)__builtin_ctzll(mask));
    if (contents_at(ex, first) == NULL || may_write(ex->kernel, first.symbol))
        return false;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        struct gp_value at = gp_slot_lane(address, lane), loaded;
        if (at.symbol != first.symbol || !load_lane(ex, op, at, &loaded))
            return false;
        ex->scratch.symbols[3][lane] = loaded.symbol;
        ex->scratch.offsets[3][lane] = loaded.offset;
    }
    gp_slot_set_mixed(ex, &ex->slots[op->dest], mask, ex->scratch.symbols[3], ex->scratch.offsets[3]);
    return true;
}
