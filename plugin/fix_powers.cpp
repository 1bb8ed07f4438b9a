/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Division by a power of two that only the source knows to be one:
 *
 *   for (uint s = 1; s < n; s *= 2)
 *       if (tid % (2 * s) == 0)          ->   if ((tid & (2 * s - 1)) == 0)
 *
 * The results are the same where the division is one of unsigned numbers and its divisor a power of two: a constant
 * that is one, 1 << n, products and shifts of these, and variables that begin as one and are only doubled, halved and
 * shifted. That a halved one ends at zero does not matter: dividing by it is undefined. Of vectors nothing is proposed.
 */
#include <map>

#include "clang/AST/RecursiveASTVisitor.h"

#include "plugin/fixes.h"

namespace gpuperf
{

namespace
{

/* A change of a variable: what it is multiplied, divided or shifted by, or becomes. */
struct Change {
    clang::BinaryOperatorKind kind;
    const clang::Expr *by;
};

struct Variable {
    const clang::Expr *start = nullptr;
    std::vector<Change> changes;
    bool hidden = false; /* it changes in a way that is not followed */
};

class Divisions : public clang::RecursiveASTVisitor<Divisions>
{
public:
    explicit Divisions(clang::ASTContext &context) : context(context) {}

    bool VisitVarDecl(clang::VarDecl *variable)
    {
        clang::QualType type = variable->getType();
        if (variable->isLocalVarDecl() && variable->hasLocalStorage() && variable->hasInit() && type->isIntegerType() &&
            !type->isBooleanType() && !type.isVolatileQualified())
            variables[variable].start = variable->getInit();
        return true;
    }

    bool VisitBinaryOperator(clang::BinaryOperator *operation)
    {
        if (operation->getOpcode() == clang::BO_Rem || operation->getOpcode() == clang::BO_Div)
            divisions.push_back(operation);
        if (operation->isAssignmentOp()) {
            auto *changed = llvm::dyn_cast<clang::DeclRefExpr>(operation->getLHS()->IgnoreParens());
            if (changed) {
                assigned.insert(changed);
                variables[changed->getDecl()].changes.push_back({operation->getOpcode(), operation->getRHS()});
            }
        }
        return true;
    }

    bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast)
    {
        if (cast->getCastKind() == clang::CK_LValueToRValue)
            if (auto *read = llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
                assigned.insert(read);
        return true;
    }

    bool VisitParenExpr(clang::ParenExpr *brackets)
    {
        bracketed.insert(brackets->getSubExpr());
        return true;
    }

    bool VisitLambdaExpr(clang::LambdaExpr *) { return hasLambda = true; }

    /* Neither read nor assigned in a way that is followed: a reference, an address, ++. */
    bool VisitDeclRefExpr(clang::DeclRefExpr *reference)
    {
        if (!assigned.count(reference))
            variables[reference->getDecl()].hidden = true;
        return true;
    }

    bool isPower(const clang::Expr *expression) const;
    void settle();

    std::vector<const clang::BinaryOperator *> divisions;
    std::set<const clang::Expr *> bracketed;
    bool hasLambda = false;

private:
    bool isPowerVariable(const clang::ValueDecl *declaration, const Variable &variable) const;
    bool isConstantPower(const clang::Expr *expression) const;

    clang::ASTContext &context;
    std::map<const clang::ValueDecl *, Variable> variables;
    std::set<const clang::DeclRefExpr *> assigned;
    std::set<const clang::ValueDecl *> powers;
};

bool Divisions::isConstantPower(const clang::Expr *expression) const
{
    clang::Expr::EvalResult value;
    return !expression->isValueDependent() && expression->EvaluateAsInt(value, context) &&
           value.Val.getInt().isStrictlyPositive() && value.Val.getInt().isPowerOf2();
}

/* Nothing that is narrowed on its way counts. */
bool Divisions::isPower(const clang::Expr *expression) const
{
    expression = expression->IgnoreParens();
    if (isConstantPower(expression))
        return true;
    if (auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression))
        return context.getTypeSize(cast->getType()) >= context.getTypeSize(cast->getSubExpr()->getType()) &&
               isPower(cast->getSubExpr());
    if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression))
        return powers.count(reference->getDecl()) != 0;
    auto *operation = llvm::dyn_cast<clang::BinaryOperator>(expression);
    if (!operation)
        return false;
    if (operation->getOpcode() == clang::BO_Mul)
        return isPower(operation->getLHS()) && isPower(operation->getRHS());
    return operation->getOpcode() == clang::BO_Shl && isPower(operation->getLHS());
}

/* Of signed ones that are shifted to both sides the sign may come along. */
bool Divisions::isPowerVariable(const clang::ValueDecl *declaration, const Variable &variable) const
{
    bool left = false, right = false;
    if (variable.hidden || !variable.start || !isPower(variable.start))
        return false;
    for (const Change &change : variable.changes) {
        switch (change.kind) {
        case clang::BO_Assign:
        case clang::BO_MulAssign:
        case clang::BO_DivAssign:
            if (!isPower(change.by))
                return false;
            break;
        case clang::BO_ShlAssign: left = true; break;
        case clang::BO_ShrAssign: right = true; break;
        default: return false;
        }
    }
    return declaration->getType()->isUnsignedIntegerType() || !(left && right);
}

/* What all others need to be powers for is one until it is found that it is not. */
void Divisions::settle()
{
    for (const auto &[declaration, variable] : variables)
        powers.insert(declaration);
    for (bool again = true; again;) {
        again = false;
        for (const auto &[declaration, variable] : variables)
            if (powers.count(declaration) && !isPowerVariable(declaration, variable)) {
                powers.erase(declaration);
                again = true;
            }
    }
}

/* The divisor before it is made as wide as the dividend: a signed one that overflowed would be widened with its sign.
 */
bool keepsItsValue(const clang::ASTContext &context, const clang::BinaryOperator &division)
{
    clang::QualType narrow = division.getRHS()->IgnoreParenImpCasts()->getType();
    return narrow->isUnsignedIntegerType() || context.getTypeSize(narrow) == context.getTypeSize(division.getType());
}

/* "(2 * s)" gets its -1 within the brackets that it has, "s" and "(1 << n)" in new ones. */
void subtractOne(const clang::ASTContext &context, const clang::Expr &divisor, Fix &fix)
{
    auto *brackets = llvm::dyn_cast<clang::ParenExpr>(divisor.IgnoreImpCasts());
    const clang::Expr *within = brackets ? brackets->getSubExpr()->IgnoreImpCasts() : nullptr;
    auto *operation = llvm::dyn_cast_or_null<clang::BinaryOperator>(within);
    if ((operation && operation->getOpcode() == clang::BO_Mul) || (within && llvm::isa<clang::DeclRefExpr>(within))) {
        fix.replacements.push_back({brackets->getRParen(), "", " - 1"});
        return;
    }
    fix.replacements.push_back({divisor.getBeginLoc(), "", "("});
    fix.replacements.push_back({endOf(context, divisor.getSourceRange()), "", " - 1)"});
}

/* a / (1u << n): by how much is shifted; NULL: it is no such divisor. */
const clang::Expr *shiftOf(const clang::ASTContext &context, const clang::BinaryOperator &division)
{
    auto *shift = llvm::dyn_cast<clang::BinaryOperator>(division.getRHS()->IgnoreParenImpCasts());
    clang::Expr::EvalResult one;
    if (!shift || shift->getOpcode() != clang::BO_Shl || !shift->getLHS()->EvaluateAsInt(one, context) ||
        one.Val.getInt() != 1)
        return nullptr;
    return context.getTypeSize(shift->getType()) == context.getTypeSize(division.getType()) ? shift->getRHS() : nullptr;
}

bool isWord(const clang::Expr &expression)
{
    return llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::ParenExpr>(expression.IgnoreImpCasts());
}

/* False: the division is left alone. */
bool replace(const clang::ASTContext &context, const clang::BinaryOperator &division, Fix &fix)
{
    clang::SourceLocation sign = division.getOperatorLoc();
    if (division.getOpcode() == clang::BO_Rem) {
        fix.kind = "mask";
        fix.replacements.push_back({sign, "%", "&"});
        subtractOne(context, *division.getRHS(), fix);
        return true;
    }
    const clang::Expr *by = shiftOf(context, division);
    std::string old = textOf(context, clang::SourceRange(sign, division.getEndLoc()));
    if (!by || hasNewline(old) || !isPlain(context, by->getSourceRange()))
        return false;
    std::string text = textOf(context, by->getSourceRange());
    fix.kind = "shift";
    fix.replacements.push_back({sign, old, isWord(*by) ? ">> " + text : ">> (" + text + ")"});
    return true;
}

/* What all unsigned divisions need: scalar, and by what the compiler does not see is a power of two. */
bool isCandidate(clang::ASTContext &context, const clang::BinaryOperator &division)
{
    clang::Expr::EvalResult known;
    return division.getType()->isUnsignedIntegerType() && !division.getRHS()->isValueDependent() &&
           !division.getRHS()->EvaluateAsInt(known, context) && isPlain(context, division.getSourceRange()) &&
           isPlain(context, division.getOperatorLoc()) && isPlain(context, division.getRHS()->getSourceRange()) &&
           keepsItsValue(context, division);
}

} // namespace

void findPowers(clang::ASTContext &context, const clang::FunctionDecl &function, Fixes &fixes)
{
    Divisions found(context);
    found.TraverseDecl(const_cast<clang::FunctionDecl *>(&function));
    if (found.hasLambda)
        return;
    found.settle();
    for (const clang::BinaryOperator *division : found.divisions) {
        if (!isCandidate(context, *division) || !found.isPower(division->getRHS()))
            continue;
        Fix fix;
        bool open = !found.bracketed.count(division);
        if (open)
            fix.replacements.push_back({division->getBeginLoc(), "", "("});
        if (!replace(context, *division, fix))
            continue;
        if (open)
            fix.replacements.push_back({endOf(context, division->getSourceRange()), "", ")"});
        fix.name = textOf(context, division->getSourceRange());
        fix.at = division->getOperatorLoc();
        fix.lines = {lineOf(context, fix.at), lineOf(context, division->getBeginLoc())};
        if (!hasNewline(fix.name))
            fixes.push_back(fix);
    }
}

} // namespace gpuperf
