/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/assembly/assembly.h"

#include "passes/assembly/address_assembly.h"
#include "passes/assembly/async_copies.h"
#include "passes/ir/special_registers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

enum { GENERIC = 0, GLOBAL = 1, SHARED = 3, CONSTANT = 4, PRIVATE = 5 };

/* One statement: "ld.global.cg.v2.f32 {$0, $1}, [$2+16];" */
struct Statement {
    SmallVector<StringRef, 8> parts; /* of the mnemonic */
    StringRef operands;
};

/* What its mnemonic says. */
struct Access {
    unsigned space = GENERIC, count = 1, bits = 0;
    bool isFloat = false, readOnly = false, streaming = false, isVolatile = false, swaps = false;
    AtomicRMWInst::BinOp op = AtomicRMWInst::BAD_BINOP;
};

Statement statementOf(const InlineAsm &assembly)
{
    Statement statement;
    StringRef text = StringRef(assembly.getAsmString()).trim(" \t\n");
    text.consume_back(";");
    if (text.contains(';') || text.contains('@'))
        return statement;
    StringRef mnemonic = text.take_until([](char c) { return c == ' ' || c == '\t'; });
    statement.operands = text.drop_front(mnemonic.size());
    mnemonic.split(statement.parts, '.');
    return statement;
}

AtomicRMWInst::BinOp operationNamed(StringRef name, bool isFloat, bool isSigned)
{
    if (isFloat)
        return name == "add" ? AtomicRMWInst::FAdd : AtomicRMWInst::BAD_BINOP;
    if (name == "add")
        return AtomicRMWInst::Add;
    if (name == "and")
        return AtomicRMWInst::And;
    if (name == "or")
        return AtomicRMWInst::Or;
    if (name == "xor")
        return AtomicRMWInst::Xor;
    if (name == "exch")
        return AtomicRMWInst::Xchg;
    if (name == "min")
        return isSigned ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
    if (name == "max")
        return isSigned ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
    if (name == "inc")
        return AtomicRMWInst::UIncWrap;
    if (name == "dec")
        return AtomicRMWInst::UDecWrap;
    return AtomicRMWInst::BAD_BINOP;
}

/* Bits 0: a type that is not read here (.f16x2, .b128). */
Access accessOf(ArrayRef<StringRef> parts)
{
    Access access;
    StringRef type = parts.back();
    access.isFloat = type.starts_with("f");
    if (type.size() < 2 || !StringRef("busf").contains(type[0]) || type.drop_front().getAsInteger(10, access.bits) ||
        access.bits > 64)
        access.bits = 0;
    for (StringRef part : parts.drop_front().drop_back()) {
        if (part == "global")
            access.space = GLOBAL;
        else if (part.starts_with("shared"))
            access.space = SHARED;
        else if (part == "const")
            access.space = CONSTANT;
        else if (part == "local")
            access.space = PRIVATE;
        else if (part == "param")
            access.bits = 0;
        else if (part == "nc")
            access.readOnly = true;
        else if (part == "cs" || part == "lu")
            access.streaming = true;
        else if (part == "volatile")
            access.isVolatile = true;
        else if (part == "cas")
            access.swaps = true;
        else if (part == "v2" || part == "v4")
            access.count = part[1] - '0';
        else if (AtomicRMWInst::BinOp op = operationNamed(part, access.isFloat, type[0] == 's');
                 op != AtomicRMWInst::BAD_BINOP)
            access.op = op;
    }
    return access;
}

/* What a function's statements have in common. */
struct Common {
    AsyncCopies copies;
    Value *isAmongFirst8 = nullptr, *isAmongFirst16 = nullptr; /* of a warp's lanes; made at the first use */
    bool blocksChanged = false;
};

/* Writes the instruction for one call. */
class Speller
{
public:
    Speller(CallInst &call, const Statement &statement, Common &common)
        : call(call), statement(statement), common(common), copies(common.copies), builder(&call)
    {
        auto *structure = dyn_cast<StructType>(call.getType());
        outputs = call.getType()->isVoidTy() ? 0 : structure ? structure->getNumElements() : 1;
    }
    bool run();

private:
    Value *argument(unsigned number) const
    {
        return number >= outputs && number - outputs < call.arg_size() ? call.getArgOperand(number - outputs) : nullptr;
    }
    Value *address(unsigned which, unsigned space);
    SmallVector<Value *, 4> sources(unsigned behindBrackets);
    Type *elementType(const Access &access) const;
    Value *asElement(Value *value, Type *type);
    void mark(Instruction &inst, const Access &access);
    bool returns(Value *value, unsigned count);
    bool load(const Access &access);
    bool store(const Access &access);
    bool atomic(const Access &access, bool gives);
    bool number(StringRef text, unsigned &value) const;
    bool copy();
    bool copyAsync();
    bool givesWords(unsigned count) const;
    Value *loadByFirst(unsigned lanes, Type *type, Value *from);
    bool loadRows();
    bool barrier();

    CallInst &call;
    const Statement &statement;
    Common &common;
    AsyncCopies &copies;
    IRBuilder<> builder;
    unsigned outputs;
};

} // namespace

/* "$12" at the beginning of a text; false: there is none. */
static bool takeNumber(StringRef &text, unsigned &number)
{
    text = text.ltrim(" \t{,");
    return text.consume_front("$") && !text.consumeInteger(10, number);
}

/* What stands in the brackets: an operand, and perhaps a number of bytes. */
Value *Speller::address(unsigned which, unsigned space)
{
    StringRef text = statement.operands;
    for (unsigned i = 0; i <= which; i++) {
        size_t open = text.find('[');
        if (open == StringRef::npos)
            return nullptr;
        text = text.drop_front(open + 1);
    }
    unsigned number;
    int64_t offset = 0;
    Value *base = takeNumber(text, number) ? argument(number) : nullptr;
    text = text.ltrim();
    if (!base || (text.consume_front("+") && text.ltrim().consumeInteger(0, offset)))
        return nullptr;
    if (base->getType()->isIntegerTy()) {
        Value *pointer = pointerOf(builder, base, space);
        base = pointer ? pointer : builder.CreateIntToPtr(base, builder.getPtrTy(space));
    } else if (!base->getType()->isPointerTy())
        return nullptr;
    else if (base->getType()->getPointerAddressSpace() != space)
        base = builder.CreateAddrSpaceCast(base, builder.getPtrTy(space));
    return offset ? builder.CreateConstGEP1_64(builder.getInt8Ty(), base, offset) : base;
}

/* The operands behind so many brackets. */
SmallVector<Value *, 4> Speller::sources(unsigned brackets)
{
    StringRef text = statement.operands;
    SmallVector<Value *, 4> values;
    for (unsigned i = 0; i < brackets; i++)
        text = text.drop_front(std::min(text.size(), text.find(']') + 1));
    for (unsigned number; takeNumber(text, number);) {
        Value *value = argument(number);
        if (!value)
            return {};
        values.push_back(value);
    }
    return values;
}

Type *Speller::elementType(const Access &access) const
{
    LLVMContext &context = call.getContext();
    return !access.isFloat || access.bits == 16 ? (Type *)Type::getIntNTy(context, access.bits)
           : access.bits == 32                  ? Type::getFloatTy(context)
                                                : Type::getDoubleTy(context);
}

/* Registers are as wide or wider. Null: neither. */
Value *Speller::asElement(Value *value, Type *type)
{
    unsigned from = value->getType()->getPrimitiveSizeInBits(), to = type->getPrimitiveSizeInBits();
    if (from == 0 || value->getType()->isVectorTy())
        return nullptr;
    if (from == to)
        return builder.CreateBitCast(value, type);
    if (!value->getType()->isIntegerTy() || !type->isIntegerTy())
        return nullptr;
    return builder.CreateZExtOrTrunc(value, type);
}

void Speller::mark(Instruction &inst, const Access &access)
{
    LLVMContext &context = inst.getContext();
    if (access.readOnly)
        inst.setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
    if (access.streaming)
        inst.setMetadata(LLVMContext::MD_nontemporal,
                         MDNode::get(context, ConstantAsMetadata::get(builder.getInt32(1))));
}

/* A number, or the elements of a vector, in place of the call's result. */
bool Speller::returns(Value *value, unsigned count)
{
    if (outputs != count)
        return false;
    if (count == 1 && !call.getType()->isStructTy()) {
        Value *result = asElement(value, call.getType());
        if (result)
            call.replaceAllUsesWith(result);
        return result != nullptr;
    }
    Value *all = PoisonValue::get(call.getType());
    for (unsigned i = 0; i < count; i++) {
        Value *element = count == 1 ? value : builder.CreateExtractElement(value, i);
        Value *one = asElement(element, cast<StructType>(call.getType())->getElementType(i));
        if (!one)
            return false;
        all = builder.CreateInsertValue(all, one, i);
    }
    call.replaceAllUsesWith(all);
    return true;
}

static Type *typeOf(Type *element, unsigned count)
{
    return count == 1 ? element : FixedVectorType::get(element, count);
}

bool Speller::load(const Access &access)
{
    Value *from = access.bits ? address(0, access.space) : nullptr;
    if (!from)
        return false;
    LoadInst *made = builder.CreateAlignedLoad(typeOf(elementType(access), access.count), from,
                                               Align(access.count * access.bits / 8), access.isVolatile);
    mark(*made, access);
    return returns(made, access.count);
}

bool Speller::store(const Access &access)
{
    Value *to = access.bits ? address(0, access.space) : nullptr;
    SmallVector<Value *, 4> values = sources(1);
    if (!to || values.size() != access.count)
        return false;
    Type *element = elementType(access);
    Value *all = PoisonValue::get(typeOf(element, access.count));
    for (unsigned i = 0; i < access.count; i++) {
        Value *one = asElement(values[i], element);
        if (!one)
            return false;
        all = access.count == 1 ? one : builder.CreateInsertElement(all, one, i);
    }
    mark(*builder.CreateAlignedStore(all, to, Align(access.count * access.bits / 8), access.isVolatile), access);
    return true;
}

bool Speller::atomic(const Access &access, bool gives)
{
    Value *at = access.bits >= 32 && access.count == 1 ? address(0, access.space) : nullptr;
    SmallVector<Value *, 4> values = sources(1);
    Type *element = at ? elementType(access) : nullptr;
    if (!at || values.size() != (access.swaps ? 2 : 1) || (!access.swaps && access.op == AtomicRMWInst::BAD_BINOP))
        return false;
    for (Value *&value : values)
        if (!(value = asElement(value, element)))
            return false;
    Align alignment(access.bits / 8);
    if (access.swaps) {
        Value *pair = builder.CreateAtomicCmpXchg(at, values[0], values[1], alignment, AtomicOrdering::Monotonic,
                                                  AtomicOrdering::Monotonic);
        return gives && returns(builder.CreateExtractValue(pair, 0), 1);
    }
    Value *old = builder.CreateAtomicRMW(access.op, at, values[0], alignment, AtomicOrdering::Monotonic);
    return !gives || returns(old, 1);
}

/* A constant, written out or an operand. */
bool Speller::number(StringRef text, unsigned &value) const
{
    text = text.ltrim(" \t,");
    if (!text.consumeInteger(10, value))
        return true;
    unsigned operand;
    auto *given = takeNumber(text, operand) ? dyn_cast_or_null<ConstantInt>(argument(operand)) : nullptr;
    if (given)
        value = (unsigned)given->getZExtValue();
    return given != nullptr;
}

/* cp.async.ca.shared.global [$0], [$1], 16 (with how many of them are not zeros, which is not looked at) */
bool Speller::copy()
{
    StringRef text = statement.operands;
    for (int i = 0; i < 2; i++)
        text = text.drop_front(std::min(text.size(), text.find(']') + 1));
    unsigned bytes;
    if (statement.parts.size() < 5 || !number(text, bytes) || (bytes != 4 && bytes != 8 && bytes != 16))
        return false;
    Value *to = address(0, SHARED), *from = address(1, GLOBAL);
    if (!to || !from)
        return false;
    Type *type = typeOf(builder.getInt32Ty(), bytes / 4);
    LoadInst *loaded = builder.CreateAlignedLoad(type, from, Align(bytes));
    builder.CreateAlignedStore(Constant::getNullValue(type), to, Align(bytes));
    copies.copy(builder, *loaded);
    return true;
}

bool Speller::copyAsync()
{
    unsigned pending;
    if (statement.parts.size() < 3 || statement.parts[1] != "async" || outputs > 0)
        return false;
    StringRef what = statement.parts[2];
    if (what == "commit_group") {
        copies.commit(builder);
        return true;
    }
    if (what == "wait_all") {
        copies.waitForAll(builder);
        return true;
    }
    if (what != "wait_group")
        return copy();
    if (!number(statement.operands, pending))
        return false;
    copies.wait(builder, pending);
    return true;
}

bool Speller::givesWords(unsigned count) const
{
    auto isWord = [](Type *type) { return type->isIntegerTy(32) || type->isFloatTy(); };
    auto *structure = dyn_cast<StructType>(call.getType());
    return outputs == count && (structure ? all_of(structure->elements(), isWord) : isWord(call.getType()));
}

/* What the first lanes alone load, of which all lanes get words. */
Value *Speller::loadByFirst(unsigned lanes, Type *type, Value *from)
{
    Value *&loads = lanes == 8 ? common.isAmongFirst8 : common.isAmongFirst16;
    if (!loads) {
        BasicBlock &entry = call.getFunction()->getEntryBlock();
        IRBuilder<> first(&entry, entry.getFirstInsertionPt());
        loads = first.CreateICmpULT(readLane(first), first.getInt32(lanes));
    }
    BasicBlock *before = call.getParent();
    Instruction *end = SplitBlockAndInsertIfThen(loads, call.getIterator(), /*Unreachable=*/false);
    Value *loaded = IRBuilder<>(end).CreateAlignedLoad(type, from, Align(16));
    builder.SetInsertPoint(&call);
    PHINode *either = PHINode::Create(type, 2, "", call.getParent()->begin());
    either->addIncoming(PoisonValue::get(type), before);
    either->addIncoming(loaded, end->getParent());
    common.blocksChanged = true;
    return either;
}

/* So many matrices of 8 rows, a row's address from each of the first lanes. */
bool Speller::loadRows()
{
    unsigned matrices = 0;
    for (StringRef part : statement.parts)
        if (part == "x1" || part == "x2" || part == "x4")
            matrices = part[1] - '0';
    Value *from =
        matrices > 0 && givesWords(matrices) && is_contained(statement.parts, "m8n8") ? address(0, SHARED) : nullptr;
    Type *type = FixedVectorType::get(builder.getInt32Ty(), 4);
    if (!from)
        return false;
    if (matrices == 4)
        return returns(builder.CreateAlignedLoad(type, from, Align(16)), 4);
    Value *words = loadByFirst(8 * matrices, type, from);
    return matrices == 1 ? returns(builder.CreateExtractElement(words, (uint64_t)0), 1)
                         : returns(builder.CreateShuffleVector(words, ArrayRef<int>{0, 1}), 2);
}

/* "bar.sync 0", "barrier.sync.aligned 0": without a number of threads it is for all of the group. */
bool Speller::barrier()
{
    unsigned number;
    StringRef text = statement.operands.trim();
    if (statement.parts.size() < 2 || statement.parts[1] != "sync" || text.getAsInteger(10, number) || outputs > 0)
        return false;
    builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {}, {builder.getInt32(number)});
    return true;
}

bool Speller::run()
{
    StringRef name = statement.parts[0];
    if (name == "bar" || name == "barrier")
        return barrier();
    if (name == "cp")
        return copyAsync();
    if (name == "ldmatrix")
        return loadRows();
    if (statement.parts.size() < 2)
        return false;
    Access access = accessOf(statement.parts);
    if (name == "ld")
        return load(access);
    if (name == "st")
        return store(access);
    if (name == "red" || name == "atom")
        return atomic(access, name == "atom");
    return false;
}

/* What was written before it turned out that the rest cannot be. */
static void takeBack(CallInst &call, const Instruction *before)
{
    while (call.getPrevNode() != before) {
        Instruction *last = call.getPrevNode();
        last->replaceAllUsesWith(PoisonValue::get(last->getType()));
        last->eraseFromParent();
    }
}

bool spellOutMemoryAssembly(Function &function)
{
    SmallVector<CallInst *, 8> calls;
    Common common{AsyncCopies(function)};
    for (Instruction &inst : instructions(function))
        if (auto *call = dyn_cast<CallInst>(&inst); call && call->isInlineAsm())
            calls.push_back(call);
    for (CallInst *call : calls) {
        Statement statement = statementOf(*cast<InlineAsm>(call->getCalledOperand()));
        const Instruction *before = call->getPrevNode();
        if (!statement.parts.empty() && Speller(*call, statement, common).run())
            call->eraseFromParent();
        else
            takeBack(*call, before);
    }
    common.copies.finish();
    return common.blocksChanged;
}

} // namespace gpuperf
