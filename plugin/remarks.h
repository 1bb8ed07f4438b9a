/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Optimisation remarks: -Rpass-analysis=gpuperf has every finding and the prediction of each kernel,
 * -Rpass-analysis=gpuperf-loops how the bound of each loop was found; -fsave-optimization-record has both.
 */
#ifndef GPUPERF_PLUGIN_REMARKS_H
#define GPUPERF_PLUGIN_REMARKS_H

#include <vector>

#include "llvm/IR/Module.h"

#include "plugin/findings.h"

namespace gpuperf
{

bool areRemarksWanted(const llvm::Module &module);
void emitRemarks(llvm::Module &module, const gp_profile &profile, const Predictions &predictions,
                 const std::vector<Finding> &findings);

} // namespace gpuperf
#endif
