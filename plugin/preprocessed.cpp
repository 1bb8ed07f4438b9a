/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/preprocessed.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Path.h"

#include "support/text.h"

namespace gpuperf
{

namespace
{

/* In the file that is compiled, or in a header that it includes, directly or through others; not in one that the
 * command line or the compiler puts in front. */
bool isInProgram(const clang::SourceManager &sources, clang::SourceLocation location)
{
    clang::FileID file = sources.getFileID(sources.getExpansionLoc(location));
    while (file.isValid() && file != sources.getMainFileID())
        file = sources.getFileID(sources.getIncludeLoc(file));
    return file.isValid();
}

class Follower : public clang::PPCallbacks
{
public:
    Follower(clang::Preprocessor &preprocessor, Preprocessed &seen)
        : preprocessor(preprocessor), sources(preprocessor.getSourceManager()), seen(seen)
    {
    }

    void If(clang::SourceLocation place, clang::SourceRange, ConditionValueKind) override { condition(place); }
    void Elif(clang::SourceLocation place, clang::SourceRange, ConditionValueKind value, clang::SourceLocation) override
    {
        if (value != CVK_NotEvaluated)
            condition(place);
    }
    void Ifdef(clang::SourceLocation place, const clang::Token &name, const clang::MacroDefinition &) override
    {
        tested(place, name.getIdentifierInfo());
    }
    void Ifndef(clang::SourceLocation place, const clang::Token &name, const clang::MacroDefinition &) override
    {
        tested(place, name.getIdentifierInfo());
    }
    void Elifdef(clang::SourceLocation place, const clang::Token &name, const clang::MacroDefinition &) override
    {
        tested(place, name.getIdentifierInfo());
    }
    void Elifndef(clang::SourceLocation place, const clang::Token &name, const clang::MacroDefinition &) override
    {
        tested(place, name.getIdentifierInfo());
    }
    void Defined(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange range) override
    {
        tested(range.getBegin(), name.getIdentifierInfo());
    }
    void MacroExpands(const clang::Token &name, const clang::MacroDefinition &macro, clang::SourceRange range,
                      const clang::MacroArgs *) override;
    void HasInclude(clang::SourceLocation place, llvm::StringRef, bool, clang::OptionalFileEntryRef,
                    clang::SrcMgr::CharacteristicKind) override
    {
        if (isInProgram(sources, place))
            seen.macros.insert("__has_include defined");
    }
    void InclusionDirective(clang::SourceLocation place, const clang::Token &, llvm::StringRef name, bool angled,
                            clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef,
                            const clang::Module *, bool, clang::SrcMgr::CharacteristicKind) override
    {
        if (isInProgram(sources, place))
            included(place, name, angled, file ? file->getName() : llvm::StringRef());
    }

private:
    bool isPrograms(const clang::IdentifierInfo *name) const;
    void tested(clang::SourceLocation place, const clang::IdentifierInfo *name);
    void condition(clang::SourceLocation place);
    void testedIn(const clang::MacroInfo &macro, std::set<const clang::MacroInfo *> &followed);
    void testedToken(const clang::IdentifierInfo *name, std::set<const clang::MacroInfo *> &followed);
    void included(clang::SourceLocation place, llvm::StringRef name, bool angled, llvm::StringRef path);

    clang::Preprocessor &preprocessor;
    clang::SourceManager &sources;
    Preprocessed &seen;
};

/* The directive that holds now, #define or #undef, is the program's. */
bool Follower::isPrograms(const clang::IdentifierInfo *name) const
{
    const clang::MacroDirective *directive = preprocessor.getLocalMacroDirectiveHistory(name);
    while (directive && directive->getKind() == clang::MacroDirective::MD_Visibility)
        directive = directive->getPrevious();
    clang::SourceLocation place = directive ? directive->getLocation() : clang::SourceLocation();
    return place.isValid() && (isInProgram(sources, place) || sources.isWrittenInCommandLineFile(place));
}

void Follower::tested(clang::SourceLocation place, const clang::IdentifierInfo *name)
{
    if (name && isInProgram(sources, place) && !isPrograms(name))
        seen.macros.insert(name->getName().str() + (name->hasMacroDefinition() ? " defined" : " undefined"));
}

/* A name that a condition holds, and those of which the macros that it stands for are made. What they are pasted
 * together to is not known. */
void Follower::testedToken(const clang::IdentifierInfo *name, std::set<const clang::MacroInfo *> &followed)
{
    if (!isPrograms(name))
        seen.macros.insert(name->getName().str() + (name->hasMacroDefinition() ? " defined" : " undefined"));
    else if (const clang::MacroInfo *macro = preprocessor.getMacroInfo(name))
        testedIn(*macro, followed);
}

void Follower::testedIn(const clang::MacroInfo &macro, std::set<const clang::MacroInfo *> &followed)
{
    if (!followed.insert(&macro).second)
        return;
    for (const clang::Token &token : macro.tokens()) {
        const clang::IdentifierInfo *name = token.getIdentifierInfo();
        bool parameter = name && llvm::is_contained(macro.params(), name);
        if (token.is(clang::tok::hashhash))
            seen.macros.insert("## defined");
        else if (name && !parameter && !name->isStr("defined") && !name->isStr("__VA_ARGS__") &&
                 !name->isStr("__VA_OPT__"))
            testedToken(name, followed);
    }
}

/* There is no callback for a name in #if that is no macro: the names on the line, which begins with the place of the
 * directive's own name. */
void Follower::condition(clang::SourceLocation place)
{
    bool invalid = place.isMacroID() || !isInProgram(sources, place);
    auto [file, offset] = sources.getDecomposedLoc(place);
    llvm::StringRef text = sources.getBufferData(file, &invalid);
    if (place.isMacroID() || !isInProgram(sources, place) || invalid)
        return;
    clang::Lexer lexer(sources.getLocForStartOfFile(file), preprocessor.getLangOpts(), text.begin(),
                       text.begin() + offset, text.end());
    std::set<const clang::MacroInfo *> followed;
    clang::Token token;
    bool first = true;
    for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof) && (first || !token.isAtStartOfLine());
         lexer.LexFromRawLexer(token), first = false)
        if (!first && token.is(clang::tok::raw_identifier) &&
            preprocessor.LookUpIdentifierInfo(token)->getName() != "defined")
            testedToken(token.getIdentifierInfo(), followed);
}

/* In the code: what the compiler predefines, and what it makes up at each place (__LINE__). What its headers define is
 * part of the language. */
void Follower::MacroExpands(const clang::Token &name, const clang::MacroDefinition &macro, clang::SourceRange range,
                            const clang::MacroArgs *)
{
    const clang::MacroInfo *info = macro.getMacroInfo();
    clang::SourceLocation place = info ? info->getDefinitionLoc() : clang::SourceLocation();
    bool predefined = info && (info->isBuiltinMacro() || (place.isValid() && sources.isWrittenInBuiltinFile(place)));
    if (predefined && isInProgram(sources, range.getBegin()))
        seen.macros.insert(name.getIdentifierInfo()->getName().str() + " defined");
}

std::string joined(llvm::StringRef directory, llvm::StringRef name)
{
    llvm::SmallString<256> path(directory);
    llvm::sys::path::append(path, name);
    return std::string(path);
}

void Follower::included(clang::SourceLocation place, llvm::StringRef name, bool angled, llvm::StringRef path)
{
    if (!path.empty())
        seen.headers.insert(path.str());
    std::vector<std::string> before;
    auto includer = sources.getFileEntryRefForID(sources.getFileID(sources.getExpansionLoc(place)));
    if (!angled && includer && sources.getFileID(sources.getExpansionLoc(place)) != sources.getMainFileID())
        before.push_back(joined(llvm::sys::path::parent_path(includer->getName()), name));
    for (const clang::DirectoryLookup &directory : preprocessor.getHeaderSearchInfo().search_dir_range())
        before.push_back(joined(directory.getName(), name));
    for (const std::string &candidate : before) {
        if (candidate == path || llvm::sys::path::is_absolute(name))
            return;
        seen.absent.insert(candidate);
    }
}

void write(gp_text &text, const char *kind, const std::set<std::string> &items)
{
    for (const std::string &item : items)
        gp_text_printf(&text, "%s %s\n", kind, item.c_str());
}

} // namespace

void followPreprocessor(clang::CompilerInstance &compiler, Preprocessed &seen)
{
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<Follower>(compiler.getPreprocessor(), seen));
}

void findLanguageNames(clang::CompilerInstance &compiler, Preprocessed &seen)
{
    clang::Sema &sema = compiler.getSema();
    std::set<std::string> told;
    for (llvm::StringRef entry : seen.macros) {
        auto [name, state] = entry.split(' ');
        clang::IdentifierInfo &identifier = compiler.getPreprocessor().getIdentifierTable().get(name);
        clang::LookupResult found(sema, &identifier, clang::SourceLocation(), clang::Sema::LookupOrdinaryName);
        found.suppressDiagnostics();
        bool keyword = identifier.getTokenID() != clang::tok::identifier || identifier.getBuiltinID() != 0;
        bool declared = !keyword && sema.LookupName(found, sema.TUScope, true) &&
                        llvm::any_of(found, [&](const clang::NamedDecl *decl) {
                            return !isInProgram(compiler.getSourceManager(), decl->getLocation());
                        });
        told.insert(state == "undefined" && (keyword || declared) ? name.str() + " language" : entry.str());
    }
    seen.macros = told;
}

bool leavesRoundingOpen(const llvm::Module &module)
{
    for (const llvm::Function &function : module)
        for (const llvm::Instruction &instruction : llvm::instructions(function))
            if (auto *operation = llvm::dyn_cast<llvm::FPMathOperator>(&instruction);
                operation && operation->getFastMathFlags().any())
                return true;
    return false;
}

bool writePreprocessed(const Preprocessed &seen, const std::string &file)
{
    gp_text text = {};
    gp_text_append(&text, "", 0);
    write(text, "macro", seen.macros);
    write(text, "header", seen.headers);
    write(text, "absent", seen.absent);
    if (seen.rounding)
        gp_text_printf(&text, "rounding\n");
    bool written = gp_write_file(file.c_str(), text.data, text.length);
    gp_text_free(&text);
    return written;
}

} // namespace gpuperf
