/* Trip counts and steps: scalar evolution's expressions as profile expressions, which stand behind the blocks. */
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"

#include "passes/emitter.h"

using namespace llvm;

namespace gpuperf {

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
    case scTruncate: case scZeroExtend: case scSignExtend: {
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
    case scAddRecExpr: {
        PhiMatch match = phiFor(*cast<SCEVAddRecExpr>(scev), *facts.evolution);
        ref = match.phi ? valueOf(match.phi) : constant(0);
        if (match.phi && match.extension != GP_OP_COPY) {
            ref = make(match.extension, {}, bits, {ref});
            protoOf(ref).inst.width = elementBits(match.phi->getType());
        }
        if (match.phi && !match.difference->isZero()) {
            gp_ref difference = expression(match.difference);
            ref = make(GP_OP_ADD, {}, bits, {ref, difference});
        }
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

} // namespace gpuperf
