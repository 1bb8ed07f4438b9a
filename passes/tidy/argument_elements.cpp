/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/tidy/argument_elements.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

#include "model/launch/launch.h"
#include "passes/tidy/argument_copies.h"

using namespace llvm;

namespace gpuperf
{

std::string elementName(unsigned element, unsigned count)
{
    return count <= 4 ? std::string(1, "xyzw"[element]) : std::string("s") + "0123456789abcdef"[element];
}

/* 0: it is none, or one that OpenCL C does not have. */
static unsigned integersIn(Type *type)
{
    const unsigned most = 16;
    auto *vector = dyn_cast<FixedVectorType>(type);
    bool integers = vector && vector->getElementType()->isIntegerTy() && vector->getScalarSizeInBits() <= 64;
    return integers && vector->getNumElements() <= most ? vector->getNumElements() : 0;
}

Type *passedByValue(const Argument &argument)
{
    return argument.hasByValAttr()   ? argument.getParamByValType()
           : argument.hasByRefAttr() ? argument.getParamByRefType()
                                     : nullptr;
}

namespace
{

using Elements = SmallVector<ArgumentElement, 16>;

/* The members of a structure, from outside to inside. */
class MemberList
{
public:
    MemberList(const Argument &argument, Elements &all)
        : argument(argument), layout(argument.getParent()->getDataLayout()), all(all)
    {
    }
    void add(Type *type, uint64_t start);

private:
    void addSequence(Type *element, uint64_t count, uint64_t start);

    static constexpr unsigned most = 64;
    const Argument &argument;
    const DataLayout &layout;
    Elements &all;
    unsigned taken = 0;
};

void MemberList::addSequence(Type *element, uint64_t count, uint64_t start)
{
    uint64_t stride = layout.getTypeAllocSize(element).getFixedValue();
    for (uint64_t i = 0; i < count && taken < most; i++)
        add(element, start + i * stride);
}

void MemberList::add(Type *type, uint64_t start)
{
    if (auto *integer = dyn_cast<IntegerType>(type)) {
        unsigned width = integer->getBitWidth() / 8;
        if (integer->getBitWidth() % 8 != 0 || width > 8 || !isPowerOf2_32(width) || start % width != 0 ||
            taken >= most)
            return;
        all.push_back({&argument, integer, (unsigned)(start / width), 0});
        taken++;
    } else if (auto *structure = dyn_cast<StructType>(type)) {
        for (unsigned i = 0; i < structure->getNumElements() && taken < most; i++)
            add(structure->getElementType(i),
                start + layout.getStructLayout(structure)->getElementOffset(i).getFixedValue());
    } else if (auto *array = dyn_cast<ArrayType>(type)) {
        /* What is not an integer in the end takes no turns. */
        Type *inner = array;
        while (auto *within = dyn_cast<ArrayType>(inner))
            inner = within->getElementType();
        if (isa<IntegerType, StructType>(inner) || integersIn(inner) > 0)
            addSequence(array->getElementType(), std::min<uint64_t>(array->getNumElements(), most), start);
    } else if (unsigned count = integersIn(type)) {
        addSequence(type->getScalarType(), count, start);
    }
}

} // namespace

SmallVector<ArgumentElement, 16> argumentElements(const Function &kernel)
{
    Elements all;
    for (const Argument &argument : kernel.args()) {
        Type *structure = passedByValue(argument);
        unsigned count = integersIn(argument.getType());
        for (unsigned i = 0; i < count; i++)
            all.push_back({&argument, cast<IntegerType>(argument.getType()->getScalarType()), i, count});
        if (structure && structure->isSized())
            MemberList(argument, all).add(structure, 0);
    }
    if (kernel.arg_size() + all.size() > GP_MAX_ARGUMENTS)
        all.clear();
    return all;
}

/* Most uses take an element. */
static void replaceExtracts(Argument &vector, ArrayRef<Argument *> elements)
{
    for (User *user : make_early_inc_range(vector.users())) {
        auto *extract = dyn_cast<ExtractElementInst>(user);
        auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
        if (!index || index->getValue().uge(elements.size()))
            continue;
        extract->replaceAllUsesWith(elements[index->getZExtValue()]);
        extract->eraseFromParent();
    }
}

/* Others the vector as a whole. */
static void replaceWhole(Argument &vector, ArrayRef<Argument *> elements, Function &copy)
{
    SmallVector<Use *, 8> uses(make_pointer_range(vector.uses()));
    if (uses.empty())
        return;
    IRBuilder<> builder(&copy.getEntryBlock(), copy.getEntryBlock().getFirstInsertionPt());
    Value *whole = PoisonValue::get(vector.getType());
    for (size_t i = 0; i < elements.size(); i++)
        whole = builder.CreateInsertElement(whole, elements[i], i);
    for (Use *use : uses)
        use->set(whole);
}

void splitVectorArguments(const Function &kernel, Function &copy)
{
    Elements all = argumentElements(kernel);
    for (size_t first = 0; first < all.size(); first += std::max(1u, all[first].count)) {
        if (all[first].count == 0)
            continue;
        SmallVector<Argument *, 16> elements;
        for (unsigned i = 0; i < all[first].count; i++)
            elements.push_back(copy.getArg(unsigned(kernel.arg_size() + first) + i));
        Argument &vector = *copy.getArg(all[first].whole->getArgNo());
        replaceExtracts(vector, elements);
        replaceWhole(vector, elements, copy);
    }
}

/* ---- Members of structures -------------------------------------------------------------------------------------- */

namespace
{

/* The loads of one structure, each with its distance from the start. */
using PlacedLoads = SmallVector<std::pair<LoadInst *, uint64_t>, 16>;

/* The arguments that stand for one structure's members. */
using Members = DenseMap<std::pair<uint64_t /* distance */, Type *>, Argument *>;

} // namespace

static void findLoads(Value &pointer, int64_t offset, const DataLayout &layout, PlacedLoads &loads)
{
    for (User *user : pointer.users()) {
        APInt bytes(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
        auto *gep = dyn_cast<GEPOperator>(user);
        auto *load = dyn_cast<LoadInst>(user);
        if (load && load->isSimple() && offset >= 0)
            loads.push_back({load, (uint64_t)offset});
        else if (isa<AddrSpaceCastInst, BitCastInst>(user) || (gep && gep->accumulateConstantOffset(layout, bytes)))
            findLoads(*user, offset + bytes.getSExtValue(), layout, loads);
    }
}

/* A member, or a vector of which each element is one; null: it is something else. */
static Value *memberValue(LoadInst &load, uint64_t start, const Members &members)
{
    unsigned count = integersIn(load.getType());
    Type *type = load.getType()->getScalarType();
    if (count == 0)
        return members.lookup({start, type});
    for (unsigned i = 0; i < count; i++)
        if (!members.lookup({start + i * (type->getIntegerBitWidth() / 8), type}))
            return nullptr;
    IRBuilder<> builder(&load);
    Value *whole = PoisonValue::get(load.getType());
    for (unsigned i = 0; i < count; i++)
        whole =
            builder.CreateInsertElement(whole, members.lookup({start + i * (type->getIntegerBitWidth() / 8), type}), i);
    return whole;
}

void useMemberArguments(const Function &kernel, Function &copy)
{
    Elements all = argumentElements(kernel);
    DenseMap<const Argument *, Members> structures;
    for (size_t i = 0; i < all.size(); i++)
        if (all[i].count == 0)
            structures[copy.getArg(all[i].whole->getArgNo())][{all[i].bytes(), all[i].type}] =
                copy.getArg(unsigned(kernel.arg_size() + i));
    for (Argument &argument : copy.args()) {
        auto members = structures.find(&argument);
        if (members == structures.end() || !isNeverWritten(argument))
            continue;
        PlacedLoads loads;
        findLoads(argument, 0, copy.getDataLayout(), loads);
        for (auto [load, start] : loads) {
            Value *value = memberValue(*load, start, members->second);
            if (!value)
                continue;
            Value *place = load->getPointerOperand();
            load->replaceAllUsesWith(value);
            load->eraseFromParent();
            RecursivelyDeleteTriviallyDeadInstructions(place);
        }
    }
}

} // namespace gpuperf
