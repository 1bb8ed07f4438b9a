/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * DESCRIPTION
 *    The largest number of 32-bit registers that are live at once, over all points of the profile, plus what a target
 * keeps for itself.
 *
 * ALGORITHM
 *    model/compilers/liveness.h, in program order and in the order that needs fewest (model/compilers/pressure.c),
 * which compilers take once they run short. Uniform values are in scalar registers on AMD.
 */
#include "passes/cost/register_pressure.h"

#include <algorithm>

#include "llvm/Support/ErrorHandling.h"

#include "model/compilers/liveness.h"

namespace gpuperf
{

/* Registers that no compiler spares: with 32 all work-items that an SM of NVIDIA's runs at once find room, with 24 to
 * 32 all waves on AMD's. */
enum { Unspared = 32 };

/*
 * From values to registers on NVIDIA, fitted to what ptxas (CUDA 13, sm_80) gives for the 289 kernels of darktable:
 * four of five come out within 25 percent. ptxas shares better than counting values does, issues loads above their
 * uses, and needs room for addresses of surfaces and for the slow paths of divisions.
 */
static unsigned nvidiaRegisters(const gp_kernel &kernel, unsigned values)
{
    unsigned loads = 0, stores = 0, slow = 0;
    for (uint32_t i = 0; i < kernel.inst_count; i++) {
        const gp_inst &inst = kernel.insts[i];
        loads += inst.op == GP_OP_LOAD;
        stores += inst.op == GP_OP_IMAGE_STORE;
        switch ((gp_class)inst.cost) {
        case GP_CLASS_INT_DIV:
        case GP_CLASS_INT_UDIV:
        case GP_CLASS_INT_DIV_NEXT:
        case GP_CLASS_INT_UDIV_NEXT:
        case GP_CLASS_INT_POWER_REM:
        case GP_CLASS_INT_POWER_SREM:
        case GP_CLASS_LONG_POWER_REM:
        case GP_CLASS_LONG_DIV:
        case GP_CLASS_LONG_DIV_WIDE:
        case GP_CLASS_LONG_UDIV_WIDE:
        case GP_CLASS_LONG_DIV_DATA:
        case GP_CLASS_FLOAT_DIV:
        case GP_CLASS_FLOAT_SQRT:
        case GP_CLASS_FLOAT_DIV_LOOSE:
        case GP_CLASS_FLOAT_SQRT_LOOSE:
        case GP_CLASS_MATH32_TRIG:
        case GP_CLASS_MATH32_EXP:
        case GP_CLASS_MATH32_LOG:
        case GP_CLASS_MATH32_POW:
        case GP_CLASS_MATH32_OTHER:
        case GP_CLASS_DOUBLE_DIV:
        case GP_CLASS_DOUBLE_SQRT:
        case GP_CLASS_MATH64:
        case GP_CLASS_MATH64_TRIG:
        case GP_CLASS_MATH64_EXP:
        case GP_CLASS_MATH64_LOG:
        case GP_CLASS_MATH64_POW: slow++; break;
        default: break;
        }
    }
    return (values * 9 + 5) / 10 + 7 + std::min(loads, 8u) / 2 + (stores > 0 ? 4 : 0) + (slow > 0 ? 2 : 0);
}

static unsigned registersFor(const gp_kernel &kernel, Target target, unsigned values)
{
    return target == Target::Amdgcn ? std::clamp(values + 4, 8u, 256u)
                                    : std::clamp(nvidiaRegisters(kernel, values), 8u, 255u);
}

gp_resources estimateRegisters(const gp_kernel &kernel, Target target)
{
    uint32_t vector = 0, scalars = 0, least = 0;
    gp_liveness liveness;
    gp_liveness_begin(&liveness, &kernel, target == Target::Amdgcn);
    gp_live_peak(&liveness, &vector, &scalars);
    unsigned registers = registersFor(kernel, target, vector);
    if (registers > Unspared) {
        gp_live_least(&liveness, Unspared / 2, &least);
        registers = std::max<unsigned>(Unspared, registersFor(kernel, target, std::min(least, vector)));
    }
    gp_liveness_end(&liveness);

    gp_resources resources = {};
    resources.source = GP_SOURCE_ESTIMATE;
    for (uint32_t i = 0; i < kernel.private_count; i++)
        resources.stack_bytes += kernel.privates[i].bytes;
    resources.registers = registers;
    if (target == Target::Amdgcn)
        resources.scalar_registers = std::clamp(scalars + 16, 16u, 102u);
    return resources;
}

} // namespace gpuperf
