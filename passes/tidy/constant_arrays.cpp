/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/tidy/tidy.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ValueHandle.h"

using namespace llvm;

namespace gpuperf
{

enum { MOST_ELEMENTS = 16 };

namespace
{

struct Read {
    LoadInst *load;
    WeakTrackingVH index; /* which may be what another one reads */
};

/* An array and all that touches it. */
class WrittenOnce
{
public:
    WrittenOnce(AllocaInst &array, const DataLayout &layout) : array(array), layout(layout) {}
    bool parse();
    bool isWrittenFirst(const DominatorTree &dominators) const;
    void replace();

private:
    bool follow(Value &pointer, uint64_t offset);
    bool takeStore(StoreInst &store, const Value &pointer, uint64_t offset);
    bool takeAddress(GEPOperator &address, uint64_t offset);
    Value *chosen(IRBuilder<> &builder, Value *index) const;
    Value *stepped(IRBuilder<> &builder, Value *index) const;

    AllocaInst &array;
    const DataLayout &layout;
    Type *element = nullptr;
    uint64_t bytes = 0;                             /* of an element */
    SmallVector<StoreInst *, MOST_ELEMENTS> stores; /* by element */
    SmallVector<Read, 4> reads;
    SmallVector<Instruction *, 8> rest; /* what goes with the array */
};

} // namespace

bool WrittenOnce::takeStore(StoreInst &store, const Value &pointer, uint64_t offset)
{
    if (store.getPointerOperand() != &pointer || store.getValueOperand()->getType() != element || store.isVolatile() ||
        offset % bytes != 0 || offset / bytes >= stores.size() || stores[offset / bytes])
        return false;
    stores[offset / bytes] = &store;
    rest.push_back(&store);
    return true;
}

bool WrittenOnce::takeAddress(GEPOperator &address, uint64_t offset)
{
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(64, offset);
    auto *inst = dyn_cast<Instruction>(&address);
    if (!inst || !address.collectOffset(layout, 64, variable, constant))
        return false;
    rest.push_back(inst);
    if (variable.empty())
        return follow(address, constant.getZExtValue());
    if (variable.size() != 1 || constant != 0 || variable.front().second != bytes)
        return false;
    for (User *user : address.users()) {
        auto *load = dyn_cast<LoadInst>(user);
        if (!load || load->getType() != element || load->isVolatile())
            return false;
        reads.push_back({load, variable.front().first});
    }
    return true;
}

bool WrittenOnce::follow(Value &pointer, uint64_t offset)
{
    for (User *user : pointer.users()) {
        auto *intrinsic = dyn_cast<IntrinsicInst>(user);
        bool taken = false;
        if (auto *store = dyn_cast<StoreInst>(user))
            taken = takeStore(*store, pointer, offset);
        else if (auto *address = dyn_cast<GEPOperator>(user))
            taken = takeAddress(*address, offset);
        else if (intrinsic && intrinsic->isLifetimeStartOrEnd()) {
            rest.push_back(intrinsic);
            taken = true;
        }
        if (!taken)
            return false;
    }
    return true;
}

bool WrittenOnce::parse()
{
    auto *type = dyn_cast<ArrayType>(array.getAllocatedType());
    if (!type || type->getNumElements() < 2 || type->getNumElements() > MOST_ELEMENTS || array.isArrayAllocation())
        return false;
    element = type->getElementType();
    bytes = element->isPointerTy() || (element->isIntegerTy() && element->getIntegerBitWidth() >= 8)
                ? layout.getTypeAllocSize(element).getFixedValue()
                : 0;
    stores.assign(type->getNumElements(), nullptr);
    return bytes > 0 && follow(array, 0) && !reads.empty() && !is_contained(stores, nullptr);
}

bool WrittenOnce::isWrittenFirst(const DominatorTree &dominators) const
{
    return all_of(stores, [&](const StoreInst *store) {
        return all_of(reads, [&](const Read &read) { return dominators.dominates(store, read.load); });
    });
}

/* Null: the elements are not equally far apart. */
Value *WrittenOnce::stepped(IRBuilder<> &builder, Value *index) const
{
    if (!element->isPointerTy())
        return nullptr;
    const Value *base = nullptr;
    int64_t first = 0, step = 0;
    for (size_t i = 0; i < stores.size(); i++) {
        APInt offset(layout.getIndexTypeSizeInBits(element), 0);
        const Value *under =
            stores[i]->getValueOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
        int64_t at = offset.getSExtValue();
        if (i == 0) {
            base = under;
            first = at;
        } else if (i == 1)
            step = at - first;
        if (under != base || at != first + (int64_t)i * step)
            return nullptr;
    }
    Value *wide = builder.CreateSExtOrTrunc(index, builder.getInt64Ty());
    return builder.CreateGEP(builder.getInt8Ty(), stores[0]->getValueOperand(),
                             builder.CreateMul(wide, builder.getInt64(step)));
}

Value *WrittenOnce::chosen(IRBuilder<> &builder, Value *index) const
{
    Value *value = stores[0]->getValueOperand();
    for (size_t i = 1; i < stores.size(); i++)
        value = builder.CreateSelect(builder.CreateICmpEQ(index, ConstantInt::get(index->getType(), i)),
                                     stores[i]->getValueOperand(), value);
    return value;
}

void WrittenOnce::replace()
{
    for (const Read &read : reads) {
        IRBuilder<> builder(read.load);
        Value *value = stepped(builder, read.index);
        read.load->replaceAllUsesWith(value ? value : chosen(builder, read.index));
        read.load->eraseFromParent();
    }
    for (Instruction *inst : reverse(rest)) /* users stand behind what they use */
        inst->eraseFromParent();
    array.eraseFromParent();
}

void spellOutArraysWrittenOnce(Function &function)
{
    SmallVector<AllocaInst *, 8> arrays;
    for (Instruction &inst : function.getEntryBlock())
        if (auto *array = dyn_cast<AllocaInst>(&inst); array && array->getAllocatedType()->isArrayTy())
            arrays.push_back(array);
    if (arrays.empty())
        return;
    DominatorTree dominators(function);
    for (AllocaInst *array : arrays)
        if (WrittenOnce once(*array, function.getDataLayout()); once.parse() && once.isWrittenFirst(dominators))
            once.replace();
}

} // namespace gpuperf
