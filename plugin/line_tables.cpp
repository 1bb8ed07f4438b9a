/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What each instruction with a location costs the optimiser adds up to some percent of a compile, and front ends give
 * one to all of them.
 *
 * In the end, llvm::StripDebugInfo would do, but for two traces that show in bitcode: it registers a kind of metadata
 * of its own in the context, and it leaves the version flag that Clang adds with debug information.
 */
#include "plugin/line_tables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include "passes/analysis/cheaper_spelling.h"

namespace gpuperf
{

namespace
{

const char versionFlag[] = "Debug Info Version";
const llvm::StringRef unitsPrefix = "llvm.dbg.";

/*
 * Inlining gives each copy of a loop a node of its own where the call has a location, and leaves all copies the source
 * loop's node where it has none. So that in the end copies have one node again, each source loop is given an origin
 * before the optimiser begins: one more property, of which the optimiser knows nothing, with all properties that the
 * loop has then. A loop whose properties have become others has been changed, which makes it a node of its own in any
 * case.
 */
const char originName[] = "gpuperf.loop";

using Properties = llvm::SmallVector<llvm::Metadata *, 4>;

/* Among a loop's properties; null: none. */
llvm::MDNode *asOrigin(llvm::Metadata *property)
{
    auto *node = llvm::dyn_cast_or_null<llvm::MDNode>(property);
    auto *name =
        node && node->getNumOperands() > 0 ? llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(0)) : nullptr;
    return name && name->getString() == originName ? node : nullptr;
}

/* But where it starts and ends, and its origin. */
Properties propertiesOf(const llvm::MDNode &loop)
{
    Properties kept;
    for (const llvm::MDOperand &property : llvm::drop_begin(loop.operands()))
        if (!llvm::isa_and_nonnull<llvm::DILocation>(property.get()) && !asOrigin(property))
            kept.push_back(property);
    return kept;
}

llvm::MDNode *makeLoop(llvm::LLVMContext &context, llvm::ArrayRef<llvm::Metadata *> properties)
{
    Properties all = {nullptr};
    all.append(properties.begin(), properties.end());
    llvm::MDNode *loop = llvm::MDNode::getDistinct(context, all);
    loop->replaceOperandWith(0, loop);
    return loop;
}

class LoopMarker
{
public:
    void mark(llvm::Instruction &branch);

private:
    llvm::MDNode *withOrigin(llvm::MDNode &loop);
    llvm::DenseMap<llvm::MDNode *, llvm::MDNode *> done; /* several latches share one node */
};

/* One that has nothing but its place needs none: it ends without a node. */
llvm::MDNode *LoopMarker::withOrigin(llvm::MDNode &loop)
{
    Properties properties = propertiesOf(loop);
    if (properties.empty())
        return &loop;
    Properties origin = {llvm::MDString::get(loop.getContext(), originName)};
    origin.append(properties);
    Properties all;
    all.append(std::next(loop.op_begin()), loop.op_end());
    all.push_back(llvm::MDNode::getDistinct(loop.getContext(), origin));
    return makeLoop(loop.getContext(), all);
}

void LoopMarker::mark(llvm::Instruction &branch)
{
    llvm::MDNode *loop = branch.getMetadata(llvm::LLVMContext::MD_loop);
    if (!loop)
        return;
    auto [entry, isNew] = done.try_emplace(loop, nullptr);
    if (isNew)
        entry->second = withOrigin(*loop);
    branch.setMetadata(llvm::LLVMContext::MD_loop, entry->second);
}

/* Loops name where they start and end among their properties. */
class LoopStripper
{
public:
    bool strip(llvm::Instruction &branch);

private:
    llvm::MDNode *without(llvm::MDNode &loop);
    llvm::DenseMap<llvm::MDNode *, llvm::MDNode *> done;      /* several latches share one node */
    llvm::DenseMap<llvm::MDNode *, llvm::MDNode *> unchanged; /* by origin */
};

/* A loop that had no property but its place had no node. */
llvm::MDNode *LoopStripper::without(llvm::MDNode &loop)
{
    Properties kept = propertiesOf(loop);
    if (kept.size() + 1 == loop.getNumOperands())
        return &loop;
    if (kept.empty())
        return nullptr;
    auto found = llvm::find_if(loop.operands(), asOrigin);
    llvm::MDNode *origin = found != loop.op_end() ? asOrigin(*found) : nullptr;
    if (!origin || !std::equal(kept.begin(), kept.end(), std::next(origin->op_begin()), origin->op_end()))
        return makeLoop(loop.getContext(), kept);
    llvm::MDNode *&one = unchanged[origin];
    if (!one)
        one = makeLoop(loop.getContext(), kept);
    return one;
}

bool LoopStripper::strip(llvm::Instruction &branch)
{
    llvm::MDNode *loop = branch.getMetadata(llvm::LLVMContext::MD_loop);
    if (!loop)
        return false;
    auto [entry, isNew] = done.try_emplace(loop, nullptr);
    if (isNew)
        entry->second = without(*loop);
    branch.setMetadata(llvm::LLVMContext::MD_loop, entry->second);
    return entry->second != loop;
}

bool stripFunction(llvm::Function &function, LoopStripper &loops)
{
    bool changed = function.getSubprogram() != nullptr;
    function.setSubprogram(nullptr);
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
        changed = loops.strip(instruction) || instruction.getDebugLoc() || instruction.hasDbgRecords() || changed;
        instruction.setDebugLoc(llvm::DebugLoc());
        instruction.dropDbgRecords();
    }
    return changed;
}

bool removeUnits(llvm::Module &module)
{
    bool changed = false;
    for (llvm::NamedMDNode &node : llvm::make_early_inc_range(module.named_metadata())) {
        if (node.getName().starts_with(unitsPrefix)) {
            node.eraseFromParent();
            changed = true;
        }
    }
    return changed;
}

bool removeVersionFlag(llvm::Module &module)
{
    llvm::NamedMDNode *flags = module.getModuleFlagsMetadata();
    if (!flags)
        return false;
    llvm::SmallVector<llvm::MDNode *, 8> kept;
    for (llvm::MDNode *flag : flags->operands()) {
        auto *name =
            flag->getNumOperands() == 3 ? llvm::dyn_cast_or_null<llvm::MDString>(flag->getOperand(1)) : nullptr;
        if (!name || name->getString() != versionFlag)
            kept.push_back(flag);
    }
    if (kept.size() == flags->getNumOperands())
        return false;
    flags->clearOperands();
    for (llvm::MDNode *flag : kept)
        flags->addOperand(flag);
    if (kept.empty())
        flags->eraseFromParent();
    return true;
}

/* Variables that the optimiser turns into registers at once: their loads and stores are none. */
using Variables = llvm::SmallPtrSet<const llvm::Value *, 32>;

Variables futureRegisters(const llvm::Function &function)
{
    Variables variables;
    for (const llvm::Instruction &instruction : function.getEntryBlock()) {
        auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        if (variable && llvm::isAllocaPromotable(variable))
            variables.insert(variable);
    }
    return variables;
}

/* Loads that leave a loop lose their line; what they are combined with keeps it (gp_inst_place()). */
bool takesALoad(const llvm::Instruction &instruction, const Variables &registers)
{
    return llvm::any_of(instruction.operands(), [&](const llvm::Use &operand) {
        auto *load = llvm::dyn_cast<llvm::LoadInst>(operand);
        return load && !registers.contains(load->getPointerOperand());
    });
}

/* The division whose result is only looked at for bits of it, in an instruction that LLVM may leave for both
 * (passes/nvidia/power_divisors.h); null: it is none. */
const llvm::Instruction *divisionIn(const llvm::Instruction &instruction, unsigned depth = 2)
{
    if (instruction.isIntDivRem())
        return &instruction;
    bool looks = llvm::isa<llvm::ICmpInst>(instruction) || instruction.getOpcode() == llvm::Instruction::And;
    auto *looked = looks && depth > 0 ? llvm::dyn_cast<llvm::Instruction>(instruction.getOperand(0)) : nullptr;
    return looked ? divisionIn(*looked, depth - 1) : nullptr;
}

/* What may be inlined needs its place, so that the lines behind it can be told. */
bool isOnlyArithmetic(const llvm::CallBase &call)
{
    const llvm::Function *callee = call.getCalledFunction();
    return callee && callee->isDeclaration() && call.doesNotAccessMemory();
}

bool isWorthALocation(const llvm::Instruction &instruction, const Variables &registers)
{
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Load:
    case llvm::Instruction::Store: return !registers.contains(llvm::getLoadStorePointerOperand(&instruction));
    case llvm::Instruction::Br: return llvm::cast<llvm::BranchInst>(instruction).isConditional();
    case llvm::Instruction::Call: {
        auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        return intrinsic ? !intrinsic->isAssumeLikeIntrinsic() && intrinsic->mayReadOrWriteMemory()
                         : !isOnlyArithmetic(llvm::cast<llvm::CallBase>(instruction)) ||
                               productsInsteadOf(llvm::cast<llvm::CallBase>(instruction)) > 0;
    }
    case llvm::Instruction::ExtractElement: /* a vector's load may become one of this element, in this place */
    case llvm::Instruction::Switch:
    case llvm::Instruction::AtomicRMW:
    case llvm::Instruction::AtomicCmpXchg:
    case llvm::Instruction::Fence:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FRem: return true;
    case llvm::Instruction::FAdd: /* a double in a kernel of floats is worth a finding */
    case llvm::Instruction::FSub:
    case llvm::Instruction::FMul:
    case llvm::Instruction::FPExt: return instruction.getType()->getScalarType()->isDoubleTy();
    case llvm::Instruction::FCmp: return instruction.getOperand(0)->getType()->getScalarType()->isDoubleTy();
    default: return false;
    }
}

} // namespace

void thinLineTables(llvm::Module &module)
{
    LoopMarker loops;
    for (llvm::Function &function : module) {
        if (function.isDeclaration())
            continue;
        Variables registers = futureRegisters(function);
        for (llvm::Instruction &instruction : llvm::instructions(function)) {
            if (const llvm::Instruction *division = divisionIn(instruction))
                instruction.setDebugLoc(division->getDebugLoc());
            else if (!isWorthALocation(instruction, registers) && !takesALoad(instruction, registers))
                instruction.setDebugLoc(llvm::DebugLoc());
            if (instruction.isTerminator())
                loops.mark(instruction);
        }
    }
}

bool stripLineTables(llvm::Module &module)
{
    LoopStripper loops;
    bool changed = removeUnits(module);
    for (llvm::Function &function : module)
        changed = stripFunction(function, loops) || changed;
    return removeVersionFlag(module) || changed;
}

} // namespace gpuperf
