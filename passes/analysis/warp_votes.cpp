/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/warp_votes.h"

#include <optional>

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PatternMatch.h"

#include "passes/ir/builtins.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

namespace
{

enum class Vote { None, Any, All, Ballot };

Vote voteOf(const Value *value)
{
    auto *call = dyn_cast<CallBase>(value);
    const Function *callee = call && !call->arg_empty() ? calledFunction(*call) : nullptr;
    StringRef name = callee ? builtinName(callee->getName()).base : StringRef();
    return StringSwitch<Vote>(name)
        .Cases({"llvm.nvvm.vote.any", "llvm.nvvm.vote.any.sync", "sub_group_any"}, Vote::Any)
        .Cases({"llvm.nvvm.vote.all", "llvm.nvvm.vote.all.sync", "sub_group_all"}, Vote::All)
        .Cases(
            {"llvm.nvvm.vote.ballot", "llvm.nvvm.vote.ballot.sync", "llvm.amdgcn.ballot.i32", "llvm.amdgcn.ballot.i64"},
            Vote::Ballot)
        .Default(Vote::None);
}

/* A call and what it has to give: something but 0, or 0. */
struct Question {
    const Value *vote;
    bool wantsSome;
    bool wantsAll; /* all bits of a ballot */
};

Question questionOf(const Value *condition)
{
    CmpPredicate predicate;
    Value *value;
    Question question{condition, true, false};
    if (match(condition, m_Not(m_Value(value))))
        question = {value, false, false};
    if (match(question.vote, m_ICmp(predicate, m_Value(value), m_ZeroInt())) && ICmpInst::isEquality(predicate))
        return {value, question.wantsSome == (predicate == ICmpInst::ICMP_NE), false};
    if (match(question.vote, m_ICmp(predicate, m_Value(value), m_AllOnes())) && ICmpInst::isEquality(predicate))
        return {value, question.wantsSome == (predicate == ICmpInst::ICMP_EQ), true};
    return question;
}

} // namespace

/* Each lane's own condition holds as often as not: 1 - 2^-32 that some do, as near to certain as a guess can say. */
bool voteProbability(const Value *condition, const UniformityInfo *uniformity, uint16_t &probability)
{
    constexpr uint16_t nearlyNever = 1, nearlyAlways = 65534;
    Question question = questionOf(condition);
    Vote vote = voteOf(question.vote);
    if (vote == Vote::None || (question.wantsAll && vote != Vote::Ballot))
        return false;
    const Value *said = cast<CallBase>(question.vote)->arg_end()[-1];
    if (isa<Constant>(said) || !uniformity || uniformity->isUniform(said))
        return false;
    bool likely = vote != Vote::All && !question.wantsAll;
    probability = likely == question.wantsSome ? nearlyAlways : nearlyNever;
    return true;
}

} // namespace gpuperf
