/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops of a kernel: trip counts, inductions, unrolling. */
#ifndef GPUPERF_PASSES_LOOPS_H
#define GPUPERF_PASSES_LOOPS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

#include "passes/analysis/branches.h"
#include "passes/analysis/inductions.h"
#include "passes/analysis/irreducible.h"

namespace gpuperf
{

struct InductionFact {
    const llvm::PHINode *phi;
    const llvm::SCEV *step;
};

struct LoopFact {
    const llvm::Loop *loop;
    gp_bound bound = GP_BOUND_ASSUMED;
    bool dataDependent = false;
    bool irreducible = false; /* the header is makeReducible()'s */
    unsigned unroll = 1;
    const llvm::SCEV *tripCount = nullptr; /* times the header is entered, 64 bits wide; null where not known. Free of
                                              recurrences: counters of loops around it are values like others */
    TripExpression inductionCount;         /* the same where scalar evolution has none */
    std::vector<InductionFact> inductions;
    llvm::DebugLoc location;
};

/* Parents before their children. irreducible: headers from makeReducible(). */
std::vector<LoopFact> findLoops(const llvm::LoopInfo &loops, llvm::ScalarEvolution *evolution,
                                const llvm::DominatorTree &dominators, const Origins &origins,
                                const BlockSet &irreducible);

/* Values that the trip count and the steps are computed from. */
void collectLeaves(const LoopFact &fact, llvm::SmallVectorImpl<const llvm::Value *> &values);

} // namespace gpuperf
#endif
