/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is proved of a kernel as a whole: facts that the runtime relies on, dimensions, parameters that bound ids. */
#ifndef GPUPERF_PASSES_FACTS_H
#define GPUPERF_PASSES_FACTS_H

#include "llvm/IR/Function.h"

#include "passes/analysis/work_items.h"

namespace gpuperf
{

/* Whether memory holds the same in whatever order work-items come. */
bool commutes(const llvm::AtomicRMWInst &atomic);

/* One phrase why results may depend on how the range is cut into groups; "" where they do not. */
std::string whyNotLocalSizeAgnostic(const llvm::Function &function, const WorkItemIds &ids, Target target,
                                    const uint32_t required[3]);

/* Further reasons why the range cannot be launched in parts with an offset; "" where there are none. `ownSums`: sums of
 * a global id's parts without the offset may be the kernel's own, not what get_global_id() is made of. */
std::string whyNotSplitSafe(const llvm::Function &function, const WorkItemIds &ids, bool ownSums);

/* Dimensions whose ids are read: 0 to 3. */
unsigned usedDimensions(const WorkItemIds &ids);

/* For each argument of the function the dimension of the global id that it is compared with, or GP_NONE. */
std::vector<uint32_t> boundedDimensions(const llvm::Function &function, const WorkItemIds &ids);

} // namespace gpuperf
#endif
