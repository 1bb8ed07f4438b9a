/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/source_facts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

#include "passes/tidy/argument_elements.h"
#include "plugin/argument_members.h"
#include "plugin/clang_version.h"
#include "plugin/diagnose.h"

namespace gpuperf
{

namespace
{

const llvm::StringRef assumePrefix = "gpuperf:";

bool isScalar(const clang::ParmVarDecl &param)
{
    return param.getType()->isIntegerType() || param.getType()->isRealFloatingType();
}

/* "size.x" of an int4 size, "sizes.s7" of an int8 sizes; no other vectors' elements have names. */
bool isElement(llvm::StringRef name, const clang::ParmVarDecl &param)
{
    const unsigned most = 16;
    auto *vector = param.getType()->getAs<clang::ExtVectorType>();
    unsigned count = vector && vector->getElementType()->isIntegerType() && vector->getNumElements() <= most
                         ? vector->getNumElements()
                         : 0;
    auto isNamed = [&](unsigned element) {
        return name == param.getNameAsString() + "." + elementName(element, count);
    };
    return llvm::any_of(llvm::seq(count), isNamed);
}

/* "d.boxes" of a structure passed by value. */
bool isMember(llvm::StringRef name, const clang::ParmVarDecl &param)
{
    return name.consume_front(param.getName()) && name.consume_front(".") &&
           llvm::any_of(argumentMembers(param.getType(), param.getASTContext()),
                        [&](const auto &member) { return name == member.second.name; });
}

/* "4096", "4096x4096" or "128x128x128". */
bool isSizes(llvm::StringRef value)
{
    llvm::SmallVector<llvm::StringRef, 3> parts;
    value.split(parts, 'x');
    return parts.size() <= 3 && llvm::all_of(parts, [](llvm::StringRef part) {
               uint32_t size = 0;
               return !part.getAsInteger(10, size) && size > 0;
           });
}

/* What is wrong with an item of the attribute; empty: nothing. */
std::string mistakeIn(llvm::StringRef item, const clang::FunctionDecl &function)
{
    auto [name, value] = item.split('=');
    int64_t number = 0;
    if (name == "global" || name == "local")
        return isSizes(value) ? ""
                              : "'" + item.str() + "' in the annotation: expected " + name.str() + "=X, XxY or XxYxZ";
    if (name == "trip")
        return !value.getAsInteger(10, number) && number > 0
                   ? ""
                   : "'" + item.str() + "' in the annotation: expected trip=COUNT";
    std::string valid = "global, local, trip";
    for (const clang::ParmVarDecl *param : function.parameters()) {
        if ((isElement(name, *param) || isMember(name, *param) || (param->getName() == name && isScalar(*param))) &&
            !name.empty())
            return value.getAsInteger(0, number)
                       ? "'" + item.str() + "' in the annotation: expected " + name.str() + "=INTEGER"
                       : "";
        if (isScalar(*param) && !param->getName().empty())
            valid += ", " + param->getNameAsString();
    }
    return "'" + name.str() + "' in the annotation is no scalar argument of kernel '" + function.getNameAsString() +
           "'; the names are " + valid;
}

/* Before OpenCL C 2.0 local sizes divide the range. Empty: these do, or one of them is not stated. */
std::string indivisible(llvm::ArrayRef<llvm::StringRef> items, const clang::LangOptions &language)
{
    llvm::SmallVector<llvm::StringRef, 3> global, local;
    llvm::StringRef of_local;
    for (llvm::StringRef item : items) {
        auto [name, value] = item.split('=');
        if ((name != "global" && name != "local") || !isSizes(value))
            continue;
        llvm::SmallVector<llvm::StringRef, 3> &sizes = name == "global" ? global : local;
        sizes.clear();
        value.split(sizes, 'x');
        of_local = name == "local" ? item : of_local;
    }
    for (size_t d = 0;
         language.OpenCL && language.getOpenCLCompatibleVersion() < 200 && d < local.size() && !global.empty(); d++) {
        uint32_t range = 1, size = 1;
        if ((d < global.size() && global[d].getAsInteger(10, range)) || local[d].getAsInteger(10, size) ||
            range % size != 0)
            return "'" + of_local.str() +
                   "' in the annotation does not divide its global size, as launches before OpenCL 2.0 must";
    }
    return "";
}

/* "gpuperf global=4096" means us and does not say so: another word goes on with a letter. */
bool lacksColon(llvm::StringRef text)
{
    bool ours = text.consume_front_insensitive(assumePrefix.drop_back());
    return ours && (text.empty() || !(llvm::isAlnum(text.front()) || text.front() == '_' || text.front() == '-'));
}

/* Several attributes add up. One warning for each mistake. */
std::string assumptionsOf(const clang::FunctionDecl &function, const clang::CompilerInstance &compiler,
                          clang::SourceLocation &place)
{
    std::string items;
    for (const auto *attribute : function.specific_attrs<clang::AnnotateAttr>()) {
        llvm::StringRef text = attribute->getAnnotation();
        if (!text.consume_front(assumePrefix)) {
            if (lacksColon(text))
                reportWarning(compiler, attribute->getLocation(),
                              "the annotation '" + attribute->getAnnotation().str() +
                                  "' is not read; what gpuperf reads begins with 'gpuperf:'");
            continue;
        }
        items += (items.empty() ? "" : " ") + text.trim().str();
        place = attribute->getLocation();
        llvm::SmallVector<llvm::StringRef, 8> parts;
        llvm::SplitString(text, parts, " ,:;\t");
        for (llvm::StringRef part : parts) {
            std::string mistake = mistakeIn(part, function);
            if (!mistake.empty())
                reportWarning(compiler, place, mistake);
        }
        std::string mistake = indivisible(parts, compiler.getLangOpts());
        if (!mistake.empty())
            reportWarning(compiler, place, mistake);
    }
    return items;
}

void addParam(const clang::ParmVarDecl &param, KernelFacts &kernel)
{
    clang::QualType pointee = param.getType()->getPointeeType();
    kernel.params.push_back(param.getNameAsString());
    kernel.records.push_back(!pointee.isNull() && pointee->isRecordType());
    kernel.members.push_back(argumentMembers(param.getType(), param.getASTContext()));
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

/* As the source would call it, with the template's arguments: copy<8, double>. */
static std::string nameOf(const clang::FunctionDecl &function)
{
    std::string name;
    llvm::raw_string_ostream out(name);
    function.getNameForDiagnostic(out, function.getASTContext().getPrintingPolicy(), true);
    return out.str();
}

void FactsConsumer::visitFunction(const clang::FunctionDecl &function)
{
    if (!function.doesThisDeclarationHaveABody() || function.isDependentContext() ||
        !isKernel(function, compiler.getLangOpts()))
        return;
    clang::ASTContext &context = compiler.getASTContext();
    KernelFacts kernel;
    kernel.name = nameOf(function);
    kernel.location = function.getLocation();
    for (const clang::ParmVarDecl *param : function.parameters())
        addParam(*param, kernel);
    kernel.assume = assumptionsOf(function, compiler, kernel.assumedAt);
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
