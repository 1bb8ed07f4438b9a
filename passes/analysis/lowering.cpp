/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/lowering.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "passes/ir/builtins.h"
#include "passes/analysis/formulas.h"

using namespace llvm;

namespace gpuperf
{

uint8_t elementBits(const Type *type, bool *exact)
{
    type = const_cast<Type *>(type)->getScalarType();
    unsigned bits = type->isPointerTy() ? 64 : (unsigned)type->getPrimitiveSizeInBits().getFixedValue();
    uint8_t kept = bits == 1 ? 1 : bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
    if (exact)
        *exact = (kept == bits && !type->isBFloatTy() && (type->isIntegerTy() || type->isFloatingPointTy())) ||
                 type->isPointerTy();
    return type->isVoidTy() ? 0 : kept;
}

unsigned elementCount(const Type *type)
{
    auto *vector = dyn_cast<FixedVectorType>(type);
    return vector ? vector->getNumElements() : 1;
}

/* ---- How an element is computed ------------------------------------------------------------------------------- */

static int integerOp(unsigned opcode)
{
    switch (opcode) {
    case Instruction::Add: return GP_OP_ADD;
    case Instruction::Sub: return GP_OP_SUB;
    case Instruction::Mul: return GP_OP_MUL;
    case Instruction::UDiv: return GP_OP_UDIV;
    case Instruction::SDiv: return GP_OP_SDIV;
    case Instruction::URem: return GP_OP_UREM;
    case Instruction::SRem: return GP_OP_SREM;
    case Instruction::And: return GP_OP_AND;
    case Instruction::Or: return GP_OP_OR;
    case Instruction::Xor: return GP_OP_XOR;
    case Instruction::Shl: return GP_OP_SHL;
    case Instruction::LShr: return GP_OP_LSHR;
    case Instruction::AShr: return GP_OP_ASHR;
    case Instruction::FAdd: return GP_OP_FADD;
    case Instruction::FSub: return GP_OP_FSUB;
    case Instruction::FMul: return GP_OP_FMUL;
    case Instruction::FDiv: return GP_OP_FDIV;
    case Instruction::FRem: return GP_OP_FREM;
    case Instruction::FNeg: return GP_OP_FNEG;
    case Instruction::Trunc: return GP_OP_TRUNC;
    case Instruction::ZExt: return GP_OP_ZEXT;
    case Instruction::SExt: return GP_OP_SEXT;
    case Instruction::FPToUI: return GP_OP_FPTOUI;
    case Instruction::FPToSI: return GP_OP_FPTOSI;
    case Instruction::UIToFP: return GP_OP_UITOFP;
    case Instruction::SIToFP: return GP_OP_SITOFP;
    case Instruction::FPTrunc: return GP_OP_FPTRUNC;
    case Instruction::FPExt: return GP_OP_FPEXT;
    default: return -1;
    }
}

static uint8_t predicateOf(CmpInst::Predicate predicate)
{
    switch (predicate) {
    case CmpInst::ICMP_EQ: return GP_PRED_EQ;
    case CmpInst::ICMP_NE: return GP_PRED_NE;
    case CmpInst::ICMP_ULT: return GP_PRED_ULT;
    case CmpInst::ICMP_ULE: return GP_PRED_ULE;
    case CmpInst::ICMP_UGT: return GP_PRED_UGT;
    case CmpInst::ICMP_UGE: return GP_PRED_UGE;
    case CmpInst::ICMP_SLT: return GP_PRED_SLT;
    case CmpInst::ICMP_SLE: return GP_PRED_SLE;
    case CmpInst::ICMP_SGT: return GP_PRED_SGT;
    case CmpInst::ICMP_SGE: return GP_PRED_SGE;
    case CmpInst::FCMP_OEQ: return GP_PRED_OEQ;
    case CmpInst::FCMP_ONE: return GP_PRED_ONE;
    case CmpInst::FCMP_OLT: return GP_PRED_OLT;
    case CmpInst::FCMP_OLE: return GP_PRED_OLE;
    case CmpInst::FCMP_OGT: return GP_PRED_OGT;
    case CmpInst::FCMP_OGE: return GP_PRED_OGE;
    case CmpInst::FCMP_ORD: return GP_PRED_ORD;
    case CmpInst::FCMP_UNO: return GP_PRED_UNO;
    case CmpInst::FCMP_UEQ: return GP_PRED_FUEQ;
    case CmpInst::FCMP_UNE: return GP_PRED_FUNE;
    case CmpInst::FCMP_ULT: return GP_PRED_FULT;
    case CmpInst::FCMP_ULE: return GP_PRED_FULE;
    case CmpInst::FCMP_UGT: return GP_PRED_FUGT;
    case CmpInst::FCMP_UGE: return GP_PRED_FUGE;
    default: return GP_PRED_COUNT; /* always true or false: folded before */
    }
}

static int intrinsicOp(Intrinsic::ID id, unsigned &operands)
{
    operands = 2;
    switch (id) {
    case Intrinsic::umin: return GP_OP_UMIN;
    case Intrinsic::umax: return GP_OP_UMAX;
    case Intrinsic::smin: return GP_OP_SMIN;
    case Intrinsic::smax: return GP_OP_SMAX;
    case Intrinsic::minnum:
    case Intrinsic::minimum:
    case Intrinsic::minimumnum: return GP_OP_FMIN;
    case Intrinsic::maxnum:
    case Intrinsic::maximum:
    case Intrinsic::maximumnum: return GP_OP_FMAX;
    case Intrinsic::fma:
    case Intrinsic::fmuladd: operands = 3; return GP_OP_FMA;
    case Intrinsic::fshl: operands = 3; return GP_OP_FSHL;
    default: break;
    }
    operands = 1;
    switch (id) {
    case Intrinsic::ctpop: return GP_OP_POPCOUNT;
    case Intrinsic::ctlz: return GP_OP_CLZ;
    case Intrinsic::cttz: return GP_OP_CTZ;
    case Intrinsic::bitreverse: return GP_OP_BITREVERSE;
    case Intrinsic::bswap: return GP_OP_BSWAP;
    case Intrinsic::abs: return GP_OP_ABS;
    case Intrinsic::fabs: return GP_OP_FABS;
    case Intrinsic::floor: return GP_OP_FLOOR;
    case Intrinsic::ceil: return GP_OP_CEIL;
    case Intrinsic::trunc: return GP_OP_FTRUNC;
    case Intrinsic::round: return GP_OP_ROUND;
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
    case Intrinsic::roundeven: return GP_OP_RINT;
    case Intrinsic::sqrt: return GP_OP_SQRT;
    case Intrinsic::fptosi_sat: return GP_OP_FPTOSI; /* the same for what fits */
    case Intrinsic::fptoui_sat: return GP_OP_FPTOUI;
    case Intrinsic::expect:
    case Intrinsic::ssa_copy: return GP_OP_COPY;
    default: return -1;
    }
}

/* Same element, or the one for all of a scalar operand (a select's condition). */
static Term elementOf(const Value *value, unsigned element)
{
    return {value, value->getType()->isVectorTy() ? element : 0};
}

static Lowering alias(const Value *value, unsigned element)
{
    Lowering lowering;
    lowering.kind = Lowering::Alias;
    lowering.operands.push_back({value, element});
    return lowering;
}

static Lowering vectorShape(const Instruction &inst, unsigned element)
{
    if (auto *extract = dyn_cast<ExtractElementInst>(&inst)) {
        auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
        if (index && index->getValue().ult(elementCount(extract->getVectorOperandType())))
            return alias(extract->getVectorOperand(), (unsigned)index->getZExtValue());
    } else if (auto *insert = dyn_cast<InsertElementInst>(&inst)) {
        auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
        if (index)
            return index->getZExtValue() == element ? alias(insert->getOperand(1), 0)
                                                    : alias(insert->getOperand(0), element);
    } else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&inst)) {
        int from = shuffle->getMaskValue(element);
        unsigned width = elementCount(shuffle->getOperand(0)->getType());
        if (from < 0)
            return alias(PoisonValue::get(inst.getType()->getScalarType()), 0);
        return (unsigned)from < width ? alias(shuffle->getOperand(0), (unsigned)from)
                                      : alias(shuffle->getOperand(1), (unsigned)from - width);
    }
    return {};
}

/* x + 0 of a vector's element whose neighbours do change. */
static bool addsNothing(const Instruction &inst, unsigned element)
{
    auto *vector =
        inst.getType()->isVectorTy() && inst.getNumOperands() == 2 ? dyn_cast<Constant>(inst.getOperand(1)) : nullptr;
    auto *number = vector ? dyn_cast_or_null<ConstantInt>(vector->getAggregateElement(element)) : nullptr;
    unsigned code = inst.getOpcode();
    return number && number->isZero() &&
           (code == Instruction::Add || code == Instruction::Sub || code == Instruction::Or ||
            code == Instruction::Xor || inst.isShift());
}

static Lowering operation(int op, const Instruction &inst)
{
    Lowering lowering;
    bool exact = true;
    lowering.bits = elementBits(inst.getType(), &exact);
    if (op < 0 || !exact)
        return lowering;
    lowering.kind = Lowering::Operation;
    lowering.op = (gp_op)op;
    return lowering;
}

/* (a:b) >> c by a constant is (a:b) << (bits - c). */
static Lowering funnelRight(const IntrinsicInst &call, unsigned element)
{
    const Value *by = call.getArgOperand(2);
    auto *vector = dyn_cast<Constant>(by);
    auto *number = dyn_cast_or_null<ConstantInt>(
        vector && by->getType()->isVectorTy() ? vector->getAggregateElement(element) : vector);
    if (!number)
        return formulaOf(call, element);
    unsigned bits = number->getBitWidth(), right = (unsigned)number->getValue().urem(bits);
    if (right == 0)
        return alias(call.getArgOperand(1), element);
    Lowering lowering = operation(GP_OP_FSHL, call);
    lowering.operands = {{call.getArgOperand(0), element},
                         {call.getArgOperand(1), element},
                         {ConstantInt::get(number->getType(), bits - right), 0}};
    return lowering;
}

Lowering lowerElement(const Instruction &inst, unsigned element)
{
    if (isa<ExtractElementInst>(inst) || isa<InsertElementInst>(inst) || isa<ShuffleVectorInst>(inst))
        return vectorShape(inst, element);
    if (isa<FreezeInst>(inst))
        return alias(inst.getOperand(0), element);
    if (isa<PHINode>(inst) || isa<SelectInst>(inst) || isa<CmpInst>(inst)) {
        Lowering lowering = operation(isa<PHINode>(inst)      ? GP_OP_PHI
                                      : isa<SelectInst>(inst) ? GP_OP_SELECT
                                      : isa<ICmpInst>(inst)   ? GP_OP_ICMP
                                                              : GP_OP_FCMP,
                                      inst);
        if (auto *compare = dyn_cast<CmpInst>(&inst)) {
            bool exact;
            lowering.width = elementBits(compare->getOperand(0)->getType(), &exact);
            lowering.sub = predicateOf(compare->getPredicate());
            if (!exact || lowering.sub == GP_PRED_COUNT)
                lowering.kind = Lowering::Opaque;
        }
        if (lowering.kind == Lowering::Operation && !isa<PHINode>(inst))
            for (const Value *operand : inst.operands())
                lowering.operands.push_back(elementOf(operand, element));
        return lowering;
    }
    if (auto *cast = dyn_cast<CastInst>(&inst)) {
        Type *from = cast->getSrcTy(), *to = cast->getDestTy();
        bool exact = true;
        uint8_t width = elementBits(from, &exact);
        switch (cast->getOpcode()) {
        case Instruction::BitCast:
        case Instruction::AddrSpaceCast:
        case Instruction::PtrToInt:
        case Instruction::IntToPtr:
        case Instruction::PtrToAddr:
            if (elementCount(from) == elementCount(to) && exact && width == elementBits(to))
                return alias(cast->getOperand(0), element);
            if (cast->getOpcode() != Instruction::BitCast && exact) { /* a pointer as a narrower integer, or back */
                Lowering lowering = operation(elementBits(to) < width ? GP_OP_TRUNC : GP_OP_ZEXT, inst);
                lowering.width = width;
                lowering.operands.push_back({cast->getOperand(0), element});
                return lowering;
            }
            return cast->getOpcode() == Instruction::BitCast ? formulaOf(*llvm::cast<BitCastInst>(cast), element)
                                                             : Lowering();
        default: break;
        }
        Lowering lowering = operation(integerOp(inst.getOpcode()), inst);
        if (!exact)
            lowering.kind = Lowering::Opaque;
        lowering.width = width;
        lowering.operands.push_back({cast->getOperand(0), element});
        return lowering;
    }
    if (isa<BinaryOperator>(inst) || isa<UnaryOperator>(inst)) {
        if (addsNothing(inst, element))
            return alias(inst.getOperand(0), element);
        Lowering lowering = operation(integerOp(inst.getOpcode()), inst);
        for (const Value *operand : inst.operands())
            lowering.operands.push_back({operand, element});
        return lowering;
    }
    if (auto *call = dyn_cast<IntrinsicInst>(&inst)) {
        if (call->getIntrinsicID() == Intrinsic::fshr)
            return funnelRight(*call, element);
        unsigned operands = 0;
        int op = intrinsicOp(call->getIntrinsicID(), operands);
        if (op == GP_OP_COPY)
            return alias(call->getArgOperand(0), element);
        if (op < 0)
            return formulaOf(*call, element);
        Lowering lowering = operation(op, inst);
        for (unsigned i = 0; lowering.kind == Lowering::Operation && i < operands; i++)
            lowering.operands.push_back(elementOf(call->getArgOperand(i), element));
        if (op == GP_OP_FPTOSI || op == GP_OP_FPTOUI)
            lowering.width = elementBits(call->getArgOperand(0)->getType());
        return lowering;
    }
    if (auto *call = dyn_cast<CallBase>(&inst))
        return formulaOf(*call, element);
    if (auto *extract = dyn_cast<ExtractValueInst>(&inst)) /* the old value of a compare and exchange */
        if (isa<AtomicCmpXchgInst>(extract->getAggregateOperand()) && extract->getIndices()[0] == 0)
            return alias(extract->getAggregateOperand(), 0);
    return {};
}

Term resolve(Term term)
{
    for (unsigned steps = 0; steps < 64; steps++) {
        auto *inst = dyn_cast<Instruction>(term.value);
        if (!inst)
            break;
        Lowering lowering = lowerElement(*inst, term.element);
        if (lowering.kind != Lowering::Alias)
            break;
        term = lowering.operands[0];
    }
    return term;
}

/* ---- Addresses ------------------------------------------------------------------------------------------------ */

/* Moves constants and constant factors out of an index, where extension to 64 bits allows it. */
static void peel(AddressTerm &term, int64_t &offset)
{
    for (unsigned steps = 0; steps < 8; steps++) {
        auto *op = dyn_cast<Operator>(term.index);
        if (!op || !isa<Instruction>(op))
            return;
        unsigned bits = term.index->getType()->getIntegerBitWidth();
        bool exactWidth = bits == 64;
        auto *overflow = dyn_cast<OverflowingBinaryOperator>(op);
        bool wraps =
            !exactWidth && !(overflow && (term.isSigned ? overflow->hasNoSignedWrap() : overflow->hasNoUnsignedWrap()));
        auto *number = op->getNumOperands() == 2 ? dyn_cast<ConstantInt>(op->getOperand(1)) : nullptr;
        auto *disjoint = dyn_cast<PossiblyDisjointInst>(op);
        unsigned code = op->getOpcode();
        if (number && ((code == Instruction::Add && !wraps) || (disjoint && disjoint->isDisjoint()))) {
            int64_t value = term.isSigned || exactWidth ? number->getSExtValue() : (int64_t)number->getZExtValue();
            offset = (int64_t)((uint64_t)offset + (uint64_t)value * (uint64_t)term.scale);
            term.index = op->getOperand(0);
        } else if (number && code == Instruction::Shl && !wraps && number->getZExtValue() < 32) {
            term.scale = (int64_t)((uint64_t)term.scale << number->getZExtValue());
            term.index = op->getOperand(0);
        } else if ((code == Instruction::SExt || code == Instruction::ZExt) && exactWidth &&
                   op->getOperand(0)->getType()->getIntegerBitWidth() > 1) {
            term.isSigned = code == Instruction::SExt;
            term.index = op->getOperand(0);
        } else if (number && exactWidth && code == Instruction::AShr && number->getZExtValue() <= 32) {
            /* shl 32, ashr 32 - k: the lower word, sign-extended, times 2^k */
            auto *left = dyn_cast<BinaryOperator>(op->getOperand(0));
            auto *by =
                left && left->getOpcode() == Instruction::Shl ? dyn_cast<ConstantInt>(left->getOperand(1)) : nullptr;
            if (!by || by->getZExtValue() != 32)
                return;
            term.scale = (int64_t)((uint64_t)term.scale << (32 - number->getZExtValue()));
            term.index = left->getOperand(0);
            term.isSigned = term.lowWord = true;
            return;
        } else {
            return;
        }
    }
}

AddressForm addressOf(const GEPOperator &gep, const DataLayout &layout)
{
    AddressForm form;
    form.base = gep.getPointerOperand();
    if (gep.getType()->isVectorTy()) {
        form.computable = false;
        return form;
    }
    for (auto step = gep_type_begin(gep), end = gep_type_end(gep); step != end; ++step) {
        const Value *index = step.getOperand();
        if (StructType *structure = step.getStructTypeOrNull()) {
            unsigned field = (unsigned)cast<ConstantInt>(index)->getZExtValue();
            form.offset += (int64_t)layout.getStructLayout(structure)->getElementOffset(field).getFixedValue();
            continue;
        }
        TypeSize stride = step.getSequentialElementStride(layout);
        int64_t scale = stride.isScalable() ? 1 : (int64_t)stride.getFixedValue();
        if (auto *number = dyn_cast<ConstantInt>(index)) {
            form.offset += number->getSExtValue() * scale;
            continue;
        }
        if (index->getType()->getIntegerBitWidth() > 64) {
            form.computable = false;
            continue;
        }
        if (scale == 0 || isa<UndefValue>(index))
            continue;
        AddressTerm term{index, true, scale};
        peel(term, form.offset);
        form.terms.push_back(term);
    }
    return form;
}

/*
 * llvm.nvvm.tex.[unified.]SHAPE[.array][.level or .grad]...(texture, [sampler,] [layer,] x, [y, [z,]] ...), and gathers
 * and surfaces likewise: the layer is the last coordinate.
 */
static SmallVector<Term, 3> textureCoordinates(const CallBase &call, StringRef name)
{
    SmallVector<Term, 3> terms;
    unsigned at = 0;
    while (at < call.arg_size() && call.getArgOperand(at)->getType()->isIntegerTy(64))
        at++;
    bool array = name.contains(".array");
    const Value *layer = array && at < call.arg_size() ? call.getArgOperand(at++) : nullptr;
    unsigned dims = name.contains(".1d") ? 1 : name.contains(".2d") ? 2 : 3;
    for (unsigned d = 0; d < dims && at + d < call.arg_size(); d++)
        terms.push_back({call.getArgOperand(at + d), 0});
    if (layer && terms.size() < 3)
        terms.push_back({layer, 0});
    return terms;
}

SmallVector<Term, 3> imageCoordinates(const CallBase &call)
{
    SmallVector<Term, 3> terms;
    const Function *callee = call.getCalledFunction();
    StringRef name = callee ? builtinName(callee->getName()).base : "";
    if (name.starts_with("read_image") || name.starts_with("write_image")) {
        /* read_image(image, [sampler,] coordinates), write_image(image, coordinates, colour). The first vector or
         * number that is no sampler. */
        bool withSampler = name.starts_with("read_image") && callee->getName().contains("sampler");
        unsigned at = withSampler ? 2 : 1;
        if (at >= call.arg_size())
            return terms;
        const Value *coordinates = call.getArgOperand(at);
        if (!coordinates->getType()->isIntOrIntVectorTy() && !coordinates->getType()->isFPOrFPVectorTy())
            return terms;
        StringRef image = callee->getName();
        unsigned dims = image.contains("image1d_array") || image.contains("image2d") ? 2
                        : image.contains("image1d")                                  ? 1
                                                                                     : 3;
        if (image.contains("image2d_array"))
            dims = 3;
        for (unsigned i = 0; i < dims && i < elementCount(coordinates->getType()); i++)
            terms.push_back({coordinates, i});
        return terms;
    }
    StringRef full = callee ? callee->getName() : "";
    if (full.starts_with("llvm.nvvm.")) /* which of them are, classify_devices.cpp says */
        return textureCoordinates(call, full);
    for (const Value *argument : call.args()) { /* intrinsics: texture handles are pointers or 64 bits wide */
        const Type *type = argument->getType();
        if (terms.size() < 3 && (type->isIntegerTy(32) || type->isFloatTy()) && !isa<Constant>(argument))
            terms.push_back({argument, 0});
    }
    return terms;
}

} // namespace gpuperf
