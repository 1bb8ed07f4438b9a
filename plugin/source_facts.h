/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What only the source knows of a kernel: where it stands, what its parameters are called, what its attributes assume.
 */
#ifndef GPUPERF_PLUGIN_SOURCE_FACTS_H
#define GPUPERF_PLUGIN_SOURCE_FACTS_H

#include <map>
#include <string>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/SourceLocation.h"

#include "passes/build_profile.h"

namespace clang
{
class CompilerInstance;
class Decl;
class FunctionDecl;
class FunctionTemplateDecl;
} // namespace clang

namespace gpuperf
{

struct KernelFacts {
    std::string name;                     /* as the source calls it */
    clang::SourceLocation location;       /* of that name */
    std::vector<std::string> params;      /* "" where one has no name */
    std::vector<bool> records;            /* of these: points to a struct */
    std::vector<ArgumentMembers> members; /* of these: of a struct passed by value */
    std::string assume;                   /* from __attribute__((annotate("gpuperf: ..."))), without the prefix */
    clang::SourceLocation assumedAt;      /* of the last such attribute */
};

/* By the kernel's symbol in the module. */
using SourceFacts = std::map<std::string, KernelFacts>;

/* Collects the facts while the source is parsed. */
class FactsConsumer : public clang::ASTConsumer
{
public:
    FactsConsumer(clang::CompilerInstance &compiler, SourceFacts &facts) : compiler(compiler), facts(facts) {}
    bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
    void HandleTranslationUnit(clang::ASTContext &context) override;

private:
    void visit(clang::Decl *decl);
    void visitFunction(const clang::FunctionDecl &function);

    clang::CompilerInstance &compiler;
    SourceFacts &facts;
    std::vector<clang::FunctionTemplateDecl *> templates; /* their instances are known at the end */
};

} // namespace gpuperf
#endif
