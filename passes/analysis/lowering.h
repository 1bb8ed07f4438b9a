/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How values are computed, an element of a vector at a time: as an operation that a profile can execute, as another
 * value's element, as several operations (formulas.h), or not at all. And addresses as sums.
 */
#ifndef GPUPERF_PASSES_LOWERING_H
#define GPUPERF_PASSES_LOWERING_H

#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "model/profile/profile.h"

namespace gpuperf
{

/* One element of a vector, or (element 0) a scalar. */
struct Term {
    const llvm::Value *value;
    unsigned element;
};

/* How one element of an instruction's result is computed. */
struct Lowering {
    struct Step {
        gp_op op;
        uint8_t bits, width, sub;
        llvm::SmallVector<int, 3> operands; /* numbers of the lowering's operands; ~n: what step n gives */
    };
    enum Kind { Opaque, Alias, Operation, Formula } kind = Opaque;
    gp_op op = GP_OP_WEIGHT;
    uint8_t bits = 0, width = 0, sub = 0;
    llvm::SmallVector<Term, 4> operands; /* Alias: the one element it is */
    std::vector<Step> steps;             /* Formula: the last one gives the result */
};
Lowering lowerElement(const llvm::Instruction &inst, unsigned element);

/* What an element really is, behind insertions, extractions, shuffles and casts that keep its bits. */
Term resolve(Term term);

/* An address as base + offset + sum of scale * extended index. Constant terms of an index are part of the offset, as
 * addressing modes have it. */
struct AddressTerm {
    const llvm::Value *index; /* an integer of at most 64 bits */
    bool isSigned;            /* how it is extended to 64 bits */
    int64_t scale;
    bool lowWord = false; /* only the lower 32 bits of the index count */
};
struct AddressForm {
    const llvm::Value *base = nullptr;
    int64_t offset = 0;
    bool computable = true;
    llvm::SmallVector<AddressTerm, 3> terms;
};
AddressForm addressOf(const llvm::GEPOperator &gep, const llvm::DataLayout &layout);

/* Bits that a profile keeps of a type's element: 1, 8, 16, 32 or 64; *exact is false for what has no such width (i24,
 * bfloat). */
uint8_t elementBits(const llvm::Type *type, bool *exact = nullptr);
unsigned elementCount(const llvm::Type *type); /* 1 for scalars */

/* Coordinates of an image operation: the terms, 1 to 3. */
llvm::SmallVector<Term, 3> imageCoordinates(const llvm::CallBase &call);

} // namespace gpuperf
#endif
