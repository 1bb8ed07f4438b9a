/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The integers within a structure that a kernel takes by value, as the source calls them. */
#ifndef GPUPERF_PLUGIN_ARGUMENT_MEMBERS_H
#define GPUPERF_PLUGIN_ARGUMENT_MEMBERS_H

#include "clang/AST/Type.h"

#include "passes/build_profile.h"

namespace gpuperf
{

/* By their distance from its start; at most 64. Empty: it is no complete structure, or has none. */
ArgumentMembers argumentMembers(clang::QualType type, const clang::ASTContext &context);

} // namespace gpuperf

#endif
