/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/session.h"

#include "clang/Frontend/CompilerInstance.h"

#include "model/profile/profile_binary.h"
#include "plugin/annotate.h"
#include "plugin/build_options.h"
#include "plugin/diagnose.h"
#include "plugin/findings.h"
#include "plugin/line_tables.h"
#include "plugin/remarks.h"
#include "report/report_json.h"

namespace gpuperf
{

namespace
{

/* The words as they are embedded, and the profile that any reader makes of them: what is predicted here is what others
 * will see. */
struct BuiltProfile {
    std::vector<uint32_t> words;
    ProfilePtr profile;
};

/* A file with the analysis is waited for; else it comes beside the code, which is not to take twice as long. */
bool asksForAnalysis(const Options &options) { return !options.profileFile.empty() || !options.reportFile.empty(); }

/* An instruction of a call that is followed costs a third of what the compiler took for an instruction, more or less: a
 * sixth of a compile at most, and what is always followed. */
unsigned affordablyFollowed(const llvm::Module &module)
{
    const unsigned always = 10000;
    return module.getInstructionCount() / 2 + always;
}

/* There is no function that an optimisation remark could be of. */
void remarkNoKernel(const clang::CompilerInstance &compiler)
{
    if (compiler.getCodeGenOpts().OptimizationRemarkAnalysis.patternMatches("gpuperf"))
        reportRemark(compiler, "no kernel here");
}

BuiltProfile build(Session &session, llvm::Module &module)
{
    BuiltProfile built;
    std::string error;
    gp_error complaint = {};
    BuildOptions options = buildOptions(session);
    if (!asksForAnalysis(session.options))
        options.maxFollowed = affordablyFollowed(module);
    bool good = buildProfile(module, options, built.words, error);
    if (!good)
        reportRemark(session.compiler, "no prediction: " + error);
    else if (built.words.empty())
        remarkNoKernel(session.compiler);
    else
        built.profile.reset(gp_profile_decode_encoded(built.words.data(), built.words.size(), &complaint));
    if (!built.profile && complaint.text[0] != '\0')
        reportRemark(session.compiler, std::string("no prediction: ") + complaint.text);
    return built;
}

void writeReport(Session &session, const gp_profile &profile, const Predictions &predictions)
{
    std::vector<gp_report_row> rows;
    for (const KernelPrediction &prediction : predictions.kernels) {
        for (const gp_prediction *candidate : prediction.candidates)
            rows.push_back({&profile, prediction.kernel, prediction.device->name, candidate, prediction.device->nearest,
                            candidate == &prediction.assumed(), false, nullptr, nullptr, nullptr});
    }
    gp_error error = {};
    if (!gp_report_write_file(rows.data(), rows.size(), session.options.reportFile.c_str(), &error))
        reportError(session.compiler, error.text);
}

void writeProfile(Session &session, const gp_profile &profile)
{
    const std::string &file = session.options.profileFile;
    gp_error error = {};
    if (!gp_profile_write_file(&profile, file == "-" ? "/dev/stdout" : file.c_str(), &error))
        reportError(session.compiler, error.text);
}

/* Trouble with a kernel is a remark, with what its annotation states a warning there, a wrong assumption the user's
 * error. */
void speakOf(Session &session, const Predictions &predictions)
{
    for (const Unlaunchable &kernel : predictions.misannotated) {
        auto known = session.facts.find(kernel.kernel->symbol);
        reportWarning(session.compiler,
                      known != session.facts.end() ? known->second.assumedAt : clang::SourceLocation(), kernel.why);
    }
    for (const std::string &mistake : predictions.mistakes)
        reportError(session.compiler, mistake);
    for (const std::string &remark : predictions.remarks)
        reportRemark(session.compiler, remark);
    for (const std::string &failure : predictions.failures)
        reportRemark(session.compiler, failure);
}

/* Who asks for the profile alone predicts for himself. */
bool wantsPredictions(const Options &options, const llvm::Module &module)
{
    return options.annotate || !options.reportFile.empty() || options.mayWarn() || !options.assumptions.empty() ||
           areRemarksWanted(module);
}

bool analyze(Session &session, llvm::Module &module)
{
    const Options &options = session.options;
    bool report = !options.reportFile.empty();
    BuiltProfile built = build(session, session.twin ? *session.twin : module);
    if (!built.profile || built.profile->kernel_count == 0) {
        if (report)
            writeReport(session, {}, {});
        return false;
    }
    const gp_profile &profile = *built.profile;
    Predictions predictions;
    if (wantsPredictions(options, module))
        predictions = predictAll(profile, session.devices, options,
                                 {options.annotate || report, report, !asksForAnalysis(options)});
    std::vector<Finding> findings = findAll(profile, predictions);
    emitRemarks(module, profile, predictions, findings);
    speakOf(session, predictions);
    warn(session.compiler, profile, session.facts, options, session.fixes, predictions.unlaunchable, findings);
    if (!options.profileFile.empty())
        writeProfile(session, profile);
    if (report)
        writeReport(session, profile, predictions);
    if (!options.annotate)
        return false;
    annotateKernels(module, predictions);
    embedProfile(module, built.words);
    return true;
}

} // namespace

void reportPreprocessed(Session &session)
{
    const std::string &file = session.options.preprocessedFile;
    if (!file.empty() && !writePreprocessed(session.preprocessed, file))
        reportError(session.compiler, "cannot write " + file);
}

void reportFixes(Session &session)
{
    const std::string &file = session.options.editsFile;
    if (!file.empty() && !writeFixes(session.compiler.getSourceManager(), session.fixes, file))
        reportError(session.compiler, "cannot write " + file);
}

bool analyzeModule(Session &session, llvm::Module &module)
{
    reportPreprocessed(session);
    bool changed = !session.compiler.getDiagnostics().hasErrorOccurred() && analyze(session, module);
    if (session.ownLineTables)
        changed = stripLineTables(module) || changed;
    return changed;
}

} // namespace gpuperf
