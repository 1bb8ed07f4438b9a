/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Padding: rows of an array in local memory that are one element longer fall into other banks.
 *
 * The results are the same where the array is only ever used as a[i][j] with all its subscripts: then no address of one
 * element is made from another's. An array that decays to a pointer, has its address taken, is measured with sizeof or
 * handed to a function is left alone, and so is one with a constant subscript beyond its row.
 */
#include <map>

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

#include "plugin/fixes.h"

#include <algorithm>

namespace gpuperf
{

namespace
{

struct Array {
    unsigned dimensions = 0;
    uint64_t row = 0;     /* elements of the innermost dimension */
    uint64_t element = 0; /* bytes */
    clang::ArrayTypeLoc innermost;
    bool escapes = false;
    std::set<unsigned> lines; /* of its uses */
};

bool isShared(const clang::VarDecl &variable)
{
    return variable.hasAttr<clang::CUDASharedAttr>() ||
           variable.getType().getAddressSpace() == clang::LangAS::opencl_local;
}

/* All its dimensions are written at the declaration. False: it is no array of two and more. */
bool measure(clang::ASTContext &context, const clang::VarDecl &variable, Array &array)
{
    const clang::TypeSourceInfo *written = variable.getTypeSourceInfo();
    clang::QualType type = variable.getType();
    clang::TypeLoc place = written ? written->getTypeLoc() : clang::TypeLoc();
    while (const clang::ConstantArrayType *constant = context.getAsConstantArrayType(type)) {
        auto at = place.getAsAdjusted<clang::ArrayTypeLoc>();
        if (at.isNull())
            return false;
        array.innermost = at;
        array.row = constant->getZExtSize();
        array.dimensions++;
        type = constant->getElementType();
        place = at.getElementLoc();
    }
    if (array.dimensions < 2 || type->isArrayType() || type->isDependentType())
        return false;
    array.element = static_cast<uint64_t>(context.getTypeSizeInChars(type).getQuantity());
    const clang::Expr *size = array.innermost.getSizeExpr();
    return size && array.element > 0 && isPlain(context, array.innermost.getRBracketLoc()) &&
           isPlain(context, size->getExprLoc().isMacroID()
                                ? context.getSourceManager().getExpansionLoc(size->getExprLoc())
                                : size->getExprLoc());
}

class Uses : public clang::RecursiveASTVisitor<Uses>
{
public:
    explicit Uses(clang::ASTContext &context) : context(context) {}

    bool VisitVarDecl(clang::VarDecl *variable)
    {
        Array array;
        if (isShared(*variable) && isPlain(context, variable->getLocation()) && measure(context, *variable, array))
            arrays[variable] = array;
        return true;
    }

    bool VisitUnaryOperator(clang::UnaryOperator *operation)
    {
        if (operation->getOpcode() != clang::UO_AddrOf)
            return true;
        if (Array *array = rootOf(operation->getSubExpr()))
            array->escapes = true;
        return true;
    }

    /* The outermost subscript of a[i][j] speaks for those within. */
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *subscript)
    {
        Array *array = inner.count(subscript) ? nullptr : rootOf(subscript);
        if (!array)
            return true;
        unsigned depth = 0;
        const clang::Expr *base = subscript;
        while (auto *next = llvm::dyn_cast<clang::ArraySubscriptExpr>(base->IgnoreParenImpCasts())) {
            inner.insert(next);
            checkIndex(*array, *next, depth == 0);
            base = next->getBase();
            depth++;
        }
        known.insert(llvm::cast<clang::DeclRefExpr>(base->IgnoreParenImpCasts()));
        array->escapes |= depth != array->dimensions;
        array->lines.insert(lineOf(context, subscript->getExprLoc()));
        return true;
    }

    bool VisitDeclRefExpr(clang::DeclRefExpr *reference)
    {
        auto at = arrays.find(reference->getDecl());
        if (at != arrays.end() && !known.count(reference))
            at->second.escapes = true;
        return true;
    }

    std::map<const clang::ValueDecl *, Array> arrays;

private:
    Array *rootOf(const clang::Expr *expression)
    {
        expression = expression->IgnoreParenImpCasts();
        while (auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
            expression = subscript->getBase()->IgnoreParenImpCasts();
        auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
        auto at = reference ? arrays.find(reference->getDecl()) : arrays.end();
        return at != arrays.end() ? &at->second : nullptr;
    }

    void checkIndex(Array &array, const clang::ArraySubscriptExpr &subscript, bool innermost)
    {
        clang::Expr::EvalResult value;
        if (innermost && !subscript.getIdx()->isValueDependent() && subscript.getIdx()->EvaluateAsInt(value, context) &&
            value.Val.getInt().getExtValue() >= static_cast<int64_t>(array.row))
            array.escapes = true;
    }

    clang::ASTContext &context;
    std::set<const clang::ArraySubscriptExpr *> inner;
    std::set<const clang::DeclRefExpr *> known;
};

/* "TILE + 1"; what a macro makes of several words is put in brackets. Rows grow by a bank's four bytes at least. */
void addPadding(clang::ASTContext &context, const clang::ValueDecl &variable, const Array &array, Fixes &fixes)
{
    const uint64_t bank = 4;
    const clang::Expr *size = array.innermost.getSizeExpr();
    const clang::Expr *bare = size->IgnoreImpCasts();
    uint64_t elements = array.element < bank ? (bank + array.element - 1) / array.element : 1;
    Fix fix;
    fix.kind = "padding";
    fix.name = variable.getNameAsString();
    fix.at = variable.getLocation();
    fix.lines = array.lines;
    if (!llvm::isa<clang::IntegerLiteral, clang::DeclRefExpr, clang::ParenExpr>(bare)) {
        clang::SourceLocation start = array.innermost.getLBracketLoc();
        if (!isPlain(context, start))
            return;
        fix.replacements.push_back({start.getLocWithOffset(1), "", "("});
        fix.replacements.push_back({array.innermost.getRBracketLoc(), "", ") + " + std::to_string(elements)});
    } else {
        fix.replacements.push_back({array.innermost.getRBracketLoc(), "", " + " + std::to_string(elements)});
    }
    fixes.push_back(fix);
}

} // namespace

void findPadding(clang::ASTContext &context, const clang::FunctionDecl &function, Fixes &fixes)
{
    Uses uses(context);
    uses.TraverseDecl(const_cast<clang::FunctionDecl *>(&function));
    size_t first = fixes.size();
    for (const auto &[variable, array] : uses.arrays)
        if (!array.escapes && !array.lines.empty())
            addPadding(context, *variable, array, fixes);
    std::sort(fixes.begin() + static_cast<std::ptrdiff_t>(first), fixes.end(),
              [](const Fix &a, const Fix &b) { return a.at < b.at; }); /* not by where the tree lies in memory */
}

} // namespace gpuperf
