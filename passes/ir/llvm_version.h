/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All that depends on the version of LLVM. Written for 22; another version changes this file only. */
#ifndef GPUPERF_PASSES_LLVM_VERSION_H
#define GPUPERF_PASSES_LLVM_VERSION_H

#include <memory>

#include "llvm/ADT/Uniformity.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#if LLVM_VERSION_MAJOR < 22
#error "gpuperf's passes are written for LLVM 22"
#endif

namespace gpuperf
{

inline bool hasKernelConvention(const llvm::Function &function)
{
    llvm::CallingConv::ID convention = function.getCallingConv();
    return convention == llvm::CallingConv::SPIR_KERNEL || convention == llvm::CallingConv::PTX_Kernel ||
           convention == llvm::CallingConv::AMDGPU_KERNEL;
}

/* Module::getTargetTriple() returned a string before LLVM 21. */
inline llvm::Triple tripleOf(const llvm::Module &module) { return module.getTargetTriple(); }

/* What the uniformity analysis asks of a target: where values that differ between the lanes of a warp come from. */
enum class LaneUse { Ordinary, Varying, Uniform };
using LaneRule = LaneUse (*)(const llvm::Value &value, const void *context);

/* Whether one access may be of several words of an address space that are aligned as a word is. */
using WordRule = bool (*)(unsigned addressSpace, const void *context);

class LaneTransformInfo final : public llvm::TargetTransformInfoImplBase
{
public:
    LaneTransformInfo(const llvm::DataLayout &layout, LaneRule rule, const void *context, WordRule mayJoinWords)
        : TargetTransformInfoImplBase(layout), rule(rule), context(context), mayJoinWords(mayJoinWords)
    {
    }
    bool allowsMisalignedMemoryAccesses(llvm::LLVMContext &, unsigned, unsigned space, llvm::Align alignment,
                                        unsigned *fast) const override
    {
        bool allowed = alignment >= 4 && mayJoinWords(space, context);
        if (fast)
            *fast = allowed;
        return allowed;
    }
    bool hasBranchDivergence(const llvm::Function * = nullptr) const override { return true; }
    /* A register and a constant: every GPU's loads and stores take that. */
    bool isLegalAddressingMode(llvm::Type *, llvm::GlobalValue *base, int64_t, bool, int64_t scale, unsigned,
                               llvm::Instruction * = nullptr, int64_t = 0) const override
    {
        return base == nullptr && (scale == 0 || scale == 1);
    }
    llvm::InstructionUniformity getInstructionUniformity(const llvm::Value *value) const override
    {
        switch (rule(*value, context)) {
        case LaneUse::Varying: return llvm::InstructionUniformity::NeverUniform;
        case LaneUse::Uniform: return llvm::InstructionUniformity::AlwaysUniform;
        default: return llvm::InstructionUniformity::Default;
        }
    }

private:
    LaneRule rule;
    const void *context;
    WordRule mayJoinWords;
};

inline llvm::TargetTransformInfo laneTransformInfo(const llvm::DataLayout &layout, LaneRule rule, const void *context,
                                                   WordRule mayJoinWords)
{
    return llvm::TargetTransformInfo(std::make_unique<LaneTransformInfo>(layout, rule, context, mayJoinWords));
}

} // namespace gpuperf
#endif
