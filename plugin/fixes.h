/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Changes of the source that may make a kernel faster, found in its syntax tree with their exact places. A fix is only
 * proposed here: who offers it compiles the changed source and predicts it again.
 *
 *   padding   same results   __local float tile[32][32]   ->  tile[32][32 + 1]
 *   mask      same results   tid % (2 * s)                ->  tid & (2 * s - 1)
 *   shift     same results   tid / (1u << n)              ->  tid >> n
 *   suffix    rounds         x * 0.5                      ->  x * 0.5f
 *   square    rounds         pow(x, 2)                    ->  (x * x)
 *   bounds    same results   where __launch_bounds__(...) or an attribute goes, in front of a kernel's name
 *
 * Nothing is proposed in a header, in a macro's text, in a template (its instances may differ) and wherever the rule
 * is not sure. As a file (`edits`), lines with tabs between their fields; numbers are bytes of the main file:
 *
 *   fix KIND NAME FUNCTION LINE COLUMN     FUNCTION: where it is, of `bounds` the kernel's symbol
 *   line LINE                              where a finding that it repairs would stand; may repeat
 *   at OFFSET OLD NEW                      the text OLD there becomes NEW; in order, and none overlaps another
 */
#ifndef GPUPERF_PLUGIN_FIXES_H
#define GPUPERF_PLUGIN_FIXES_H

#include <set>
#include <string>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/Basic/Diagnostic.h"

namespace clang
{
class CompilerInstance;
class FunctionDecl;
} // namespace clang

namespace gpuperf
{

struct Replacement {
    clang::SourceLocation at;
    std::string old, text; /* old "": an insertion */
};

struct Fix {
    std::string kind, name;
    std::string function;
    clang::SourceLocation at;
    std::set<unsigned> lines;
    std::vector<Replacement> replacements;
};

using Fixes = std::vector<Fix>;

/* The fixes of what the main file defines. At the end of the translation unit. */
Fixes findFixes(clang::CompilerInstance &compiler);

/* False: the file cannot be written. */
bool writeFixes(const clang::SourceManager &sources, const Fixes &fixes, const std::string &file);

/* As clang shows them. */
std::vector<clang::FixItHint> hintsOf(const Fix &fix);

/* ---- The rules, each in its file: what one function's body offers ------------------------------------------------ */

/* Who calls them says which function it was. */

void findPadding(clang::ASTContext &context, const clang::FunctionDecl &function, Fixes &fixes);
void findPowers(clang::ASTContext &context, const clang::FunctionDecl &function, Fixes &fixes);
void findRounding(clang::ASTContext &context, const clang::FunctionDecl &function, Fixes &fixes);

/* ---- Places, for the rules --------------------------------------------------------------------------------------- */

/* Whether it is written in the main file itself, not by a macro. */
bool isPlain(const clang::ASTContext &context, clang::SourceLocation location);
bool isPlain(const clang::ASTContext &context, clang::SourceRange range);

/* Behind the last token of a plain range. */
clang::SourceLocation endOf(const clang::ASTContext &context, clang::SourceRange range);

/* The text of a plain range. */
std::string textOf(const clang::ASTContext &context, clang::SourceRange range);

/* A line of a file of fixes cannot hold it. */
bool hasNewline(const std::string &text);

unsigned lineOf(const clang::ASTContext &context, clang::SourceLocation location);

} // namespace gpuperf
#endif
