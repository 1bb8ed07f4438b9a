/* Loops of a kernel: trip counts, inductions, unrolling. */
#ifndef GPUPERF_PASSES_LOOPS_H
#define GPUPERF_PASSES_LOOPS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

#include "passes/branches.h"

namespace gpuperf {

struct InductionFact {
    const llvm::PHINode *phi;
    const llvm::SCEV *step;
};

struct LoopFact {
    const llvm::Loop *loop;
    gp_bound bound = GP_BOUND_ASSUMED;
    bool dataDependent = false;
    unsigned unroll = 1;
    const llvm::SCEV *tripCount = nullptr; /* times the header is entered, 64 bits wide; null where not known */
    std::vector<InductionFact> inductions;
    llvm::DebugLoc location;
};

/* Parents before their children. */
std::vector<LoopFact> findLoops(const llvm::LoopInfo &loops, llvm::ScalarEvolution *evolution, const Origins &origins);

/* A phi of the recurrence's loop from which it differs by a loop-invariant amount: recurrence = extended phi +
 * difference. */
struct PhiMatch {
    const llvm::PHINode *phi = nullptr; /* null: there is none */
    const llvm::SCEV *difference = nullptr;
    gp_op extension = GP_OP_COPY;       /* GP_OP_ZEXT or GP_OP_SEXT where the phi is narrower */
};
PhiMatch phiFor(const llvm::SCEVAddRecExpr &recurrence, llvm::ScalarEvolution &evolution);

/* Values that an expression is computed from; false: it has a part that expressions cannot hold. */
bool collectLeaves(const llvm::SCEV *expression, llvm::ScalarEvolution &evolution,
                   llvm::SmallVectorImpl<const llvm::Value *> &values);

} // namespace gpuperf
#endif
