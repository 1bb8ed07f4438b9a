/*
 * The skeleton: which values have to be computable so that control flow and addresses can be executed, element by element of a
 * vector, and what each is computed by. Everything else that is used at all is weight.
 */
#ifndef GPUPERF_PASSES_SLICE_H
#define GPUPERF_PASSES_SLICE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "model/profile.h"
#include "passes/kernels.h"

namespace gpuperf {

/* One element of a vector, or (element 0) a scalar. */
struct Term {
    const llvm::Value *value;
    unsigned element;
};

/* How one element of an instruction's result is computed. */
struct Lowering {
    enum Kind { Opaque, Alias, Operation } kind = Opaque;
    gp_op op = GP_OP_WEIGHT;
    uint8_t bits = 0, width = 0, sub = 0;
    llvm::SmallVector<Term, 4> operands; /* Alias: the one element it is */
};
Lowering lowerElement(const llvm::Instruction &inst, unsigned element);

/* An address as base + offset + sum of scale * extended index. Constant terms of an index are part of the offset, as addressing modes have it. */
struct AddressTerm {
    const llvm::Value *index; /* an integer of at most 64 bits */
    bool isSigned;            /* how it is extended to 64 bits */
    int64_t scale;
};
struct AddressForm {
    const llvm::Value *base = nullptr;
    int64_t offset = 0;
    bool computable = true;
    llvm::SmallVector<AddressTerm, 3> terms;
};
AddressForm addressOf(const llvm::GEPOperator &gep, const llvm::DataLayout &layout);

/* Bits that a profile keeps of a type's element: 1, 8, 16, 32 or 64; *exact is false for what has no such width (i24, bfloat). */
uint8_t elementBits(const llvm::Type *type, bool *exact = nullptr);
unsigned elementCount(const llvm::Type *type); /* 1 for scalars */

/* Coordinates of an image operation: the terms, 1 to 3. */
llvm::SmallVector<Term, 3> imageCoordinates(const llvm::CallBase &call);

class Slice {
public:
    Slice(const llvm::Function &function, Target target) : function(function), target(target) {}

    /* Further values that must be computable (trip counts, steps). Before run(). */
    void require(const llvm::Value *value) { need(value, 1, 0); }
    void run();

    struct Demand {
        uint64_t executed = 0, weighed = 0; /* a bit per element */
    };
    Demand of(const llvm::Instruction &inst) const { return demands.lookup(&inst); }
    const AddressForm &address(const llvm::GEPOperator &gep);

private:
    void need(const llvm::Value *value, uint64_t executed, uint64_t weighed);
    void needAll(const llvm::Value *value);
    void addRoots();
    void process(const llvm::Instruction &inst);
    void weigh(const llvm::Instruction &inst, uint64_t elements);

    const llvm::Function &function;
    Target target;
    llvm::DenseMap<const llvm::Instruction *, Demand> demands;
    llvm::DenseMap<const llvm::Value *, AddressForm> addresses;
    llvm::SmallVector<const llvm::Instruction *, 64> open;
};

} // namespace gpuperf
#endif
