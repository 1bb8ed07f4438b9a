/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/build_options.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"

namespace gpuperf
{

namespace
{

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

/* "a" where `a[i]` stands. */
std::string arrayAt(const clang::CompilerInstance &compiler, const gp_location &place)
{
    const clang::SourceManager &sources = compiler.getSourceManager();
    auto file = sources.getFileManager().getOptionalFileRef(place.file);
    clang::SourceLocation at = file && place.line > 0 && place.column > 0
                                   ? sources.translateFileLineCol(&file->getFileEntry(), place.line, place.column)
                                   : clang::SourceLocation();
    bool invalid = at.isInvalid();
    llvm::StringRef rest =
        invalid ? "" : sources.getBufferData(sources.getFileID(at), &invalid).substr(sources.getFileOffset(at));
    llvm::StringRef name = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    bool indexed = rest.substr(name.size()).ltrim(" \t").starts_with("[");
    return invalid || !indexed || name.empty() || llvm::isDigit(name[0]) ? "" : name.str();
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
    options.looseDivisions = compiler.getLangOpts().OpenCL && !compiler.getCodeGenOpts().OpenCLCorrectlyRoundedDivSqrt;
    options.isSystemHeader = [&sources = compiler.getSourceManager()](const std::string &file) {
        return isSystemHeader(sources, file);
    };
    options.arrayAt = [&compiler](const gp_location &place) { return arrayAt(compiler, place); };
    options.optLevel = compiler.getCodeGenOpts().OptimizationLevel;
    options.leftToDrivers =
        !session.options.unrollsAsNvidia && compiler.getLangOpts().CUDA && compiler.getTarget().getTriple().isNVPTX();
    options.joinsWords = llvm::all_of(session.devices, [](const DevicePtr &device) {
        return device->arch >= GP_ARCH_GCN && device->arch <= GP_ARCH_RDNA;
    });
    options.widensLocalLoads = !options.joinsWords && llvm::none_of(session.devices, [](const DevicePtr &device) {
        return device->arch < GP_ARCH_FERMI;
    });
    options.packsHalfs =
        llvm::none_of(session.devices, [](const DevicePtr &device) { return device->arch == GP_ARCH_TERASCALE; });
    options.powers = &session.powers;
    options.doubles = &session.doubles;
    options.places = &session.places;
    options.divisors = &session.divisors;
    options.askForGroups = session.askForGroups;
    options.tablesAsNvcc = session.options.unrollsAsNvidia && !compiler.getLangOpts().OpenCL;
    for (const auto &[symbol, kernel] : session.facts) {
        options.parameterNames[symbol] = kernel.params;
        options.parameterRecords[symbol] = kernel.records;
        options.parameterMembers[symbol] = kernel.members;
        options.kernelNames[symbol] = kernel.name;
        options.kernelPlaces[symbol] = placeOf(compiler.getSourceManager(), kernel.location);
        if (!kernel.assume.empty())
            options.assumptions[symbol] = kernel.assume;
    }
    return options;
}

} // namespace gpuperf
