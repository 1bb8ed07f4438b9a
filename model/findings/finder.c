/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/causes.h"

#include <stdio.h>
#include <string.h>

#include "model/value/inst_facts.h"

/* Gains of less than this are none. */
#define LEAST_GAIN 1.01

double gp_finder_cycles(struct gp_finder *f)
{
    struct gp_timing timing;
    f->in->timer(f->in->timer_context, &f->repair.work, &f->repair.conditions, &timing);
    return timing.cycles;
}

void gp_finder_gain(const struct gp_finder *f, struct gp_bottleneck *b, double cycles)
{
    b->speedup = f->in->timing->cycles / cycles;
    b->share = 1 - 1 / b->speedup;
}

struct gp_bottleneck *gp_finder_add(struct gp_finder *f, enum gp_cause cause, uint32_t inst, double cycles)
{
    struct gp_prediction *p = f->prediction;
    double speedup = f->in->timing->cycles / cycles;
    uint32_t place = p->bottleneck_count;
    if (place == GP_MAX_BOTTLENECKS) {
        place = 0;
        for (uint32_t i = 1; i < GP_MAX_BOTTLENECKS; i++)
            if (p->bottlenecks[i].speedup < p->bottlenecks[place].speedup)
                place = i;
        if (p->bottlenecks[place].speedup >= speedup)
            return NULL;
    } else {
        p->bottleneck_count++;
    }
    struct gp_bottleneck *b = &p->bottlenecks[place];
    *b = (struct gp_bottleneck){.cause = cause, .inst = inst, .location = gp_inst_place(f->in->kernel, inst)};
    gp_finder_gain(f, b, cycles);
    return b;
}

struct gp_bottleneck *gp_finder_record(struct gp_finder *f, enum gp_cause cause, uint32_t inst)
{
    if (f->telling_hidden)
        return gp_record_hidden(f, cause, inst);
    double cycles = gp_finder_cycles(f), speedup = cycles > 0 ? f->in->timing->cycles / cycles : 1;
    if (speedup >= LEAST_GAIN)
        return gp_finder_add(f, cause, inst, cycles);
    gp_keep_hidden(f, cause, inst, cycles);
    return NULL;
}

const char *gp_base_name(const struct gp_kernel *kernel, gp_ref base)
{
    uint32_t index = gp_ref_index(base);
    switch (gp_ref_kind(base)) {
    case GP_REF_PARAM: return kernel->params[index].name;
    case GP_REF_LOCAL: return kernel->locals[index].name;
    case GP_REF_GLOBAL: return kernel->globals[index].name;
    case GP_REF_PRIVATE: return kernel->privates[index].name;
    default: return "";
    }
}

const char *gp_access_word(const struct gp_memory *memory)
{
    return memory->flags & GP_MEMORY_ATOMIC ? "atomic" : memory->flags & GP_MEMORY_STORE ? "store" : "load";
}

bool gp_speaks_cuda(const struct gp_finder *f) { return strcmp(f->in->profile->language, "cuda") == 0; }

const char *gp_warp_word(const struct gp_finder *f)
{
    return gp_arch_is_amd(f->in->conditions->device->arch)  ? "wave"
           : f->in->conditions->device->arch == GP_ARCH_CPU ? "vector"
           : f->in->conditions->device->arch == GP_ARCH_XE  ? "sub-group"
                                                            : "warp";
}

void gp_print_name(char text[GP_NAME_TEXT], const char *preposition, const char *name)
{
    snprintf(text, GP_NAME_TEXT, *name ? " %s '%.36s'" : "", preposition, name);
}
