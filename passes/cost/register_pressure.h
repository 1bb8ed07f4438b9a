/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A live-range estimate of the registers that a kernel needs, where no backend was asked. */
#ifndef GPUPERF_PASSES_REGISTERS_H
#define GPUPERF_PASSES_REGISTERS_H

#include "model/profile/profile.h"
#include "passes/ir/kernels.h"

namespace gpuperf
{

gp_resources estimateRegisters(const gp_kernel &kernel, Target target);

} // namespace gpuperf
#endif
