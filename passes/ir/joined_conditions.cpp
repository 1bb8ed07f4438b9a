/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/ir/joined_conditions.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

std::optional<bool> joinedAnswer(const Value &condition, function_ref<std::optional<bool>(const Value &)> answerOf,
                                 unsigned depth)
{
    std::optional<bool> whole = answerOf(condition);
    if (whole || depth == 0)
        return whole;
    const Value *a, *b;
    CmpPredicate predicate;
    auto of = [&](const Value *part) { return joinedAnswer(*part, answerOf, depth - 1); };
    if (match(&condition, m_Freeze(m_Value(a))) || match(&condition, m_ExtractElt(m_Value(a), m_ConstantInt())))
        return of(a);
    if (match(&condition, m_Not(m_Value(a)))) {
        std::optional<bool> inner = of(a);
        return inner ? std::optional<bool>(!*inner) : std::nullopt;
    }
    if (match(&condition, m_ICmp(predicate, m_ZExtOrSExt(m_Value(a)), m_Zero())) && CmpInst::isEquality(predicate)) {
        std::optional<bool> inner = of(a);
        return inner ? std::optional<bool>(*inner == (predicate == CmpInst::ICMP_NE)) : std::nullopt;
    }
    bool anyDecides = match(&condition, m_LogicalOr(m_Value(a), m_Value(b)));
    if (!anyDecides && !match(&condition, m_LogicalAnd(m_Value(a), m_Value(b))))
        return std::nullopt;
    std::optional<bool> first = of(a), second = of(b);
    if (first == anyDecides || second == anyDecides)
        return anyDecides;
    return first && second ? first : std::nullopt;
}

} // namespace gpuperf
