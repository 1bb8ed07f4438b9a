/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/constant_tables.h"

#include <numeric>

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuperf
{

static constexpr uint64_t mostPlaces = 64; /* a comparison and a choice each, wherever the profile is run */

/* The variable at the start of the address, the bytes that are always added to it, and the variable terms; null:
 * something else. */
static const GlobalVariable *partsOf(const Value *pointer, const DataLayout &layout, int64_t &offset,
                                     SmallVectorImpl<AddressTerm> &terms)
{
    while (true) {
        pointer = pointer->stripPointerCasts();
        auto *gep = dyn_cast<GEPOperator>(pointer);
        if (!gep)
            return dyn_cast<GlobalVariable>(pointer);
        AddressForm form = addressOf(*gep, layout);
        if (!form.computable)
            return nullptr;
        offset += form.offset;
        terms.append(form.terms.begin(), form.terms.end());
        pointer = form.base;
    }
}

static bool isTable(const GlobalVariable *variable)
{
    return variable && variable->isConstant() && variable->hasDefinitiveInitializer();
}

/* A number of up to 64 bits; false where the table holds something else there. */
static bool bitsAt(const GlobalVariable &table, Type *type, int64_t offset, const DataLayout &layout, uint64_t &bits)
{
    const Constant *value = ConstantFoldLoadFromConst(const_cast<Constant *>(table.getInitializer()), type,
                                                      APInt(64, (uint64_t)offset), layout);
    if (auto *integer = dyn_cast_or_null<ConstantInt>(value))
        bits = integer->getZExtValue();
    else if (auto *real = dyn_cast_or_null<ConstantFP>(value))
        bits = real->getValueAPF().bitcastToAPInt().getZExtValue();
    else
        return false;
    return true;
}

TableLookup tableLookup(const LoadInst &load, unsigned element)
{
    const DataLayout &layout = load.getModule()->getDataLayout();
    Type *type = load.getType()->getScalarType();
    bool number = type->isIntegerTy() || type->isFloatingPointTy();
    if (load.isVolatile() || !number || type->getPrimitiveSizeInBits() > 64 || type->getPrimitiveSizeInBits() % 8 != 0)
        return {};
    TableLookup lookup;
    int64_t offset = element * (int64_t)layout.getTypeStoreSize(type).getFixedValue(), step = 0;
    const GlobalVariable *table = partsOf(load.getPointerOperand(), layout, offset, lookup.terms);
    if (!isTable(table) || lookup.terms.empty())
        return {};
    for (const AddressTerm &term : lookup.terms)
        step = std::gcd(step, term.scale);
    int64_t size = (int64_t)layout.getTypeAllocSize(table->getValueType()).getFixedValue(),
            bytes = (int64_t)layout.getTypeStoreSize(type).getFixedValue();
    if (step <= 0 || (uint64_t)(size / step) > mostPlaces)
        return {};
    for (int64_t at = ((offset % step) + step) % step; at + bytes <= size; at += step) {
        uint64_t bits;
        if (!bitsAt(*table, type, at, layout, bits))
            return {};
        lookup.places.push_back({at - offset, bits});
    }
    return lookup;
}

} // namespace gpuperf
