/*
 * Short guarded code without a branch: NVIDIA's compiler makes straight-line code of `if (condition) a few instructions`, which all warps issue and lanes whose condition
 * does not hold ignore. Then its loads may be ordered together with what is around (block_order.h). "At most 7 instructions" is the rule of the CUDA C Programming Guide
 * (5.4.2 Control Flow Instructions, in its editions for compute capability 1.x to 3.x) where warps are likely to diverge.
 *
 * AMD's compilers keep such code in a block of its own.
 */
#ifndef GPUPERF_MODEL_PREDICATION_H
#define GPUPERF_MODEL_PREDICATION_H

#include "hwdb/hwdb.h"
#include "model/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Per block. Blocks of one straight line are executed in the order of the line; those that are guarded may be left out. */
struct gp_predication {
    uint32_t *head;              /* the first block of its line: itself where it is in none */
    uint32_t *next;              /* the next one of its line; GP_NONE */
    gp_ref *guard;               /* the condition that it is executed under; GP_REF_NONE (0): none */
};

/* False: out of memory. */
bool gp_predication_find(const struct gp_kernel *kernel, enum gp_arch arch, struct gp_predication *predication);
void gp_predication_free(struct gp_predication *predication);

#ifdef __cplusplus
}
#endif
#endif
