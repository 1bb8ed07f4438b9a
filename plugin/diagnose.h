/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Warnings, notes, errors and remarks through Clang's own diagnostics engine: carets, colours, -Werror and -w come with
 * it. */
#ifndef GPUPERF_PLUGIN_DIAGNOSE_H
#define GPUPERF_PLUGIN_DIAGNOSE_H

#include <string>
#include <vector>

#include "plugin/findings.h"
#include "plugin/fixes.h"
#include "plugin/source_facts.h"

namespace gpuperf
{

/* Kernels that cannot be launched, and findings that cost more than the threshold, unless a gpuperf-ignore comment
 * silences them; with the changes that would repair a finding as clang's fix-it hints. */
void warn(clang::CompilerInstance &compiler, const gp_profile &profile, const SourceFacts &facts,
          const Options &options, const Fixes &fixes, const std::vector<Unlaunchable> &unlaunchable,
          const std::vector<Finding> &findings);

/* One sentence of ours: "gpuperf: ...". An error fails the compile; -w silences a warning and -Werror makes it an
 * error. */
void reportWarning(const clang::CompilerInstance &compiler, clang::SourceLocation location,
                   const std::string &sentence);
void reportError(const clang::CompilerInstance &compiler, const std::string &sentence);
void reportRemark(const clang::CompilerInstance &compiler, const std::string &sentence);

} // namespace gpuperf
#endif
