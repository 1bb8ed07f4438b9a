/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/fixes.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"

#include "plugin/clang_version.h"
#include "support/text.h"

namespace gpuperf
{

bool isPlain(const clang::ASTContext &context, clang::SourceLocation location)
{
    const clang::SourceManager &sources = context.getSourceManager();
    return location.isValid() && location.isFileID() && sources.getFileID(location) == sources.getMainFileID();
}

bool isPlain(const clang::ASTContext &context, clang::SourceRange range)
{
    return isPlain(context, range.getBegin()) && isPlain(context, range.getEnd());
}

clang::SourceLocation endOf(const clang::ASTContext &context, clang::SourceRange range)
{
    return clang::Lexer::getLocForEndOfToken(range.getEnd(), 0, context.getSourceManager(), context.getLangOpts());
}

std::string textOf(const clang::ASTContext &context, clang::SourceRange range)
{
    return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range), context.getSourceManager(),
                                       context.getLangOpts())
        .str();
}

bool hasNewline(const std::string &text) { return text.find_first_of("\n\t") != std::string::npos; }

unsigned lineOf(const clang::ASTContext &context, clang::SourceLocation location)
{
    return context.getSourceManager().getPresumedLineNumber(context.getSourceManager().getExpansionLoc(location));
}

namespace
{

/* What a kernel already says of its groups is its author's. */
bool statesBounds(const clang::FunctionDecl &function)
{
    return function.hasAttr<clang::CUDALaunchBoundsAttr>() || function.hasAttr<clang::ReqdWorkGroupSizeAttr>() ||
           function.hasAttr<clang::AMDGPUFlatWorkGroupSizeAttr>();
}

void findBounds(clang::ASTContext &context, const clang::FunctionDecl &function, Fixes &fixes)
{
    if (!isKernel(function, context.getLangOpts()) || statesBounds(function) ||
        !isPlain(context, function.getLocation()))
        return;
    Fix fix;
    fix.kind = "bounds";
    fix.name = function.getNameAsString();
    fix.function = clang::ASTNameGenerator(context).getName(&function);
    if (fix.function.empty())
        fix.function = fix.name;
    fix.at = function.getLocation();
    fix.replacements.push_back({function.getLocation(), "", ""});
    fixes.push_back(fix);
}

class Finder
{
public:
    Finder(clang::ASTContext &context, Fixes &fixes) : context(context), fixes(fixes) {}
    void visit(const clang::DeclContext &scope)
    {
        for (const clang::Decl *decl : scope.decls()) {
            if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl))
                visitFunction(*function);
            else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl))
                visit(*llvm::cast<clang::DeclContext>(decl));
        }
    }

private:
    void visitFunction(const clang::FunctionDecl &function)
    {
        if (!function.doesThisDeclarationHaveABody() || function.isDependentContext() ||
            function.isTemplateInstantiation() || !isPlain(context, function.getLocation()))
            return;
        size_t first = fixes.size();
        findPadding(context, function, fixes);
        findPowers(context, function, fixes);
        findRounding(context, function, fixes);
        for (size_t i = first; i < fixes.size(); i++)
            fixes[i].function = function.getNameAsString();
        findBounds(context, function, fixes);
    }

    clang::ASTContext &context;
    Fixes &fixes;
};

} // namespace

Fixes findFixes(clang::CompilerInstance &compiler)
{
    Fixes fixes;
    clang::ASTContext &context = compiler.getASTContext();
    if (!compiler.getDiagnostics().hasErrorOccurred())
        Finder(context, fixes).visit(*context.getTranslationUnitDecl());
    return fixes;
}

bool writeFixes(const clang::SourceManager &sources, const Fixes &fixes, const std::string &file)
{
    gp_text text = {};
    gp_text_append(&text, "", 0);
    for (const Fix &fix : fixes) {
        gp_text_printf(&text, "fix\t%s\t%s\t%s\t%u\t%u\n", fix.kind.c_str(), fix.name.c_str(), fix.function.c_str(),
                       sources.getSpellingLineNumber(fix.at), sources.getSpellingColumnNumber(fix.at));
        for (unsigned line : fix.lines)
            gp_text_printf(&text, "line\t%u\n", line);
        for (const Replacement &replacement : fix.replacements)
            gp_text_printf(&text, "at\t%u\t%s\t%s\n", sources.getFileOffset(replacement.at), replacement.old.c_str(),
                           replacement.text.c_str());
    }
    bool written = gp_write_file(file.c_str(), text.data, text.length);
    gp_text_free(&text);
    return written;
}

std::vector<clang::FixItHint> hintsOf(const Fix &fix)
{
    std::vector<clang::FixItHint> hints;
    for (const Replacement &replacement : fix.replacements) {
        clang::SourceLocation end = replacement.at.getLocWithOffset(static_cast<int>(replacement.old.size()));
        hints.push_back(replacement.old.empty()
                            ? clang::FixItHint::CreateInsertion(replacement.at, replacement.text)
                            : clang::FixItHint::CreateReplacement(
                                  clang::CharSourceRange::getCharRange(replacement.at, end), replacement.text));
    }
    return hints;
}

} // namespace gpuperf
