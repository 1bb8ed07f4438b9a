/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the preprocessor read of a source that another compiler may read otherwise: the macros that are not the
 * program's own, and the headers. Who compiles a program beside its driver tells by it whether the driver builds the
 * same code. As text, a line for each, once:
 *
 *   macro NAME defined      tested by a condition, or expanded in the code: the compiler's own
 *   macro NAME undefined    tested by a condition, and neither the program nor the compiler defines it
 *   macro NAME language     likewise, but the language has something of that name, which may be a macro elsewhere
 *   header PATH             included by the program
 *   absent PATH             where a header was looked for, before it was found elsewhere
 *   rounding                the code lets floating-point operations be carried out otherwise than they are written
 *
 * The program's are macros that it defines or undefines itself, in its source, in its headers or on the command line.
 */
#ifndef GPUPERF_PLUGIN_PREPROCESSED_H
#define GPUPERF_PLUGIN_PREPROCESSED_H

#include <set>
#include <string>

namespace clang
{
class CompilerInstance;
}
namespace llvm
{
class Module;
}

namespace gpuperf
{

struct Preprocessed {
    std::set<std::string> macros, headers, absent; /* macros: "NAME defined", "NAME undefined" */
    bool rounding = false;
};

/* Follows the preprocessor from here on; `seen` lives as long as the compile. */
void followPreprocessor(clang::CompilerInstance &compiler, Preprocessed &seen);

/* Tells the language's names among the undefined ones. At the end of the translation unit. */
void findLanguageNames(clang::CompilerInstance &compiler, Preprocessed &seen);

/* Whether a floating-point operation may be reassociated, contracted and so on: by an option or a pragma. */
bool leavesRoundingOpen(const llvm::Module &module);

/* False: the file cannot be written. */
bool writePreprocessed(const Preprocessed &seen, const std::string &file);

} // namespace gpuperf
#endif
