/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/refs.h"
#include "model/assume/joined_orders.h"

enum { WIDEST = 16 };

struct counter {
    uint32_t phi;
    uint64_t *most;
};

/* Whether what is compared was made wider with its sign; of what was not made wider the parameter's own tells. */
static bool counts_below_zero(const struct gp_kernel *kernel, gp_ref compared, uint32_t param, unsigned bits)
{
    const struct gp_inst *inst = gp_inst_of(kernel, compared);
    bool same = bits <= WIDEST;
    return same ? kernel->params[param].flags & GP_PARAM_SIGNED : inst != NULL && inst->op == GP_OP_SEXT;
}

/* The last number that such a counter comes to, by steps of a constant. */
static uint64_t last_number(const struct gp_kernel *kernel, uint32_t phi, bool is_signed)
{
    unsigned bits = kernel->insts[phi].bits;
    const struct gp_induction *counter = gp_counter_of(kernel, phi);
    int64_t step = counter != NULL ? gp_signed_constant(kernel, counter->step, bits) : 1;
    uint64_t largest = gp_bits_mask(bits) >> is_signed;
    return step > 0 && (uint64_t)step < largest ? largest + 1 - (uint64_t)step : largest;
}

static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                      void *data)
{
    const struct counter *counter = data;
    uint64_t times = 1;
    uint32_t param = order != GP_EQUAL && gp_leads_to_counter(kernel, smaller, counter->phi)
                         ? gp_parameter_shared(kernel, larger, &times)
                         : GP_NONE;
    if (param == GP_NONE)
        return;
    uint64_t most = last_number(kernel, counter->phi, counts_below_zero(kernel, smaller, param, bits)) -
                    (order == GP_LESS_OR_EQUAL);
    uint64_t *known = &counter->most[param];
    *known = *known == 0 || most * times < *known ? most * times : *known;
}

void gp_counter_widths(const struct gp_kernel *kernel, uint64_t most[GP_MAX_ARGUMENTS])
{
    memset(most, 0, GP_MAX_ARGUMENTS * sizeof *most);
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++) {
        const struct gp_block *header = &kernel->blocks[kernel->loops[loop].header];
        for (uint32_t i = header->inst; i < header->inst + header->inst_count && kernel->insts[i].op == GP_OP_PHI; i++)
            if (kernel->insts[i].bits > 1 && kernel->insts[i].bits <= WIDEST)
                gp_each_order_within(kernel, loop, see_order, &(struct counter){i, most});
    }
}
