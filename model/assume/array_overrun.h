/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Groups too large for an array that the kernel itself declares in local memory: work-items that surely access what
 * lies beyond its end. An index beyond a row that stays within the array is not seen.
 */
#ifndef GPUPERF_MODEL_ARRAY_OVERRUN_H
#define GPUPERF_MODEL_ARRAY_OVERRUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/sampling/pilots.h"
#include "model/launch/launch.h"
#include "model/profile/profile.h"

struct gp_overrun {
    uint64_t bytes;    /* of the array that accesses reach; 0: no array is overrun */
    uint32_t array;    /* in kernel->locals */
    uint64_t group[3]; /* where they do */
    uint32_t warp;     /* of that group */
    uint32_t of_range; /* once certain: the dimension along which the same work-items of a range of one group do not, as
                          of an array indexed by global ids: the range is too large; else GP_NONE: the group is */
};

/* Notes an access of this warp that begins beyond its array's end, at an address that is known and reached by no guess.
 */
void gp_note_overrun(const struct gp_kernel *kernel, const struct gp_access *access, const uint64_t group[3],
                     uint32_t warp, struct gp_overrun *overrun);

/*
 * Whether the same warp overruns an array whatever the integers are that nobody stated, but those that bound global
 * ids; or if they are 1, so that loops to them turn once. The overrun is then that one. executor: of the kernel; lanes:
 * of a warp. False where the pilot runs do not suffice, or memory is out.
 */
bool gp_overrun_is_certain(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_kernel *kernel,
                           const struct gp_launch *launch, uint32_t lanes, struct gp_overrun *overrun);

/* "work-items reach 1024 bytes of 'tile', which has 256: it is made for smaller work-groups", or "for a smaller range
 * (--global)"; of a group of one work-item ": it is too small for groups of any size". */
void gp_describe_overrun(const struct gp_kernel *kernel, const struct gp_launch *launch,
                         const struct gp_overrun *overrun, char *text, size_t size);

#endif
