/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Trip counts and steps: scalar evolution's expressions as profile expressions, which stand behind the blocks. */
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"

#include "passes/emit/emitter.h"

using namespace llvm;

namespace gpuperf
{

gp_ref Emitter::expressionFold(gp_op op, ArrayRef<const SCEV *> operands, unsigned bits)
{
    gp_ref result = expression(operands[0]);
    for (const SCEV *operand : operands.drop_front()) {
        gp_ref next = expression(operand);
        result = make(op, {}, bits, {result, next});
    }
    return result;
}

/* collectLeaves() has seen that the expression holds nothing else. */
gp_ref Emitter::expression(const SCEV *scev)
{
    auto found = expressionRefs.find(scev);
    if (found != expressionRefs.end())
        return found->second;
    List *list = current;
    current = &expressions;
    unsigned bits = elementBits(scev->getType());
    gp_ref ref = GP_REF_NONE;
    switch (scev->getSCEVType()) {
    case scConstant: ref = constantRef(cast<SCEVConstant>(scev)->getValue(), 0); break;
    case scUnknown: ref = valueOf(cast<SCEVUnknown>(scev)->getValue()); break;
    case scPtrToInt: ref = expression(cast<SCEVCastExpr>(scev)->getOperand()); break;
    case scTruncate:
    case scZeroExtend:
    case scSignExtend: {
        const SCEV *inner = cast<SCEVCastExpr>(scev)->getOperand();
        gp_op op = scev->getSCEVType() == scTruncate     ? GP_OP_TRUNC
                   : scev->getSCEVType() == scZeroExtend ? GP_OP_ZEXT
                                                         : GP_OP_SEXT;
        ref = expression(inner);
        if (elementBits(inner->getType()) != bits) {
            ref = make(op, {}, bits, {ref});
            protoOf(ref).inst.width = elementBits(inner->getType());
        }
        break;
    }
    case scAddExpr: ref = expressionFold(GP_OP_ADD, cast<SCEVNAryExpr>(scev)->operands(), bits); break;
    case scMulExpr: ref = expressionFold(GP_OP_MUL, cast<SCEVNAryExpr>(scev)->operands(), bits); break;
    case scUMaxExpr: ref = expressionFold(GP_OP_UMAX, cast<SCEVNAryExpr>(scev)->operands(), bits); break;
    case scSMaxExpr: ref = expressionFold(GP_OP_SMAX, cast<SCEVNAryExpr>(scev)->operands(), bits); break;
    case scUMinExpr:
    case scSequentialUMinExpr: ref = expressionFold(GP_OP_UMIN, cast<SCEVNAryExpr>(scev)->operands(), bits); break;
    case scSMinExpr: ref = expressionFold(GP_OP_SMIN, cast<SCEVNAryExpr>(scev)->operands(), bits); break;
    case scUDivExpr: {
        gp_ref dividend = expression(cast<SCEVUDivExpr>(scev)->getLHS()),
               divisor = expression(cast<SCEVUDivExpr>(scev)->getRHS());
        ref = make(GP_OP_UDIV, {}, bits, {dividend, divisor});
        break;
    }
    default: ref = constant(0); break;
    }
    bool exact = true;
    elementBits(scev->getType(), &exact);
    bool overflows =
        scev->getSCEVType() == scTruncate || scev->getSCEVType() == scAddExpr || scev->getSCEVType() == scMulExpr;
    if (!exact && overflows) /* i31 and the like: in the next wider type, upper bits zero */
        ref = make(GP_OP_AND, {}, bits, {ref, constant((1ull << scev->getType()->getIntegerBitWidth()) - 1)});
    current = list;
    expressionRefs[scev] = ref;
    return ref;
}

gp_ref Emitter::expression(const TripExpression &trips)
{
    List *list = current;
    current = &expressions;
    std::vector<gp_ref> made;
    for (const TripOperation &operation : trips) {
        SmallVector<gp_ref, 3> operands;
        for (const TripOperand &operand : operation.operands)
            operands.push_back(operand.kind == TripOperand::Value    ? valueOf(operand.value)
                               : operand.kind == TripOperand::Number ? constant(operand.number)
                                                                     : made[operand.number]);
        gp_ref ref = make(operation.op, {}, operation.bits, operands);
        protoOf(ref).inst.width = operation.width;
        protoOf(ref).inst.sub = operation.sub;
        made.push_back(ref);
    }
    current = list;
    return made.back();
}

} // namespace gpuperf
