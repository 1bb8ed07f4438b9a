#include "plugin/build_options.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"

namespace gpuperf {

namespace {

/* The place as line tables would have it: #line directives count. */
SourcePlace placeOf(const clang::SourceManager &sources, clang::SourceLocation location)
{
    clang::PresumedLoc presumed = sources.getPresumedLoc(location);
    SourcePlace place;
    if (presumed.isValid()) {
        place.file = presumed.getFilename();
        place.line = presumed.getLine();
        place.column = presumed.getColumn();
    }
    return place;
}

bool isSystemHeader(const clang::SourceManager &sources, const std::string &name)
{
    auto file = sources.getFileManager().getOptionalFileRef(name);
    clang::FileID known = file ? sources.translateFile(*file) : clang::FileID();
    return known.isValid() && sources.isInSystemHeader(sources.getLocForStartOfFile(known));
}

} // namespace

BuildOptions buildOptions(const Session &session)
{
    const clang::CompilerInstance &compiler = session.compiler;
    BuildOptions options;
    options.producer = "gpuperf " GPUPERF_VERSION " clang " CLANG_VERSION_STRING;
    if (!compiler.getFrontendOpts().Inputs.empty())
        options.source = compiler.getFrontendOpts().Inputs[0].getFile().str();
    options.language = compiler.getLangOpts().OpenCL ? "opencl" : "cuda";
    options.isSystemHeader = [&sources = compiler.getSourceManager()](const std::string &file) { return isSystemHeader(sources, file); };
    options.optLevel = compiler.getCodeGenOpts().OptimizationLevel;
    for (const auto &[symbol, kernel] : session.facts) {
        options.parameterNames[symbol] = kernel.params;
        options.parameterRecords[symbol] = kernel.records;
        options.kernelNames[symbol] = kernel.name;
        options.kernelPlaces[symbol] = placeOf(compiler.getSourceManager(), kernel.location);
        if (!kernel.assume.empty())
            options.assumptions[symbol] = kernel.assume;
    }
    return options;
}

} // namespace gpuperf
