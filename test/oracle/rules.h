/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What docs/memory.md says of requests, once more and as plainly as can be: lists of bytes, sectors and words, no
 * shortcuts. For compute capability 5.x and later, GCN/CDNA and RDNA.
 */
#ifndef GPUPERF_TEST_ORACLE_RULES_H
#define GPUPERF_TEST_ORACLE_RULES_H

#include "hwdb/hwdb.h"
#include "model/profile/profile.h"
#include "test/oracle/machine.h"

struct oracle_request {
    double transactions, useful_bytes, passes, conflict_degree, same_address;
};

/* `space`: where the addresses really lie. `uniform`: the profile says that all lanes are at one address. */
struct oracle_request oracle_cost(const struct gp_device *device, const struct gp_memory *memory, enum gp_space space,
                                  bool uniform, const struct oracle_event *event);

#endif
