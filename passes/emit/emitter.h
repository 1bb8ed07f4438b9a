/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Writes one kernel's profile: walks the copy of the kernel block by block and turns what the analyses found into
 * records.
 *
 * Instructions are numbered as they are made; finish() puts them in their final order (blocks, then expressions) and
 * renumbers.
 */
#ifndef GPUPERF_PASSES_EMITTER_H
#define GPUPERF_PASSES_EMITTER_H

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/StringSaver.h"

#include "passes/analysis/address_steps.h"
#include "passes/analysis/branches.h"
#include "passes/analysis/call_costs.h"
#include "passes/nvidia/power_divisors.h"
#include "passes/cost/classify.h"
#include "passes/analysis/constant_tables.h"
#include "passes/ir/kernels.h"
#include "passes/analysis/loops.h"
#include "passes/analysis/cheaper_spelling.h"
#include "passes/analysis/slice.h"
#include "passes/analysis/work_items.h"

namespace gpuperf
{

/* Source positions of a profile, each chain of calls once. */
class Locations
{
public:
    Locations(llvm::UniqueStringSaver &strings, const std::function<bool(const std::string &)> &isSystemHeader)
        : strings(strings), isSystemHeader(isSystemHeader)
    {
    }
    uint32_t of(const llvm::DebugLoc &location);
    uint32_t of(llvm::StringRef file, unsigned line, unsigned column, uint32_t inlinedAt = GP_NONE);
    std::vector<gp_location> table;

private:
    using Key = std::pair<std::pair<const char *, uint32_t>,
                          std::pair<unsigned, unsigned>>; /* file, inlined at; line, column */
    uint32_t of(const llvm::DILocation *location);
    uint32_t number(const char *file, unsigned line, unsigned column, uint32_t inlinedAt);
    struct File {
        const char *name;
        bool systemHeader;
    };
    const File &fileOf(const llvm::DILocation &location);
    llvm::UniqueStringSaver &strings;
    const std::function<bool(const std::string &)> &isSystemHeader;
    llvm::DenseMap<const llvm::DILocation *, uint32_t> known;
    llvm::DenseMap<std::pair<const llvm::DIFile *, const llvm::DICompileUnit *>, File> files;
    llvm::DenseMap<Key, uint32_t> numbers;
};

/* What the analyses know of one kernel; all of its copy, `function`. */
struct AnalysedKernel {
    llvm::Function &original;
    llvm::Function &function;
    Target target;
    const llvm::DominatorTree &dominators;
    const llvm::PostDominatorTree &postDominators;
    const llvm::LoopInfo &loops;
    llvm::ScalarEvolution *evolution; /* null in a kernel without loops */
    const llvm::UniformityInfo *uniformity;
    const WorkItemIds &ids;
    const Origins &origins;
    const Costs &costs;
    CallCosts &callCosts;
    const AddressSteps &steps;
    const Repairable &repairable;
    const PowerDivisors *divisors; /* null: nobody divides by them */
    Slice &slice;
    const std::vector<LoopFact> &loopFacts;
    llvm::ArrayRef<llvm::BasicBlock *> order; /* reverse post-order */
    bool compress;                            /* too large: unexecuted instructions are summed up per block */
    bool joinsWords;                          /* BuildOptions::joinsWords */
    bool tablesAsNvcc;                        /* the same */
    bool packsHalfs;                          /* the same */
};

/* The arrays behind a gp_kernel. */
struct KernelData {
    std::vector<gp_param> params;
    std::vector<gp_block> blocks;
    std::vector<gp_inst> insts;
    std::vector<gp_ref> operands;
    std::vector<uint64_t> constants;
    std::vector<gp_memory> memory;
    std::vector<gp_branch> branches;
    std::vector<gp_loop> loops;
    std::vector<gp_induction> inductions;
    std::vector<gp_array> locals, globals, privates;
    std::vector<const char *> callees;
    std::vector<gp_resources> resources;
    std::vector<gp_default> defaults;
    std::vector<const llvm::Instruction *> origins; /* per instruction: what it was made for, or null */
    gp_kernel kernel = {};

    /* Points the kernel at the arrays. */
    void attach();
};

class Emitter
{
public:
    Emitter(const AnalysedKernel &facts, KernelData &data, Locations &locations, llvm::UniqueStringSaver &strings)
        : facts(facts), data(data), locations(locations), strings(strings),
          layout(facts.function.getParent()->getDataLayout())
    {
    }
    void run();

    /* The parameter, array or private variable that an address is based on; GP_REF_NONE where unknown. */
    gp_ref baseOf(const llvm::Value *pointer);

private:
    struct Proto {
        gp_inst inst = {};
        const llvm::Instruction *origin = nullptr;
        llvm::SmallVector<gp_ref, 4> operands;
    };
    using List = std::vector<uint32_t>;
    struct Reached { /* a value already computed, and where */
        const llvm::BasicBlock *block;
        gp_ref ref;
    };
    struct PendingPhi {
        uint32_t proto;
        const llvm::PHINode *phi;
        uint64_t elements;
    };

    /* emitter.cpp */
    void emitBlock(const llvm::BasicBlock &block);
    void emitInstruction(const llvm::Instruction &inst);
    gp_ref emitFormula(const Lowering &lowering, Cost cost);
    void emitValue(const llvm::Instruction &inst);
    void emitPhi(const llvm::PHINode &phi);
    void emitTerminator(const llvm::Instruction &inst);
    void emitId(const llvm::Instruction &inst, const IdRead &read);
    void emitImageSize(const llvm::CallBase &call, const IdRead &read);
    gp_ref globalSize(unsigned dim);
    bool packs(const llvm::Instruction &inst) const; /* two neighbouring elements in one instruction */
    void emitWeight(const llvm::Instruction &inst, uint64_t elements, Cost cost);
    void resolvePhis();
    void finish();
    void emitLoops();
    void countSkeleton();

    /* emit_values.cpp */
    gp_ref constant(uint64_t bits);
    gp_ref valueOf(const llvm::Value *value, unsigned element = 0);
    gp_ref constantRef(const llvm::Constant *value, unsigned element);
    gp_ref argumentRef(const llvm::Argument &argument, unsigned element);
    gp_ref arrayRef(const llvm::GlobalVariable &variable);
    gp_ref emitAddress(const AddressForm &form, const llvm::Type *pointer, std::optional<Cost> step);
    gp_ref lookedUp(const TableLookup &lookup, gp_ref loaded, unsigned bits);
    bool isInduction(const llvm::Value *value) const;
    bool isUniform(const llvm::Value *value) const;
    struct TermCost {
        Cost extend = {}, multiply = {}, add = {};
    };
    struct Memory {
        bool narrow = false, banked = false, offsets = false;
    }; /* 32-bit addresses; NVIDIA's constant banks; AMD's accesses that add an offset */
    TermCost amdTermCost(const AddressTerm &term, unsigned bits, const Memory &memory, bool sameSoFar) const;
    TermCost termCost(const AddressTerm &term, unsigned bits, const Memory &memory, bool sameSoFar) const;
    Cost constantIndexCost(const AddressTerm &term) const;
    gp_ref lowWordOf(gp_ref value);
    gp_ref scaledBy(gp_ref index, int64_t scale, Cost cost);
    gp_ref offsetBy(gp_ref address, int64_t offset, Cost cost = {});
    gp_ref extended(gp_ref value, unsigned bits, bool isSigned, Cost cost = {});
    void operandsOf(const llvm::Value *value, uint64_t elements, llvm::SmallVectorImpl<gp_ref> &into);
    gp_ref representative(const llvm::Value *value, uint64_t elements);
    gp_ref make(gp_op op, Cost cost, unsigned bits, llvm::ArrayRef<gp_ref> operands);
    Proto &protoOf(gp_ref ref) { return protos[gp_ref_index(ref)]; }
    void setRef(const llvm::Instruction &inst, unsigned element, gp_ref ref);

    /* emit_reuse.cpp */
    gp_ref *reuse(std::vector<Reached> &found);
    void keep(std::vector<Reached> &made, gp_ref ref);
    void keepValue(const Lowering &lowering, llvm::ArrayRef<gp_ref> operands, gp_ref ref);
    bool runsBefore(const llvm::BasicBlock *earlier) const;
    gp_ref sameAs(gp_ref value) const;

    /* emit_memory.cpp */
    void emitLoad(const llvm::Instruction &inst, const llvm::Value *pointer, llvm::Align alignment, uint16_t flags);
    void emitStore(const llvm::Value *pointer, const llvm::Value *value, llvm::Align alignment, uint16_t flags);
    bool isRetried(const llvm::Instruction &inst) const;
    void emitAtomic(const llvm::Instruction &inst);
    std::string calleeName(const llvm::CallBase &call) const;
    void emitCall(const llvm::CallBase &call);
    gp_ref coordinateOf(const Term &term);
    gp_ref scaledCoordinate(const Term &term, unsigned dim);
    void emitImage(const llvm::CallBase &call, bool store);
    void emitBulkMemory(const llvm::CallBase &call, bool copy);
    void emitBulkCopy(const llvm::CallBase &call);
    void emitGather(const llvm::CallBase &call, bool store);
    static uint16_t flagsOf(const llvm::Instruction &inst);
    unsigned pieceBytes(unsigned total, llvm::Align alignment) const;
    gp_ref access(gp_op op, gp_ref address, gp_ref value, unsigned bits, gp_memory record);
    bool isDeviceTable(const llvm::GlobalVariable &variable) const;
    gp_memory memoryRecord(const llvm::Value *pointer, unsigned elementBytes, unsigned vector, llvm::Align alignment,
                           uint16_t flags);

    void emitCounts(const ClassCounts &counts);

    /* emit_expressions.cpp */
    gp_ref expression(const llvm::SCEV *scev);
    gp_ref expression(const TripExpression &trips);
    gp_ref expressionFold(gp_op op, llvm::ArrayRef<const llvm::SCEV *> operands, unsigned bits);

    const AnalysedKernel &facts;
    KernelData &data;
    Locations &locations;
    llvm::UniqueStringSaver &strings;
    const llvm::DataLayout &layout;

    std::vector<Proto> protos;
    std::vector<List> lists; /* per block, in order */
    List prologue, expressions;
    List *current = nullptr;
    const llvm::BasicBlock *currentBlock = nullptr;
    const llvm::Instruction *currentInstruction = nullptr;
    uint32_t currentLocation = GP_NONE;
    bool currentUniform = false;
    ClassCounts compressed; /* of the current block */

    llvm::DenseMap<const llvm::BasicBlock *, uint32_t> blockNumbers;
    llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<gp_ref, 1>> refs;
    llvm::DenseMap<uint64_t, uint32_t> constantNumbers;
    uint32_t allOnes = GP_NONE, allOnesButOne = GP_NONE; /* keys that a DenseMap keeps for itself */
    llvm::DenseMap<const llvm::Value *, gp_ref> arrays;
    llvm::DenseMap<const llvm::Constant *, gp_ref> constantExpressions;
    llvm::DenseMap<std::pair<const llvm::Argument *, unsigned>, gp_ref> argumentElements;
    llvm::DenseMap<const llvm::Value *, gp_ref> bases;
    std::map<std::tuple<gp_ref, gp_ref, bool, int64_t>, std::vector<Reached>> addresses;
    std::map<std::pair<gp_ref, bool>, std::vector<Reached>> extensions;
    std::map<std::pair<gp_ref, int64_t>, std::vector<Reached>> products;
    llvm::DenseMap<std::pair<uint64_t, uint64_t>, std::vector<Reached>> values; /* operation and operands */
    llvm::DenseMap<gp_ref, gp_ref> same; /* what guarded blocks compute once more: the first of these */
    llvm::DenseMap<const llvm::SCEV *, gp_ref> expressionRefs;
    std::vector<PendingPhi> pendingPhis;
};

} // namespace gpuperf
#endif
