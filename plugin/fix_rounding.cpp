/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Changes that round otherwise, and are named so wherever they are shown.
 *
 * suffix: in an expression that is of type double only because of its constants (float x; x * 0.5 + 1.0) these become
 * float. An expression with a double of another kind in it, or with a constant that a macro spells, is left as it is;
 * so is a constant that no float holds.
 *
 * square: pow(x, 2) becomes x * x where x is of the call's own type, has no side effects and is short.
 */
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

#include "plugin/fixes.h"

#include <algorithm>

namespace gpuperf
{

namespace
{

const size_t longestSquared = 40;

bool fitsFloat(const llvm::APFloat &value)
{
    bool loses = false;
    llvm::APFloat single = value;
    single.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &loses);
    return single.isFinite() && !(single.isZero() && !value.isZero()) && !single.isDenormal();
}

bool isDouble(const clang::Expr &expression)
{
    return expression.getType()->isSpecificBuiltinType(clang::BuiltinType::Double);
}

bool isFloat(const clang::Expr &expression)
{
    return expression.getType()->isSpecificBuiltinType(clang::BuiltinType::Float);
}

/* What an expression of type double is made of. */
struct Parts {
    std::vector<const clang::FloatingLiteral *> constants;
    unsigned floats = 0;
};

/* Whether it would be of type float, were its constants. */
bool wouldBeFloat(const clang::Expr *expression, Parts &parts)
{
    expression = expression->IgnoreParens();
    if (auto *constant = llvm::dyn_cast<clang::FloatingLiteral>(expression)) {
        parts.constants.push_back(constant);
        return true;
    }
    if (auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression)) {
        bool single = cast->getCastKind() == clang::CK_FloatingCast && isFloat(*cast->getSubExpr());
        parts.floats += single;
        return single || cast->getCastKind() == clang::CK_IntegralToFloating;
    }
    if (auto *sign = llvm::dyn_cast<clang::UnaryOperator>(expression))
        return (sign->getOpcode() == clang::UO_Minus || sign->getOpcode() == clang::UO_Plus) &&
               wouldBeFloat(sign->getSubExpr(), parts);
    auto *operation = llvm::dyn_cast<clang::BinaryOperator>(expression);
    return operation && (operation->isMultiplicativeOp() || operation->isAdditiveOp()) && isDouble(*operation) &&
           wouldBeFloat(operation->getLHS(), parts) && wouldBeFloat(operation->getRHS(), parts);
}

class Rounding : public clang::RecursiveASTVisitor<Rounding>
{
public:
    Rounding(clang::ASTContext &context, Fixes &fixes) : context(context), fixes(fixes) {}

    bool VisitBinaryOperator(clang::BinaryOperator *operation)
    {
        Parts parts;
        if (!inner.insert(operation).second)
            return true;
        if (operation->isComparisonOp() || isArithmeticAssignment(*operation))
            take(comparedTo(operation->getLHS(), parts) && comparedTo(operation->getRHS(), parts), parts);
        else if (isDouble(*operation) && wouldBeFloat(operation, parts)) {
            markInner(operation);
            take(true, parts);
        }
        return true;
    }

    bool VisitCallExpr(clang::CallExpr *call);

    Fix suffixes;

private:
    /* x *= 0.5 computes in double where x is a float. */
    static bool isArithmeticAssignment(const clang::BinaryOperator &operation)
    {
        auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(&operation);
        return compound && compound->getComputationResultType()->isSpecificBuiltinType(clang::BuiltinType::Double) &&
               isFloat(*operation.getLHS());
    }

    bool comparedTo(const clang::Expr *side, Parts &parts)
    {
        if (isFloat(*side)) {
            parts.floats++;
            return true;
        }
        bool single = isDouble(*side) && wouldBeFloat(side, parts);
        if (single)
            markInner(side);
        return single;
    }

    /* The operators within an expression that is taken whole. */
    void markInner(const clang::Expr *expression)
    {
        expression = expression->IgnoreParens();
        if (auto *sign = llvm::dyn_cast<clang::UnaryOperator>(expression))
            return markInner(sign->getSubExpr());
        auto *operation = llvm::dyn_cast<clang::BinaryOperator>(expression);
        if (!operation)
            return;
        inner.insert(operation);
        markInner(operation->getLHS());
        markInner(operation->getRHS());
    }

    void take(bool single, const Parts &parts);
    void addSquare(const Replacement &square, unsigned line);

    clang::ASTContext &context;
    Fixes &fixes;
    std::set<const clang::Expr *> inner;
    std::set<const clang::FloatingLiteral *> taken;
};

void Rounding::take(bool single, const Parts &parts)
{
    if (!single || parts.floats == 0)
        return;
    for (const clang::FloatingLiteral *constant : parts.constants)
        if (!isPlain(context, constant->getSourceRange()) || !fitsFloat(constant->getValue()) ||
            textOf(context, constant->getSourceRange()).find_first_not_of("0123456789.eE+-") != std::string::npos)
            return;
    for (const clang::FloatingLiteral *constant : parts.constants) {
        if (!taken.insert(constant).second)
            continue;
        if (suffixes.replacements.empty())
            suffixes.at = constant->getBeginLoc();
        suffixes.lines.insert(lineOf(context, constant->getBeginLoc()));
        suffixes.replacements.push_back({endOf(context, constant->getSourceRange()), "", "f"});
    }
}

bool isTwo(clang::ASTContext &context, const clang::Expr &expression)
{
    clang::Expr::EvalResult value;
    if (expression.isValueDependent() || !expression.EvaluateAsRValue(value, context) || value.HasSideEffects)
        return false;
    return value.Val.isInt() ? value.Val.getInt() == 2
                             : value.Val.isFloat() && value.Val.getFloat().isExactlyValue(2.0);
}

/* Names, members, elements and what stands in brackets are squared as they are. */
bool isPrimary(const clang::Expr &expression)
{
    return llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::ArraySubscriptExpr, clang::ParenExpr,
                     clang::ExtVectorElementExpr>(expression);
}

bool Rounding::VisitCallExpr(clang::CallExpr *call)
{
    const clang::FunctionDecl *callee = call->getDirectCallee();
    llvm::StringRef name = callee && callee->getIdentifier() ? callee->getName() : llvm::StringRef();
    if ((name != "pow" && name != "powf" && name != "pown" && name != "powr" && name != "__powf") ||
        call->getNumArgs() != 2 || !isTwo(context, *call->getArg(1)) || !isPlain(context, call->getSourceRange()))
        return true;
    const clang::Expr *squared = call->getArg(0)->IgnoreImpCasts();
    std::string text = textOf(context, squared->getSourceRange()), old = textOf(context, call->getSourceRange());
    if (!context.hasSameUnqualifiedType(squared->getType(), call->getType()) || squared->HasSideEffects(context) ||
        !isPlain(context, squared->getSourceRange()) || text.size() > longestSquared || hasNewline(old))
        return true;
    text = isPrimary(*squared) ? text : "(" + text + ")";
    addSquare({call->getBeginLoc(), old, "(" + text + " * " + text + ")"}, lineOf(context, call->getBeginLoc()));
    return true;
}

/* Those of a line are one change, as they are one finding; of those within each other the outermost. */
void Rounding::addSquare(const Replacement &square, unsigned line)
{
    if (!fixes.empty() && fixes.back().kind == "square" && fixes.back().lines.count(line)) {
        const Replacement &last = fixes.back().replacements.back();
        clang::SourceLocation end = last.at.getLocWithOffset(static_cast<int>(last.old.size()));
        if (square.at < end)
            return;
        fixes.back().name += "' and '" + square.old;
        fixes.back().replacements.push_back(square);
        return;
    }
    Fix fix;
    fix.kind = "square";
    fix.name = square.old;
    fix.at = square.at;
    fix.lines = {line};
    fix.replacements.push_back(square);
    fixes.push_back(fix);
}

} // namespace

void findRounding(clang::ASTContext &context, const clang::FunctionDecl &function, Fixes &fixes)
{
    Rounding found(context, fixes);
    found.TraverseDecl(const_cast<clang::FunctionDecl *>(&function));
    if (!found.suffixes.replacements.empty()) {
        const clang::SourceManager &sources = context.getSourceManager();
        found.suffixes.kind = "suffix";
        found.suffixes.name = function.getNameAsString();
        std::sort(
            found.suffixes.replacements.begin(), found.suffixes.replacements.end(),
            [&](const Replacement &a, const Replacement &b) { return sources.isBeforeInTranslationUnit(a.at, b.at); });
        fixes.push_back(found.suffixes);
    }
}

} // namespace gpuperf
