/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads of work-item ids and sizes, whatever the target calls them. */
#ifndef GPUPERF_PASSES_WORK_ITEMS_H
#define GPUPERF_PASSES_WORK_ITEMS_H

#include <optional>
#include <set>
#include <string>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Function.h"

#include "passes/ir/kernels.h"
#include "passes/analysis/lowering.h"

namespace gpuperf
{

struct IdRead {
    gp_id id;
    unsigned dim;
    unsigned elements = 1; /* a vector of them: element e is along dimension `dim` + e */
    bool packed =
        false; /* the word holds dimension `dim` below and `dim + 1` above, 16 bits each (AMD's dispatch packet) */
    bool unknownDimension = false; /* get_global_id(d) with d not constant */
    unsigned imageDims = 0; /* a size of an image that has so many dimensions, which is taken to be as large as the
                               range; 0: of the range itself */
};

/* What an instruction reads, if it reads an id. */
std::optional<IdRead> readsId(const llvm::Instruction &inst, Target target);

/* Tells LLVM between which bounds ids and sizes lie that are calls of OpenCL's functions, as it knows of the
 * instructions that devices have for them. */
void boundIds(llvm::Function &function);

/* Lets LLVM merge ids and sizes that are calls of OpenCL's functions: clang says of these that control flow around them
 * must stay as it is. Changes the functions' declarations, too. */
void letIdsMerge(llvm::Function &function);

/* Both where declarations are not ours to change: what is asked for several times is asked for once, at the function's
 * beginning. Whether there was such a thing. */
bool boundAndMergeIds(llvm::Function &function);

/*
 * Sums that make up a global id: group id x local size + local id [+ offset] along one dimension. On NVIDIA and AMD the
 * compiler sees only the parts. Key: the addition that completes the id, and its element.
 */
struct WorkItemIds {
    llvm::MapVector<const llvm::Value *, IdRead> reads;                           /* in the order of the code */
    llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, unsigned> globalIds; /* value: dimension */
    /* Reads of local ids, group ids, local sizes, group counts and offsets: uses that are no part of a global id or
     * global size. */
    llvm::DenseMap<const llvm::Value *, unsigned> usesOutsideGlobal;
    bool lacksOffset = false; /* a global id is made up of its parts without the range's offset */
};
WorkItemIds findIds(const llvm::Function &function, Target target);

/*
 * Before anything is inlined: functions that ask for group ids themselves, or call one that does, by the name that
 * compile/preludes.c gives the function. NVIDIA's global ids are made of them, so that later it cannot be told whether
 * the kernel has made one up.
 */
std::set<std::string> askForGroups(const llvm::Module &module);

/* What stands behind casts and selections of bits: the id that a value is, if it is one. */
struct IdPart {
    const llvm::Value *read;
    IdRead id; /* of one element */
};
std::optional<IdPart> idBehind(const WorkItemIds &ids, Term term);

} // namespace gpuperf
#endif
