/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A chain on a real device: which one it is, and the launch that makes addresses of its offsets. */
#include <string.h>

#include "support/hash.h"
#include "tools/calibrate/target.h"

bool gp_reads_constants(const struct gp_run *run) { return strcmp(run->kernel, "chase_constant") == 0; }

/* FNV-1a by words. Others may lie at a chain's place of the host. */
uint64_t gp_chain_number(const struct gp_run *run)
{
    uint64_t number = GP_FNV1A ^ gp_reads_constants(run) ^ (uint64_t)run->offsets << 1;
    for (size_t i = 0; i < run->in_bytes / sizeof *run->chain; i++)
        number = (number ^ run->chain[i]) * UINT64_C(1099511628211);
    return number | 1;
}

struct gp_run gp_linking_run(const struct gp_run *run)
{
    struct gp_run link = *run;
    link.program = "chase"; /* also of a chain that other programs go along */
    link.kernel = gp_reads_constants(run) ? "link_constant" : "link";
    link.groups = 64;
    link.local = 64;
    link.count = (int32_t)(run->in_bytes / sizeof *run->chain);
    return link;
}
