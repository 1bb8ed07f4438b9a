/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which memory operations one change of the source would repair together: those of a line, and those that step through
 * one buffer by the same distance, such as the members of an array of structs; those of a table in constant memory, and
 * those that meet in the banks of one array in local memory. Repairing one of them alone gains little, since the others
 * still ask for the same sectors or hit the same banks.
 */
#ifndef GPUPERF_MODEL_ACCESS_GROUPS_H
#define GPUPERF_MODEL_ACCESS_GROUPS_H

#include "model/observe/work.h"

/* Same file and line, wherever inlined. `a` and `b`: locations; GP_NONE is on no line. */
bool gp_on_one_line(const struct gp_profile *profile, uint32_t a, uint32_t b);

/*
 * group[kernel->memory_count]: on entry GP_NONE for the operations to leave out, anything else for the others; on
 * return the first operation of each one's group. by_stride: groups beyond one line, in which lanes side by side are
 * apart from lanes that are not, which something else repairs. scratch[gp_grouping_scratch(kernel)]: what is in it does
 * not matter.
 */
void gp_group_accesses(const struct gp_profile *profile, const struct gp_kernel *kernel,
                       const struct gp_memory_work *memory, bool by_stride, uint32_t *group, uint32_t *scratch);

size_t gp_grouping_scratch(const struct gp_kernel *kernel);

#endif
