/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cost classes: what an instruction is paid as (model/profile/profile.h, GP_CLASSES). */
#ifndef GPUPERF_PASSES_CLASSIFY_H
#define GPUPERF_PASSES_CLASSIFY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

#include "passes/ir/kernels.h"

namespace gpuperf
{

struct Cost {
    gp_class cost = GP_CLASS_FREE;
    unsigned repeat = 1; /* per element */
};

/* What a call does that is left after calls were followed and builtins expanded. */
enum class CallKind {
    Free,       /* no instruction: assumptions, lifetimes */
    Arithmetic, /* pays its class */
    Barrier,
    Fence,
    ImageLoad,
    ImageStore,
    BulkCopy, /* async_work_group_copy: destination, source, elements */
    Prefetch,
    CopyMemory, /* llvm.memcpy, llvm.memmove */
    FillMemory, /* llvm.memset */
    MaskedLoad,
    MaskedStore,
    Gather,
    Scatter,
    LoadCached, /* llvm.nvvm.ldg, ldu: a load through the read-only cache */
    Shuffle,    /* exchange between lanes */
    Vote,       /* one answer for all lanes */
    Print,
    Assembly, /* inline: what it does is not known; `repeat` is an estimate of its instructions */
    Exit,     /* the work-item ends */
    Unknown
};

struct CallClass {
    CallKind kind;
    Cost cost;
};
CallClass classifyCall(const llvm::CallBase &call, Target target);

/* Whether it computes a number from numbers and no more. */
bool isArithmetic(const llvm::CallBase &call, Target target);

/* Mathematical functions of numbers, and reads of images, marked as convergent, as all functions of OpenCL C and CUDA
 * are, may be copied and moved after all: vendors' compilers see their code when they unroll. */
void letFunctionsMove(llvm::Function &function, Target target);
/* A function whose code is a few operations in line: loops with it are unrolled as those without a call. Not of these:
 * what has a loop of its own, or much code for arguments out of the ordinary. */
bool isStraightLine(const llvm::CallBase &call, Target target);

/* A call of this name stands for a branch that is never taken (error_paths.h). */
inline constexpr char passedAssertion[] = "gpuperf.passed_assertion";

/* Whether a program that comes here has failed: an assertion, a trap, the end of a function that does not return. */
bool isFailure(const llvm::Instruction &inst, Target target);

/*
 * The instructions that inline assembly seems to hold, by their first words: its statements without labels, directives
 * and comments. Parts of the assembly's own string.
 */
llvm::SmallVector<llvm::StringRef, 4> assemblyMnemonics(const llvm::InlineAsm &assembly, Target target);

/* Whether an instruction of PTX is known by its name, modifiers included, to compute for one lane. */
bool computesInPtx(llvm::StringRef mnemonic);

/* The same, or to exchange something between lanes, or to end, delay or prefetch. */
bool isKnownInPtx(llvm::StringRef mnemonic);

/* What an element of a division or an integer remainder costs. */
Cost quotientCost(const llvm::BinaryOperator &inst);

/* A floating-point division in single precision, whatever its own. loose: to 2.5 units in the last place, as OpenCL has
 * it without -cl-fp32-correctly-rounded-divide-sqrt. */
Cost singleDivision(const llvm::BinaryOperator &inst, bool loose);

/*
 * Whether one instruction makes two neighbouring elements of a vector of halfs: AMD's since GFX9 (v_pk_add_f16 and the
 * like, for sums, products, minima and maxima) and NVIDIA's since sm_53 (fma.f16x2; minima and maxima since sm_80). Not
 * of what is compared, rounded, divided or converted.
 */
bool packsHalfs(const llvm::Instruction &inst, Target target);

/*
 * Costs of a function's instructions. Knows what backends fold: multiply and add into one fused operation,
 * three-operand additions and logic, extensions, negations.
 */
class Costs
{
public:
    Costs(const llvm::Function &function, Target target, const llvm::UniformityInfo *uniformity);
    Cost of(const llvm::Instruction &inst) const; /* per element */
    Cost ofCall(const llvm::CallBase &call,
                Cost alone) const; /* the same of what costs so much where nothing folds it */
    /* Divisions of integers by what was divided by before, or what a loop does not change, from now on cost what is
     * left without the reciprocal. */
    void shareReciprocals(const llvm::Function &function, const llvm::LoopInfo &loops,
                          const llvm::DominatorTree &dominators);

private:
    void fuse(const llvm::Instruction &inst);
    void fuse24(const llvm::Instruction &inst);
    using Words = llvm::SmallPtrSet<const llvm::Value *, 4>;
    Words fuseLogic(const llvm::Instruction &inst, unsigned depth);
    void fuseLogicTree(const llvm::Instruction &root);
    bool staysOnScalarUnit(const llvm::Instruction &inst, const llvm::Instruction &user) const;
    llvm::DenseMap<const llvm::Instruction *, Cost> fused;
    Target target;
    const llvm::UniformityInfo *uniformity;
};

} // namespace gpuperf
#endif
