/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/tidy/argument_copies.h"

#include <optional>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* All that is done with a variable's or an argument's address. */
class AddressUses
{
public:
    explicit AddressUses(const DataLayout &layout) : layout(layout) {}
    /* False: the address goes where it is not seen any more. */
    bool follow(Value &start) { return followFrom(start, 0); }

    struct Write {
        Instruction *inst;
        std::optional<int64_t> offset; /* from the start; none: not known */
    };
    SmallVector<Write, 4> writes;
    SmallVector<Instruction *, 4> lifetimes;

private:
    bool followFrom(Value &pointer, std::optional<int64_t> offset);
    bool take(Instruction &user, const Use &use, std::optional<int64_t> offset);
    bool takeAddress(Instruction &user, std::optional<int64_t> offset);
    bool takeCall(CallBase &call, const Use &use, std::optional<int64_t> offset);

    const DataLayout &layout;
    SmallPtrSet<const Value *, 16> seen; /* phis come back to themselves */
};

} // namespace

bool AddressUses::followFrom(Value &pointer, std::optional<int64_t> offset)
{
    if (!seen.insert(&pointer).second)
        return true;
    return all_of(pointer.uses(), [&](const Use &use) {
        auto *user = dyn_cast<Instruction>(use.getUser());
        return user && take(*user, use, offset);
    });
}

bool AddressUses::takeAddress(Instruction &user, std::optional<int64_t> offset)
{
    auto *gep = dyn_cast<GEPOperator>(&user);
    APInt bytes(layout.getIndexTypeSizeInBits(user.getType()), 0);
    bool constant = offset && (isa<CastInst>(user) || (gep && gep->accumulateConstantOffset(layout, bytes)));
    return followFrom(user, constant ? std::optional<int64_t>(*offset + bytes.getSExtValue()) : std::nullopt);
}

bool AddressUses::takeCall(CallBase &call, const Use &use, std::optional<int64_t> offset)
{
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call); intrinsic && intrinsic->isLifetimeStartOrEnd()) {
        lifetimes.push_back(&call);
        return true;
    }
    if (auto *transfer = dyn_cast<MemTransferInst>(&call)) {
        if (&use == &transfer->getRawDestUse())
            writes.push_back({&call, offset});
        return !transfer->isVolatile();
    }
    if (!call.isArgOperand(&use))
        return false;
    unsigned index = call.getArgOperandNo(&use);
    return call.isByValArgument(index) || (call.doesNotCapture(index) && call.onlyReadsMemory(index));
}

bool AddressUses::take(Instruction &user, const Use &use, std::optional<int64_t> offset)
{
    if (auto *load = dyn_cast<LoadInst>(&user))
        return !load->isVolatile();
    if (auto *store = dyn_cast<StoreInst>(&user)) {
        writes.push_back({store, offset});
        return use.getOperandNo() == StoreInst::getPointerOperandIndex() && store->isSimple();
    }
    if (auto *call = dyn_cast<CallBase>(&user))
        return takeCall(*call, use, offset);
    if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst>(user))
        return takeAddress(user, offset);
    return isa<PHINode, SelectInst>(user) && followFrom(user, std::nullopt);
}

/* ---- Copies --------------------------------------------------------------------------------------------------- */

namespace
{

/* So many bytes behind the start of an argument. */
struct Origin {
    Argument *argument;
    int64_t offset;
};

} // namespace

bool isNeverWritten(Argument &argument)
{
    AddressUses uses(argument.getParent()->getDataLayout());
    return uses.follow(argument) && uses.writes.empty();
}

/* Where the bytes that are written come from: a copy of memory, or a store of what was loaded (copies of up to eight
 * bytes). */
static Value *sourceOf(Instruction &write)
{
    if (auto *transfer = dyn_cast<MemTransferInst>(&write))
        return transfer->getRawSource();
    auto *load = dyn_cast<LoadInst>(cast<StoreInst>(write).getValueOperand());
    return load && load->isSimple() ? load->getPointerOperand() : nullptr;
}

static std::optional<Origin> originOf(Instruction &write)
{
    Value *source = sourceOf(write);
    if (!source)
        return std::nullopt;
    const DataLayout &layout = write.getModule()->getDataLayout();
    APInt offset(layout.getIndexTypeSizeInBits(source->getType()), 0);
    auto *argument =
        dyn_cast<Argument>(source->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
    if (!argument || !(argument->hasByValAttr() || argument->hasByRefAttr()))
        return std::nullopt;
    return Origin{argument, offset.getSExtValue()};
}

/* Where the whole variable would lie in the argument: each write has to put bytes where they are there. */
static std::optional<Origin> originOf(ArrayRef<AddressUses::Write> writes)
{
    std::optional<Origin> all;
    for (const AddressUses::Write &write : writes) {
        std::optional<Origin> origin = write.offset ? originOf(*write.inst) : std::nullopt;
        if (!origin)
            return std::nullopt;
        origin->offset -= *write.offset;
        if (all && (all->argument != origin->argument || all->offset != origin->offset))
            return std::nullopt;
        all = origin;
    }
    return all;
}

static void replace(AllocaInst &variable, const Origin &origin, const AddressUses &uses)
{
    IRBuilder<> builder(&variable);
    Value *place = origin.argument;
    if (origin.offset != 0)
        place = builder.CreatePtrAdd(place, builder.getInt64((uint64_t)origin.offset));
    for (Instruction *inst : uses.lifetimes)
        inst->eraseFromParent();
    for (const AddressUses::Write &write : uses.writes) {
        auto *store = dyn_cast<StoreInst>(write.inst);
        Value *loaded = store ? store->getValueOperand() : nullptr;
        write.inst->eraseFromParent();
        if (loaded)
            RecursivelyDeleteTriviallyDeadInstructions(loaded);
    }
    variable.replaceAllUsesWith(builder.CreateAddrSpaceCast(place, variable.getType()));
    variable.eraseFromParent();
}

/* What is read before it is written may be anything, so the argument's bytes, too. */
static bool forward(AllocaInst &variable)
{
    AddressUses uses(variable.getDataLayout());
    if (!uses.follow(variable))
        return false;
    std::optional<Origin> origin = originOf(uses.writes);
    if (!origin || !isNeverWritten(*origin->argument))
        return false;
    replace(variable, *origin, uses);
    return true;
}

static bool forwardAll(Function &function)
{
    SmallVector<AllocaInst *, 8> variables;
    for (Instruction &inst : function.getEntryBlock())
        if (auto *variable = dyn_cast<AllocaInst>(&inst))
            variables.push_back(variable);
    return count_if(variables, [](AllocaInst *variable) { return forward(*variable); }) > 0;
}

bool forwardArgumentCopies(Function &function)
{
    if (none_of(function.args(),
                [](const Argument &argument) { return argument.hasByValAttr() || argument.hasByRefAttr(); }))
        return false;
    bool changed = false;
    while (forwardAll(function)) /* copies of copies */
        changed = true;
    return changed;
}

} // namespace gpuperf
