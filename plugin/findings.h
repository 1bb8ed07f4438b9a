/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * From bottlenecks to what is worth saying: one finding per source line and cause (what the source's spelling causes
 * apart), whatever the number of devices, of instructions on the line, and of kernels that share the line through an
 * inlined function.
 */
#ifndef GPUPERF_PLUGIN_FINDINGS_H
#define GPUPERF_PLUGIN_FINDINGS_H

#include <string>
#include <vector>

#include "plugin/predictions.h"

namespace gpuperf
{

struct DeviceCost {
    const gp_device *device;
    const gp_bottleneck *bottleneck;
    double known_share; /* of the prediction */
};

struct Finding {
    gp_cause cause;
    bool repairable;         /* gp_bottleneck.repairable */
    uint32_t location;       /* in profile->locations, or GP_NONE; of a kernel as a whole: the kernel's */
    const gp_kernel *kernel; /* the one where it costs most */
    const gp_launch *launch;
    std::vector<DeviceCost> costs; /* a device each, the costliest first */

    /* Of the time: what it costs, alone or where all else is repaired. */
    double share() const { return gp_bottleneck_worth(costs.front().bottleneck); }
    /* "uncoalesced global load: 32 transactions per warp; 61% of predicted time on a100 (2.5x faster if coalesced)" */
    std::string text(const gp_profile &profile) const;
    const char *advice() const { return costs.front().bottleneck->advice; }
};

/* In the order of kernels, costliest first within one. */
std::vector<Finding> findAll(const gp_profile &profile, const Predictions &predictions);

} // namespace gpuperf
#endif
