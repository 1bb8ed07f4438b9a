#include "plugin/source_facts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/Frontend/CompilerInstance.h"

#include "plugin/clang_version.h"

namespace gpuperf {

namespace {

const llvm::StringRef assumePrefix = "gpuperf:";

/* Several attributes add up. */
std::string assumptionsOf(const clang::FunctionDecl &function)
{
    std::string items;
    for (const auto *attribute : function.specific_attrs<clang::AnnotateAttr>()) {
        llvm::StringRef text = attribute->getAnnotation();
        if (!text.consume_front(assumePrefix))
            continue;
        items += (items.empty() ? "" : " ") + text.trim().str();
    }
    return items;
}

} // namespace

bool FactsConsumer::HandleTopLevelDecl(clang::DeclGroupRef group)
{
    for (clang::Decl *decl : group)
        visit(decl);
    return true;
}

void FactsConsumer::visit(clang::Decl *decl)
{
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
        visitFunction(*function);
    } else if (auto *functionTemplate = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl)) {
        templates.push_back(functionTemplate);
    } else if (llvm::isa<clang::NamespaceDecl>(decl) || llvm::isa<clang::LinkageSpecDecl>(decl)) {
        for (clang::Decl *inner : llvm::cast<clang::DeclContext>(decl)->decls())
            visit(inner);
    }
}

void FactsConsumer::visitFunction(const clang::FunctionDecl &function)
{
    if (!function.doesThisDeclarationHaveABody() || function.isDependentContext() || !isKernel(function, compiler.getLangOpts()))
        return;
    clang::ASTContext &context = compiler.getASTContext();
    KernelFacts kernel;
    kernel.name = function.getQualifiedNameAsString();
    kernel.location = function.getLocation();
    for (const clang::ParmVarDecl *param : function.parameters())
        kernel.params.push_back(param->getNameAsString());
    kernel.assume = assumptionsOf(function);
    std::string symbol = clang::ASTNameGenerator(context).getName(&function);
    facts[symbol.empty() ? kernel.name : symbol] = kernel;
}

void FactsConsumer::HandleTranslationUnit(clang::ASTContext &)
{
    for (clang::FunctionTemplateDecl *functionTemplate : templates) {
        for (clang::FunctionDecl *instance : functionTemplate->specializations())
            visitFunction(*instance);
    }
}

} // namespace gpuperf
